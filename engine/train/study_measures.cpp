#include "engine/train/study_measures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/math/error.h"
#include "engine/math/softmax.h"
#include "engine/math/typed_number.h"
#include "engine/text/aligned_data.h"
#include "engine/text/unicode.h"
#include "engine/train/run_data.h"

namespace glassformer {
namespace {

enum class Needs { nothing, range, part };  // behind its name

struct MeasureRow {
  const char* name;
  Needs needs;
  const char *words, *unit, *meaning;
  int decimals;
  double (*of)(MeasuredModel& model, const StudyMeasure& measure);
  const char *joint = "", *joint_of_mean = "";  // between words and part
  const char* part = "";                        // where the name has none: "the diagonal"
};

double mean_of(const std::vector<double>& values) {
  return mean_and_deviation(values).mean;
}

// Over the heads of a part: what exact match falls by, in points, when one is muted.
double exact_lost(MeasuredModel& model, const StudyMeasure& measure) {
  const MeasuredPart& part = measure.of_part;
  std::vector<double> lost;
  for (const PartRow& row : model.heads().rows)
    if (row.part.kind == ChangeKind::mute_head && kind_of(row.part) == part.kind &&
        (!part.layer || row.part.block.layer == *part.layer) && (!part.head || row.part.head == *part.head))
      lost.push_back(-100 * row.exact_match);
  return mean_of(lost);
}

// Of a head, or of the mean of a layer's heads.
double alignment_error(MeasuredModel& model, const StudyMeasure& measure) {
  const MeasuredPart& part = measure.of_part;
  const AlignmentErrors& errors = model.alignment();
  const auto layer = static_cast<std::size_t>(*part.layer);
  if (layer >= errors.layers.size()) return std::nan("");
  if (!part.head) return errors.layers[layer];
  const auto head = static_cast<std::size_t>(*part.head);
  return head < errors.heads[layer].size() ? errors.heads[layer][head] : std::nan("");
}

// Wrong translations whose right answer the model finds likelier (the search missed it) or not (the model
// is wrong), in percent of all; what is too long for the model is neither.
double wrong_share(MeasuredModel& model, bool right_is_likelier) {
  const Evaluation& made = model.evaluation();
  const std::vector<double>& right = model.of_right_answers();
  long count = 0;
  for (std::size_t i = 0; i < right.size(); ++i)
    if (!made.right[i] && std::isfinite(right[i]))
      count += (right[i] > made.log_probabilities[i]) == right_is_likelier ? 1 : 0;
  return 100 * static_cast<double>(count) / std::max(1.0, static_cast<double>(right.size()));
}

double gradient_norm(MeasuredModel& model, const StudyMeasure& measure) {
  const StepSeries& steps = model.curves().steps;
  std::vector<double> norms;
  for (long step = measure.range.first; step <= std::min(measure.range.last, std::ssize(steps)); ++step)
    norms.push_back(steps[static_cast<std::size_t>(step) - 1].gradient_norm);
  return mean_of(norms);
}

constexpr const char* kExact = "Of all test pairs, those that are written without a mistake.";
constexpr const char* kAlignment =
    "Each word is linked to the source word that scores highest; the error says how far these links are from "
    "those that the grammar knows (0: all right). Scores are attention of the row that writes the word "
    "(cross "
    "2: cross-attention of layer 2), or what gradients or muting the source word say; the diagonal links "
    "words "
    "at the same place.";

constexpr MeasureRow kRows[] = {
    {"exact A-B", Needs::range, "exact match of lengths ", "%", kExact, 1,
     [](MeasuredModel& model, const StudyMeasure& measure) {
       return 100 * exact_within(model.scored(), measure.range);
     }},
    {"right-at A-B", Needs::range, "words right of places ", "%",
     "Of the words (in toy tasks letters) at these places of the right answers, those that the translation "
     "has "
     "at the same place.",
     1, [](MeasuredModel& model, const StudyMeasure& measure) { return model.right_at(measure.range); }},
    {"exact", Needs::nothing, "exact match", "%", kExact, 1,
     [](MeasuredModel& model, const StudyMeasure&) { return 100 * model.scored().exact_match; }},
    {"bleu", Needs::nothing, "BLEU", "",
     "How many runs of up to four words the translations share with the right answers, 0 to 100 (Papineni et "
     "al. 2002).",
     1, [](MeasuredModel& model, const StudyMeasure&) { return model.scored().bleu; }},
    {"loss", Needs::nothing, "loss", "",
     "The mean of minus the logarithm of the right word’s probability, the right words before it given.", 3,
     [](MeasuredModel& model, const StudyMeasure&) { return model.scored().loss; }},
    {"length", Needs::nothing, "length against that of the right answers", "%",
     "Words of all translations for 100 words of the right answers.", 1,
     [](MeasuredModel& model, const StudyMeasure&) { return model.length(); }},
    {"search-errors", Needs::nothing, "share of search errors", "%",
     "Wrong translations whose right answer the model finds likelier: the search missed it. Of all "
     "translations.",
     1, [](MeasuredModel& model, const StudyMeasure&) { return wrong_share(model, true); }},
    {"model-errors", Needs::nothing, "share of model errors", "%",
     "Wrong translations that the model finds likelier than the right answer: no search would help. Of all "
     "translations.",
     1, [](MeasuredModel& model, const StudyMeasure&) { return wrong_share(model, false); }},
    {"calibration", Needs::nothing, "calibration error", "%",
     "How far the probability of the likeliest word is from how often it is right (Guo et al. 2017).", 1,
     [](MeasuredModel& model, const StudyMeasure&) { return model.counts().calibration_error(); }},
    {"saturated", Needs::nothing, "saturated rows of attention", "%",
     "Rows of attention whose largest weight is above 0.99: nearly no gradient flows back through them.", 1,
     [](MeasuredModel& model, const StudyMeasure&) { return model.counts().saturated_rows(); }},
    {"gradient A-B", Needs::range, "gradient norm of steps ", "",
     "The norm of the gradient of all weights before clipping, mean over these steps.", 2, gradient_norm},
    {"lost PART", Needs::part, "exact match lost", "%",
     "By how many points fewer test pairs are written without a mistake when a head’s result is replaced by "
     "0. The number behind encoder, decoder (masked self-attention) or cross is the layer.",
     1, exact_lost, " without ", " without one head of "},
    {"dispensable", Needs::nothing, "number of heads muted before exact match falls by a point", "",
     "Heads are muted one after another, next always the one whose loss is least, until exact match is more "
     "than a point lower.",
     1,
     [](MeasuredModel& model, const StudyMeasure&) {
       return static_cast<double>(prune_reach(model.heads().stepwise).muted);
     }},
    {"alignment PART", Needs::part, "alignment error", "%", kAlignment, 1, alignment_error, " of ",
     " of the mean of "},
    {"alignment gradient", Needs::nothing, "alignment error", "%", kAlignment, 1,
     [](MeasuredModel& model, const StudyMeasure&) { return model.alignment().gradient; }, " of ", "",
     "gradient × input"},
    {"alignment muting", Needs::nothing, "alignment error", "%", kAlignment, 1,
     [](MeasuredModel& model, const StudyMeasure&) { return model.alignment().muting; }, " of ", "",
     "muting the word"},
    {"alignment diagonal", Needs::nothing, "alignment error", "%", kAlignment, 1,
     [](MeasuredModel& model, const StudyMeasure&) { return model.alignment().diagonal; }, " of ", "",
     "the diagonal"},
};

// "9-16"
std::optional<LengthRange> range_in(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  const auto first = typed_whole(text.substr(0, dash)), last = typed_whole(text.substr(dash + 1));
  if (!first || !last || *first < 1 || *last < *first || *last > 1000000) return std::nullopt;
  return LengthRange{*first, *last};
}

// A layer or a head, counted from 1.
std::optional<int> index_in(std::string_view text) {
  const auto number = typed_whole(text);
  if (!number || *number < 1 || *number > 1000) return std::nullopt;
  return static_cast<int>(*number) - 1;
}

constexpr std::array<std::string_view, 3> kAttentionWords = {"encoder", "decoder",
                                                             "cross"};  // by AttentionKind

// "cross 1.2"
std::optional<MeasuredPart> part_in(std::string_view text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  const auto* const kind = std::ranges::find(kAttentionWords, text.substr(0, space));
  if (kind == kAttentionWords.end()) return std::nullopt;
  MeasuredPart part{.kind = static_cast<AttentionKind>(kind - kAttentionWords.begin())};
  if (space == text.size()) return part;
  const std::string_view numbers = text.substr(space + 1);
  const std::size_t dot = std::min(numbers.find('.'), numbers.size());
  part.layer = index_in(numbers.substr(0, dot));
  if (dot < numbers.size()) part.head = index_in(numbers.substr(dot + 1));
  if (!part.layer || (dot < numbers.size() && !part.head)) return std::nullopt;
  return part;
}

std::string words_of(const MeasuredPart& part) {
  if (part.head) return head_name(part.kind, *part.layer, *part.head);
  const std::string kind(kAttentionWords[static_cast<std::size_t>(part.kind)]);
  return part.layer ? kind + " " + std::to_string(*part.layer + 1) : kind;
}

}  // namespace

ForcedLook ForcedCounts::look() {
  return [this](const Batch& batch, const Saved<float>& saved, int heads) {
    add_words(batch, saved.logits);
    for (const auto& layer : saved.encoder_layers)
      add_rows(saved.encoder_plan, layer.self_attention.weights, heads);
    for (const auto& layer : saved.decoder_layers) {
      add_rows(saved.decoder_plan, layer.self_attention.weights, heads);
      add_rows(saved.cross_plan, layer.cross_attention.weights, heads);
    }
  };
}

void ForcedCounts::add_words(const Batch& batch, const Matrix<float>& logits) {  // (N_t, V_t)
  std::vector<float> shares(static_cast<std::size_t>(logits.cols()));
  const auto words = static_cast<int>(shares.size());
  for (int token = 0; token < batch.target_out.tokens(); ++token) {
    std::copy_n(logits.row(token).data(), shares.size(), shares.begin());
    softmax(shares.data(), words);
    const int best = arg_max(shares.data(), words);
    const double probability = shares[static_cast<std::size_t>(best)];
    if (!std::isfinite(probability)) continue;
    Bin& bin = bins_[std::min(bins_.size() - 1,
                              static_cast<std::size_t>(probability * static_cast<double>(bins_.size())))];
    ++bin.words;
    bin.right += best == batch.target_out.id(token) ? 1 : 0;
    bin.probability += probability;
  }
}

void ForcedCounts::add_rows(const AttentionPlan& plan, const Matrix<float>& weights, int heads) {
  constexpr float kSaturated = 0.99F;
  for (const AttentionSpan& span : plan.spans) {
    const float* row = weights.data() + span.weights;
    for (int i = 0; i < heads * span.queries; ++i, row += span.keys) {
      if (span.keys < 2 || (plan.causal && i % span.queries == 0)) continue;
      ++rows_;
      saturated_ += *std::max_element(row, row + span.keys) > kSaturated ? 1 : 0;
    }
  }
}

double ForcedCounts::calibration_error() const {
  double error = 0;
  long words = 0;
  for (const Bin& bin : bins_) {
    error += std::abs(bin.probability - static_cast<double>(bin.right));
    words += bin.words;
  }
  return words > 0 ? 100 * error / static_cast<double>(words) : std::nan("");
}

double ForcedCounts::saturated_rows() const {
  return rows_ > 0 ? 100 * static_cast<double>(saturated_) / static_cast<double>(rows_) : std::nan("");
}

const SweepScore* MeasuredModel::score(const DecodeOptions& decode, const std::function<bool()>& keep_going) {
  score_ = score_on(test_, model_, decode, keep_going, counts_.look(), &evaluation_);
  return score_ ? &*score_ : nullptr;
}

const HeadReport& MeasuredModel::heads() {
  if (heads_) return *heads_;
  const Checkpoint& model = model_.only_transformer("muting heads");
  std::vector<std::vector<int>> sources, targets;
  for (EncodedPair& pair : pairs_as_read(test_.pairs, model.tokenizers)) {
    if (!fits(pair, model.snapshot.config)) continue;
    sources.push_back(std::move(pair.source));
    targets.push_back(std::move(pair.target));
  }
  if (sources.empty()) throw Error(model_.folder(), "all test pairs are too long for the model");
  const Batch batch = make_batch(sources, targets, model.snapshot.config);
  heads_ = head_report({.model = *model.snapshot.weights, .batch = batch, .smoothing = 0, .pool = pool_});
  return *heads_;
}

const AlignmentErrors& MeasuredModel::alignment() {
  if (alignment_) return *alignment_;
  const Checkpoint& model = model_.only_transformer("word alignments");
  const auto pairs = aligned_pairs(run_data_options(model_.folder()), test_.pairs);
  alignment_ = alignment_errors(*model.snapshot.weights, model.tokenizers, pairs, pool_);
  return *alignment_;
}

const Curves& MeasuredModel::curves() {
  if (!curves_) curves_ = curves_from_json(model_.training().at("curves"), model_.folder());
  return *curves_;
}

const std::vector<double>& MeasuredModel::of_right_answers() {
  if (of_right_answers_) return *of_right_answers_;
  const Checkpoint& model = model_.only_transformer("search errors");
  of_right_answers_.emplace();
  for (const EncodedPair& pair : pairs_as_read(test_.pairs, model.tokenizers)) {
    const auto read = teacher_forced(*model.snapshot.weights, {pair}, {.smoothing = 0});
    of_right_answers_->push_back(read->tokens > 0 ? -read->nll * static_cast<double>(read->tokens)
                                                  : std::nan(""));
  }
  return *of_right_answers_;
}

double MeasuredModel::right_at(const LengthRange& places) const {
  const auto parts = [&](const std::string& text) {
    std::vector<std::string> all;
    if (test_.in_words)
      all = split_words(text);
    else
      for (const char32_t sign : code_points(text)) append_utf8(all.emplace_back(), sign);
    return all;
  };
  long right = 0, count = 0;
  for (std::size_t i = 0; i < test_.pairs.size(); ++i) {
    const auto wanted = parts(test_.pairs[i].target), written = parts(evaluation_.translations[i]);
    for (auto place = static_cast<std::size_t>(places.first - 1);
         place < std::min(wanted.size(), static_cast<std::size_t>(places.last)); ++place, ++count)
      right += place < written.size() && written[place] == wanted[place] ? 1 : 0;
  }
  return count > 0 ? 100 * static_cast<double>(right) / static_cast<double>(count) : std::nan("");
}

double MeasuredModel::length() const {
  long written = 0, right = 0;
  for (std::size_t i = 0; i < test_.pairs.size(); ++i) {
    written += test_.length_of(evaluation_.translations[i]);
    right += test_.length_of(test_.pairs[i].target);
  }
  return 100 * static_cast<double>(written) / static_cast<double>(right);
}

std::string StudyMeasure::key() const {
  std::string key = name;
  std::ranges::replace_if(
      key, [](char c) { return c == ' ' || c == '.'; }, '-');
  return key;
}

double StudyMeasure::of(MeasuredModel& model) const {
  return kRows[row].of(model, *this);
}

StudyMeasure study_measure(std::string_view name, const std::string& where) {
  std::string known;
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    const MeasureRow& row = kRows[i];
    const std::string_view word = std::string_view(row.name).substr(0, std::string_view(row.name).find(' '));
    StudyMeasure measure{.name = std::string(name),
                         .about = row.words,
                         .words = row.words,
                         .unit = row.unit,
                         .meaning = row.meaning,
                         .decimals = row.decimals,
                         .row = i};
    known += (known.empty() ? "" : ", ") + std::string(row.name);
    if (row.needs == Needs::nothing) {
      if (row.name != name) continue;
      measure.part = row.part;
      measure.words += row.joint + measure.part;
      return measure;
    }
    if (!name.starts_with(word) || name.size() <= word.size() || name[word.size()] != ' ') continue;
    const std::string_view rest = name.substr(word.size() + 1);
    if (const auto range = row.needs == Needs::range ? range_in(rest) : std::nullopt) {
      measure.words += std::to_string(range->first) + " to " + std::to_string(range->last);
      measure.about = measure.words;
      measure.range = *range;
      return measure;
    }
    const auto part = row.needs == Needs::part ? part_in(rest) : std::nullopt;
    if (part && (row.of != alignment_error || (part->kind == AttentionKind::cross && part->layer))) {
      const std::string joint = part->head ? row.joint : row.joint_of_mean;
      measure.of_part = *part;
      measure.part = (part->head ? "" : joint.substr(joint.find(' ', 1) + 1)) + words_of(*part);
      measure.words += joint + words_of(*part);
      return measure;
    }
  }
  throw Error(where, "expected a measure (" + known +
                         "; A-B such as 1-50; PART such as cross 1.2, cross 1 or cross), found " +
                         as_found(name));
}

}  // namespace glassformer
