// The attention of a sentence as a page for a browser: its words and weights are the trace's.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "app/figure/figure.h"
#include "app/figure/web_page.h"
#include "engine/math/error.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

nlohmann::json shown_by(const std::string& page) {
  const std::string before = "const shown = ";
  const std::size_t from = page.find(before) + before.size();
  return nlohmann::json::parse(page.substr(from, page.find(";\n", from) - from));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a web page holds every head's weights and the words of its rows and columns") {
  SampleOptions options;  // the others of the batch are longer: their padding is no part of it
  std::swap(options.sentences[0], options.sentences[1]);
  const SampleScene scene = make_sample_scene(options);
  const ViewInput input = scene.input();
  const std::string page = attention_web_page(input, "a model & its <step>");
  const nlohmann::json shown = shown_by(page);
  CHECK(shown.at("title") == scene.result->source_read + " → " + scene.result->translation);
  CHECK(shown.at("caption") == "a model & its <step>");
  CHECK(shown.at("written") == scene.result->target_out_words);
  REQUIRE(shown.at("groups").size() == 3);
  const nlohmann::json &own = shown.at("groups")[1], &cross = shown.at("groups")[2];
  CHECK(shown.at("groups")[0].at("title") == "Encoder self-attention");
  CHECK(shown.at("groups")[0].at("rows") == scene.result->source_words);
  CHECK(own.at("rows") == scene.result->target_in_words);
  CHECK(own.at("columns") == scene.result->target_in_words);
  CHECK(cross.at("columns") == scene.result->source_words);
  const Config& config = scene.snapshot->config;
  for (int layer = 0; layer < config.decoder_layers; ++layer)
    for (int head = 0; head < config.heads; ++head) {
      const Plane weights = scene.result->trace->plane(
          attention_value(AttentionKind::cross, layer, ValueKind::weights), 0, head);
      const nlohmann::json& written =
          cross.at("heads")[static_cast<size_t>(layer)][static_cast<size_t>(head)];
      const int rows = static_cast<int>(scene.result->target_in_words.size()),
                columns = static_cast<int>(scene.result->source_words.size());
      REQUIRE(columns < weights.columns);
      REQUIRE(written.size() == static_cast<size_t>(rows * columns));
      for (int i = 0; i < rows * columns; ++i)
        CHECK(std::abs(written[static_cast<size_t>(i)].get<double>() / 10000 -
                       double(weights(i / columns, i % columns))) < 0.5001e-4);
    }
}

TEST_CASE("a web page asks for nothing from elsewhere, and no text ends its script") {
  const SampleScene scene =
      make_sample_scene({.sentences = {{"the cat sees </script><b>", {}, "le chat voit"}}});
  const std::string page = attention_web_page(scene.input(), "</script>");
  CHECK(count(page, "</script>") == 1);
  CHECK(count(page, "http") == 0);
  CHECK(count(page, " src=") == 0);
  CHECK(count(page, "import ") == 0);
  CHECK(page.size() < kLargestWebPage);
}

TEST_CASE("a web page is refused where a row is asked for, the sentence too long, or nothing shows heads") {
  const SampleScene scene = make_sample_scene();
  ViewInput asked = scene.input();
  asked.covered = CoveredRow{};
  CHECK_THROWS_WITH_AS(attention_web_page(asked, ""),
                       "web page: the lesson asks for a row of it; answer the question first", Error);
  SampleOptions options = sample_options("max_length 200");
  options.sentences.front().source = "the cat";
  for (int i = 0; i < 80; ++i) options.sentences.front().source += " sees the";
  const SampleScene longer = make_sample_scene(options);
  CHECK_THROWS_WITH_AS(attention_web_page(longer.input(), ""), doctest::Contains("choose a shorter sentence"),
                       Error);

  FigureContent content{{.result = scene.result, .tokenizers = scene.tokenizers, .run = scene.run}};
  content.view = make_view("attention");
  CHECK(figure_bytes(content, {.path = "heads.html"}).starts_with("<!DOCTYPE html>"));
  content.view = make_view("training");
  CHECK_THROWS_WITH_AS(figure_bytes(content, {.path = "heads.html"}),
                       doctest::Contains("choose the view attention"), Error);
}

}  // namespace glassformer
