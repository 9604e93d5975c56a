#include "app/views/what_if/what_if.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "app/reading/change_offers.h"
#include "app/reading/scene_words.h"
#include "app/session/measuring.h"
#include "app/session/run_scene.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

// Multiplications that a frame may wait for.
constexpr double kAtOnce = 3e8;

double pass_cost(const Config& config) {
  const double d = config.d_model;
  const double layers = config.encoder_layers + config.decoder_layers;
  return layers * d * (6 * d + feed_forward_traits(config.feed_forward).matrices * double(config.d_ff)) +
         d * config.target_vocab;
}

// Of `passes` over the sentence.
bool quick(const PlainSentence& plain, double passes) {
  const auto tokens = static_cast<double>(plain.source.size() + plain.output.size());
  return pass_cost(plain.model->config) * tokens * passes < kAtOnce;
}

bool same_words(const SentenceEffect& effect, const std::vector<int>& words) {
  return std::ranges::equal(effect.places, words, {}, &PlaceEffect::word);
}

bool same_changes(const std::vector<AloneEffect>& alone, const WhatIf& what_if) {
  return alone.size() == std::min(kMostAlone, what_if.changes.size()) &&
         std::equal(alone.begin(), alone.end(), what_if.changes.begin(),
                    [](const AloneEffect& effect, const Change& change) { return effect.change == change; });
}

std::vector<std::string> place_words_of(const ViewInput& input, const PlainSentence& plain, bool encoder) {
  const Config& config = plain.model->config;
  return encoder ? words_of(input.tokenizers.source.get(), config, plain.source)
                 : words_of(input.tokenizers.target.get(), config, plain.target_in);
}

void find_pairs(WhatIfScene& scene, WhatIfWork& work) {
  const auto& text = scene.input.training_text;
  const Tokenizers& tokenizers = scene.input.tokenizers;
  if (!text || text->held_out.empty()) return;
  const Config config = scene.plain.model->config;
  const PairsKey key{text, tokenizers.source, tokenizers.target, config.max_length};
  const auto made = work.pairs.get(
      key, true, [text, tokenizers, config] { return measuring_batch(text->held_out, tokenizers, config); });
  scene.pairs = *made.value;
}

void find_means(WhatIfScene& scene, WhatIfWork& work, bool at_once) {
  if (!scene.pairs) return;
  const auto found = work.means.get(
      {scene.plain.model, scene.pairs}, at_once,
      [model = scene.plain.model, pairs = scene.pairs] { return mean_values(*model, *pairs); });
  if (found.current) scene.means = found.value;
}

void find_held_out(WhatIfScene& scene, WhatIfWork& work, bool at_once) {
  const WhatIf general = scene.what_if().of_all_sentences();
  const bool by_mean = wants(general, Replacement::mean);
  if (!scene.pairs || general.empty() || (by_mean && !scene.means)) return;
  const HeldOutKey key{scene.plain.model, scene.pairs, general, scene.plain.smoothing,
                       by_mean ? scene.means : nullptr};
  const auto found = work.held_out.get(key, at_once, [key] { return held_out_effect(key); });
  if (found.current) scene.held_out = found.value;
}

