// What a person should know, shown in place: the newest message of each place.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/scene/notice.h"

namespace glassformer {

class Notices {
 public:
  const std::vector<Notice>& all() const { return all_; }

  void notify(Notice notice);  // in place of the one before
  void say(Place place, const std::string& text);
  void complain(Place place, const std::string& text);
  void clear(Place place);
  bool has(Place place) const;
  void withdraw(const std::function<bool(const Notice&)>& which);

  // Whether the way out of a message there opens that folder or resumes in it.
  bool offers(Place place, const std::string& folder) const;
  // A folder has another name, or (empty) is gone: ways out follow it, or their messages go.
  void follow_folder(const std::string& from, const std::string& to);

 private:
  std::vector<Notice> all_;
};

}  // namespace glassformer
