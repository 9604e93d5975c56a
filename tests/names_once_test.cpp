// The house rule that names are written and read in engine/model/names.cpp alone, checked on the sources
// themselves: no other file joins a name of a value, a block or a parameter from parts, or takes one apart.
// What counts as a part is read off the names that models really have.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/model/names.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/trace.h"
#include "random_models.h"
#include "tests/source_folder.h"
#include "tests/source_tokens.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

// ---- the names that there are

bool is_index(const std::string& word) {
  return word.find_first_not_of("0123456789") == std::string::npos;
}

struct AllNames {
  std::set<std::string> names, words;  // words: what is between their dots

  AllNames() {
    for (const NamedConfig& each : varied_configs()) {
      const Transformer<float> model = random_model<float>(each.config, 1);
      for (const auto& [name, tensor] : record_trace(model, {{{5, 6, 7}}, {{4, 5}}}).tensors) add(name);
      for (const ParameterView& parameter : parameters(model)) add(parameter.name);
    }
  }
  template <class Fits>
  bool any(Fits fits) const {
    return std::ranges::any_of(names, fits);
  }

 private:
  void add(const std::string& name) {
    names.insert(name);
    std::istringstream parts(name);
    for (std::string word; std::getline(parts, word, '.');)
      if (!is_index(word)) words.insert(word);
  }
};

// ---- what must not be in it

// Functions that give a name.
const std::set<std::string> kWriters = {"written",          "attention_value", "embedding_value",
                                        "output_value",     "name_in_layer",   "side_value",
                                        "parameters_block", "name_in"};
// Ends of what variables with names in them are called.
const std::vector<std::string> kNamed = {"name", "attention", "block",  "layer",  "stack",
                                         "side", "part",      "prefix", "tensor", "value"};

class NameFinder {
 public:
  NameFinder(const AllNames& all, std::vector<SourceToken> tokens) : all_(all), tokens_(std::move(tokens)) {}

  // "12: \".scores\" is part of a name"
  std::vector<std::string> findings() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == SourceToken::literal) look_at_literal(i);
      if (tokens_[i].kind == SourceToken::word && kWriters.contains(tokens_[i].text)) look_behind_call(i);
    }
    return std::move(findings_);
  }

 private:
  std::string text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string(); }
  bool sign(std::size_t i, std::string_view what) const {
    return i < tokens_.size() && tokens_[i].kind == SourceToken::sign && tokens_[i].text == what;
  }
  void found(std::size_t i, const std::string& why) {
    findings_.push_back(std::to_string(tokens_[i].line) + ": \"" + tokens_[i].text + "\" " + why);
  }

  bool has_words_only(const std::string& literal) const {
    std::istringstream parts(literal);
    bool some = false;
    for (std::string word; std::getline(parts, word, '.');) {
      if (is_index(word)) continue;
      if (!all_.words.contains(word)) return false;
      some = true;
    }
    return some;
  }

  void look_at_literal(std::size_t i) {
    const std::string& literal = tokens_[i].text;
    const bool dotted = literal.find('.') != std::string::npos,
               spelled = literal.find_first_of("_0123456789") != std::string::npos;
    const std::string before = i >= 2 && sign(i - 1, "(") ? text(i - 2) : std::string();
    if (literal == ".") return look_at_dot(i, before);
    if ((dotted || spelled) && (read_name(literal) || has_words_only(literal)))
      return found(i, "is a name or part of one");

    const auto at_edge = [](char c) { return c == '.' || c == '_'; };
    const std::string head = literal.substr(0, literal.find_first_of(" ,"));  // "_positions.weight, a table"
    const auto has_it = [&](const std::string& name) { return name.find(head) != std::string::npos; };
    if (head.size() > 2 && (at_edge(head.front()) || at_edge(head.back())) && all_.any(has_it))
      return found(i, "is part of a name");

    const bool compared =
        i >= 1 && (sign(i - 1, "==") || sign(i - 1, "!=") || sign(i + 1, "==") || sign(i + 1, "!="));
    const bool asked = before == "find" || before == "plane" || before == "at" || before == "row";
    if (all_.names.contains(literal) && (compared || asked)) return found(i, "is a name");
    if (literal.size() < 3) return;
    if (before == "starts_with" &&
        all_.any([&](const std::string& name) { return name.starts_with(literal); }))
      return found(i, "is how a name begins");
    if (before == "ends_with" && all_.any([&](const std::string& name) { return name.ends_with(literal); }))
      return found(i, "is how a name ends");
    const bool looked_for = (before == "find" || before == "rfind") && sign(i + 1, ")") &&
                            (sign(i + 2, "!=") || sign(i + 2, "=="));
    if (looked_for && all_.any(has_it)) found(i, "is looked for in a name");
  }

  // A dot that joins, or where a name is cut.
  void look_at_dot(std::size_t i, const std::string& before) {
    if (before == "find" || before == "rfind") return found(i, "is looked for");
    if (i < 2 || !(sign(i - 1, "+") || sign(i - 1, "+="))) return;
    const std::string left = text(i - 2);
    const bool named = std::ranges::any_of(kNamed, [&](const std::string& end) {
      return left == end || left.ends_with("_" + end) || left == end + "_";
    });
    if (sign(i + 1, "+") || named) found(i, "joins");
  }

  // A name that something is joined to; words of a text begin with a space or a comma.
  void look_behind_call(std::size_t i) {
    if (!sign(i + 1, "(")) return;
    std::size_t end = i + 2;
    for (int depth = 1; end < tokens_.size() && depth > 0; ++end)
      depth += sign(end, "(") ? 1 : sign(end, ")") ? -1 : 0;
    if (!sign(end, "+") || end + 1 >= tokens_.size()) return;
    const SourceToken& next = tokens_[end + 1];
    const bool text_follows =
        next.kind == SourceToken::literal && (next.text.starts_with(' ') || next.text.starts_with(','));
    if (!text_follows) found(i, "is joined to something");
  }

  const AllNames& all_;
  std::vector<SourceToken> tokens_;
  std::vector<std::string> findings_;
};

