#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/decode/beam_record.h"
#include "engine/model/what_if/changed_model.h"
#include "random_models.h"

using namespace glassformer;

namespace {

// A vocabulary of five words, so that every sentence of up to four can be tried.
Transformer<double> five_words(std::uint64_t seed, const Config& base = small_config()) {
  Config config = base;
  config.source_vocab = config.target_vocab = 5;
  return random_model<double>(config, seed);
}

const std::vector<int> kSource = {4, 1, 4};

RowVector<double> log_p_after(const Transformer<double>& model, std::vector<int> words) {
  words.insert(words.begin(), model.config.bos_id);
  Batch batch;
  batch.rules.mask_padding.fill(false);
  batch.source.add(kSource);
  batch.target_in.add(words);
  batch.target_out.add(words);
  Saved<double> saved;
  model.forward(batch, saved);
  RowVector<double> row = saved.logits.row(saved.logits.rows() - 1);
  row.array() -= std::log(row.array().exp().sum());
  return row;
}

double penalty_by_hand(LengthPenalty form, double n, double alpha) {
  return form == LengthPenalty::paper ? std::pow((5 + n) / 6, alpha) : std::pow(n, alpha);
}

struct Sentence {
  std::vector<int> words;
  double total = 0, score = 0;
};

// All sentences of at most four words that end with eos or are cut off there, best score first.
std::vector<Sentence> all_sentences(const Transformer<double>& model, LengthPenalty form, double alpha) {
  std::vector<Sentence> all;
  const std::function<void(const std::vector<int>&, double)> grow = [&](const std::vector<int>& before,
                                                                        double total) {
    const RowVector<double> log_p = log_p_after(model, before);
    for (int id = 0; id < model.config.target_vocab; ++id) {
      std::vector<int> words = before;
      words.push_back(id);
      const double sum = total + log_p[id];
      if (id == model.config.eos_id || words.size() == 4)
        all.push_back({words, sum, sum / penalty_by_hand(form, static_cast<double>(words.size()), alpha)});
      else
        grow(words, sum);
    }
  };
  grow({}, 0);
  std::ranges::sort(all, std::greater<>(), &Sentence::score);
  return all;
}

DecodeOptions recorded(int beam, LengthPenalty form = LengthPenalty::paper, double alpha = 0.6) {
  DecodeOptions options;
  options.search = Search::beam;
  options.beam = beam;
  options.alpha = alpha;
  options.penalty = form;
  options.max_length = 5;
  options.record = true;
  return options;
}

}  // namespace

TEST_CASE("a beam as wide as the language finds what trying every sentence finds, under both penalties") {
  for (const LengthPenalty form : {LengthPenalty::paper, LengthPenalty::length})
    for (const double alpha : {0.0, 0.6, 1.0})
      for (const std::uint64_t seed : {1, 2, 3}) {
        const Transformer<double> model = five_words(seed);
        const std::vector<Sentence> all = all_sentences(model, form, alpha);
        const DecodeResult found = decode(model, {kSource}, recorded(600, form, alpha)).front();
        REQUIRE(found.record);
        CHECK(found.ids == all.front().words);
        CHECK(found.score == doctest::Approx(all.front().score).epsilon(1e-9));
        // Every finished one of the record, with its arithmetic.
        CHECK(found.record->finished.size() == all.size());
        for (std::size_t i = 0; i < 10; ++i) {
          const BeamFinish& finish = found.record->finished[i];
          CHECK(found.record->words(finish.place) == all[i].words);
          CHECK(finish.words == static_cast<int>(all[i].words.size()));
          CHECK(finish.ended == (all[i].words.back() == model.config.eos_id));
          CHECK(finish.total == doctest::Approx(all[i].total).epsilon(1e-9));
          CHECK(finish.penalty == doctest::Approx(penalty_by_hand(form, finish.words, alpha)));
          CHECK(finish.score == doctest::Approx(all[i].score).epsilon(1e-9));
        }
      }
}

