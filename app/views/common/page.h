// A view with several pages: each page is written once as a PageOf<Scene>, and PagedView draws the frame.
//
// How to turn a view into pages:
// 1. Put all that a hand sets, and the caches, into a struct State: it is copied with the view, but what its
//    members of shared_ptr hold is shared with the copies.
// 2. Write a class a page, of PageOf<MyScene>, with a shared_ptr<State>. `scene` makes what is shown
//    (nothing: being computed, or there is none); the others get it whole and never ask whether it is there.
// 3. `words_of` has title, subtitle and caption, and what is said in place of a scene. `describe_scene` has
//    the sentences and tables OF THIS PAGE. `names` says how the switch, `--panel` and tests call it.
// 4. Derive the view from ViewOfPages<State>, give it the function that makes the pages in the order of the
//    switch, write clone() (one line) and what is of all pages: keys, facts. Nothing asks which is open.
// 5. A page that is not there for every input overrides `offered`. A part that is saved alone is one of
//    `names().parts`: it has `draw_part`, `part_caption` and `describe_part`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/views/common/view.h"

namespace glassformer {

// Whether a scene that is computed in the background may come later, or a file waits for it.
enum class Wait { now, until_there };

struct PageLabels {
  std::string label = {};                // on the page switch: "Padding"
  std::string panel = {};                // as `render --panel` names it; empty: the page a view opens with
  std::vector<std::string> parts = {};   // of the page that can be saved alone
  std::vector<std::string> others = {};  // the switch takes these too: names of a narrow stage
};

struct PageWords {
  std::string title = {};
  std::string short_title = {};  // on a narrow stage; empty: the title there too
  std::string subtitle = {};
  std::string caption = {};
  std::string nothing = "Computing…", nothing_text = {};  // in place of a picture
  float whole_from = 0;                                   // width of the stage from which the title has room
  float title_from = 0;     // height of the stage from which it has a title, and a page switch
  float subtitle_from = 0;  // and a line below it
};

// One page as PagedView sees it.
class Page {
 public:
  virtual ~Page() = default;
  virtual PageLabels names() const = 0;
  virtual bool offered(const ViewInput&) const { return true; }
  // Its share of the view's traits, but the panels.
  virtual ViewTraits traits() const = 0;
  virtual ViewPlace place(const ViewInput& input) const = 0;
  virtual bool key(ViewKey, const ViewInput&, Commands&) { return false; }
  // A control in the title's row, left of the page switch: its width on a stage so wide; 0: none.
  virtual float head_width(float) const { return 0; }
  virtual void head_control(ui::Ui&, const ViewInput&, const Rect&) {}

  // With its title; `reserved` of the title's row is kept free for controls.
  virtual void draw(Canvas& canvas, const ViewInput& input, const Rect& area, Wait wait,
                    float reserved) const = 0;
  virtual void draw_alone(std::string_view panel, Canvas& canvas, const ViewInput& input,
                          const Rect& area) const = 0;
  virtual Point minimum(const ViewInput& input, Wait wait) const = 0;
  // Returns the words over them; a page that is being computed asks for another frame.
  virtual PageWords controls(ui::Ui& ui, const ViewInput& input, const Rect& area) = 0;
  virtual std::optional<InspectorPage> inspect(const ViewInput& input) const = 0;
  // Of a part where one is named.
  virtual std::string caption(std::string_view part, const ViewInput& input) const = 0;
  virtual PageContent content(std::string_view part, const ViewInput& input) const = 0;
};

// Title and subtitle as far as the stage has room for them; `reserved` is kept free for controls.
void draw_page_title(Canvas& canvas, const Rect& area, const PageWords& words, float reserved);
// What is there while there is no scene.
void draw_no_scene(Canvas& canvas, const Rect& area, const PageWords& words);
void ask_again(ui::Ui& ui);
bool is_part(const PageLabels& names, std::string_view panel);

// What an author writes.
template <class Scene>
class PageOf : public Page {
 public:
  virtual std::optional<Scene> scene(const ViewInput& input, Wait wait) const = 0;
  // Null: there is no scene, and the words say why.
  virtual PageWords words_of(const ViewInput& input, const Scene* scene) const = 0;
  virtual void draw_scene(Canvas& canvas, const Rect& area, const Scene& scene) const = 0;
  virtual Point minimum_of(const Scene&) const { return {560, 400}; }
  virtual void controls_of(ui::Ui&, const Rect&, const Scene&) {}
  virtual std::optional<InspectorPage> inspect_scene(const Scene&) const { return std::nullopt; }
  virtual PageContent describe_scene(const Scene& scene) const = 0;
  // The page saved alone: with its title, as on the stage.
  virtual void draw_panel(Canvas& canvas, const Rect& area, const Scene& scene,
                          const PageWords& words) const {
    draw_page_title(canvas, area, words, 0);
    draw_scene(canvas, area, scene);
  }
  // Of one of names().parts.
  virtual void draw_part(std::string_view, Canvas& canvas, const Rect& area, const Scene& scene) const {
    draw_scene(canvas, area, scene);
  }
  virtual std::string part_caption(std::string_view, const ViewInput& input, const Scene& scene) const {
    return words_of(input, &scene).caption;
  }
  virtual PageContent describe_part(std::string_view, const Scene& scene) const {
    return describe_scene(scene);
  }

