// What words in the place of the padding change, against a naive pass in double that has neither padding nor
// masks of it, but hides these places by hand.
#include "engine/analysis/padding_study.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "naive_pass.h"
#include "random_models.h"

using namespace glassformer;
using glassformer::testing::NaivePass;

namespace {

using Ids = std::vector<int>;
using Numbers = NaivePass::Numbers;

// Two sentences; the first is the longer one on both sides.
const TraceInput kInput{.sources = {{5, 6, 7, 8, 9}, {8, 4}}, .targets = {{4, 5, 6, 7}, {9}}};
constexpr int kPad = 0;

Trace padded_trace(const Transformer<float>& model, const WhatIf& what_if = {}) {
  return record_trace(model, kInput, {.what_if = what_if, .pad = true});
}

// The short sentence with what follows its words.
Ids behind(const std::vector<Ids>& rows, bool words) {
  Ids ids = rows[1];
  for (std::size_t i = ids.size(); i < rows[0].size(); ++i) ids.push_back(words ? rows[0][i] : kPad);
  return ids;
}

double largest(const Numbers& a, const Numbers& b, Eigen::Index rows) {
  return (a - b).topRows(rows).cwiseAbs().maxCoeff();
}

// Logits of the short sentence, the source's last places hidden from one attention.
Numbers hidden_from(const Transformer<double>& model, const std::string& attention, const Ids& source,
                    const Ids& target, std::size_t words) {
  NaivePass naive(model);
  naive.replace = [&](const std::string& name, int, Numbers& value) {
    if (!name.starts_with(attention) || !name.ends_with(" scores")) return;
    for (auto key = static_cast<Eigen::Index>(words); key < value.cols(); ++key)
      value.col(key).setConstant(-std::numeric_limits<double>::infinity());
  };
  return naive.logits(source, target);
}

}  // namespace

TEST_CASE("without its mask an attention reads the padding as a naive pass in double does") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    // A ReLU divides by the keys that the mask leaves: the naive pass, which hides scores alone, counts all.
    if (each.config.attention_activation == AttentionActivation::relu) continue;
    const Transformer<double> exact = random_model<double>(each.config, 5);
    const Transformer<float> model = exact.cast<float>();
    const Trace trace = padded_trace(model);
    const PaddingStudy study = study_padding(model, trace, {});
    const Ids pads = behind(trace.source, false), words = behind(trace.source, true);
    const Ids& target = trace.target_in[1];
    const std::size_t real = trace.source[1].size();
    const auto rows = static_cast<Eigen::Index>(target.size());
    REQUIRE(pads != words);

    // The encoder's is off, the decoder's on the memory still hides the padding, and the other way round.
    const struct {
      AttentionKind kind;
      const char* hiding;
    } cases[] = {{AttentionKind::encoder, "cross"}, {AttentionKind::cross, "encoder"}};
    for (const auto& [kind, hiding] : cases) {
      const PaddingStudy::Block& block = study.blocks[static_cast<std::size_t>(kind)];
      CHECK(block.padding == static_cast<int>(trace.source[0].size() - real));
      const double wanted = largest(hidden_from(exact, hiding, pads, target, real),
                                    hidden_from(exact, hiding, words, target, real), rows);
      CHECK(wanted > 1e-6);
      CHECK(std::abs(block.seen.logits - wanted) < 1e-4 * (1 + wanted));
      CHECK(block.seen.stack_output > 0);
      CHECK(block.seen.loss > 0);
      CHECK(block.masked.stack_output == 0);
      CHECK(block.masked.logits == 0);
      CHECK(block.masked.loss == 0);
      CHECK(block.masked.padding_rows > 0);  // their own words are others
    }
  }
}

TEST_CASE("the decoder's own attention needs no padding mask: behind a causal one nothing reads padding") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<double>(each.config, 6).cast<float>();
    const PaddingStudy study = study_padding(model, padded_trace(model), {});
    const auto& own = study.blocks[static_cast<std::size_t>(AttentionKind::decoder)];
    CHECK(study.causal);
    CHECK(own.padding == 3);
    for (const PaddingEffect& effect : {own.masked, own.seen}) {
      CHECK(effect.stack_output == 0);
      CHECK(effect.logits == 0);
      CHECK(effect.loss == 0);
      CHECK(effect.padding_rows > 0);
    }
  }
}

