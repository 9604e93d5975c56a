// Over how many words each head spreads: the entropy of every row of the open attention, a line a head.
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "engine/model/place_words.h"

namespace glassformer {
namespace {

// What a lesson covers is no number.
NumberTable entropies(const ViewInput& input) {
  const Selection& at = input.shown;
  const Config& config = input.snapshot.config;
  NumberTable table{.title = "entropy in nats", .columns = query_words(input, at.kind, at.sentence)};
  const int layers = at.kind == AttentionKind::encoder ? config.encoder_layers : config.decoder_layers;
  for (int layer = 0; layer < layers; ++layer)
    for (int head = 0; head < config.heads; ++head) {
      const AttentionTable weights = attention_table(*input.result.trace, at.kind, layer, head, at.sentence);
      const auto covered = covered_row(input.covered, at.kind, layer, head, at.sentence);
      table.rows.push_back(head_words(layer, head));
      auto& row = table.values.emplace_back();
      for (int word = 0; word < std::ssize(table.columns); ++word)
        row.push_back(covered == word ? std::nan("") : row_entropy(weights, word));
    }
  return table;
}

class EntropyView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<EntropyView>(*this); }
  ViewTraits traits() const override { return {.shows = is_weight, .follows_kind = true, .panels = {"map"}}; }
  ViewPlace place(const ViewInput& in) const override { return {{"Entropy"}, {}, in.shown.kind}; }
  std::vector<NumberTable> numbers(const ViewInput& input) const override { return {entropies(input)}; }
  std::string caption(const ViewInput& input) const override {
    return "Over how many words each head of the " + attention_title(input.shown.kind) +
           " spreads: 0 is one word alone.";
  }
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override {
    draw_stage_title(canvas, area, "Does a head read one word, or many?", caption(input));
    panel("", canvas, input, stage_content(area).inset(-kStagePadding));
  }
  void panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const override {
    const NumberTable table = entropies(input);
    AttentionTable map{.rows = int(table.rows.size()), .columns = int(table.columns.size())};
    for (const auto& row : table.values) map.values.insert(map.values.end(), row.begin(), row.end());
    HeatmapOptions options{.row_labels = table.rows, .column_labels = table.columns, .max_aspect = 2};
    options.limit = std::log(key_words(input, input.shown.kind, input.shown.sentence).size());
    options.cell_hit = [at = input.shown, heads = input.snapshot.config.heads, map](int row, int word) {
      return picking("entropy " + std::to_string(row) + " " + std::to_string(word),
                     {.kind = at.kind, .layer = row / heads, .head = row % heads, .query = word},
                     format_fixed(static_cast<double>(map.at(row, word)), 3) + " nats");
    };
    const auto none = [&map](int row, int word) { return std::isnan(map.at(row, word)); };
    draw_heatmap(canvas, area.inset(kStagePadding), {.values = map.plane(), .masked = none}, options);
  }
};

}  // namespace

std::unique_ptr<View> make_entropy_view() {
  return std::make_unique<EntropyView>();
}

}  // namespace glassformer
