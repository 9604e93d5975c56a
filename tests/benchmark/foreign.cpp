#include "tests/benchmark/foreign.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/offscreen.h"
#include "app/views/view_table.h"
#include "engine/files/safetensors.h"
#include "engine/import/model_import.h"
#include "engine/math/error.h"
#include "engine/math/random.h"
#include "tests/benchmark/times.h"
#include "tests/scratch_folder.h"

namespace glassformer {
namespace {

constexpr int kLongest = 23;  // positions: 20 words, so that an untrained model ends
constexpr double kForeignPatience = 300;
constexpr int kFramesOfView = 20;

struct ForeignClass {
  int encoder, decoder, d, d_ff, heads, words;
};
constexpr ForeignClass kForeignClasses[] = {{6, 2, 256, 1536, 8, 32000}, {6, 6, 512, 2048, 8, 58101}};

// Its tensors in the layout of Hugging Face's MarianMT. All random numbers are of one table.
class ForeignWeights {
 public:
  explicit ForeignWeights(const ForeignClass& of)
      : random_(static_cast<std::size_t>(of.words) * static_cast<std::size_t>(of.d)),
        zeros_(static_cast<std::size_t>(std::max(of.words, of.d_ff)), 0.0f),
        ones_(static_cast<std::size_t>(of.d), 1.0f) {
    Random random(1);
    for (float& number : random_)
      number = static_cast<float>(random.normal() / std::sqrt(static_cast<double>(of.d)));
    tensors_ = {{"model.shared.weight", {of.words, of.d}, random_.data()},
                {"final_logits_bias", {1, of.words}, zeros_.data()}};
    for (int i = 0; i < of.encoder; ++i)
      layer(of, "model.encoder.layers." + std::to_string(i), {"self_attn"});
    for (int i = 0; i < of.decoder; ++i)
      layer(of, "model.decoder.layers." + std::to_string(i), {"self_attn", "encoder_attn"});
  }
  void write(const std::string& path) const { write_safetensors(path, tensors_); }

 private:
  void layer(const ForeignClass& of, const std::string& at, const std::vector<std::string>& attentions) {
    for (const std::string& attention : attentions) {
      for (const char* const part : {".q_proj", ".k_proj", ".v_proj", ".out_proj"})
        linear(at + "." + attention + part, of.d, of.d);
      norm(at + "." + attention + "_layer_norm", of.d);
    }
    linear(at + ".fc1", of.d_ff, of.d);
    linear(at + ".fc2", of.d, of.d_ff);
    norm(at + ".final_layer_norm", of.d);
  }
  void linear(const std::string& at, int outputs, int inputs) {
    next_ = (next_ + 7919) %
            (random_.size() - static_cast<std::size_t>(outputs) * static_cast<std::size_t>(inputs));
    tensors_.push_back({at + ".weight", {outputs, inputs}, random_.data() + next_});
    tensors_.push_back({at + ".bias", {outputs}, zeros_.data()});
  }
  void norm(const std::string& at, int d) {
    tensors_.push_back({at + ".weight", {d}, ones_.data()});
    tensors_.push_back({at + ".bias", {d}, zeros_.data()});
  }

  std::vector<float> random_, zeros_, ones_;
  std::vector<TensorToWrite> tensors_;
  std::size_t next_ = 0;
};

// "ba", "bababe": a word for each number.
std::string made_word(int number) {
  std::string word;
  do {
    word += "bdfgklmnprst"[number % 12];
    word += "aeiou"[number / 12 % 5];
    number /= 60;
  } while (number > 0);
  return word;
}

std::string made_sentence(int which) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += (i > 0 ? " " : "") + made_word(i * 1501 + 5 + which);
  return text;
}

struct ForeignFolder {
  explicit ForeignFolder(const ForeignClass& of) {
    ForeignWeights(of).write(files.path("model.safetensors"));
    const nlohmann::json config = {{"model_type", "marian"},
                                   {"d_model", of.d},
                                   {"encoder_layers", of.encoder},
                                   {"decoder_layers", of.decoder},
                                   {"encoder_attention_heads", of.heads},
                                   {"decoder_attention_heads", of.heads},
                                   {"encoder_ffn_dim", of.d_ff},
                                   {"decoder_ffn_dim", of.d_ff},
                                   {"vocab_size", of.words},
                                   {"activation_function", "swish"},
                                   {"scale_embedding", true},
                                   {"max_position_embeddings", kLongest},
                                   {"pad_token_id", of.words - 1},
                                   {"eos_token_id", 0},
                                   {"decoder_start_token_id", of.words - 1},
                                   {"bad_words_ids", {{of.words - 1}}}};
    files.write("config.json", config.dump());
    std::string list = "</s>\n<unk>\n";
    for (int i = 2; i < of.words - 1; ++i) list += made_word(i) + "\n";
    words = files.write("words.txt", list + "<pad>\n");
  }
  ScratchFolder files;
  std::string words;
};

// What is counted begins here.
void forget_highest_memory() {
  std::ofstream("/proc/self/clear_refs") << "5";
}
double megabytes(std::string_view entry) {  // "VmHWM:": at most until now; "VmRSS:": now
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(entry)) return std::atof(line.c_str() + entry.size()) / 1024;
  return 0;
}