// Losses of all parts, as far as known.
void find_importance(WhatIfScene& scene, WhatIfWork& work, bool at_once) {
  const WhatIfChoice& choice = scene.choice;
  const bool held_out = choice.held_out && choice.parts != PartsShown::places;
  const bool by_mean = choice.by == Replacement::mean, by_other = choice.by == Replacement::other;
  if (by_other && held_out) {
    scene.trouble = "The second Scene stands beside this sentence, not beside the held-out ones.";
    return;
  }
  if (by_other) {
    const SceneResult& plain = scene.input.result.plain ? *scene.input.result.plain : scene.input.result;
    for (const PartGroup& group : scene.groups) {
      if (group.count() == 0 || !scene.trouble.empty()) continue;
      Change whole = group.changes.front();
      whole.row = choice.parts == PartsShown::places ? 0 : kEverywhere;
      const std::string why = why_not_from_second(plain, scene.input.other, whole);
      if (!why.empty()) scene.trouble = "Nothing can be taken from the second: " + why + ".";
    }
    if (!scene.trouble.empty()) return;
  }
  if ((held_out || by_mean) && !scene.pairs) {
    scene.trouble = scene.input.training_text_state == TextState::reading
                        ? "The held-out sentences are being read."
                        : "No held-out sentences of this model can be read, so this is not known.";
    return;
  }
  if (by_mean && !scene.means) {
    scene.trouble = "The means are being taken over the held-out sentences.";
    return;
  }
  ImportanceKey key{.model = scene.plain.model,
                    .held_out = held_out ? scene.pairs : nullptr,
                    .source = {},
                    .target_in = {},
                    .target_out = {},
                    .smoothing = scene.plain.smoothing,
                    .means = by_mean ? scene.means : nullptr,
                    .other = by_other ? scene.input.other->trace : nullptr,
                    .changes = {}};
  if (!held_out) {
    key.source = scene.plain.source;
    key.target_in = scene.plain.target_in;
    key.target_out = scene.plain.target_out;
  }
  for (const PartGroup& group : scene.groups)
    key.changes.insert(key.changes.end(), group.changes.begin(), group.changes.end());
  scene.importance = work.importance.get(key, at_once);
}

// Passes that one reading of the sentence takes: with the future in sight it is read word by word.
double passes_of(const WhatIfScene& scene) {
  return scene.what_if().has(ChangeKind::causal_mask_off) ? static_cast<double>(scene.plain.output.size())
                                                          : 1;
}

void find_effects(WhatIfScene& scene, WhatIfWork& work, bool at_once) {
  const ViewInput& input = scene.input;
  const double passes = (4 + 3 * static_cast<double>(scene.what_if().changes.size())) * passes_of(scene);
  const auto found = work.effects.get(
      input.result.trace, at_once || quick(scene.plain, passes),
      [plain = scene.plain, what_if = scene.what_if(), substitutes = input.result.scene.substitutes] {
        return effects_of(plain, what_if, substitutes);
      });
  // While a training runs the last ones stay, as long as they are of the same words.
  if (found.value && (found.current || (same_words(found.value->output, scene.plain.output) &&
                                        same_changes(found.value->alone, scene.what_if()))))
    scene.effects = found.value;
}

// Of each of these words the place in others that is beside it.
std::vector<std::optional<int>> places_beside(const std::vector<int>& words, const std::vector<int>& others,
                                              const Tokenizer* tokenizer) {
  std::vector<std::optional<int>> places(words.size());
  for (const OutputColumn& column : aligned(words, others, tokenizer))
    if (column.before) places[static_cast<std::size_t>(*column.before)] = column.after;
  return places;
}

// A model whose numbers are not finite writes nothing else.
std::vector<int> without_padding(std::vector<int> words, int pad) {
  while (words.size() > 1 && words.back() == pad) words.pop_back();
  return words;
}

void find_chosen(WhatIfScene& scene) {
  const Selection& shown = scene.input.shown;
  const auto places = static_cast<int>(scene.plain.output.size());
  if (shown.cell && is_compared_word(*shown.cell)) {
    if (shown.cell->index[1] < places) {
      scene.place = shown.cell->index[1];
      scene.against = shown.cell->index.back();
    }
  } else if (shown.kind != AttentionKind::encoder && shown.query) {
    const auto beside = std::ranges::find(scene.shown_places, shown.query);
    if (beside != scene.shown_places.end())
      scene.place = static_cast<int>(beside - scene.shown_places.begin());
  }
  if (scene.choice.parts != PartsShown::heads) {
    if (scene.choice.part && *scene.choice.part < scene.count()) scene.part = scene.choice.part;
    return;
  }
  for (std::size_t part = 0; part < scene.count(); ++part) {
    const Change& change = scene.change(part);
    if (kind_of(change) == shown.kind && change.block.layer == shown.layer && change.head == shown.head)
      scene.part = part;
  }
}

}  // namespace

