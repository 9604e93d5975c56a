#include "engine/text/data.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <utility>

#include "engine/math/error.h"
#include "engine/math/worker_pool.h"
#include "engine/text/clean.h"
#include "engine/text/data_defaults.h"
#include "engine/text/grammar.h"
#include "engine/text/side_report.h"
#include "engine/text/split.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"

namespace glassformer {
namespace {

constexpr const char* kWhere = "data";
constexpr long kTaskPairs = 20000, kMostValidation = 1000;
constexpr std::uint64_t kValidationSeed =
    0x9E3779B97F4A7C15;  // so that a task validates on other sources than it trains

void report(const DataProgress& progress, const std::string& stage, double fraction) {
  if (progress && !progress(stage, fraction)) throw Error(kWhere, "preparing the data was stopped");
}

int places(const DataSource& source) {
  return !source.task.empty() + !source.grammar.empty() + !source.corpus.empty() +
         (!source.source.empty() || !source.target.empty());
}

void check_source(const DataSource& source) {
  if (places(source) != 1 || source.source.empty() != source.target.empty()) {
    throw Error(kWhere,
                "expected exactly one of a task, a grammar, a tab-separated file, or a source and a target "
                "file together");
  }
  if (source.pairs < 0) throw Error(kWhere, "the number of pairs must not be negative");
}

void check_options(const DataOptions& options) {
  check_source(options.training);
  if (!options.validation.empty()) check_source(options.validation);
  if (options.validation_pairs < 0 || options.test_pairs < 0 || options.max_tokens < 0 ||
      options.pieces < 0) {
    throw Error(kWhere, "numbers of pairs, tokens and pieces must not be negative");
  }
}

// Too few lines teach no pieces but letters: then words, or characters where no blanks divide them. How many
// pieces are wanted does not change what suits.
TokenizerKind suitable_kind(const DataOptions& options, const std::vector<std::string>& lines) {
  constexpr std::size_t kFewLines = 300;
  if (options.tokenizer) return *options.tokenizer;
  if (!options.training.task.empty()) return toy_tokenizer(toy_task(options.training.task));
  if (lines.size() >= kFewLines || !options.training.grammar.empty()) return TokenizerKind::bpe;
  std::size_t words = 0;
  for (const std::string& line : lines) words += split_words(line).size();
  return words >= 2 * lines.size() ? TokenizerKind::word : TokenizerKind::character;
}

std::vector<std::string> side_of(const std::vector<SentencePair>& pairs, bool source) {
  std::vector<std::string> lines;
  lines.reserve(pairs.size());
  for (const SentencePair& pair : pairs) lines.push_back(source ? pair.source : pair.target);
  return lines;
}

struct Learned {
  Tokenizers tokenizers;
  int smallest_source = 0, smallest_target = 0;  // vocabularies that the text allows
};

Learned learn(const DataOptions& options, const std::vector<SentencePair>& pairs,
              const DataProgress& progress) {
  const auto learn_one = [&](const std::vector<std::string>& lines, const std::string& side, int& smallest) {
    try {
      const TokenizerKind kind = suitable_kind(options, lines);
      smallest = smallest_vocabulary(lines, kind);
      return train_tokenizer(lines, {.kind = kind, .pieces = options.pieces});
    } catch (const Error& error) {
      throw Error(side + " side", error.what());
    }
  };
  Learned result;
  std::vector<std::string> lines = side_of(pairs, true);
  if (options.shared_vocabulary) {
    const std::vector<std::string> targets = side_of(pairs, false);
    lines.insert(lines.end(), targets.begin(), targets.end());
    result.tokenizers.source = result.tokenizers.target =
        learn_one(lines, "source and target", result.smallest_source);
    result.smallest_target = result.smallest_source;
    return result;
  }
  result.tokenizers.source = learn_one(lines, "source", result.smallest_source);
  report(progress, "learning pieces", 0.5);
  result.tokenizers.target = learn_one(side_of(pairs, false), "target", result.smallest_target);
  return result;
}

// Both sides to ids, on one thread.
class PairIds {
 public:
  explicit PairIds(const Tokenizers& tokenizers) : source_(*tokenizers.source), target_(*tokenizers.target) {}
  EncodedPair of(const SentencePair& pair) { return {source_.of(pair.source), target_.of(pair.target)}; }

