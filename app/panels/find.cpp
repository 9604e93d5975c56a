#include "app/panels/find.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "app/panels/lesson_guide.h"
#include "app/panels/menus.h"
#include "app/reading/change_offers.h"
#include "app/views/view_table.h"
#include "engine/model/what_if/change_kinds.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr const char* kViews = "Views";
constexpr const char* kLessons = "Lessons";
constexpr const char* kChanges = "Changes";
constexpr const char* kCommands = "Commands";

struct WholeChange {
  ChangeKind kind;
  const char *name, *words;
};
// Of the whole model, wherever one is.
constexpr std::array kWholeChanges{
    WholeChange{ChangeKind::causal_mask_off, "Causal mask off", "it sees the words that it is to write"},
    WholeChange{ChangeKind::padding_mask_off, "Padding mask off",
                "it reads the filling behind short sentences"},
    WholeChange{ChangeKind::scale_off, "Scale off", "scores are not divided by √k"},
    WholeChange{ChangeKind::positions_off, "Positions off", "it is not given the order of the words"}};

// Changes that begin with a place that is pointed at.
struct WayToPoint {
  const char *name, *words, *view;
};
constexpr std::array kWaysToPoint{
    WayToPoint{"Mute a head", "What if: a click on a head, by 0 or its mean", "what-if"},
    WayToPoint{"Skip a sub-block", "What if: only the residual stays", "what-if"},
    WayToPoint{"Edit a row of attention", "Attention: the weights of the pinned row by hand", "attention"},
    WayToPoint{"Swap a word", "Tokens: a right click on its chip", "tokens"},
    WayToPoint{"Force a word", "Output: the translation goes on from it", "output"},
    WayToPoint{"Change a weight", "Parameters: one cell of a matrix", "parameters"}};

void add_changes(std::vector<Findable>& all, const PanelInput& in) {
  if (!in.input) return;
  for (const WholeChange& one : kWholeChanges) {
    const Change change = change_of(one.kind);
    if (!misfit(change, {*in.input->result.snapshot->weights, 0, 0}).empty()) continue;
    WhatIf next = open_changes(*in.input);
    const bool there = next.has(one.kind);
    next.set(change, !there);
    all.push_back({kChanges,
                   std::string(one.words) + (there ? "; now so: chosen again it ends" : "; Ctrl+Z undoes it"),
                   {.label = one.name, .command = SetWhatIf{std::move(next)}, .checked = there}});
  }
  for (const WayToPoint& one : kWaysToPoint)
    all.push_back({kChanges, one.words, {.label = one.name, .command = OpenView{one.view}}});
}

bool begins_word(std::string_view text, std::string_view typed) {
  for (std::size_t at = text.find(typed); at != std::string_view::npos; at = text.find(typed, at + 1))
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '-') return true;
  return false;
}

bool has_all_words(const std::string& text, std::string_view typed) {
  for (std::size_t from = 0; from < typed.size();) {
    const std::size_t end = std::min(typed.find(' ', from), typed.size());
    if (!begins_word(text, typed.substr(from, end - from))) return false;
    from = end + 1;
  }
  return true;
}

// Without the number of a lesson.
std::string name_of(const Findable& one) {
  const std::size_t letters = one.item.label.find_first_not_of("0123456789 ");
  return to_lower(one.item.label.substr(std::min(letters, one.item.label.size())));
}

std::string without_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(' ') - from + 1));
}

}  // namespace

void FindForm::start(const PanelInput& in) {
  *this = {};
  focus = true;
  view = in.view_name;
  scale = in.scale;
  for (const ViewEntry& entry : view_table()) {
    if (view == entry.name) row = static_cast<int>(all.size());
    all.push_back({kViews,
                   entry.words,
                   {.label = entry.title, .command = OpenView{entry.name}, .checked = view == entry.name}});
  }
  const std::vector<ListedLesson>& lessons = in.lessons.all();
  std::vector<ui::MenuItem> lines = lessons_menu(in);  // those of the lessons behind the first
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].enabled)
      all.push_back({kLessons, i > 0 && i <= lessons.size() ? lessons[i - 1].read.lesson.about.plain : "",
                     std::move(lines[i])});
  add_changes(all, in);
  for (auto& menu : {model_menu(in.session), file_menu(in), window_menu(in), help_menu()})
    for (const ui::MenuItem& item : menu)
      if (item.enabled) all.push_back({kCommands, item.note, item});
  for (Findable& one : all)
    if (one.group == kCommands) one.item.note.clear();
}

std::optional<int> fit(const Findable& one, std::string_view typed) {
  const std::string name = name_of(one), words = to_lower(one.words);
  const std::string wanted = without_blanks(to_lower(std::string(typed)));
  if (name == wanted || name.starts_with(wanted + " ")) return 0;
  // A lesson by its number: "9", "lesson 9".
  const std::string number = one.item.label.substr(0, one.item.label.find(' '));
  if (one.group == std::string_view(kLessons) && (wanted == number || wanted == "lesson " + number)) return 0;
  if (name.starts_with(wanted)) return 1;
  if (begins_word(name, wanted)) return 2;
  if (name.find(wanted) != std::string::npos) return 3;
  if (begins_word(words, wanted)) return 4;
  if (has_all_words(name + " " + words, wanted)) return 5;
  return std::nullopt;
}

std::vector<const Findable*> found(const std::vector<Findable>& all, const std::string& typed) {
  struct Hit {
    const Findable* one;
    std::size_t group;
    int fit;
  };
  std::vector<Hit> hits;
  std::vector<std::string_view> groups;
  for (const Findable& one : all) {
    if (groups.empty() || groups.back() != one.group) groups.emplace_back(one.group);
    if (const std::optional<int> how = fit(one, typed)) hits.push_back({&one, groups.size(), *how});
  }
  // Groups with a name that begins so come first; that of a lesson begins with its number.
  const auto begins = [&](std::size_t group) {
    return std::ranges::any_of(hits, [&](const Hit& hit) {
      return hit.group == group && hit.fit <= 1 && hit.one->group != std::string_view(kLessons);
    });
  };
  std::vector<bool> first{false};
  for (std::size_t group = 1; group <= groups.size(); ++group) first.push_back(begins(group));
  std::ranges::stable_sort(hits, {},
                           [&](const Hit& hit) { return std::tuple(!first[hit.group], hit.group, hit.fit); });
  std::vector<const Findable*> in_order;
  for (const Hit& hit : hits) in_order.push_back(hit.one);
  return in_order;
}

std::string view_menu_words() {
  std::string words, question;
  for (const ViewEntry& view : view_table()) {
    if (question != view.question) {
      question = view.question;
      words += (words.empty() ? "" : "\n") + question + "\n";
    }
    words += std::string(view.title) + ": " + view.words + "\n";
  }
  return words;
}

}  // namespace glassformer
