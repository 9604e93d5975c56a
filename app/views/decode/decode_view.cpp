#include "app/views/decode/decode.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr const char* kTree = "tree";
constexpr const char* kFinished = "finished-sentences";
constexpr const char* kCache = "computed-anew";
constexpr const char* kSampling = "sampling";
constexpr float kSettings = 32;

void draw_computing(Canvas& canvas, const Rect& area) {
  draw_stage_title(canvas, area, kCacheTitle, "");
  draw_nothing_yet(canvas, stage_content(area), "Computing…", "The words are written once more, both ways.");
}

std::string subtitle_of(const DecodeScene& scene) {
  if (scene.found)
    if (std::string broken = not_finite_words(*scene.found); !broken.empty()) return broken;
  const std::string lives = scene.wanted.width == 1 ? "the most probable beginning lives on"
                                                    : "the " + format_count(scene.wanted.width) +
                                                          " most probable beginnings live on";
  return "Beam search: at every step " + lives + ". The thicker the line, the more probable the word.";
}

// What the controls say, for a file that has none.
std::string settings_words(const BeamKey& key) {
  return "width " + std::to_string(key.width) + ", score = sum of log p / " + penalty_words(key) + "^α, α " +
         format_fixed(key.alpha, 2);
}

void draw_settings(Canvas& canvas, const DecodeLayout& at, const DecodeScene& scene) {
  std::string text = settings_words(scene.found->key);
  if (!scene.found->forced.empty())
    text += "; begins with “" + scene.words(scene.found->forced) + "”, as forced";
  const TextStyle style{.size = 14, .color = canvas.theme().ink};
  canvas.text({at.controls.x, at.controls.center().y}, elided(canvas, text, style, at.controls.width), style);
}

}  // namespace

std::string beam_title(const DecodeScene& scene) {
  return scene.wanted.width == 1
             ? "One beginning at a time"
             : "Keeping " + format_count(scene.wanted.width) + " beginnings to find a better sentence";
}

std::unique_ptr<View> make_decode_view() {
  return std::make_unique<DecodeView>();
}

ViewTraits DecodeView::traits() const {
  const auto last = cache_->last();
  std::string state = "nothing yet";
  if (last)
    state = "width " + std::to_string(last->key.width) + ", α " + format_fixed(last->key.alpha, 2) + ", " +
            (last->key.penalty == LengthPenalty::paper ? "paper" : "length") + ", best " +
            format_fixed(last->beam.score, 3) +
            (pinned_.empty() ? "" : ", pinned " + std::to_string(pinned_.size()));
  if (page_ == DecodePage::cache) state = kCache;
  if (page_ == DecodePage::sampling) state = kSampling;
  return {.busy = cache_->busy() || uses_->busy() || sampling_.busy(),
          .state = state,
          .panels = {kTree, kFinished, kCache, kSampling}};
}

BeamKey DecodeView::wanted(const ViewInput& input) const {
  const DecodeOptions& scene = input.result.scene.decode;
  const LengthPenalty penalty = input.snapshot.config.length_penalty;
  BeamKey key = own_.value_or(BeamKey{.alpha = usual_alpha(penalty), .penalty = penalty});
  if (scene.search == Search::beam) {
    key.width = scene.beam;
    key.alpha = scene.alpha;
    key.penalty = scene.penalty;
  }
  return key;
}

DecodeScene DecodeView::scene(const ViewInput& input, bool at_once) const {
  return decode_scene(input, *cache_, wanted(input), pinned_, at_once);
}

void DecodeView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  if (page_ == DecodePage::cache) {
    const auto use = cache_use(input, *uses_, canvas.is_file());
    return use ? draw_cache_page(canvas, area, input, *use) : draw_computing(canvas, area);
  }
  if (page_ == DecodePage::sampling)
    return draw_sampling_page(canvas, area, sampling_scene(input, sampling_, canvas.is_file()));
  const DecodeScene now = scene(input, canvas.is_file());
  draw_stage_title(canvas, area, beam_title(now), subtitle_of(now));
  if (!now.found)
    return draw_nothing_yet(canvas, stage_content(area), "Searching…", "The beginnings are being followed.");
  const DecodeLayout at = layout_decode(area, now);
  if (canvas.is_file()) draw_settings(canvas, at, now);
  draw_tree(canvas, at, now);
  draw_finished(canvas, at.table, now);
}

void DecodeView::panel(std::string_view name, Canvas& canvas, const ViewInput& input,
                       const Rect& area) const {
  if (name == kCache) return draw_cache_page(canvas, area, input, *cache_use(input, *uses_, true));
  if (name == kSampling) return draw_sampling_page(canvas, area, sampling_scene(input, sampling_, true));
  DecodeScene now = scene(input, true);
  const Rect inner = area.inset(kStagePadding);
  if (name == kFinished) return draw_finished(canvas, inner, now);
  const DecodeLayout at = layout_tree_alone(inner, now, canvas.is_file() ? kSettings : 0);
  if (canvas.is_file()) draw_settings(canvas, at, now);
  draw_tree(canvas, at, now);
}

Point DecodeView::minimum_size(const ViewInput& input) const {
  if (page_ == DecodePage::cache) return cache_page_minimum(input);
  if (page_ == DecodePage::sampling) return sampling_minimum();
  return decode_minimum(scene(input, false));
}