 private:
  TextIds source_, target_;
};

// Why a pair cannot be used once it is ids, if it cannot.
std::string token_fault(const EncodedPair& pair, int max_tokens) {
  if (pair.source.empty()) return "the source has no tokens";
  if (pair.target.empty()) return "the target has no tokens";
  for (const auto* side : {&pair.source, &pair.target}) {
    if (max_tokens == 0 || static_cast<long>(side->size()) <= max_tokens) continue;
    return std::string("the ") + (side == &pair.source ? "source" : "target") + " has " +
           std::to_string(side->size()) + " tokens, more than the limit of " + std::to_string(max_tokens);
  }
  return "";
}

// Turns the pairs that make up a part into ids on all cores; those that do not fit join the rejected lines.
class PartEncoder {
 public:
  PartEncoder(const Tokenizers& tokenizers, int max_tokens, std::size_t all_pairs,
              const DataProgress& progress)
      : ids_(threads(), PairIds(tokenizers)),
        max_tokens_(max_tokens),
        all_pairs_(all_pairs),
        progress_(progress) {}

  DataPart encode(const Corpus& corpus, const std::vector<std::size_t>& members,
                  std::vector<RejectedLine>& rejected) {
    constexpr std::size_t kAtOnce = 1024;  // pairs between two reports of progress
    DataPart part;
    for (std::size_t first = 0; first < members.size(); first += kAtOnce) {
      report(progress_, "encoding", static_cast<double>(done_) / static_cast<double>(all_pairs_ + 1));
      std::vector<EncodedPair> group(std::min(kAtOnce, members.size() - first));
      const std::size_t share = (group.size() + ids_.size() - 1) / ids_.size();
      pool_.run(static_cast<int>(ids_.size()), [&](int thread) {
        const auto own = static_cast<std::size_t>(thread);
        for (std::size_t i = own * share; i < std::min(group.size(), (own + 1) * share); ++i)
          group[i] = ids_[own].of(corpus.pairs[members[first + i]]);
      });
      for (std::size_t i = 0; i < group.size(); ++i) {
        add(part, corpus, members[first + i], std::move(group[i]), rejected);
      }
      done_ += group.size();
    }
    return part;
  }

 private:
  void add(DataPart& part, const Corpus& corpus, std::size_t member, EncodedPair ids,
           std::vector<RejectedLine>& rejected) const {
    const SentencePair& pair = corpus.pairs[member];
    std::string fault = token_fault(ids, max_tokens_);
    if (fault.empty()) {
      part.pairs.push_back(pair);
      part.encoded.push_back(std::move(ids));
      return;
    }
    const long line =
        corpus.line_numbers.empty() ? static_cast<long>(member) + 1 : corpus.line_numbers[member];
    rejected.push_back({line, std::move(fault), excerpt_of(pair.source)});
  }

  static std::size_t threads() { return std::max(1U, std::thread::hardware_concurrency()); }

  WorkerPool pool_{static_cast<int>(threads())};
  std::vector<PairIds> ids_;  // one a thread
  int max_tokens_;
  std::size_t all_pairs_, done_ = 0;
  const DataProgress& progress_;
};

std::vector<std::size_t> all_of(const Corpus& corpus) {
  std::vector<std::size_t> members(corpus.pairs.size());
  for (std::size_t i = 0; i < members.size(); ++i) members[i] = i;
  return members;
}

std::vector<SentencePair> members_of(const Corpus& corpus, const std::vector<std::size_t>& members) {
  std::vector<SentencePair> pairs;
  pairs.reserve(members.size());
  for (const std::size_t i : members) pairs.push_back(corpus.pairs[i]);
  return pairs;
}

Split split_of(const Corpus& corpus, const DataOptions& options) {
  const long pairs = static_cast<long>(corpus.pairs.size());
  SplitSizes sizes{.validation = 0, .test = options.test_pairs};
  if (options.validation.empty()) {
    const long wanted = options.validation_pairs != 0 ? options.validation_pairs : options.validation.pairs;
    const bool one_source =
        std::all_of(corpus.pairs.begin(), corpus.pairs.end(),
                    [&](const SentencePair& pair) { return pair.source == corpus.pairs.front().source; });
    sizes.validation = wanted != 0 ? wanted : one_source ? 0 : std::clamp(pairs / 10, 1L, kMostValidation);
  }
  return split_by_source(corpus.pairs, sizes, options.seed);
}

void note_overlap(const DataPart& training, const DataPart& validation, std::vector<std::string>& notes) {
  std::unordered_set<std::string_view> sources;
  for (const SentencePair& pair : training.pairs) sources.insert(pair.source);
  const auto seen = std::count_if(validation.pairs.begin(), validation.pairs.end(),
                                  [&](const SentencePair& pair) { return sources.contains(pair.source); });
  if (seen > 0) notes.push_back("pairs whose source is also trained on: " + std::to_string(seen));
}

// As the eye compares sentences: without capitals, and without the marks and blanks at the end.
std::string plain(std::string_view sentence) {
  std::string text = to_lower(sentence);
  text.resize(text.find_last_not_of(" .?!") + 1);
  return text;
}

// Takes out of a corpus the sentences that a list says to leave out.
class LeftOut {
 public:
  explicit LeftOut(const std::string& list) {
    if (list.empty()) return;
    for (const SentencePair& pair : read_tab_separated(list).pairs) sources_.insert(plain(pair.source));
  }

