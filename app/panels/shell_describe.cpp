#include "app/figure/describe.h"
#include "app/lessons/page_in_words.h"
#include "app/panels/shell.h"

namespace glassformer {

// The open view in words, as it stands now.
void Shell::describe_view() {
  const PanelInput in = panel_input();
  DescribeForm& form = dialogs_.describe;
  form = {};
  form.path = "~/" + view_ + ".txt";
  form.text = in.input && in.view ? text_of(described(*in.view, *in.input)) : "Nothing is shown yet.\n";
  if (const TakenLesson* const lesson = lessons_.taken())
    form.text = page_in_words(*lesson) + "\n" + form.text;
}

}  // namespace glassformer