double drawn_seconds(OffscreenProgram& program) {
  const auto begin = BenchClock::now();
  program.frame();
  program.finish_drawing();
  return seconds_since(begin);
}

// What it takes to be looked at. The mouse is moved, so that no frame is as the last.
nlohmann::json view_times(OffscreenProgram& program, const char* view) {
  program.program().shell().apply({OpenView{view}}, 0);
  std::vector<double> opening{drawn_seconds(program)}, frames;
  const auto clicked = BenchClock::now();
  while (program.session().working() && seconds_since(clicked) < kForeignPatience)
    opening.push_back(drawn_seconds(program));
  program.settle(kForeignPatience);
  const double settled = seconds_since(clicked);
  for (int i = 0; i < kFramesOfView; ++i) {
    program.move({500.0f + 20.0f * static_cast<float>(i), 300.0f + 15.0f * static_cast<float>(i)});
    frames.push_back(drawn_seconds(program));
  }
  return {{"settled_s", settled},
          {"longest_meanwhile_ms", longest(opening) * 1e3},
          {"median_ms", median(frames) * 1e3},
          {"longest_ms", longest(frames) * 1e3},
          {"mb", megabytes("VmRSS:")},
          {"highest_mb", megabytes("VmHWM:")}};
}

// Seconds from Enter until the window has a sentence of 20 words translated and all of its numbers.
double median_translation(OffscreenProgram& program) {
  constexpr int kSentences = 5;
  std::vector<double> seconds;
  for (int which = 0; which < kSentences; ++which) {
    const std::string sentence = made_sentence(which);
    const auto typed = BenchClock::now();
    program.session().apply({SetSource{sentence}});
    const auto translated = [&] {
      const auto result = program.session().result();
      return result && result->scene.sentences.front().source == sentence;
    };
    if (!program.wait(translated, kForeignPatience)) throw Error("bench", "the sentence was not translated");
    seconds.push_back(seconds_since(typed));
    program.settle(kForeignPatience);
  }
  return median(seconds);
}

nlohmann::json bench_class(const ForeignClass& of, const BenchRun& options) {
  const ForeignFolder folder(of);
  const ScratchFolder out;
  forget_highest_memory();
  OffscreenProgram program({.threads = options.threads, .draws = true});
  Session& session = program.session();
  program.settle(kForeignPatience);
  const auto asked = BenchClock::now();
  {
    const ImportOptions lists{.source_vocabulary = folder.words, .target_vocabulary = folder.words};
    save_import(out.path("model"), import_model(folder.files.path(""), lists));
  }
  const double imported = seconds_since(asked);
  session.apply({OpenModel{out.path("model")}});
  if (!program.wait([&] { return session.snapshot()->config.d_model == of.d; }, kForeignPatience))
    throw Error("bench", "the imported model did not open");
  const double opened = seconds_since(asked);
  program.settle(kForeignPatience);

  nlohmann::json result = {
      {"import_s", imported}, {"open_s", opened}, {"translate_s", median_translation(program)}};
  for (const ViewEntry& view : view_table()) result["views"][view.name] = view_times(program, view.name);
  result["highest_mb"] = megabytes("VmHWM:");
  return result;
}

}  // namespace

nlohmann::json bench_foreign(const BenchRun& options) {
  setenv("LP_NUM_THREADS", "0", 0);  // as in the window
  return bench_class(kForeignClasses[options.preset == "base" ? 1 : 0], options);
}

}  // namespace glassformer
