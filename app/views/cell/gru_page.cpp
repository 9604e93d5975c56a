#include "app/views/cell/cell.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

constexpr std::array kNumbers{"r", "z", "n", "h′"};
constexpr std::array kGateNames{"reset gate r", "update gate z", "candidate n", "state h′"};
constexpr float kControls = 84;

std::size_t at(GruNumber number) {
  return static_cast<std::size_t>(number);
}

RecurrentPin with_place(RecurrentPin pin, const GruPlace& place) {
  pin.place = place;
  return pin;
}

}  // namespace

GruPage gru_page(const RecurrentLook& look) {
  const RecurrentScene& scene = *look.scene;
  const RecurrentPin pin = within(look.pin, scene);
  return {.scene = scene, .pin = pin, .cell = gru_cell(*scene.model, scene.trace, pin.place)};
}

std::string gru_title(const GruPage& page) {
  const GruPlace& place = page.place();
  return std::string("One cell: ") + kNumbers[at(place.number)] + " of unit " + std::to_string(place.unit) +
         " behind “" + page.words()[static_cast<std::size_t>(place.word)] + "”";
}

std::string gru_subtitle(const GruPage& page) {
  switch (page.place().number) {
    case GruNumber::reset:
      return "How much of the old state the candidate sees: 0 nothing of it, 1 all.";
    case GruNumber::update:
      return "How much of the old state stays: 0 nothing of it, 1 all.";
    case GruNumber::candidate:
      return "What the new state would be if nothing of the old one stayed.";
    case GruNumber::state:
      break;
  }
  return "The old state and the candidate, mixed by the update gate.";
}

void draw_gru(Canvas& canvas, const Rect& whole, const GruPage& page) {
  const float top = canvas.is_file() ? 0 : kControls;
  const Rect content{whole.x, whole.y + top, whole.width, whole.height - top};
  if (page.place().number == GruNumber::state)
    draw_gru_state(canvas, content, page);
  else
    draw_gru_gate(canvas, content, page);
}

void gru_controls(ui::Ui& ui, const Rect& content, const GruPage& page) {
  const GruPlace& now = page.place();
  GruPlace next = now;
  float x = content.x;
  const auto choice = [&](const char* name, const std::vector<std::string>& words, int& chosen) {
    const float width = ui.segmented_width(words);
    Segmented(ui, {x, content.y, width, 32}, name, words, chosen);
    x += width + 12;
  };
  int side = now.encoder ? 0 : 1, number = static_cast<int>(now.number), layer = now.layer;
  choice("Side", {"Encoder", "Decoder"}, side);
  choice("Number", {kNumbers.begin(), kNumbers.end()}, number);
  const int layers = page.scene.model->config.layers;
  if (layers > 1) {
    std::vector<std::string> names;
    for (int i = 0; i < layers; ++i) names.push_back(capitalized(layer_words(i)));
    choice("Layer", names, layer);
  }
  next.encoder = side == 0;
  next.number = static_cast<GruNumber>(number);
  next.layer = layer;

  const float width = std::min(320.0f, (content.width - 24) / 2), y = content.y + 44;
  const auto slider = [&](float left, const char* name, const std::string& shown, int& value,
                          std::size_t end) {
    double moved = value;
    ui.canvas().text({left, y + 6}, shown, caption_style(ui.canvas()));
    if (Slider(ui, {left, y + 12, width, 24}, name, moved,
               {.minimum = 0, .maximum = static_cast<double>(end) - 1, .step = 1}))
      value = static_cast<int>(std::lround(moved));
  };
  const std::string word = page.words()[static_cast<std::size_t>(now.word)];
  slider(content.x, "Behind word", "Behind “" + word + "”", next.word, page.words().size());
  slider(content.x + width + 24, "Unit", "Unit " + std::to_string(now.unit), next.unit,
         static_cast<std::size_t>(page.scene.trace.handed_over.size()));
  if (next != now) ui.push(PinRecurrent{with_place(page.pin, next)}), ui.ask_frame(0);
}

