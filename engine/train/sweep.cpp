#include "engine/train/sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/typed_number.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr std::size_t kMostSettings = 500, kMostSeeds = 100, kMostRuns = 2000, kLongestName = 80;
constexpr std::size_t kMostShown = 60;

constexpr std::string_view kSearch[] = {"beam", "alpha", "penalty"};
bool of_search(std::string_view option) {
  return std::ranges::find(kSearch, option) != std::end(kSearch);
}

struct TypedOption {
  std::string name, value;  // without the dashes
  bool flag = false;        // no value came with it
};

// Options of one setting, by name: what is named later replaces what was there.
class OptionSet {
 public:
  explicit OptionSet(bool recurrent) : recurrent_(recurrent) {}

  void put(const TypedOption& option) {
    if (option.name == "layers" && !recurrent_) {
      put({"encoder-layers", option.value, option.flag});
      put({"decoder-layers", option.value, option.flag});
      return;
    }
    const auto same = std::ranges::find(all_, option.name, &TypedOption::name);
    if (same == all_.end())
      all_.push_back(option);
    else
      *same = option;
  }
  std::vector<std::string> words(bool search) const {
    std::vector<std::string> words;
    for (const TypedOption& option : all_)
      if (of_search(option.name) == search)
        words.push_back("--" + option.name + (option.flag ? "" : "=" + option.value));
    return words;
  }

 private:
  const bool recurrent_;
  std::vector<TypedOption> all_;
};

class SweepReader {
 public:
  // `based`: the base is known, and nothing is scored.
  SweepReader(std::string_view text, const std::string& path, bool based = false)
      : text_(text), based_(based) {
    sweep_.path = path;
  }

  Sweep read() {
    for (std::size_t at = 0; at <= text_.size() && !text_.empty();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      ++line_;
      read_line(trimmed(text_.substr(at, end - at)));
      at = end + 1;
    }
    if (sweep_.base_line == 0 && !based_) fail("a line \"base = OPTIONS\"", "the end of the file");
    if (varied_.empty()) fail("a line \"vary SETTING = VALUES\" or \"variant\"", "the end of the file");
    if (test_line_ == 0 && !based_)
      fail("a line \"test = FILE\" or \"test = held-out N\"", "the end of the file");
    if (sweep_.seeds.empty()) sweep_.seeds = {1};
    make_settings();
    return std::move(sweep_);
  }

 private:
  struct Varied {
    std::string name;
    long line = 0;
    std::vector<TypedOption> options;
  };

  [[noreturn]] void fail_at(long line, const std::string& expected, const std::string& what) const {
    throw Error(sweep_place(sweep_, line), "expected " + expected + ", found " + what);
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& what) const {
    fail_at(std::max(line_, 1L), expected, what);
  }

  void read_line(std::string_view line) {
    if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line = trimmed(line.substr(3));
    if (first_invalid_utf8(std::string(line)) != std::string::npos) fail("text in UTF-8", "other bytes");
    if (line.find('\0') != std::string_view::npos) fail("text", "a zero byte");
    if (line.empty() || line.front() == '#') return;
    const std::size_t word = line.find_first_of(" \t=\"");
    const std::string_view kind = line.substr(0, word);
    std::string_view rest = word == std::string_view::npos ? "" : trimmed(line.substr(word));
    if (kind == "base") return read_base(after_equals(rest));
    if (kind == "seeds") return read_seeds(after_equals(rest));
    if (kind == "test") return read_test(after_equals(rest));
    if (kind == "vary") return read_vary(rest);
    if (kind == "variant") return read_variant(rest);
    fail("base, vary, variant, seeds or test", as_found(kind.empty() ? line : kind));
  }

  std::string_view after_equals(std::string_view rest) const {
    if (!rest.starts_with('=')) fail("\"=\"", as_found(rest));
    return trimmed(rest.substr(1));
  }
  void once(bool& seen, const char* what) const {
    if (seen) fail(std::string("one line \"") + what + "\"", "a second one");
    seen = true;
  }

  void read_base(std::string_view rest) {
    once(base_seen_, "base");
    sweep_.base_line = line_;
    base_ = options_in(rest);
    if (base_.empty()) fail("options of train, such as --task copy", "nothing");
  }

  void read_seeds(std::string_view rest) {
    once(seeds_seen_, "seeds");
    for (const std::string& text : values_in(rest)) {
      const auto seed = typed_unsigned(text);
      if (!seed) fail("whole numbers, with commas between them", as_found(text));
      if (std::ranges::find(sweep_.seeds, *seed) != sweep_.seeds.end())
        fail("every seed once", as_found(text) + " again");
      sweep_.seeds.push_back(*seed);
    }
    if (sweep_.seeds.size() > kMostSeeds)
      fail("at most " + std::to_string(kMostSeeds) + " seeds", std::to_string(sweep_.seeds.size()));
  }

