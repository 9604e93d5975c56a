#include "app/panels/view_controls.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace glassformer {

namespace {

constexpr std::array<std::string_view, 4> kSettings = {"segmented", "switch", "slider", "combo"};
constexpr std::string_view kCompared = "Compared";  // how two are shown, beside the view

}  // namespace

void ViewControls::frame(ui::Ui& ui, const std::string& view) {
  Settings settings;
  for (const ui::Widget& each : ui.registry().all())
    if ((each.of_view || each.label == kCompared) && each.enabled &&
        std::ranges::find(kSettings, each.kind) != kSettings.end())
      settings.emplace_back(each.label, each.value);
  if (!open_.empty() && !settings.empty()) shown_[open_] = std::move(settings);
  if (open_ == view) return;
  ui.forget_to_set();  // of a view that is left
  open_ = view;
  const auto waiting = waiting_.extract(view);
  if (waiting.empty()) return;
  for (const auto& [control, value] : waiting.mapped()) ui.set(control, value);
}

void ViewControls::hand_over(const Settings& later) {
  waiting_.clear();
  for (const auto& [control, value] : later) {
    const std::size_t slash = control.find('/');
    waiting_[control.substr(0, slash)].emplace_back(control.substr(slash + 1), value);
  }
}

ViewControls::Settings ViewControls::all(const std::string& open) const {
  Settings all;
  if (const auto found = shown_.find(open); found != shown_.end()) all = found->second;
  const auto put = [&](const auto& views, const auto& but) {
    for (const auto& [view, settings] : views)
      if (view != open && !but.contains(view))
        for (const auto& [control, value] : settings) all.emplace_back(view + "/" + control, value);
  };
  put(shown_, waiting_);
  put(waiting_, std::map<std::string, Settings>{});
  return all;
}

}  // namespace glassformer