const std::vector<ValueName>& part_blocks() {
  static const std::vector<ValueName> kBlocks = {value_in(AttentionKind::encoder, 0, ValueKind::whole),
                                                 {BlockKind::feed_forward, ValueKind::whole, true, 0},
                                                 value_in(AttentionKind::decoder, 0, ValueKind::whole),
                                                 value_in(AttentionKind::cross, 0, ValueKind::whole),
                                                 {BlockKind::feed_forward, ValueKind::whole, false, 0}};
  return kBlocks;
}

bool WhatIfWork::busy() {
  return effects.busy() || muted.busy() || places.busy() || means.busy() || held_out.busy() ||
         importance.busy();
}

std::size_t WhatIfScene::count() const {
  std::size_t all = 0;
  for (const PartGroup& group : groups) all += group.count();
  return all;
}

const Change& WhatIfScene::change(std::size_t index) const {
  for (const PartGroup& group : groups) {
    if (index < group.count()) return group.changes[index];
    index -= group.count();
  }
  return groups.back().changes.back();
}

bool WhatIfScene::muted(const Change& asked) const {
  if (asked.kind == ChangeKind::mute_head)
    return what_if().mutes(kind_of(asked), asked.block.layer, asked.head, asked.row);
  return std::ranges::any_of(what_if().changes, [&](const Change& each) {
    return each.kind == asked.kind && each.block == asked.block &&
           (each.row == asked.row || each.row == kEverywhere);
  });
}

double WhatIfScene::limit() const {
  double most = 0;
  for (const Difference& each : importance.parts)
    if (std::isfinite(each.mean)) most = std::max(most, std::abs(each.mean));
  return most > 0 ? most : 1;
}

const PlaceEffect* WhatIfScene::effect(int at) const {
  if (!effects || at < 0 || at >= static_cast<int>(effects->output.places.size())) return nullptr;
  return &effects->output.places[static_cast<std::size_t>(at)];
}

std::string WhatIfScene::word(int id) const {
  return word_of(input.tokenizers.target.get(), plain.model->config, id);
}

int WhatIfScene::changed_words_of(const std::vector<int>& output) const {
  return changed_words(aligned(plain.output, without_padding(output, plain.model->config.pad_id),
                               input.tokenizers.target.get()));
}

WhatIfScene what_if_scene(const ViewInput& input, const WhatIfChoice& choice, WhatIfWork& work,
                          bool at_once) {
  WhatIfScene scene{.input = input,
                    .choice = choice,
                    .plain = plain_sentence(input.result),
                    .columns = {},
                    .before = {},
                    .after = {},
                    .shown_places = {},
                    .effects = nullptr,
                    .groups = {},
                    .importance = {},
                    .pairs = nullptr,
                    .means = nullptr,
                    .trouble = {},
                    .part = {},
                    .place = {},
                    .against = {}};
  if (scene.choice.by == Replacement::other && !input.other) scene.choice.by = Replacement::zero;
  const Config& config = scene.plain.model->config;
  const std::vector<int> now = without_padding(input.result.decoding.ids, config.pad_id);
  const Tokenizer* const tokenizer = input.tokenizers.target.get();
  scene.columns = aligned(scene.plain.output, now, tokenizer);
  for (const int id : scene.plain.output) scene.before.push_back(target_word(input, id));
  for (const int id : now) scene.after.push_back(target_word(input, id));
  scene.shown_places = places_beside(scene.plain.output, input.result.trace->target_out.front(), tokenizer);
  const ValueName& block = part_blocks()[static_cast<std::size_t>(choice.block)];
  scene.groups = part_groups(*scene.plain.model, choice.parts, scene.choice.by, block,
                             place_words_of(input, scene.plain, block.encoder));
  find_chosen(scene);
  find_effects(scene, work, at_once);
  find_pairs(scene, work);
  find_means(scene, work, at_once);
  find_held_out(scene, work, at_once);
  find_importance(scene, work, at_once);
  return scene;
}