TEST_CASE("without the causal mask the decoder's own attention needs its padding mask") {
  const Transformer<float> model = random_model<double>(small_config(), 7).cast<float>();
  WhatIf what_if;
  what_if.changes = {change_of(ChangeKind::causal_mask_off), change_of(ChangeKind::padding_mask_off)};
  const PaddingStudy study = study_padding(model, padded_trace(model, what_if), what_if);
  const auto& own = study.blocks[static_cast<std::size_t>(AttentionKind::decoder)];
  CHECK(!study.causal);
  CHECK(own.masked.logits == 0);  // changes of the padding masks are left out
  CHECK(own.seen.stack_output > 0);
  CHECK(own.seen.logits > 0);
}

TEST_CASE("zeros behind the softmax leave of a row what the padding has not taken") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    if (each.config.attention_activation == AttentionActivation::relu) continue;
    const Transformer<double> exact = random_model<double>(each.config, 8);
    const Trace trace = padded_trace(exact.cast<float>());
    const PaddingStudy study = study_padding(exact.cast<float>(), trace, {});
    const auto words = static_cast<Eigen::Index>(trace.source[1].size());
    const auto rows_of = [&](AttentionKind kind) {
      return kind == AttentionKind::encoder ? words : static_cast<Eigen::Index>(trace.target_in[1].size());
    };
    for (const auto& [kind, attention] : {std::pair{AttentionKind::encoder, "encoder 0 weights"},
                                          {AttentionKind::cross, "cross 0 weights"}}) {
      double sum = 0, least = 1;
      long rows = 0;
      NaivePass naive(exact);
      naive.replace = [&, kind = kind, starts = attention](const std::string& name, int, Numbers& value) {
        if (name.find(" scores") != std::string::npos && kind == AttentionKind::cross &&
            name.starts_with("encoder"))
          value.rightCols(value.cols() - words).setConstant(-std::numeric_limits<double>::infinity());
        if (!name.starts_with(starts)) return;
        for (Eigen::Index row = 0; row < rows_of(kind); ++row) {
          const double share = value.row(row).head(words).sum();
          sum += share, least = std::min(least, share), ++rows;
        }
      };
      naive.logits(behind(trace.source, false), trace.target_in[1]);
      REQUIRE(rows > 0);
      const ZeroedPadding& zeroed = study.blocks[static_cast<std::size_t>(kind)].zeroed;
      CHECK(zeroed.mean == doctest::Approx(sum / static_cast<double>(rows)).epsilon(1e-4));
      CHECK(zeroed.least == doctest::Approx(least).epsilon(1e-4));
      CHECK(zeroed.least < 1);
    }
    // The causal mask hides what is behind a word, padding too.
    CHECK(study.blocks[static_cast<std::size_t>(AttentionKind::decoder)].zeroed.least ==
          doctest::Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("where all sentences are equally long there is no padding to ask about") {
  const Transformer<float> model = random_model<double>(small_config(), 8).cast<float>();
  const Trace trace =
      record_trace(model, {.sources = {{4, 5}, {6, 7}}, .targets = {{4}, {5}}}, {.pad = true});
  const PaddingStudy study = study_padding(model, trace, {});
  for (const PaddingStudy::Block& block : study.blocks) {
    CHECK(block.padding == 0);
    CHECK(block.seen.logits == 0);
  }
}

TEST_CASE("a padding mask is switched for one attention, whatever was written for all") {
  WhatIf what_if;
  what_if.changes = {change_of(ChangeKind::scale_off), change_of(ChangeKind::padding_mask_off)};
  what_if.see_padding(AttentionKind::decoder, false);
  CHECK(what_if.padding_seen(AttentionKind::encoder));
  CHECK(!what_if.padding_seen(AttentionKind::decoder));
  CHECK(what_if.padding_seen(AttentionKind::cross));
  CHECK(what_if.has(ChangeKind::scale_off));
  what_if.see_padding(AttentionKind::decoder, true);
  CHECK(what_if.changes.size() == 2);
  CHECK(what_if.changes[1] == change_of(ChangeKind::padding_mask_off));
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross})
    what_if.see_padding(kind, false);
  CHECK(what_if.changes.size() == 1);
}