bool gru_key(ViewKey key, const GruPage& page, Commands& commands) {
  RecurrentPin pin = page.pin;
  if (key.typed == ViewKey::left) {
    pin.place.word -= key.times;
  } else if (key.typed == ViewKey::right) {
    pin.place.word += key.times;
  } else if (key.typed == ViewKey::up) {
    pin.place.layer += key.times;
  } else if (key.typed == ViewKey::down) {
    pin.place.layer -= key.times;
  } else {
    return false;
  }
  commands.push_back(PinRecurrent{within(pin, page.scene)});
  return true;
}

Point gru_minimum() {
  return {600, 440};
}

InspectorPage gru_inspector_page(const GruPage& page) {
  const GruPlace& place = page.place();
  const auto name_of = [&](GruNumber number) {
    constexpr std::array kValues{RecurrentValue::reset, RecurrentValue::update, RecurrentValue::candidate,
                                 RecurrentValue::state};
    return written(RecurrentValueName{kValues[at(number)], place.encoder, place.layer});
  };
  InspectorPage shown;
  shown.caption = "Step of a GRU";
  shown.subject = std::string("**") + kGateNames[at(place.number)] + "**, unit " +
                  std::to_string(place.unit) + ", recurrent model " + page.scene.name;
  shown.value = format_pinned(page.cell.recorded);
  shown.full_value = format_full(page.cell.recorded);
  shown.name = name_of(place.number);
  shown.index = "[" + std::to_string(place.word) + ", " + std::to_string(place.unit) + "] of " +
                std::to_string(page.words().size()) + " × " +
                std::to_string(page.scene.trace.handed_over.size());
  InspectorSection section{.heading = "The step", .text = "σ keeps a gate between 0 and 1."};
  for (const GruNumber number :
       {GruNumber::reset, GruNumber::update, GruNumber::candidate, GruNumber::state}) {
    GruPlace other = place;
    other.number = number;
    const GruCell cell = gru_cell(*page.scene.model, page.scene.trace, other);
    section.rows.push_back({.label = kGateNames[at(number)],
                            .value = format_pinned(cell.recorded),
                            .emphasized = number == place.number,
                            .link = PinRecurrent{with_place(page.pin, other)}});
  }
  shown.sections.push_back(std::move(section));
  shown.meaning =
      "A gated recurrent unit reads one word at a time: what it knows of all the words before lies in its "
      "state, so each step waits for the one before.";
  shown.paper = "Cho et al. 2014";
  return shown;
}

std::vector<NumberTable> gru_numbers(const GruPage& page) {
  const GruCell& cell = page.cell;
  NumberTable result{.title = gru_title(page), .columns = {"number"}};
  const auto line = [&](const char* name, double value) {
    result.rows.emplace_back(name);
    result.values.push_back({value});
  };
  if (page.place().number == GruNumber::state) {
    line("z", cell.update);
    line("n", cell.candidate);
    line("h", cell.before);
    line("h′ = (1 − z) n + z h", cell.value);
    line("recorded", cell.recorded);
    return {result};
  }
  line("by the word", cell.by_word.total);
  line("by the old state", cell.by_state.total);
  if (page.place().number == GruNumber::candidate) line("r", cell.reset);
  line("sum", cell.argument);
  line("worked out", cell.value);
  line("recorded", cell.recorded);
  std::vector<NumberTable> tables{result};
  for (const auto& [title, sum] :
       {std::pair{"by the word", &cell.by_word}, std::pair{"by the old state", &cell.by_state}}) {
    NumberTable& terms =
        tables.emplace_back(NumberTable{.title = title, .columns = {"weight", "number", "product"}});
    for (std::size_t i = 0; i < sum->weights.size(); ++i) {
      terms.rows.push_back(std::to_string(i));
      terms.values.push_back({sum->weights[i], sum->inputs[i], sum->weights[i] * sum->inputs[i]});
    }
    terms.rows.emplace_back("bias");
    terms.values.push_back({NAN, NAN, sum->bias});
  }
  return tables;
}

std::string gru_caption(const GruPage& page) {
  return "Recurrent model " + page.scene.name + ", " + scene_words(page.scene) + ". " + gru_title(page) +
         " = " + format_full(page.cell.recorded);
}

}  // namespace glassformer
