#include "app/figure/describe.h"
#include "app/lessons/page_in_words.h"
#include "app/panels/find.h"
#include "app/panels/shell.h"
#include "app/panels/start_scene.h"
#include "app/panels/watch_scene.h"

namespace glassformer {

// What is on screen in words: the View menu, else the open view.
void Shell::describe_view(bool views) {
  const PanelInput in = panel_input();
  DescribeForm& form = dialogs_.describe;
  form = {};
  form.path = "~/" + view_ + ".txt";
  if (views) {
    form.path = "~/views.txt";
    form.text = view_menu_words();
    return;
  }
  if (const WatchState* const watched = session_.watched()) {
    form.path = "~/watch.txt";
    form.text = watch_words(*watched, session_.tokenizers());
    return;
  }
  if (quiet() && in.input && !in.input->result.scene.sentences.empty()) {
    form.path = "~/start.txt";
    const StartWay lesson = lesson_way(lessons_, session_.settings());
    form.text = start_words(*in.input) + lesson.key + ": " + lesson.title + ". " + lesson.words +
                "\nF4: Watch one learn\nF2: Whole window\n";
    return;
  }
  form.text = in.input && in.view ? text_of(described(*in.view, *in.input)) : "Nothing is shown yet.\n";
  if (const TakenLesson* const lesson = lessons_.taken())
    form.text = page_in_words(*lesson) + "\n" + form.text;
}

}  // namespace glassformer
