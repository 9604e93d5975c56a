// Kept runs of recurrent models beside those of Transformers, in one table.
#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "app/session/run_copies.h"
#include "app/session/run_table.h"
#include "engine/model/transformer.h"
#include "engine/recurrent/recurrent_model.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

namespace glassformer::recurrent_runs_test {

TEST_CASE("a table of both kinds says which; what one kind lacks is no difference") {
  const ScratchFolder scratch;
  const auto add = [&](const std::string& name, const auto& config, const TrainingOptions& options) {
    using Model = std::conditional_t<std::is_same_v<std::decay_t<decltype(config)>, Config>,
                                     Transformer<float>, RecurrentModel<float>>;
    Training<Model> training(testing::copying_set(), config, options);
    training.step();
    training.validate();
    training.save(scratch.path("runs/" + name));
  };
  RecurrentConfig recurrent;
  recurrent.width = 8;
  recurrent.source_vocab = recurrent.target_vocab = 12;
  recurrent.max_length = 16;
  const auto listed = [&] {
    std::vector<std::string> problems;
    std::vector<KeptRun> runs = kept_runs(scratch.path("runs"), problems);
    CHECK(problems.empty());
    return runs;
  };
  const auto names = [](const std::vector<RunDifference>& all) {
    std::vector<std::string> found;
    for (const RunDifference& one : all) found.push_back(one.name);
    return found;
  };
  add("a", testing::copying_config(), testing::small_options());
  CHECK(differences(listed()).empty());
  add("b", recurrent, testing::small_options());
  CHECK(names(differences(listed())) == std::vector<std::string>{"architecture"});
  Config wider = testing::copying_config();
  wider.d_ff = 48;
  add("c", wider, testing::small_options());
  const std::vector<KeptRun> runs = listed();
  const std::vector<RunDifference> different = differences(runs);
  CHECK(names(different) == std::vector<std::string>{"architecture", "d_ff"});
  CHECK(different[0].values == std::vector<std::string>{"transformer", "recurrent", "transformer"});
  CHECK(different[1].values[1] == "");
  const std::vector<RunRow> rows = run_rows(runs, "", false);
  CHECK(run_rows(runs, "recurrent", false).size() == 1);
  CHECK(best_losses(runs, rows[1]).count == 1);
  const std::string csv = csv_of(runs, rows, different), tex = tex_of(runs, rows, different);
  CHECK(csv.find(",architecture,d_ff\na,1,1,") != std::string::npos);
  CHECK(csv.find(",recurrent,\n") != std::string::npos);
  CHECK(tex.find("& architecture & d\\_ff") != std::string::npos);
  CHECK(tex.find("& recurrent &") != std::string::npos);
}

}  // namespace glassformer::recurrent_runs_test
