// A recurrent model beside the Transformer: its attention as one head, and one number of a step worked out.
#include <doctest/doctest.h>

#include <cmath>

#include "app/views/attention/attention.h"
#include "app/views/cell/cell.h"
#include "tests/recurrent_helpers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/small_program.h"

namespace glassformer::recurrent_views_test {
namespace {

RecurrentLook small_look(RecurrentAttention attention) {
  auto scene = std::make_shared<RecurrentScene>();
  scene->name = "with attention";
  scene->model = std::make_shared<const RecurrentModel<float>>(
      random_recurrent_model<float>(small_recurrent_config(attention), 8));
  scene->trace = trace(*scene->model, {4, 8, 6, 5, 3}, {2, 7, 9, 4});
  scene->reads = {"a", "c", "e", "b", "<eos>"};
  scene->writes = {"<bos>", "e", "c", "a"};
  return {.scene = scene, .pin = {}};
}

ViewInput with_look(const SampleScene& scene, const RecurrentLook& look) {
  ViewInput input = scene.input();
  input.recurrent = look;
  return input;
}

RecordingCanvas picture(const View& view, const ViewInput& input) {
  return picture_of(view, input, area_for(view, input, {1000, 660}));
}

RecurrentPin pin_of(const RecordingCanvas& canvas, const std::string& label) {
  const auto hit = live_part(canvas, label);
  REQUIRE_MESSAGE(hit, label);
  const auto* pin = hit->click->get_if<PinRecurrent>();
  REQUIRE(pin != nullptr);
  return pin->pin;
}

}  // namespace

TEST_CASE("its alignment stands in the Attention view as one head") {
  const SampleScene scene = make_sample_scene();
  RecurrentLook look = small_look(RecurrentAttention::additive);
  const auto view = make_view("attention");
  CHECK(picture(*view, with_look(scene, look)).find(alignment_title()) == nullptr);
  CHECK_FALSE(view->set("Model", "GRU"));
  REQUIRE(view->set("Model", "Recurrent"));
  CHECK(picture(*view, scene.input()).find(alignment_title()) == nullptr);  // there is none

  const RecordingCanvas canvas = picture(*view, with_look(scene, look));
  CHECK(canvas.find(alignment_title()) != nullptr);
  CHECK(canvas.find("One head") != nullptr);
  look.pin = pin_of(canvas, "alignment query 2 key 1");
  CHECK(look.pin.query == 2);
  CHECK(look.pin.key == 1);
  // One cell works out the state of the word that is looked at.
  CHECK(look.pin.place.encoder);
  CHECK(look.pin.place.word == 1);
  CHECK_FALSE(pin_of(canvas, "alignment row query 3").place.encoder);

  const NumberTable table = view->numbers(with_look(scene, look)).front();
  REQUIRE(table.values.size() == 4);
  for (std::size_t row = 0; row < 4; ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < 5; ++column) {
      CHECK(table.values[row][column] ==
            double(look.scene->trace.weights(Eigen::Index(row), Eigen::Index(column))));
      sum += table.values[row][column];
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
  }
  const InspectorPage page = inspector_page(*view, with_look(scene, look));
  CHECK(page.value == format_pinned(table.values[2][1]));
  CHECK(page.name == "attention.weights");

  for (const RecurrentAttention attention :
       {RecurrentAttention::additive, RecurrentAttention::dot, RecurrentAttention::none}) {
    RecurrentLook other = small_look(attention);
    const auto found = complaints(*view, with_look(scene, other), Shapes::few);
    CHECK_MESSAGE(found.empty(), in_lines(found));
    CHECK(view->numbers(with_look(scene, other)).empty() == (attention == RecurrentAttention::none));
  }
}

TEST_CASE("a gate, a candidate and a state are worked out in One cell, and lead to what made them") {
  const SampleScene scene = make_sample_scene();
  RecurrentLook look = small_look(RecurrentAttention::dot);
  const auto view = make_view("cell");
  REQUIRE(view->set("Model", "Recurrent"));
  for (const bool encoder : {true, false}) {
    for (const GruNumber number :
         {GruNumber::reset, GruNumber::update, GruNumber::candidate, GruNumber::state}) {
      look.pin.place = {.encoder = encoder, .layer = 1, .word = 2, .unit = 4, .number = number};
      const ViewInput input = with_look(scene, look);
      const auto found = complaints(*view, input, Shapes::few);
      CHECK_MESSAGE(found.empty(), in_lines(found));
      const GruPage page = gru_page(look);
      CHECK(page.cell.value == doctest::Approx(page.cell.recorded).epsilon(1e-5).scale(0.01));
      CHECK(picture(*view, input).find(gru_title(page)) != nullptr);
      const InspectorPage inspected = inspector_page(*view, input);
      CHECK(inspected.full_value == format_full(page.cell.recorded));
      // All that the table says of the sum adds up.
      if (number == GruNumber::state) continue;
      for (std::size_t i : {1u, 2u}) {
        const NumberTable terms = view->numbers(input)[i];
        double sum = 0;
        for (const std::vector<double>& row : terms.values) sum += row[2];
        CHECK(sum == doctest::Approx((i == 1 ? page.cell.by_word : page.cell.by_state).total));
      }
    }
  }

  // The old state was made a word before; the decoder's first one behind the source's last word.
  look.pin.place = {.encoder = false, .layer = 1, .word = 1, .unit = 4, .number = GruNumber::update};
  look.pin = pin_of(picture(*view, with_look(scene, look)), "h 3");
  CHECK(look.pin.place == GruPlace{false, 1, 0, 3, GruNumber::state});
  look.pin = pin_of(picture(*view, with_look(scene, look)), "operand h");
  CHECK(look.pin.place == GruPlace{true, 1, 4, 3, GruNumber::state});
  look.pin = pin_of(picture(*view, with_look(scene, look)), "operand n");
  CHECK(look.pin.place == GruPlace{true, 1, 4, 3, GruNumber::candidate});
  look.pin = pin_of(picture(*view, with_look(scene, look)), "x 0");
  CHECK(look.pin.place == GruPlace{true, 0, 4, 0, GruNumber::state});
  // What was learned, and the zeros that the encoder begins with, were made by no step.
  look.pin.place = {.encoder = true, .layer = 0, .word = 0, .unit = 0, .number = GruNumber::reset};
  const RecordingCanvas first = picture(*view, with_look(scene, look));
  CHECK_FALSE(live_part(first, "x 0"));
  CHECK_FALSE(live_part(first, "h 0"));
}

TEST_CASE("the window shows it where it stands, and a pin on the Transformer leads back") {
  SmallProgram program({.size = {1440, 900}, .view = "attention"});
  CHECK_FALSE(program.visible("Model: Recurrent"));
  program.session().apply({Command(small_look(RecurrentAttention::additive))});
  program.frame(3);
  click(program, "Model: Recurrent");
  CHECK(program.visible("alignment query 1 key 2"));
  REQUIRE(program.click("alignment query 1 key 2"));
  CHECK(program.session().recurrent().pin.key == 2);
  click(program, "One cell: encoder, behind “e”");
  CHECK(program.visible("Number: z"));
  click(program, "Number: z");
  CHECK(program.session().recurrent().pin.place.number == GruNumber::update);
  // Backspace and Enter go between the two, and stay with this model.
  press(program, ui::Key::backspace);
  CHECK(program.visible("alignment query 1 key 2"));
  press(program, ui::Key::enter);
  CHECK(program.visible("Number: z"));
  // The arrows stay with it too: to the words and the layers that it has.
  const auto place = [&] { return program.session().recurrent().pin.place; };
  const int layers = static_cast<int>(program.session().recurrent().scene->trace.encoder.size());
  press(program, ui::Key::left);
  CHECK(place().word == 1);
  press(program, ui::Key::end);
  CHECK(place().word == 4);
  press(program, ui::Key::right);
  CHECK(place().word == 4);
  press(program, ui::Key::home);
  CHECK(place().word == 0);
  for (int i = 0; i < layers; ++i) press(program, ui::Key::up);
  CHECK(place().layer == layers - 1);
  for (int i = 0; i < layers; ++i) press(program, ui::Key::down);
  CHECK(place().layer == 0);
  CHECK(place().number == GruNumber::update);
  CHECK(program.visible("Number: z"));
  press(program, ui::Key::backspace);
  press(program, ui::Key::right);
  CHECK(program.session().recurrent().pin.query == 2);
  CHECK_FALSE(program.session().recurrent().pin.key.has_value());
  CHECK(place().word == 2);
  CHECK_FALSE(place().encoder);
  press(program, ui::Key::up);
  press(program, ui::Key::end);
  CHECK(program.session().recurrent().pin.query == 3);
  press(program, ui::Key::home);
  CHECK(program.session().recurrent().pin.query == 0);
  CHECK(program.visible("alignment query 1 key 2"));
  press(program, ui::Key::enter);
  click(program, "Model: Transformer");
  CHECK_FALSE(program.visible("Number: z"));
  apply(program, {OpenView{"attention", "Model", "Recurrent"}});
  press(program, 'x');
  CHECK_FALSE(program.visible("alignment query 1 key 2"));
}

}  // namespace glassformer::recurrent_views_test