  void take_from(Corpus& corpus) const {
    if (sources_.empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < corpus.pairs.size(); ++i) {
      if (sources_.contains(plain(corpus.pairs[i].source))) continue;
      if (!corpus.line_numbers.empty()) corpus.line_numbers[kept] = corpus.line_numbers[i];
      if (kept != i) corpus.pairs[kept] = std::move(corpus.pairs[i]);
      ++kept;
    }
    const std::size_t gone = corpus.pairs.size() - kept;
    if (gone == 0) return;
    if (kept == 0)
      throw Error(corpus.name, "every sentence is on the list of those to leave out; give more pairs");
    corpus.pairs.resize(kept);
    if (!corpus.line_numbers.empty()) corpus.line_numbers.resize(kept);
    corpus.notes.push_back("pairs on the list of those to leave out: " + std::to_string(gone));
  }

 private:
  std::unordered_set<std::string> sources_;
};

void sort_by_line(std::vector<RejectedLine>& rejected) {
  std::stable_sort(rejected.begin(), rejected.end(),
                   [](const RejectedLine& a, const RejectedLine& b) { return a.line < b.line; });
}

}  // namespace

Corpus read_pairs(const DataSource& source, std::uint64_t seed, const CorpusLimits& given,
                  const DataProgress& progress) {
  check_source(source);
  CorpusLimits limits = given;
  if (source.pairs != 0) limits.max_pairs = source.pairs;
  if (!source.corpus.empty()) return read_tab_separated(source.corpus, limits, source.choices);
  if (!source.source.empty()) return read_line_aligned(source.source, source.target, limits, source.choices);

  Corpus corpus;
  if (!source.task.empty()) {
    const ToyTask task = toy_task(source.task);
    const long pairs = source.pairs != 0 ? source.pairs : std::min(kTaskPairs, toy_sources(task, source.toy));
    corpus.pairs = toy_pairs(task, source.toy, pairs, seed);
    corpus.name = "task " + source.task;
  } else {
    const Grammar grammar = Grammar::read(source.grammar);
    corpus.pairs = grammar.generate(source.pairs != 0 ? source.pairs : kGrammarPairs, seed,
                                    [&](double part) { report(progress, "reading", part); });
    corpus.name = "grammar " + std::filesystem::path(source.grammar).stem().string();
  }
  corpus.lines = static_cast<long>(corpus.pairs.size());
  return corpus;
}

std::vector<EncodedPair> encode_pairs(const std::vector<SentencePair>& pairs, const Tokenizers& tokenizers) {
  std::vector<EncodedPair> result;
  result.reserve(pairs.size());
  PairIds ids(tokenizers);
  for (const SentencePair& pair : pairs) result.push_back(ids.of(pair));
  return result;
}

namespace {

struct ReadData {
  Corpus corpus, validation;  // the second from its own source
  Split split;                // of the first
};

ReadData read_data(const DataOptions& options, const DataProgress& progress) {
  // Two sources share the scale.
  const double share = options.validation.empty() ? 1 : 0.5;
  const auto from = [&](double start) -> DataProgress {
    return [&, start](const std::string& stage, double part) {
      return !progress || progress(stage, start + share * part);
    };
  };
  report(progress, "reading", 0);
  const LeftOut left_out(options.leave_out);
  ReadData data;
  data.corpus = read_pairs(options.training, options.seed, options.limits, from(0));
  left_out.take_from(data.corpus);
  data.split = split_of(data.corpus, options);
  if (options.validation.empty()) return data;
  report(progress, "reading", 0.5);
  data.validation = read_pairs(options.validation, options.seed ^ kValidationSeed, options.limits, from(0.5));
  left_out.take_from(data.validation);
  return data;
}

}  // namespace

PlainPairs plain_pairs(const DataOptions& options) {
  check_options(options);
  const ReadData data = read_data(options, {});
  return {members_of(data.corpus, data.split.training), options.validation.empty()
                                                            ? members_of(data.corpus, data.split.validation)
                                                            : data.validation.pairs};
}

PreparedData prepare_data(const DataOptions& options, const DataProgress& progress, const Tokenizers& given) {
  check_options(options);
  PreparedData data;

  ReadData read = read_data(options, progress);
  Corpus &corpus = read.corpus, &validation = read.validation;
  const Split& split = read.split;

  // Learn from the training pairs alone: what validates is new in every respect.
  report(progress, "learning pieces", 0);
  Learned learned{.tokenizers = given};
  if (!given.source || !given.target) learned = learn(options, members_of(corpus, split.training), progress);
  data.tokenizers = std::move(learned.tokenizers);
  data.kind = data.tokenizers.source->kind();

  const auto vectors = [&](const std::string& path, const Tokenizer& tokenizer,
                           std::shared_ptr<const GivenEmbeddings>& to) {
    if (path.empty()) return;
    to = std::make_shared<const GivenEmbeddings>(read_embeddings(path, tokenizer));
    corpus.notes.push_back(found_words(*to, tokenizer, path));
  };
  vectors(options.source_embedding, *data.tokenizers.source, data.source_vectors);
  vectors(options.target_embedding, *data.tokenizers.target, data.target_vectors);
  std::vector<RejectedLine> rejected = std::move(corpus.rejected);
  std::vector<RejectedLine> validation_rejected = std::move(validation.rejected);
  PartEncoder encoder(data.tokenizers, options.max_tokens, corpus.pairs.size() + validation.pairs.size(),
                      progress);
  data.training = encoder.encode(corpus, split.training, rejected);
  data.validation = options.validation.empty()
                        ? encoder.encode(corpus, split.validation, rejected)
                        : encoder.encode(validation, all_of(validation), validation_rejected);
  data.test = encoder.encode(corpus, split.test, rejected);
  if (data.training.pairs.empty()) {
    throw Error(corpus.name, "no pair is left to train on; the first that was left out, line " +
                                 std::to_string(rejected.front().line) + ": " + rejected.front().reason);
  }

  DataReport& summary = data.report;
  summary.name = corpus.name;
  summary.lines = corpus.lines;
  summary.notes = std::move(corpus.notes);
  summary.columns = std::move(corpus.columns);
  summary.validation_name = options.validation.empty() ? "split by source side" : validation.name;
  summary.validation_lines = validation.lines;
  summary.validation_notes = std::move(validation.notes);
  note_overlap(data.training, data.validation, summary.validation_notes);
  sort_by_line(rejected);
  sort_by_line(validation_rejected);
  summary.rejected = std::move(rejected);
  summary.validation_rejected = std::move(validation_rejected);
  summary.kept = static_cast<long>(data.training.pairs.size() + data.test.pairs.size());
  if (options.validation.empty()) summary.kept += static_cast<long>(data.validation.pairs.size());
  const auto report_of = [&](bool source) {
    const auto& tokenizer = source ? data.tokenizers.source : data.tokenizers.target;
    return report_side(data.training, data.validation, *tokenizer, source);
  };
  std::future<SideReport> of_source = std::async(std::launch::async, report_of, true);
  summary.target = report_of(false);
  summary.source = of_source.get();
  summary.source.smallest_vocabulary = learned.smallest_source;
  summary.target.smallest_vocabulary = learned.smallest_target;
  report(progress, "encoding", 1);
  return data;
}

}  // namespace glassformer
