#include "app/views/bottleneck/bottleneck.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/heatmap.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

namespace {

constexpr float kSideWidth = 320, kBeside = 32, kGates = 142, kVector = 80, kSliders = 48, kUnder = 20;

Plane plane_of(const Matrix<float>& matrix) {
  return {matrix.data(), static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols())};
}

HeatmapOptions states_options(const SentencePage& page) {
  HeatmapOptions options;
  options.scale = ColorScale::signed_value;
  options.limit = 1;
  options.row_labels = page.scene->reads;
  options.row_title = {Badge::none, "has read", ""};
  options.show_column_labels = false;
  options.numbers = false;
  options.min_cell = 4;
  options.max_cell = 26;
  options.max_aspect = 1;
  options.stretch = 3;
  options.pinned_row = page.choice.word;
  options.outlines = {{static_cast<float>(page.choice.unit), static_cast<float>(page.choice.word), 1, 1}};
  return options;
}

std::vector<NumberTable> table_of(const std::string& title, const Matrix<float>& matrix,
                                  const std::vector<std::string>& rows,
                                  const std::vector<std::string>& columns) {
  NumberTable table{.title = title, .columns = columns, .rows = rows};
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::vector<double>& row = table.values.emplace_back();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(static_cast<double>(matrix(i, j)));
  }
  return {table};
}

std::string gate_words(const SentencePage& page, int which) {
  return format_pinned(static_cast<double>(page.gate(which, page.choice.unit)));
}

// Of the encoder's last layer.
std::array<GruCell, 3> gate_cells(const SentencePage& page) {
  std::array<GruCell, 3> cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    GruPlace place = page.pin().place;
    place.number = static_cast<GruNumber>(i);
    cells[i] = gru_cell(*page.scene->model, page.scene->trace, place);
  }
  return cells;
}

}  // namespace

Rect under_sliders(const Canvas& canvas, const Rect& content) {
  const float used = canvas.is_file() ? 0 : kSliders;
  return {content.x, content.y + used, content.width, content.height - used};
}

const EncodedPair* held_out_of(const ShownRace& race, int length) {
  const std::vector<EncodedPair>& pairs = race.data->validation;
  const int words = race.options.source_words(length);
  const auto pair =
      std::ranges::find_if(pairs, [&](const EncodedPair& each) { return std::ssize(each.source) == words; });
  return pair == pairs.end() ? nullptr : &*pair;
}

RecurrentPin SentencePage::pin() const {
  RecurrentPin pin;
  pin.place = {
      .layer = static_cast<int>(scene->trace.encoder.size()) - 1, .word = choice.word, .unit = choice.unit};
  return pin;
}

float SentencePage::gate(int which, int unit) const {
  return scene->trace.encoder.back().gates(choice.word, which * width() + unit);
}

std::optional<SentencePage> sentence_page(const ShownRace& race, const SentenceChoice& choice) {
  const auto& model = choice.racer == Racer::attention ? race.attention : race.one_vector;
  if (!model || !race.data) return std::nullopt;
  const EncodedPair* const pair = held_out_of(race, choice.letters);
  if (pair == nullptr) return std::nullopt;
  const int bos = model->config.bos_id, eos = model->config.eos_id;
  std::vector<int> source = pair->source;
  source.push_back(eos);
  const std::vector<int> written = decode(*model, {source}, {}).front().ids;
  std::vector<int> read{bos};
  for (const int id : written)
    if (id != eos && std::ssize(read) < model->config.max_length) read.push_back(id);

  auto scene = std::make_shared<RecurrentScene>();
  scene->name = choice.racer == Racer::attention ? "with attention" : "with one vector";
  scene->model = model;
  scene->step = race.of(choice.racer).scored_at;
  scene->trace = trace(*model, source, read);
  for (const int id : source) scene->reads.push_back(race.data->tokenizers.source->piece(id));
  for (const int id : read) scene->writes.push_back(race.data->tokenizers.target->piece(id));

  SentencePage page{.choice = choice, .scene = scene, .written = {}, .gates = {}};
  page.word = word_word(race.options);
  page.choice.word = std::clamp(choice.word, 0, static_cast<int>(source.size()) - 1);
  page.choice.unit = std::clamp(choice.unit, 0, page.width() - 1);
  for (std::size_t i = 1; i < scene->writes.size(); ++i)
    page.written += (i > 1 ? " " : "") + scene->writes[i];
  std::vector<int> target = pair->target;
  target.push_back(eos);
  page.right = written == target;
  page.gates = gate_cells(page);
  return page;
}

std::vector<std::string> gate_lines(const SentencePage& page) {
  const auto word = static_cast<Eigen::Index>(page.choice.word),
             unit = static_cast<Eigen::Index>(page.choice.unit);
  const GruTrace& layer = page.scene->trace.encoder.back();
  const std::string h = format_pinned(static_cast<double>(layer.previous(word, unit))),
                    next = format_pinned(static_cast<double>(layer.output(word, unit))),
                    r = gate_words(page, 0), z = gate_words(page, 1), n = gate_words(page, 2);
  const auto factor = [](const std::string& number) {
    return number.starts_with("−") ? "(" + number + ")" : number;
  };
  // What the word brings and what the state before it brings.
  const auto sum = [&](std::size_t gate) {
    return format_pinned(page.gates[gate].by_word.total) + " + " +
           factor(format_pinned(page.gates[gate].by_state.total));
  };
  const std::string candidate = format_pinned(page.gates[2].by_word.total) + " + " + r + " · " +
                                factor(format_pinned(page.gates[2].by_state.total));
  return {"r = σ(" + sum(0) + ") = " + r + ", seen of the old state",
          "z = σ(" + sum(1) + ") = " + z + ", kept of the old state",
          "n = tanh(" + candidate + ") = " + n + ", the candidate",
          "h = " + h + ", the old state;  sums: by the word + by h",
          "h′ = (1 − z) · n + z · h = (1 − " + z + ") · " + factor(n) + " + " + z + " · " + factor(h) +
              " = " + next};
}

