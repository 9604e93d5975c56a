// Attention as a soft lookup, the bridge for beginners: a table of facts asked by nearest key and by softmax,
// then the same picture as one row of the open model's attention, then why a word's place is not told by its
// index.
#pragma once

#include <chrono>

#include "app/views/common/view.h"
#include "app/views/lookup/lookup_facts.h"
#include "app/views/lookup/lookup_places.h"
#include "app/views/lookup/lookup_row.h"

namespace glassformer {

enum class LookupPage { facts, row, places };
inline constexpr int kLookupPages = 3;
// Of a stage on which the pages have their full names.
inline constexpr float kWideLookup = 900;
// "A table of facts", or short for a narrow stage: "Facts".
std::string name_of(LookupPage page, bool wide = true);

class LookupView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<LookupView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  // "curve": the facts; "words": a row of attention.
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  // soft and hard: the guests that softmax and argmax answer; slope of softmax's answer, in guests an hour.
  std::vector<ViewFact> facts(const ViewInput& input) const override;
  // "Query" (an hour), "Temperature" (above 0) and "Lookup" (a page).
  bool set(std::string_view control, std::string_view value) override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

  void go_to(LookupPage page) { page_ = page; }

 private:
  FactsState asked() const;
  double temperature() const;
  std::string state_words() const;
  Rect content(const ViewInput& input, const Rect& area) const;

  void temperature_slider(ui::Ui& ui, const Rect& area);
  void facts_controls(ui::Ui& ui, const ViewInput& input, const Rect& content);
  void row_controls(ui::Ui& ui, const ViewInput& input, const Rect& content);
  void places_controls(ui::Ui& ui, const ViewInput& input, const Rect& content);
  void go_on_playing(ui::Ui& ui, bool reduced_motion);

  LookupPage page_ = LookupPage::facts;
  double hour_ = FactsState{}.hour;
  double warmth_ = 0;  // logarithm of the temperature, to base 10
  std::optional<int> hovered_fact_, chosen_fact_;
  PlacesState places_;
  bool playing_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace glassformer