std::vector<std::string> findings_in(const AllNames& all, const std::string& source) {
  return NameFinder(all, SourceReader(source).tokens()).findings();
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A file, or one literal of it, and why.
struct Allowed {
  std::string file, literal, reason;
};
const std::vector<Allowed> kAllowed = {
    {"engine/model/names.cpp", "", "the one place"},
    {"engine/model/transformer.h", "", "visit, the one list of the parameters; names_test reads each back"},
    {"engine/model/pass.cpp", "", "the pass says its words to the probe; names_test reads each back"},
    {"engine/model/stack.cpp", "", "the pass says its words to the probe; names_test reads each back"},
    {"engine/model/config.cpp", "feed_forward", "a key of config.json"},
    {"app/panels/new_model_form.h", "feed_forward", "the same key"},
    {"engine/recurrent/names.cpp", "", "names of a recurrent model"},
    {"engine/text/data_json.cpp", "source_embedding", "an option, after which a file is named"},
    {"engine/text/data_json.cpp", "target_embedding", "an option, after which a file is named"},
    {"engine/train/trainer_looks.h", "source", "in an option, not in a name"},
    {"engine/train/trainer_looks.h", "target", "in an option, not in a name"},
    {"engine/layers/attention.cpp", "", "the layer says the last words to the probe"},
    {"engine/layers/feed_forward.cpp", "", "the layer says the last words to the probe"},
    {"engine/decode/incremental.cpp", "", "the pass of one token says its words to the probe"},
    {"engine/model/what_if/change_kinds.cpp", ".", "a layer and a unit, as 1.17"},
    {"engine/model/what_if/change_parts.cpp", ".", "a layer and a head, as 2.1"},
    {"engine/model/what_if/change_text.cpp", ".", "a layer and a head, as 2.1"},
    {"engine/layers/tap.h", ".", "the probe: joins what the passes say"},
    {"engine/model/weights_file.cpp", ".", "what a foreign file writes before all of its names"},
    {"engine/text/grammar_rule_reader.cpp", ".", "a slot of a grammar's rule"},
    {"engine/text/toy_tasks.cpp", ".", "a date"},
    {"app/commands/decode.cpp", "log_probabilities", "a key of what the command prints"},
    {"app/commands/translate.cpp", "log_probabilities", "a key of what the command prints"},
    {"app/commands/render_screen.cpp", ".", "the end of a sentence"},
    {"app/figure/figure.cpp", ".", "the end of a sentence"},
    {"app/panels/help_dialogs.cpp", ".", "the end of a sentence"},
    {"app/format/number_format.cpp", ".", "a decimal point"},
    {"app/format/sentence_numbers.cpp", ".", "a decimal point"},
    {"app/lessons/lesson_lines.cpp", ".", "before the language of a translation"},
    {"app/lessons/lesson_reader.cpp", ".", "before the language of a translation"},
    {"app/lessons/lesson_values.cpp", ".", "between a list and its key"},
    {"app/lessons/scene_lines.cpp", ".", "before the language of a translation"},
    {"app/lessons/lesson_values.cpp", "dot_products", "how a lesson calls it"},
    {"app/panels/inspector_column.cpp", ".", "a row and a line of the column"},
    {"engine/import/dialect.cpp", "", "what other programs call their tensors, beside what they become"},
    {"engine/import/tutorials.cpp", "", "what three courses call them"},
    {"engine/import/marian_npz.cpp", "", "what Marian calls them"},
    {"engine/import/marian_transformers.cpp", "", "what Hugging Face calls them"},
    {"engine/import/pickle.cpp", "", "a module and a class of Python"},
    {"engine/export/marian_export.cpp", "", "a key of the configuration, and a bias that is a row there"},
    {"engine/train/study_verdict.cpp", "", "numbers of a study by name"},
    {"engine/train/study_measures.cpp", ".", "a layer and a head, as 2.1"},
    {"engine/import/model_import.cpp", "", "tables that files keep once or three times"},
};

bool is_allowed(const Allowed& allowed, const std::string& file, const std::string& finding) {
  return allowed.file == file &&
         (allowed.literal.empty() || finding.find(": \"" + allowed.literal + "\" ") != std::string::npos);
}

}  // namespace