Rect sentence_sliders(const Rect& content) {
  return {content.x, content.y, content.width, kSliders};
}

SentenceLayout layout_sentence(const Canvas& canvas, const Rect& whole, const SentencePage& page) {
  SentenceLayout at;
  const Rect content = under_sliders(canvas, whole);
  const float left = content.width - kSideWidth - kBeside;
  const float room = content.height - kVector - kGates - 2 * kUnder;
  const Rect below{content.x, content.y + kHeadingHeight, left, room - kHeadingHeight};
  at.cells = layout_heatmap(canvas, below, {.values = plane_of(page.scene->trace.encoder.back().output)},
                            states_options(page))
                 .cells;
  at.states = {content.x, content.y, left, at.cells.bottom() - content.y};
  at.vector = {content.x, at.states.bottom() + kUnder, left, kVector};
  at.gates = {content.x, at.vector.bottom() + kUnder, left, kGates};
  at.side = {content.right() - kSideWidth, content.y, kSideWidth, content.height};
  return at;
}

void draw_sentence(Canvas& canvas, const Rect& content, const SentencePage& page) {
  const SentenceLayout at = layout_sentence(canvas, content, page);
  const Theme& theme = canvas.theme();
  const Matrix<float>& states = page.scene->trace.encoder.back().output;
  const Rect below = draw_heading(canvas, at.states, "The encoder's state behind each " + page.word,
                                  {.note = std::to_string(page.width()) + " numbers", .note_right = true});
  draw_heatmap(canvas, below, {.values = plane_of(states)}, states_options(page));

  // The last of them is all that the decoder begins with.
  const bool alone = page.choice.racer == Racer::one_vector;
  draw_heading(canvas, at.vector,
               alone ? "All that is handed over: the last state" : "The decoder begins with the last state");
  Matrix<float> last(1, page.width());
  last.row(0) = page.scene->trace.handed_over;
  const Rect strip{at.cells.x, at.vector.y + kHeadingHeight, at.cells.width, 24};
  draw_heatmap_tile(canvas, strip, {.values = plane_of(last)},
                    {.scale = ColorScale::signed_value, .limit = 1});
  canvas.rectangle(strip.inset(-2), {.outline = theme.ink, .outline_width = 2, .radius = 4});

  const std::string how = page.right ? "right" : "wrong";
  if (alone) {
    const Rect side =
        draw_heading(canvas, at.side, "The decoder's states", {.note = "it looks at nothing else"});
    HeatmapOptions options = states_options(page);
    options.row_labels = page.scene->writes;
    options.row_title.word = "has written";
    options.pinned_row.reset();
    options.outlines.clear();
    options.color_bar = false;
    options.stretch = 6;
    draw_heatmap(canvas, side, {.values = plane_of(page.scene->trace.decoder.back().output)}, options);
  } else {
    const Rect side =
        draw_heading(canvas, at.side, "Where the decoder looks",
                     {.note = "a row a " + page.word, .reserved = canvas.is_file() ? 0 : 110.0f});
    HeatmapOptions options;
    options.row_labels = page.scene->writes;
    options.column_labels = page.scene->reads;
    options.row_title = {Badge::none, "has written", ""};
    options.color_bar = false;
    options.pinned_column = page.choice.word;
    draw_heatmap(canvas, side, {.values = plane_of(page.scene->trace.weights)}, options);
  }
  const Rect gates = draw_heading(canvas, at.gates,
                                  "Unit " + std::to_string(page.choice.unit) + " behind “" +
                                      page.scene->reads[static_cast<std::size_t>(page.choice.word)] + "”");
  float y = gates.y + 2;
  const TextStyle words{.size = 12, .color = theme.ink, .y = AlignY::top};
  for (const std::string& line : gate_lines(page))
    y += paragraph(canvas, {gates.x, y}, gates.width, line, words);
  canvas.text({at.vector.x, at.vector.bottom() - 4},
              elided(canvas, "It writes “" + page.written + "”: " + how + ".", caption_style(canvas),
                     at.vector.width),
              caption_style(canvas));
}

Point sentence_minimum() {
  return {760, 560};
}

std::vector<NumberTable> sentence_numbers(const SentencePage& page) {
  std::vector<std::string> units;
  for (int i = 0; i < page.width(); ++i) units.push_back(std::to_string(i));
  std::vector<NumberTable> tables;
  if (page.scene->trace.weights.rows() > 0)
    tables = table_of("weights", page.scene->trace.weights, page.scene->writes, page.scene->reads);
  for (NumberTable& table :
       table_of("encoder states", page.scene->trace.encoder.back().output, page.scene->reads, units))
    tables.push_back(std::move(table));
  return tables;
}

std::string sentence_caption(const SentencePage& page) {
  std::string source;
  for (std::size_t i = 0; i + 1 < page.scene->reads.size(); ++i)
    source += (i > 0 ? " " : "") + page.scene->reads[i];
  return std::string("States of the recurrent encoder, ") + racer_name(page.choice.racer) + ", for “" +
         source + "”; it writes “" + page.written + "”, which is " + (page.right ? "right." : "wrong.");
}

}  // namespace glassformer