  void draw(Canvas& canvas, const ViewInput& input, const Rect& area, Wait wait, float reserved) const final {
    const std::optional<Scene> found = scene(input, wait);
    const PageWords words = words_of(input, found ? &*found : nullptr);
    draw_page_title(canvas, area, words, reserved);
    if (found) return draw_scene(canvas, area, *found);
    draw_no_scene(canvas, area, words);
  }
  void draw_alone(std::string_view panel, Canvas& canvas, const ViewInput& input,
                  const Rect& area) const final {
    const std::optional<Scene> found = scene(input, Wait::until_there);
    if (!found) return draw_no_scene(canvas, area, words_of(input, nullptr));
    if (is_part(names(), panel)) return draw_part(panel, canvas, area, *found);
    draw_panel(canvas, area, *found, words_of(input, &*found));
  }
  Point minimum(const ViewInput& input, Wait wait) const final {
    const std::optional<Scene> found = scene(input, wait);
    return found ? minimum_of(*found) : Point{560, 400};
  }
  PageWords controls(ui::Ui& ui, const ViewInput& input, const Rect& area) final {
    const std::optional<Scene> found = scene(input, Wait::now);
    if (found)
      controls_of(ui, area, *found);
    else
      ask_again(ui);
    return words_of(input, found ? &*found : nullptr);
  }
  std::optional<InspectorPage> inspect(const ViewInput& input) const final {
    const std::optional<Scene> found = scene(input, Wait::now);
    return found ? inspect_scene(*found) : std::nullopt;
  }
  std::string caption(std::string_view part, const ViewInput& input) const final {
    const std::optional<Scene> found = scene(input, Wait::until_there);
    if (found && is_part(names(), part)) return part_caption(part, input, *found);
    return words_of(input, found ? &*found : nullptr).caption;
  }
  PageContent content(std::string_view part, const ViewInput& input) const final {
    const std::optional<Scene> found = scene(input, Wait::until_there);
    if (!found) return {};
    return is_part(names(), part) ? describe_part(part, *found) : describe_scene(*found);
  }
};

struct PageSwitch {
  const char* label = "Page";  // as lessons and sessions name it
  float most_width = 328;      // names that need more are cut
  float height = 28;
};

// The frame around the open page. Everything it says is of that page, or of the part of it that is open.
class PagedView : public View {
 public:
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  void finish(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override { return open(input).place(input); }
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::vector<std::string> sentences(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool set(std::string_view control, std::string_view value) override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool show_like(const View& first) override;

 protected:
  explicit PagedView(PageSwitch page_switch) : switch_(page_switch) {}
  using Pages = std::vector<std::unique_ptr<Page>>;
  virtual const Pages& pages() const = 0;

  // The open page, or, where that is not offered, the first one that is.
  Page& open(const ViewInput& input) const;
  Page& open_page() const { return *pages()[open_]; }
  // Where another place than the end of the title's row has the switch: it is drawn there.
  virtual std::optional<Rect> switch_place(const ViewInput&, const Rect&) const { return std::nullopt; }

 private:
  std::vector<std::size_t> offered(const ViewInput& input) const;
  void show_switch(ui::Ui& ui, const ViewInput& input, const Rect& area, const PageWords& words);
  float reserved(const ViewInput& input, const Rect& area) const;

  PageSwitch switch_;
  std::size_t open_ = 0;
  std::string part_;  // of the open page, that alone is described; empty: all of it
};

// Pages that share a State, which is copied with the view.
template <class State>
class ViewOfPages : public PagedView {
 public:
  ViewOfPages(const ViewOfPages& other)
      : PagedView(other), make_(other.make_), state_(std::make_shared<State>(*other.state_)) {
    pages_ = make_(state_);
  }
  ViewOfPages& operator=(const ViewOfPages&) = delete;

 protected:
  using Make = std::vector<std::unique_ptr<Page>> (*)(const std::shared_ptr<State>& state);
  ViewOfPages(PageSwitch page_switch, Make make, State state = {})
      : PagedView(page_switch), make_(make), state_(std::make_shared<State>(std::move(state))) {
    pages_ = make_(state_);
  }
  State& state() const { return *state_; }
  const Pages& pages() const override { return pages_; }

 private:
  Make make_;
  std::shared_ptr<State> state_;
  Pages pages_;
};

// A copy whose caption, numbers and sentences are those of this panel alone.
std::unique_ptr<View> with_panel(const View& view, std::string_view panel);

}  // namespace glassformer
