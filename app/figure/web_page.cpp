#include "app/figure/web_page.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/session/paths.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr int kUnit = 10000;  // of the page's weights is 1

// The sentence's own words alone: a batch is padded to its longest.
nlohmann::json weights_of(const AttentionTable& table) {
  nlohmann::json weights = nlohmann::json::array();
  for (const float weight : table.values) weights.push_back(static_cast<int>(std::lround(weight * kUnit)));
  return weights;
}

nlohmann::json group_of(const ViewInput& input, AttentionKind kind) {
  std::string title = attention_title(kind);
  title[0] = static_cast<char>(std::toupper(title[0]));
  nlohmann::json layers = nlohmann::json::array();
  for (int layer = 0; layer < attention_layers(input.snapshot.config, kind); ++layer) {
    nlohmann::json heads = nlohmann::json::array();
    for (int head = 0; head < input.snapshot.config.heads; ++head)
      heads.push_back(weights_of(attention_table(*input.result.trace, kind, layer, head, 0)));
    layers.push_back(heads);
  }
  return {{"title", title},
          {"rows", query_words(input, kind, 0)},
          {"columns", key_words(input, kind, 0)},
          {"writes", kind != AttentionKind::encoder},
          {"heads", layers}};
}

// No text of it ends the script that it is in.
std::string for_script(const nlohmann::json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

std::string asset(const char* name) {
  return read_file(program_file(std::string("assets/web/") + name).string());
}

std::string page_of(const ViewInput& input, const std::string& caption) {
  const nlohmann::json data{
      {"title", input.result.source_read + " → " + input.result.translation},
      {"caption", caption},
      {"written", target_out_words(input, 0)},
      {"unit", kUnit},
      {"groups",
       {group_of(input, AttentionKind::encoder), group_of(input, AttentionKind::decoder),
        group_of(input, AttentionKind::cross)}}};
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Attention</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n";
  page += asset("heads.css");
  page += "</style>\n</head>\n<body>\n<h1></h1>\n<p></p>\n<div id=\"heads\"></div>\n<script>\n";
  page += asset("heads.js");
  page += "const shown = " + for_script(data) + ";\n";
  page +=
      "document.title = document.querySelector(\"h1\").textContent = shown.title;\n"
      "document.querySelector(\"p\").textContent = shown.caption;\n"
      "showHeads(document.getElementById(\"heads\"), shown);\n</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace

bool fits_web_page(const ViewInput& input) {
  constexpr std::size_t kCaption = 2000;
  return page_of(input, "").size() + kCaption <= kLargestWebPage;
}

std::string attention_web_page(const ViewInput& input, const std::string& caption) {
  if (input.covered) throw Error("web page", "the lesson asks for a row of it; answer the question first");
  std::string page = page_of(input, caption);
  if (page.size() > kLargestWebPage)
    throw Error("web page", "it would have " + format_count(static_cast<long>(page.size() / 1000)) +
                                " kB, more than 500: choose a shorter sentence");
  return page;
}

}  // namespace glassformer
