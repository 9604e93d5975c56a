// A folder that is there whole or not at all, also in the place of an older one.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace glassformer {

struct ReplaceFolder {
  // Throws Error when what is at this place must stay; called before and after `fill`.
  std::function<void(const std::string& place)> check;
  // Writes into an OwnedFolder of this path; false: it was stopped, and the old one stays.
  std::function<bool(const std::string& to)> fill;
  // What older programs wrote into a folder without a list; empty: nothing.
  std::function<std::vector<std::string>(const std::string& folder)> known = {};
};

// Has `fill` write a folder beside the one that is wanted and then puts it in that one's place, so that a
// kill or a full disk leaves the old one or the new, and nothing of the old one stays in the new. Of the old
// one only the program's own files go, and no link is followed. Throws Error, with the old one unchanged, or
// the error says where it is.
void replace_folder(const std::string& folder, const ReplaceFolder& how);

}  // namespace glassformer
