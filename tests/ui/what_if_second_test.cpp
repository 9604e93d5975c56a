// Values taken from a second Scene, part by part: what that does to the loss.
#include <doctest/doctest.h>

#include "engine/layers/tap.h"
#include "tests/ui/what_if_scene.h"

namespace glassformer::what_if_test {

namespace {

// Keeps a value of one pass, or puts the columns of a head of it into another.
class ValuePatch : public Tap<double> {
 public:
  explicit ValuePatch(std::string name) : name_(std::move(name)) {}
  void operator()(const TapPoint& point, MatrixRef<double> value) override {
    if (point.name != name_ || point.gradient) return;
    if (head < 0) {
      kept_ = value;
      return;
    }
    const Eigen::Index width = value.cols() / point.heads;
    value.middleCols(head * width, width) = kept_.middleCols(head * width, width);
  }
  int head = -1;

 private:
  std::string name_;
  Matrix<double> kept_;
};

Batch batch_of(const PlainSentence& plain) {
  Batch batch;
  batch.source.add(plain.source);
  batch.target_in.add(plain.target_in);
  batch.target_out.add(plain.target_out);
  return batch;
}

double loss_of(const Matrix<double>& logits, const PlainSentence& plain) {
  double loss = 0;
  for (std::size_t place = 0; place < plain.target_out.size(); ++place) {
    const auto row = static_cast<int>(place);
    double all = 0;
    for (int id = 0; id < logits.cols(); ++id) all += log_p(logits, row, id);
    loss -= (1 - plain.smoothing) * log_p(logits, row, plain.target_out[place]) +
            plain.smoothing * all / static_cast<double>(logits.cols());
  }
  return loss / static_cast<double>(plain.target_out.size());
}

SampleScene scene_on(const char* source, const char* reference) {
  SampleOptions options;
  options.config = config_of();
  options.sentences[0] = {source, {}, reference};
  return make_sample_scene(options);
}

}  // namespace

TEST_CASE("each head is taken from the second Scene in turn, as a pass in double with its numbers in it") {
  const SampleScene second =
      scene_on("the red girl sees a tired car", "la fille rouge voit une voiture fatiguée");
  SampleScene scene = scene_on("the tired girl sees a red car", "la fille fatiguée voit une voiture rouge");
  WhatIfWork aside;
  WhatIfChoice choice;
  choice.by = Replacement::other;
  ViewInput input = scene.input();
  input.other = second.result.get();
  const WhatIfScene shown = what_if_scene(input, choice, aside, true);
  REQUIRE(shown.trouble == "");
  const std::vector<Change> heads = every_head(*shown.plain.model);
  REQUIRE(shown.importance.parts.size() == heads.size());
  const Transformer<double> model = shown.plain.model->cast<double>();
  const PlainSentence theirs = plain_sentence(*second.result);
  const double untouched = loss_by_hand(model, shown.plain);
  double most = 0;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    CAPTURE(part_name(heads[i]));
    ValuePatch patch(written(heads[i].block, ValueKind::context));
    Saved<double> saved;
    model.forward(batch_of(theirs), saved, patch);
    patch.head = heads[i].head;
    model.forward(batch_of(shown.plain), saved, patch);
    const double change = loss_of(saved.logits, shown.plain) - untouched;
    most = std::max(most, std::abs(change));
    CHECK(shown.importance.parts[i].mean == doctest::Approx(change).epsilon(1e-3).scale(0.01));
  }
  CHECK(most > 0.001);
  CHECK(clicked_part(shown, 3, false).changes.front().by == Replacement::other);

  // The chosen one alone says the same.
  scene.pin(selecting_part({}, kHead));
  ViewInput pinned = scene.input();
  pinned.other = second.result.get();
  const WhatIfScene chosen = what_if_scene(pinned, choice, aside, true);
  const auto known = muted_part(chosen, aside, true);
  REQUIRE(known);
  REQUIRE(known->loss_other);
  CHECK(*known->loss_other - untouched ==
        doctest::Approx(chosen.importance.parts[*chosen.part].mean).epsilon(1e-3).scale(1e-4));
}

TEST_CASE("what cannot be taken from the second says why, and without a second the choice is gone") {
  const SampleScene shorter = scene_on("the cat sees a bird", "le chat voit un oiseau");
  SampleScene scene = scene_on("the tired girl sees a red car", "la fille fatiguée voit une voiture rouge");
  WhatIfWork aside;
  WhatIfChoice choice;
  choice.by = Replacement::other;
  ViewInput input = scene.input();
  input.other = shorter.result.get();
  CHECK(what_if_scene(input, choice, aside, true).trouble ==
        "Nothing can be taken from the second: other length, 8 and 6 places: pick one place.");
  choice.parts = PartsShown::places;
  const WhatIfScene places = what_if_scene(input, choice, aside, true);
  CHECK(places.trouble == "");
  CHECK(places.importance.whole());
  choice.parts = PartsShown::heads;
  input.other = nullptr;
  const WhatIfScene alone = what_if_scene(input, choice, aside, true);
  CHECK(alone.choice.by == Replacement::zero);
  CHECK(alone.importance.whole());
}

}  // namespace glassformer::what_if_test