  void read_test(std::string_view rest) {
    bool seen = test_line_ > 0;
    once(seen, "test");
    test_line_ = line_;
    constexpr std::string_view kHeldOut = "held-out";
    if (!rest.starts_with(kHeldOut) ||
        rest.substr(kHeldOut.size()).find_first_not_of(" \t0123456789.e+-") != std::string_view::npos) {
      const std::vector<std::string> words = words_in(rest);
      if (words.size() != 1 || words[0].empty())
        fail("one file (in quotes where its name has blanks) or held-out N", as_found(rest));
      sweep_.test.file = words[0];
      return;
    }
    const std::string_view number = trimmed(rest.substr(kHeldOut.size()));
    const auto pairs = typed_whole(number);
    if (!pairs || *pairs < 1 || *pairs > 1000000)
      fail("a number of pairs from 1 to 1000000", as_found(number));
    sweep_.test.held_out = *pairs;
  }

  void read_vary(std::string_view rest) {
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) fail("\"vary SETTING = VALUES\"", as_found(rest));
    std::string_view name = trimmed(rest.substr(0, equals));
    if (name.starts_with("--")) name.remove_prefix(2);
    check_option_name(name);
    for (const std::string& value : values_in(trimmed(rest.substr(equals + 1))))
      add({std::string(name) + " " + value, line_, {{std::string(name), value, false}}});
  }

  void read_variant(std::string_view rest) {
    if (!rest.starts_with('"')) fail("a name in double quotes", as_found(rest));
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos) fail("a second quote after the name", as_found(rest));
    const std::string name(trimmed(rest.substr(1, end - 1)));
    if (name.empty()) fail("a name between the quotes", "nothing");
    add({name, line_, options_in(after_equals(trimmed(rest.substr(end + 1))))});
  }

  void add(Varied varied) {
    if (varied.name.size() > kLongestName)
      fail("a name of at most " + std::to_string(kLongestName) + " bytes", as_found(varied.name));
    if (varied_.size() == kMostSettings)
      fail("at most " + std::to_string(kMostSettings) + " settings", "more");
    varied_.push_back(std::move(varied));
  }

  // "1, 2, 4"; a value with a comma or blanks at its ends is in quotes.
  std::vector<std::string> values_in(std::string_view rest) const {
    std::vector<std::string> values;
    std::string value;
    char quote = 0;
    const auto finish = [&](bool quoted) {
      const std::string one = quoted ? value : std::string(trimmed(value));
      if (one.empty()) fail("a value between commas", "nothing");
      values.push_back(one);
      value.clear();
    };
    bool quoted = false;
    for (const char c : rest) {
      if (quote != 0 ? c == quote : c == '"' || c == '\'') {
        quote = quote != 0 ? '\0' : c;
        quoted = true;
      } else if (c == ',' && quote == 0) {
        finish(std::exchange(quoted, false));
      } else if (!(quoted && quote == 0 && c == ' ')) {
        if (!(value.empty() && quote == 0 && c == ' ')) value += c;
      }
    }
    if (quote != 0) fail("a second quote", as_found(rest));
    finish(quoted);
    return values;
  }

  // Words as a shell reads them: blanks part them, quotes keep them together.
  std::vector<std::string> words_in(std::string_view rest) const {
    std::vector<std::string> words;
    bool open = false;
    char quote = 0;
    for (const char c : rest) {
      const bool blank = quote == 0 && (c == ' ' || c == '\t');
      if (blank) {
        open = false;
        continue;
      }
      if (!std::exchange(open, true)) words.emplace_back();
      if (quote != 0 ? c == quote : c == '"' || c == '\'')
        quote = quote != 0 ? '\0' : c;
      else
        words.back() += c;
    }
    if (quote != 0) fail("a second quote", as_found(rest));
    return words;
  }

  void check_option_name(std::string_view name) const {
    const auto plain = [](char c) { return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (name.empty() || !std::ranges::all_of(name, plain))
      fail("the name of an option of train", as_found(name));
    const std::string_view mine = name;
    if (mine == "seed") fail("seeds in the line \"seeds = 1, 2, 3\"", "--seed");
    if (based_ && of_search(mine)) fail("an option of train", "--" + std::string(name));
    for (const char* own : {"out", "resume", "overwrite", "json", "help"})
      if (mine == own)
        fail("what the model or its training is", "--" + std::string(name) + ", which sweep sets");
  }

  std::vector<TypedOption> options_in(std::string_view rest) const {
    std::vector<TypedOption> options;
    for (const std::string& word : words_in(rest)) {
      if (word.starts_with("--")) {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
        check_option_name(name);
        const bool flag = equals == std::string::npos;
        options.push_back({name, flag ? std::string() : word.substr(equals + 1), flag});
      } else if (!options.empty() && options.back().flag) {
        options.back().value = word;
        options.back().flag = false;
      } else {
        fail("an option, which begins with --", as_found(word));
      }
    }
    return options;
  }

  bool makes_recurrent(const Varied& varied) const {
    bool recurrent = false;
    for (const auto* options : {&base_, &varied.options})
      for (const TypedOption& option : *options)
        if (option.name == "architecture") recurrent = option.value == "recurrent";
    return recurrent;
  }

  void make_settings() {
    // Held-out pairs are the same for all only where the data are.
    static constexpr std::string_view kData[] = {
        "task",     "grammar",          "corpus", "source",  "target",    "pairs",     "columns",
        "encoding", "validation-pairs", "length", "symbols", "data-seed", "leave-out", "test-pairs"};
    std::set<std::string> folders;
    for (const Varied& varied : varied_) {
      const bool recurrent = makes_recurrent(varied);
      OptionSet options(recurrent);
      for (const TypedOption& option : base_) options.put(option);
      for (const TypedOption& option : varied.options) {
        if (sweep_.test.held_out > 0 && std::ranges::find(kData, option.name) != std::end(kData))
          fail_at(varied.line, "the same data for all, of which test pairs are held out (or test = FILE)",
                  "--" + option.name);
        options.put(option);
      }
      if (sweep_.test.held_out > 0) options.put({"test-pairs", std::to_string(sweep_.test.held_out), false});
      if (!folders.insert(sweep_folder_name(varied.name)).second)
        fail_at(varied.line, "settings of different names", as_found(varied.name) + " again");
      sweep_.settings.push_back(
          {varied.name, varied.line, options.words(false), options.words(true), recurrent});
    }
    const std::size_t runs = sweep_.settings.size() * sweep_.seeds.size();
    if (runs > kMostRuns) fail("at most " + std::to_string(kMostRuns) + " runs", std::to_string(runs));
  }

  const std::string_view text_;
  const bool based_;
  Sweep sweep_;
  long line_ = 0, test_line_ = 0;
  bool base_seen_ = false, seeds_seen_ = false;
  std::vector<TypedOption> base_;
  std::vector<Varied> varied_;
};

}  // namespace