TEST_CASE("names of values, blocks and parameters are joined and taken apart in names.cpp alone") {
  const AllNames all;
  std::vector<bool> used(kAllowed.size());
  int files = 0;
  for (const char* folder : {"engine", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_folder()) / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      ++files;
      const std::string file = fs::relative(entry.path(), source_folder()).string();
      for (const std::string& finding : findings_in(all, text_of(entry.path()))) {
        const auto allowed = std::ranges::find_if(
            kAllowed, [&](const Allowed& each) { return is_allowed(each, file, finding); });
        if (allowed == kAllowed.end()) FAIL_CHECK((file + ":" + finding));
        if (allowed != kAllowed.end()) used[std::size_t(allowed - kAllowed.begin())] = true;
      }
    }
  }
  CHECK(files > 500);
  for (std::size_t i = 0; i < kAllowed.size(); ++i) {
    INFO(kAllowed[i].file << " has none of what it is allowed");
    CHECK(used[i]);
  }
}

TEST_CASE("the search for names finds what was once written by hand, on one line or on several") {
  const AllNames all;
  REQUIRE(all.words.contains("masked_scores"));
  for (const char* source : {
           R"(trace.find(attention + "." + std::string(word_of(rotated))))",
           R"(trace.plane(name + ".masked_scores", sentence))",
           "trace.plane(name\n    + \".\"\n      \"scores\", 0)",
           R"(const std::string side = source ? "source." : "target.";)",
           R"(name.starts_with("encoder.") || name == "memory")",
           R"(cell.name.ends_with("weight"))",
           R"(cell.name.ends_with(".mean"))",
           R"(cell.name.find("positions") != std::string::npos)",
           R"(block.find(".layers.") != std::string::npos)",
           R"(block.substr(0, block.rfind('.')))",
           R"(name.starts_with("encoder layer") || name.starts_with("decoder"))",
           R"(scene.stage_of(cross ? "cross_attn.output" : "self_attn.output"))",
           R"({"in_proj_weight", "query, key, value"})",
           R"(std::string("encoder.layers.") + std::to_string(layer) + ".norm2")",
           R"(text += side + "_positions.weight, a table")",
           R"(prefix = name + ".";)",
           R"(attention_value(kind, layer, whole) + part)",
           R"(written(block) + "." + word)",
           R"(CellRef{"source.positions", {0, 0}})",
           R"(trace.find("logits"))",
           R"(operand.name != "token_loss")",
       }) {
    INFO(std::string(source));
    CHECK(!findings_in(all, source).empty());
  }
  for (const char* source : {
           R"(text = "Saved to " + folder + ".";)",
           R"(// name + ".scores"
              canvas.text(at, "weights", style);)",
           R"(words += written(attention) + " head " + number;)",
           R"(json["source"] = source; json.find("later") == json.end())",
           R"(value.ends_with(".0"))",
           R"(const float x = 1'000.0f;)",
       }) {
    INFO(std::string(source));
    CHECK(findings_in(all, source).empty());
  }
}
