#include "app/widgets/matrix_cells.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace glassformer;

TEST_CASE(
    "a part of an axis holds the place looked at, is as long as there is room, and marks what it skips") {
  for (int total = 1; total <= 14; ++total) {
    for (int most = 1; most <= 12; ++most) {
      for (int place = 0; place < total; ++place) {
        CAPTURE(total);
        CAPTURE(most);
        CAPTURE(place);
        const MatrixAxis axis = part_of_axis(whole_axis(total), most, place);
        CHECK(axis.count() == std::min(total, most));
        CHECK(axis.total == total);
        CHECK(axis.shown(place));
        for (int i = 1; i < axis.count(); ++i) {
          const auto at = static_cast<std::size_t>(i);
          const bool next = axis.places[at] == axis.places[at - 1] + 1;
          CHECK(axis.places[at] > axis.places[at - 1]);
          CHECK(next == (axis.break_after != i - 1));
        }
      }
    }
  }
}

TEST_CASE("near either end of an axis both of its ends are shown, with their words") {
  const std::vector<std::string> words{"<bos>", "la", "fille", "fatiguée", "voit", "une", "voiture", "rouge"};
  const MatrixAxis start = part_of_axis(whole_axis(8, words), 7, 3);
  CHECK(start.places == std::vector{0, 1, 2, 3, 4, 6, 7});
  CHECK(start.break_after == 4);
  CHECK(start.labels[5] == "voiture");
  const MatrixAxis end = part_of_axis(whole_axis(8, words), 7, 5);
  CHECK(end.places == std::vector{0, 1, 3, 4, 5, 6, 7});
  CHECK(end.break_after == 1);
  CHECK(end.labels[2] == "fatiguée");
}
