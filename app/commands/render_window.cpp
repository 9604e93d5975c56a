#include "app/commands/render_window.h"

#include <memory>

#include "app/canvas/cairo_canvas.h"
#include "app/figure/figure.h"
#include "app/format/number_format.h"
#include "app/offscreen.h"
#include "app/report/pinned_places.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

const char* way_words(ComparedAs as) {
  switch (as) {
    case ComparedAs::both:
      break;
    case ComparedAs::first:
      return "First";
    case ComparedAs::second:
      return "Second";
    case ComparedAs::difference:
      return "Difference";
  }
  return "Both";
}

}  // namespace

void render_window(const WindowPicture& picture) {
  if (!picture.out.ends_with(".png"))
    throw Error("--out", "the window is drawn to a .png, not to “" + picture.out + "”");
  const auto scale = static_cast<float>(picture.scale);
  OffscreenProgram program({.model = picture.model,
                            .size = picture.size * scale,
                            .scale = picture.scale,
                            .dark = picture.dark,
                            .session = picture.session});
  const auto wait = [&] {
    if (!program.settle(120)) throw Error("render", "the sentence was not translated within two minutes");
    for (const Notice& notice : program.session().notices())
      if (notice.error) throw Error("render", notice.text);
  };
  if (!picture.session.empty()) {
    program.settle(120);
    program.session().dismiss(Place::sentence);
    wait();
  } else if (picture.source.empty()) {
    wait();
  } else {
    // A model without sentences of its own complains until it gets one.
    program.settle(120);
    program.session().dismiss(Place::sentence);
    program.session().apply({SetSource{picture.source}});
    wait();
  }
  if (picture.at_step && picture.session.empty()) {
    program.session().apply({ShowStep{picture.at_step}});
    wait();
  }
  if (!picture.target.empty() && picture.session.empty()) {
    program.session().apply({SetTarget{picture.target}});
    wait();
  }
  if (picture.other) {
    program.session().apply({Compare{*picture.other}});
    wait();
    const Compared* const compared = program.session().compared();
    if (!compared || !compared->second)
      throw Error("--against", compared ? compared->problem : "there is nothing to compare with");
    // Both stand there as it is.
    if (picture.as != ComparedAs::both) program.program().ui().set("Compared", way_words(picture.as));
    program.frame(2);
    if (!program.program().ui().still_to_set().empty())
      throw Error("--as", "the window cannot show the two so here");
  }
  if (picture.changes) {
    program.session().apply({SetWhatIf{picture.changes(*program.session().result())}});
    wait();
  }
  check_places(picture.selection, *program.session().result());
  if (picture.session.empty()) program.session().apply({SetPin{picture.selection}});
  wait();
  program.frame(3);
  // What the picture shows, beside it, as with every figure.
  const std::shared_ptr<const SceneResult> shown = program.session().result();
  std::string caption = "The whole window. Model: " + program.session().title().name + ".";
  if (shown && !shown->scene.sentences.empty())
    caption +=
        " Sentence: \"" + shown->scene.sentences.front().source + "\" -> \"" + shown->translation + "\".";
  const Compared* const compared = program.session().compared();
  if (compared && compared->second)
    caption += " Compared with " + compared->second_name + ": \"" + compared->second->translation + "\".";
  const std::string png =
      encode_png(static_cast<int>(program.size().x), static_cast<int>(program.size().y), program.pixels());
  write_with_caption(picture.out, png, printable(to_file_text(caption)) + "\n");
}

}  // namespace glassformer
