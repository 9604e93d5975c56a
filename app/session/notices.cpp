#include "app/session/notices.h"

#include "engine/text/printable.h"

#include <algorithm>
#include <utility>

namespace glassformer {

namespace {

// That its way out opens, or resumes; empty: none.
std::string folder_in(const Notice& notice) {
  if (!notice.command) return {};
  if (const auto* open = notice.command->get_if<OpenModel>()) return open->folder;
  if (const auto* resumed = notice.command->get_if<ContinueRun>()) return resumed->folder;
  return {};
}

}  // namespace

void Notices::notify(Notice notice) {
  clear(notice.place);
  notice.text = message_text(notice.text);
  all_.push_back(std::move(notice));
}

void Notices::say(Place place, const std::string& text) {
  notify({.place = place, .text = text, .action = "", .command = {}});
}

void Notices::complain(Place place, const std::string& text) {
  notify({.place = place, .error = true, .text = text, .action = "", .command = {}});
}

void Notices::clear(Place place) {
  withdraw([place](const Notice& notice) { return notice.place == place; });
}

bool Notices::has(Place place) const {
  return std::ranges::find(all_, place, &Notice::place) != all_.end();
}

void Notices::withdraw(const std::function<bool(const Notice&)>& which) {
  std::erase_if(all_, which);
}

bool Notices::offers(Place place, const std::string& folder) const {
  return !folder.empty() && std::ranges::any_of(all_, [&](const Notice& notice) {
    return notice.place == place && folder_in(notice) == folder;
  });
}

void Notices::follow_folder(const std::string& from, const std::string& to) {
  const auto names_it = [&](const Notice& notice) { return folder_in(notice) == from; };
  if (to.empty()) withdraw(names_it);
  for (Notice& notice : all_) {
    if (!names_it(notice)) continue;
    if (notice.command->is<OpenModel>())
      notice.command = OpenModel{to};
    else
      notice.command = ContinueRun{to};
  }
}

}  // namespace glassformer