ViewPlace DecodeView::place(const ViewInput&) const {
  return {.path = {"Output", "Decode"}, .computing = output_value(ValueKind::log_probabilities)};
}

std::optional<InspectorPage> DecodeView::inspect(const ViewInput& input) const {
  if (page_ == DecodePage::cache) {
    const auto use = cache_use(input, *uses_, false);
    return use ? std::optional(cache_page(input, *use)) : std::nullopt;
  }
  if (page_ == DecodePage::sampling) return sampling_page(sampling_scene(input, sampling_, false));
  const DecodeScene now = scene(input, false);
  // One node of the tree: no part of the table of sentences.
  if (!now.found || !now.explained || part_ == kFinished) return std::nullopt;
  return decode_page(now);
}

bool DecodeView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  if (key.typed == ViewKey::backspace && !pinned_.empty()) {
    pinned_.clear();
    return true;
  }
  if (key.typed != 'f' || page_ != DecodePage::beam) return false;
  const DecodeScene now = scene(input, false);
  if (!now.found || !now.explained) return false;
  const BeamPlace place = now.tree.nodes[static_cast<std::size_t>(*now.explained)].place;
  if (now.record().at(place).id == input.snapshot.config.eos_id) return false;
  commands.push_back(SetWhatIf{forcing(input.result.scene.what_if, now.record().words(place))});
  return true;
}

std::vector<NumberTable> DecodeView::numbers(const ViewInput& input) const {
  if (page_ == DecodePage::cache) return {cache_numbers(input, *cache_use(input, *uses_, true))};
  if (page_ == DecodePage::sampling) return sampling_numbers(sampling_scene(input, sampling_, true));
  const DecodeScene now = scene(input, true);
  if (!now.found) return {};
  const BeamRecord& record = now.record();
  NumberTable nodes{.title = "every continuation that was considered, best first at each step (" +
                             settings_words(now.found->key) + ")",
                    .columns = {"step", "rank", "p of the word", "log p of the word", "sum of log p",
                                "kept 1, finished 2, cut 0"}};
  for (std::size_t step = 0; step < record.steps.size(); ++step)
    for (std::size_t i = 0; i < record.steps[step].considered.size(); ++i) {
      const BeamNode& node = record.steps[step].considered[i];
      nodes.rows.push_back(now.words(record.words({static_cast<int>(step), static_cast<int>(i)})));
      const double fate = node.fate == BeamFate::kept ? 1 : node.fate == BeamFate::finished ? 2 : 0;
      nodes.values.push_back({static_cast<double>(step + 1), static_cast<double>(i + 1),
                              std::exp(node.log_probability), node.log_probability, node.total, fate});
    }
  NumberTable finished{.title = "finished sentences",
                       .columns = {"sum of log p", "words", "penalty", "score", "ended with eos"}};
  for (const BeamFinish& finish : record.finished) {
    finished.rows.push_back(now.words(record.words(finish.place)));
    finished.values.push_back({finish.total, static_cast<double>(finish.words), finish.penalty, finish.score,
                               finish.ended ? 1.0 : 0.0});
  }
  const auto given = [&](const std::string& name, const std::vector<int>& ids, const ScoredWords& scored) {
    finished.rows.push_back(name + ": " + now.words(ids));
    finished.values.push_back({scored.total, static_cast<double>(ids.size()), scored.penalty, scored.score,
                               !ids.empty() && ids.back() == input.snapshot.config.eos_id ? 1.0 : 0.0});
  };
  given("greedy", now.found->greedy.ids, now.found->greedy_score);
  if (now.found->right_score) given("right", now.found->right, *now.found->right_score);
  if (part_ == kTree) return {nodes};
  if (part_ == kFinished) return {finished};
  return {finished, nodes};
}

bool DecodeView::open_panel(std::string_view name) {
  page_ = name == kCache ? DecodePage::cache : name == kSampling ? DecodePage::sampling : DecodePage::beam;
  part_ = page_ == DecodePage::beam ? name : "";
  return true;
}

std::string DecodeView::caption(const ViewInput& input) const {
  if (page_ == DecodePage::cache)
    return "What the decoder computes for each word of “" + input.result.source_read + "”. " +
           cache_words(*cache_use(input, *uses_, true));
  if (page_ == DecodePage::sampling) return sampling_caption(sampling_scene(input, sampling_, true));
  const DecodeScene now = scene(input, true);
  const std::string part = part_ == kTree       ? ", its beginnings"
                           : part_ == kFinished ? ", its finished sentences"
                                                : "";
  std::string text =
      "Beam search for “" + input.result.source_read + "”" + part + ": " + settings_words(now.wanted) + ".";
  if (!now.found || now.found->beam.ids.empty()) return text;
  if (const std::string broken = not_finite_words(*now.found); !broken.empty()) text += " " + broken;
  if (!std::isfinite(now.found->beam.score)) return text;
  text += " The best sentence is “" + now.words(now.found->beam.ids) + "”, score " +
          format_fixed(now.found->beam.score, 3) + "; greedy’s " +
          (std::isfinite(now.found->greedy_score.score)
               ? "scores " + format_fixed(now.found->greedy_score.score, 3)
               : "score is not finite") +
          ".";
  if (part_ != kFinished) text += " Circles: the way of greedy search.";
  const std::string said = verdict_words(now);
  return said.empty() ? text : text + " " + said;
}

}  // namespace glassformer
