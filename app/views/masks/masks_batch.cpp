#include "app/views/masks/masks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"

namespace glassformer {

namespace {

IdTensor id_tensor(const char* name, const std::vector<std::vector<int>>& rows, int pad_id) {
  IdTensor tensor{.name = name};
  std::size_t longest = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  for (const auto& row : rows) {
    tensor.real.push_back(static_cast<int>(row.size()));
    tensor.ids.push_back(row);
    tensor.ids.back().resize(longest, pad_id);
  }
  return tensor;
}

// The id with the largest logit at each place; of equal ones the first.
IdTensor argmax_tensor(const ViewInput& input) {
  const Trace& trace = *input.result.trace;
  std::vector<std::vector<int>> rows;
  std::vector<std::vector<std::string>> words;
  for (std::size_t sentence = 0; sentence < trace.target_out.size(); ++sentence) {
    const Plane logits = trace.plane(output_value(ValueKind::logits), static_cast<int>(sentence));
    std::vector<int>& row = rows.emplace_back();
    words.emplace_back();
    for (int place = 0; place < static_cast<int>(trace.target_out[sentence].size()); ++place) {
      int best = 0;
      for (int id = 1; id < logits.columns; ++id)
        if (logits(place, id) > logits(place, best)) best = id;
      row.push_back(best);
      words.back().push_back(target_word(input, best));
    }
  }
  IdTensor tensor = id_tensor("argmax of logits", rows, input.snapshot.config.pad_id);
  tensor.words = std::move(words);
  tensor.answers = true;
  return tensor;
}

// The shapes as the trace has them: a weight for each sentence, head, query and key.
MaskShapes shapes_of(const char* name, const Trace& trace, AttentionKind kind) {
  const Tensor& weights = trace.at(attention_value(kind, 0, ValueKind::weights));
  const int batch = weights.shape[0], queries = weights.shape[2], keys = weights.shape[3];
  const std::string key = kind == AttentionKind::decoder ? "T" : "S",
                    query = kind == AttentionKind::encoder ? "S" : "T";
  MaskShapes shapes{.name = name};
  shapes.padding = {batch, 1, 1, keys};
  shapes.padding_letters = "(B, 1, 1, " + key + ")";
  if (kind == AttentionKind::decoder) {
    shapes.causal = {1, queries, keys};
    shapes.causal_letters = "(1, T, T)";
  }
  shapes.result = weights.shape;
  shapes.letters = "(B, H, " + query + ", " + key + ")";
  return shapes;
}

}  // namespace

BatchTensors batch_tensors(const ViewInput& input) {
  const Trace& trace = *input.result.trace;
  BatchTensors batch;
  batch.pad_id = input.snapshot.config.pad_id;
  batch.tensors = {id_tensor("source", trace.source, batch.pad_id),
                   id_tensor("target_input", trace.target_in, batch.pad_id),
                   id_tensor("target_predict", trace.target_out, batch.pad_id)};
  for (int sentence = 0; sentence < static_cast<int>(trace.source.size()); ++sentence) {
    batch.tensors[0].words.push_back(source_words(input, sentence));
    batch.tensors[1].words.push_back(target_in_words(input, sentence));
    batch.tensors[2].words.push_back(target_out_words(input, sentence));
  }
  batch.tensors[2].in_loss = true;
  batch.tensors.push_back(argmax_tensor(input));
  for (const auto& row : batch.tensors[2].ids) {
    batch.cells += static_cast<int>(row.size());
    batch.counted += static_cast<int>(std::ssize(row) - std::ranges::count(row, batch.pad_id));
  }
  const Config& config = input.snapshot.config;
  batch.width = config.d_model;
  batch.heads = config.heads;
  batch.vocabulary = config.target_vocab;
  batch.head_width = config.d_model / config.heads;
  batch.shapes = {shapes_of("Encoder’s self-attention", trace, AttentionKind::encoder),
                  shapes_of("Decoder’s self-attention", trace, AttentionKind::decoder),
                  shapes_of("Cross-attention", trace, AttentionKind::cross)};
  return batch;
}

std::string batch_loss_words(const BatchTensors& batch) {
  const std::string id = "ignore_index = " + std::to_string(batch.pad_id) + ", the id of <pad>";
  if (batch.counted == batch.cells)
    return "The loss is a mean over all " + format_count(batch.cells) +
           " words of target_predict: there is no padding to ignore (" + id + ").";
  return "The loss is a mean over " + format_count(batch.counted) + " of the " + format_count(batch.cells) +
         " cells of target_predict: the padding is ignored (" + id + ").";
}

std::string first_id_words(const ViewInput& input, const BatchTensors& batch) {
  const IdTensor& source = batch.tensors.front();
  const Tokenizer* const tokenizer = input.tokenizers.source.get();
  if (!tokenizer) return "";
  std::string first;
  for (int id = 0; id < std::min(4, tokenizer->size()); ++id)
    first += (id == 0 ? "" : ", ") + tokenizer->piece(id);
  return "The first id of the source, " + format_count(source.ids.front().front()) + ", is “" +
         source.words.front().front() + "” in a vocabulary that begins with " + first + ".";
}

std::string shape_text(const std::vector<int>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + format_count(shape[i]);
  return text + ")";
}

std::vector<std::array<std::string, 3>> shape_way(const BatchTensors& batch) {
  const IdTensor& source = batch.tensors.front();
  const int sentences = static_cast<int>(source.ids.size()), length = source.length();
  const int target = batch.tensors[1].length();
  const std::string ids = shape_text({sentences, length}),
                    rows = shape_text({sentences, length, batch.width}),
                    parts = shape_text({sentences, length, batch.heads, batch.head_width}),
                    heads = shape_text({sentences, batch.heads, length, batch.head_width});
  return {{"embedding", ids + " → " + rows, "(B, S) → (B, S, d)"},
          {"Q, K, V", rows + " → " + parts, "(B, S, d) → (B, S, h, k)"},
          {"head by head", parts + " → " + heads, "(B, S, h, k) → (B, h, S, k)"},
          {"logits",
           shape_text({sentences, target, batch.width}) + " → " +
               shape_text({sentences, target, batch.vocabulary}),
           "(B, T, d) → (B, T, V)"}};
}

std::string mask_signs_words(const BatchTensors& batch) {
  const IdTensor& source = batch.tensors.front();
  const int real = std::accumulate(source.real.begin(), source.real.end(), 0);
  const int all = static_cast<int>(source.ids.size()) * source.length();
  return "A mask is written in one of two ways: 1 where a query may look (here " + format_count(real) +
         " of " + format_count(all) + " places of source), or True where a key is hidden (the other " +
         format_count(all - real) + ", as PyTorch’s key_padding_mask has it).";
}

std::string target_slices_words(const BatchTensors& batch, bool causal) {
  const IdTensor& input = batch.tensors[1];
  const auto shorter = std::ranges::count_if(input.real, [&](int real) { return real < input.length(); });
  if (shorter == 0)
    return "target_input leaves out the <eos> of each row. All rows are equally long, so the slice "
           "target[:, :-1], which leaves out the last column, is the same.";
  const std::string rows = format_count(std::ssize(input.real));
  return "target_input leaves out the <eos> of each row. The slice target[:, :-1] leaves out the last column "
         "instead: that is <eos> in the longest rows and padding in the others (" +
         format_count(shorter) + " of " + rows +
         "), where <eos> stays and is read. Nothing is asked for behind it" +
         (causal ? ", so the loss is the same."
                 : ", but with the causal mask off the words before it read it.");
}

std::vector<NumberTable> batch_numbers(const BatchTensors& batch) {
  std::vector<NumberTable> tables;
  for (const IdTensor& tensor : batch.tensors) {
    NumberTable& table = tables.emplace_back();
    table.title = std::string("ids of ") + tensor.name;
    for (int column = 0; column < tensor.length(); ++column) table.columns.push_back(std::to_string(column));
    for (std::size_t row = 0; row < tensor.ids.size(); ++row) {
      table.rows.push_back("row " + std::to_string(row));
      std::vector<double>& values = table.values.emplace_back(tensor.ids[row].begin(), tensor.ids[row].end());
      if (tensor.answers) std::fill(values.begin() + tensor.real[row], values.end(), std::nan(""));
    }
  }
  return tables;
}

InspectorPage batch_page(const ViewInput& input) {
  const BatchTensors batch = batch_tensors(input);
  InspectorPage page;
  page.caption = "What the loss counts";
  page.subject = "**" + format_count(batch.counted) + "** of " + format_count(batch.cells) + " cells";
  InspectorSection tensors{.heading = "Shapes"};
  for (const IdTensor& tensor : batch.tensors)
    tensors.rows.push_back(
        {.label = tensor.name,
         .value = format_shape(std::vector<int>{static_cast<int>(tensor.ids.size()), tensor.length()})});
  for (const auto& [name, numbers, letters] : shape_way(batch)) {
    tensors.rows.push_back({.label = name, .value = numbers});
    tensors.text += (tensors.text.empty() ? "" : "; ") + name + " " + letters;
  }
  tensors.text += ".";
  page.sections.push_back(std::move(tensors));
  page.sections.push_back(
      {.heading = "Masks and slices",
       .text = mask_signs_words(batch) + " " +
               target_slices_words(batch, !input.result.scene.what_if.has(ChangeKind::causal_mask_off))});
  page.meaning = batch_loss_words(batch) +
                 " target_predict is target_input one word further: what stands at a place is what the "
                 "decoder is to write there. " +
                 first_id_words(input, batch);
  page.paper = "Paper, section 3.2.3";
  return page;
}

}  // namespace glassformer