std::string as_found(std::string_view text) {
  if (text.empty()) return "nothing";
  const bool cut = text.size() > kMostShown;
  return "\"" + printable(text.substr(0, kMostShown)) + (cut ? "…" : "") + "\"";
}

std::string sweep_folder_name(const std::string& setting) {
  std::string folder;
  for (const char c : setting) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept = byte >= 0x80 || std::isalnum(byte) != 0 || c == '.' || c == '_';
    if (kept && !(folder.empty() && c == '.'))
      folder += c;
    else if (!folder.empty() && folder.back() != '-')
      folder += '-';
  }
  while (folder.ends_with('-')) folder.pop_back();
  return folder.empty() ? "setting" : folder;
}

std::string sweep_place(const Sweep& sweep, long line) {
  return sweep.path + ":" + std::to_string(line);
}

Sweep read_sweep(const std::string& path) {
  return sweep_from_text(read_file(path, kMostSweepBytes), path);
}

Sweep sweep_from_text(std::string_view text, const std::string& path) {
  return SweepReader(text, path).read();
}

Sweep sweep_of_settings(std::string_view text, const std::string& where) {
  return SweepReader(text, where, true).read();
}

std::string common_options(const Sweep& sweep) {
  std::string common;
  for (const std::string& option : sweep.settings.front().options) {
    const auto has = [&](const SweepSetting& each) { return std::ranges::count(each.options, option) > 0; };
    if (!std::ranges::all_of(sweep.settings, has)) continue;
    const std::size_t value = option.find('=') + 1, folder = option.rfind('/') + 1;  // 0: none
    common += (common.empty() ? "" : " ") + option.substr(0, value) + option.substr(std::max(value, folder));
  }
  return common;
}

std::vector<SweepRun> planned_runs(const Sweep& sweep) {
  std::vector<SweepRun> runs;
  for (const std::uint64_t seed : sweep.seeds) {
    for (std::size_t i = 0; i < sweep.settings.size(); ++i) {
      SweepRun run{.name = sweep_folder_name(sweep.settings[i].name) + "-seed" + std::to_string(seed),
                   .setting = i,
                   .seed = seed,
                   .options = sweep.settings[i].options};
      run.options.push_back("--seed=" + std::to_string(seed));
      const auto alike = std::ranges::find(runs, run.options, &SweepRun::options);
      run.folder = alike == runs.end() ? run.name : alike->folder;
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

MeanAndDeviation mean_and_deviation(const std::vector<double>& values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  MeanAndDeviation result{kNone, kNone, static_cast<long>(values.size())};
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  result.mean = sum / count;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  if (values.size() > 1) result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

long length_width(long longest) {
  constexpr long kMostRanges = 8;
  for (long power = 1;; power *= 10)
    for (const long step : {1L, 2L, 5L})
      if ((longest + step * power - 1) / (step * power) <= kMostRanges) return step * power;
}

}  // namespace glassformer