std::shared_ptr<const MutedPart> muted_part(const WhatIfScene& scene, WhatIfWork& work, bool at_once) {
  if (!scene.part) return nullptr;
  const bool from_other = scene.choice.by == Replacement::other && scene.trouble.empty();
  const MutedKey key{scene.plain, scene.change(*scene.part), scene.means,
                     from_other ? scene.input.other->trace : nullptr};
  const auto found = work.muted.get(key, at_once || quick(scene.plain, 8), [key] {
    return muted_alone(key.plain, key.change, {.means = key.means, .other = key.other});
  });
  return found.current ? found.value : nullptr;
}

std::shared_ptr<const std::vector<PlaceWord>> words_of_place(const WhatIfScene& scene, WhatIfWork& work,
                                                             bool at_once) {
  const PlaceEffect* const effect = scene.place ? scene.effect(*scene.place) : nullptr;
  if (!effect) return nullptr;
  const ViewInput& input = scene.input;
  const auto found = work.places.get(
      {input.result.trace, *scene.place, scene.against}, at_once || quick(scene.plain, 8 * passes_of(scene)),
      [plain = scene.plain, what_if = scene.what_if(), substitutes = input.result.scene.substitutes,
       of = *effect, place = *scene.place,
       against = scene.against] { return place_words(plain, what_if, substitutes, of, place, against); });
  return found.current ? found.value : nullptr;
}

WhatIf clicked_part(const WhatIfScene& scene, std::size_t part, bool add) {
  const Change& change = scene.change(part);
  WhatIf next = open_changes(scene.input);
  const bool was = scene.muted(change);
  std::erase_if(next.changes, [&](const Change& each) {
    const bool mute = each.kind == ChangeKind::mute_head || each.kind == ChangeKind::mute_sub_block;
    if (!add || same_thing(each, change)) return mute;
    // What mutes all of it is taken back with it.
    return mute && was && each.kind == ChangeKind::mute_sub_block && each.block == change.block &&
           (each.row == change.row || each.row == kEverywhere);
  });
  if (!was) next.changes.push_back(change);
  return next;
}

Selection selecting_part(const Selection& before, const Change& change) {
  Selection pin = before;
  const std::optional<AttentionKind> kind = attention_of(change.block);
  if (kind && *kind != pin.kind) pin = of_kind(pin, *kind);
  pin.layer = change.block.layer;
  if (change.kind == ChangeKind::mute_head) pin.head = change.head;
  pin.query.reset();
  pin.key.reset();
  pin.cell.reset();
  pin.more_queries.clear();
  pin.more_keys.clear();
  return pin;
}

Selection selecting_place(const WhatIfScene& scene, int place, std::optional<int> against) {
  const Selection& before = scene.input.pinned;
  const auto at = static_cast<std::size_t>(place);
  Selection pin = before.kind == AttentionKind::encoder ? of_kind(before, AttentionKind::cross) : before;
  pin.query = scene.shown_places[at];
  if (!pin.query && !against) {
    const PlaceEffect* const known = scene.effect(place);
    against = known ? known->against : scene.plain.output[at];
  }
  pin.key.reset();
  pin.cell.reset();
  pin.more_queries.clear();
  pin.more_keys.clear();
  if (against) pin.cell = CellRef{output_value(ValueKind::logits), {0, place, *against}};
  return pin;
}

bool is_compared_word(const CellRef& cell) {
  return !cell.gradient && cell.index.size() == 3 && cell.name == output_value(ValueKind::logits);
}

}  // namespace glassformer
