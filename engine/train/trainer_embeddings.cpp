// What the embeddings of a run begin with, and which of their numbers do not learn.
#include <cmath>
#include <memory>
#include <string>

#include "engine/math/error.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

void TrainerState::begin_embeddings() {
  const auto begin = [&](Matrix<float>& table, const std::shared_ptr<const GivenEmbeddings>& given,
                         const char* side) {
    if (table.size() == 0) return;
    if (options.unit_embeddings) table *= std::sqrt(static_cast<float>(config.d_model));
    if (given && given->width() != config.d_model)
      throw Error(std::string(side) + " embedding", "its vectors have " + std::to_string(given->width()) +
                                                        " numbers, but the model is " +
                                                        std::to_string(config.d_model) + " wide");
    for (Eigen::Index id = 0; given && id < table.rows(); ++id)
      if (given->found[static_cast<std::size_t>(id)]) table.row(id) = given->rows.row(id);
    if (options.zero_pad) table.row(config.pad_id).setZero();
  };
  // Of a shared matrix the target's count, where both have one.
  if (weights.shares_all()) begin(weights.target_embedding, data->source_vectors, "source");
  begin(weights.source_embedding, data->source_vectors, "source");
  begin(weights.target_embedding, data->target_vectors, "target");
}

void TrainerState::hold_still() {
  const bool all = weights.shares_all();
  const bool source = options.freeze.find("source") != std::string::npos,
             target = options.freeze.find("target") != std::string::npos;
  if (source && !all) gradient.source_embedding.setZero();
  if (target || (source && all)) gradient.target_embedding.setZero();
  if (!options.zero_pad) return;
  if (gradient.source_embedding.size() > 0) gradient.source_embedding.row(config.pad_id).setZero();
  gradient.target_embedding.row(config.pad_id).setZero();
}

}  // namespace glassformer