TEST_CASE("the record holds each step's candidates, and its kept ones are the best that do not end") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = five_words(4, each.config);
    const DecodeOptions options = recorded(2);
    const DecodeResult found = decode(model, {kSource}, options).front();
    REQUIRE(found.record);
    const BeamRecord& record = *found.record;
    std::vector<std::pair<std::vector<int>, double>> alive = {{{}, 0}};
    for (std::size_t step = 0; step < record.steps.size(); ++step) {
      // All continuations of the living, by the whole model.
      std::vector<Sentence> wanted;
      for (const auto& [words, total] : alive) {
        const RowVector<double> log_p = log_p_after(model, words);
        for (int id = 0; id < 5; ++id) {
          std::vector<int> longer = words;
          longer.push_back(id);
          wanted.push_back({longer, total + log_p[id], 0});
        }
      }
      std::ranges::sort(wanted, std::greater<>(), &Sentence::total);
      alive.clear();
      const std::vector<BeamNode>& considered = record.steps[step].considered;
      REQUIRE(considered.size() >= 4);
      for (std::size_t rank = 0; rank < 4; ++rank) {
        const BeamPlace place{static_cast<int>(step), static_cast<int>(rank)};
        CHECK(record.words(place) == wanted[rank].words);
        CHECK(considered[rank].total == doctest::Approx(wanted[rank].total).epsilon(1e-9));
        const bool ends = considered[rank].id == model.config.eos_id;
        const BeamFate fate = ends               ? (rank < 2 ? BeamFate::finished : BeamFate::cut)
                              : alive.size() < 2 ? BeamFate::kept
                                                 : BeamFate::cut;
        CHECK(considered[rank].fate == fate);
        if (fate != BeamFate::cut) CHECK(record.find(wanted[rank].words) == place);
        if (fate == BeamFate::kept) alive.emplace_back(wanted[rank].words, wanted[rank].total);
      }
    }
    // The first K finished ones are the hypotheses.
    for (std::size_t i = 0; i < found.hypotheses.size(); ++i) {
      CHECK(record.words(record.finished[i].place) == found.hypotheses[i].ids);
      CHECK(record.finished[i].score == doctest::Approx(found.hypotheses[i].score));
    }
    if (record.end == BeamEnd::beaten) CHECK(record.bound <= record.worst);
  }
}

TEST_CASE("what is not a number is ranked last, in the record and among what was found") {
  int seen = 0;
  for (const std::uint64_t seed : {3, 4, 5, 6, 7, 8}) {
    const Transformer<double> model = five_words(seed);
    WhatIf what_if;
    Change edit = change_of(ChangeKind::edit_parameter);
    edit.parameter = "target_embedding.weight";
    edit.row = 4;  // whoever reads this word has no numbers left
    edit.column = 0;
    edit.amount = 1e300;
    what_if.toggle(edit);
    const ChangedModel<double> changed(model, what_if);
    DecodeOptions options;
    options.search = Search::beam;
    options.beam = 3;
    options.record = true;
    const DecodeResult found = decode(changed, {kSource}, options).front();
    const auto ordered = [&](const auto& all, auto number) {
      bool broken = false;
      for (const auto& each : all) {
        const bool finite = std::isfinite(number(each));
        CHECK_FALSE((finite && broken));
        broken = broken || !finite;
      }
      seen += broken ? 1 : 0;
    };
    for (const BeamStep& step : found.record->steps)
      ordered(step.considered, [](const BeamNode& node) { return node.total; });
    ordered(found.record->finished, [](const BeamFinish& finish) { return finish.score; });
    ordered(found.hypotheses, [](const Hypothesis& hypothesis) { return hypothesis.score; });
  }
  CHECK(seen > 0);
}

TEST_CASE("the record says why the search ended, and no record is made unasked") {
  const Transformer<double> model = five_words(6);
  DecodeOptions options = recorded(2);
  int asked = 0;
  const auto stopped = decode(model, {kSource}, options, [&] { return ++asked <= 2; }).front();
  CHECK(stopped.record->end == BeamEnd::stopped);
  CHECK(stopped.record->steps.size() == 2);
  options.record = false;
  CHECK(!decode(model, {kSource}, options).front().record);
}

TEST_CASE("given words are scored as a search scores them, under what is changed") {
  const Transformer<double> model = five_words(7);
  const DecodeOptions options = recorded(3, LengthPenalty::length, 0.8);
  WhatIf what_if;
  what_if.toggle(mute_head(AttentionKind::cross, 0, 1));
  for (const WhatIf& changes : {WhatIf{}, what_if}) {
    const ChangedModel<double> changed(model, changes);
    const DecodeResult found = decode(changed, {kSource}, options).front();
    for (const BeamFinish& finish : found.record->finished) {
      const auto scored = score_words(changed, kSource, found.record->words(finish.place), options);
      REQUIRE(scored);
      CHECK(scored->total == doctest::Approx(finish.total).epsilon(1e-9));
      CHECK(scored->score == doctest::Approx(finish.score).epsilon(1e-9));
    }
  }
  const ChangedModel<double> changed(model, what_if), plain(model, {});
  const std::vector<int> words = {4, 1, 3};
  CHECK(score_words(changed, kSource, words, options)->total !=
        doctest::Approx(score_words(plain, kSource, words, options)->total).epsilon(1e-6));
  CHECK(!score_words(plain, kSource, std::vector<int>(40, 4), options));
}
