// The end of a lesson on its card: what was right, the file for the teacher, and who takes the lesson.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "app/format/number_format.h"
#include "app/panels/lesson_card.h"
#include "app/panels/styles.h"
#include "app/widgets/line_chart.h"
#include "app/widgets/marks.h"

namespace glassformer {

float lesson_divider(Canvas& canvas, const Theme& t, const Rect& rect, float y) {
  y += 14;
  canvas.line({rect.x, y + 0.5f}, {rect.right(), y + 0.5f}, {.color = t.border});
  return y + 14;
}

// Who takes the lesson: the sentences may be drawn by it.
float LessonCard::name_field(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Saying say{lesson.language()};
  float y = rect.y;
  canvas.text({rect.x, y + 4}, say("Your name"), styles::section(in.theme));
  y += 16;
  const ui::FieldEvent event = TextField(ui, {rect.x, y, rect.width, 36}, "Your name", name_,
                                         {.hint = say("Type it, then Enter"), .stays = true});
  if (event == ui::FieldEvent::entered) lesson.set_student(name_), focus_ = true;
  if (event != ui::FieldEvent::none && event != ui::FieldEvent::left) {
    in.session.settings().student = name_;
    path_.clear();
  }
  y += 42;
  if (lesson.draws_sentences())
    y += paragraph(canvas, {rect.x, y}, rect.width,
                   say("Every name gets another sentence; the answers are computed for yours."),
                   styles::caption(in.theme)) +
         8;
  return y + 8 - rect.y;
}

void LessonCard::begin_again(LessonGuide& guide) {
  guide.taken()->begin_again();
  guide.set_at_end(false);
  asks_again_ = false, focus_ = true;
  handed_.clear(), problem_.clear();
}

float LessonCard::summary(ui::Ui& ui, const PanelInput& in, LessonGuide& guide, const Rect& rect) {
  TakenLesson& lesson = *guide.taken();
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  float y = rect.y + 18;
  const auto words = [&](const std::string& text, const TextStyle& style, const char* name) {
    const float height = paragraph(canvas, {rect.x, y}, rect.width, text, style);
    ui.note({rect.x, y, rect.width, height}, name, text);
    y += height + 8;
  };
  words(lesson.lesson().title.in(lesson.language()), styles::title(t), "lesson title");
  const Saying say{lesson.language()};
  words(std::to_string(lesson.right()) + say(" of ") + std::to_string(lesson.asked()) + say(" right"),
        styles::heading(t), "lesson result");
  if (const std::string learned = lesson.lesson().learned.in(lesson.language()); !learned.empty())
    words(learned, styles::body(t), "learned");
  for (std::size_t i = 0; i < lesson.marks().size(); ++i) {
    if (!lesson.lesson().pages[i].question) continue;
    const PageMark& mark = lesson.marks()[i];
    if (mark.right)
      draw_mark(canvas, {rect.x + 7, y + 10}, Mark::tick, t.ink, 12);
    else
      draw_mark(canvas, {rect.x + 7, y + 10}, Mark::minus, t.second_text, 10);
    const std::string tries = mark.shown       ? say("answer shown")
                              : !mark.right    ? say("not answered")
                              : mark.tries > 1 ? std::to_string(mark.tries) + say(" tries")
                                               : "";
    const float room = rect.width - 30 - canvas.measure(tries, styles::caption(t)).x;
    canvas.text({rect.x + 22, y + 10},
                elided(canvas, lesson.lesson().pages[i].title.in(lesson.language()), styles::body(t), room),
                styles::body(t));
    canvas.text({rect.right(), y + 10}, tries, styles::right(styles::caption(t)));
    y += 24;
  }
  y = lesson_divider(canvas, t, rect, y) + 6;

  canvas.text({rect.x, y}, say("Hand in"), styles::heading(t));
  y += 16;
  words(say("If a teacher asks for it: a small file with your answers, the right ones, your tries and your "
            "time."),
        styles::body(t), "hand in");
  // Whose sentences were answered is settled.
  if (lesson.draws_sentences())
    words(say("Your name") + ": " + lesson.student(), styles::body(t), "lesson student");
  else
    y += name_field(ui, in, lesson, {rect.x, y, rect.width, 0});
  if (path_.empty()) path_ = guide.hand_in_path(in.session.settings());
  canvas.text({rect.x, y + 4}, say("File"), styles::section(t));
  y += 16;
  TextField(ui, {rect.x, y, rect.width, 36}, "Hand in to", path_, {.error = problem_});
  y += 44;
  if (Button(ui, {rect.x, y, ui.button_width(say("Hand in")), 32}, say("Hand in"),
             {.enabled = !name_.empty() && !path_.empty() && lesson.ready(), .id = "Hand in"}))
    handed_ = guide.hand_in(path_, lesson.draws_sentences() ? lesson.student() : name_, problem_);
  if (!asks_again_ && LinkButton(ui, {rect.x + ui.button_width(say("Hand in")) + 16, y + 8},
                                 say("Begin again"), {.id = "Begin the lesson again"}))
    asks_again_ = true;
  y += 42;
  if (asks_again_) {
    words(say("Beginning again discards your answers to this lesson."), styles::body(t), "begin again");
    const float wide = ui.button_width(say("Discard them"));
    if (Button(ui, {rect.x, y, wide, 32}, say("Discard them"), {.id = "Discard the answers"}))
      begin_again(guide);
    if (LinkButton(ui, {rect.x + wide + 16, y + 8}, say("Keep them"), {.id = "Keep the answers"}))
      asks_again_ = false;
    y += 42;
  }
  if (!problem_.empty()) words(problem_, {.size = 12, .color = t.wrong}, "hand in problem");
  if (!handed_.empty()) words(handed_, styles::body(t), "handed in");
  return y - rect.y + 16;
}

// What its writer has saved with errors is not shown yet; returns the height.
float LessonCard::saved_errors(ui::Ui& ui, LessonGuide& guide, const Rect& rect) {
  const std::vector<LessonError>& errors = guide.saved_errors();
  if (errors.empty()) return 0;
  const Theme& t = ui.theme();
  const Saying say{guide.taken()->language()};
  const std::size_t more = errors.size() - 1;
  const std::string words = std::string(say("Not as it is saved now: ")) + "line " +
                            std::to_string(errors.front().line) + ": " + errors.front().problem +
                            (more > 0 ? " (+ " + std::to_string(more) + ")" : "");
  const float height =
      paragraph(ui.canvas(), {rect.x, rect.y + 14}, rect.width, words, {.size = 12, .color = t.wrong});
  ui.note({rect.x, rect.y + 14, rect.width, height}, "saved errors", words);
  return height + 14;
}

namespace {

struct Words {
  std::string_view english, french;
};

constexpr std::array kLessonWords{
    Words{" of ", " sur "},
    Words{" right", " justes"},
    Words{"Lesson ", "Leçon "},
    Words{"Lesson", "Leçon"},
    Words{"Inspector", "Inspecteur"},
    Words{"Own lesson", "Leçon à soi"},
    Words{"One moment…", "Un instant…"},
    Words{"Loss of each step", "Perte de chaque pas"},
    Words{"step ", "pas "},
    Words{"It trains first: one moment…", "L’apprentissage d’abord : un instant…"},
    Words{"This page cannot be set up: ", "Cette page ne peut pas être préparée : "},
    Words{"Do", "À faire"},
    Words{"Predict", "Prédisez"},
    Words{"Hint", "Indice"},
    Words{"Go on without it", "Continuer sans cela"},
    Words{"Click the cell in its row.", "Cliquez sur la case dans sa ligne."},
    Words{"Ask the room for a number.", "Demandez un nombre à la salle."},
    Words{"Ask the room for a word.", "Demandez un mot à la salle."},
    Words{"Ask the room what will happen.", "Demandez à la salle ce qui va se passer."},
    Words{"It trains first: ", "L’apprentissage d’abord : "},
    Words{" steps of a model of ", " pas d’un modèle de "},
    Words{" steps of models of up to ", " pas de modèles d’au plus "},
    Words{" weights, in about ", " poids, en environ "},
    Words{" weights, in ", " poids, en "},
    Words{". PgDn begins.", ". PgDn commence."},
    Words{" weights; how long they take is being measured. PgDn begins.",
          " poids ; leur durée est en cours de mesure. PgDn commence."},
    Words{"under 1 s", "moins de 1 s"},
    Words{"F5 leaves", "F5 : quitter"},
    Words{"Page ", "Page "},
    Words{"page ", "page "},
    Words{"pressed", "touche appuyée"},
    Words{"next page", "page suivante"},
    Words{"the lesson ends here", "la leçon finit ici"},
    Words{"next lesson", "leçon suivante"},
    Words{"again: lesson ", "encore : leçon "},
    Words{"answer", "répondre"},
    Words{"answer ", "réponse "},
    Words{"reveal", "montrer"},
    Words{"train", "entraîner"},
    Words{"do it", "le faire"},
    Words{"leave it", "laisser"},
    Words{"cover again", "recouvrir"},
    Words{"back", "retour"},
    Words{"done", "fait"},
    Words{"revealed", "montré"},
    Words{"covered", "recouvert"},
    Words{"A model of this lesson trains: step ", "Un modèle de cette leçon s’entraîne : pas "},
    Words{"one on", "un pas en avant"},
    Words{"one back", "un pas en arrière"},
    Words{"a layer up", "une couche plus haut"},
    Words{"a layer down", "une couche plus bas"},
    Words{"play", "lecture"},
    Words{"deeper", "plus profond"},
    Words{"to the first", "au premier"},
    Words{"to the last", "au dernier"},
    Words{"undo", "annuler"},
    Words{"redo", "refaire"},
    Words{"encoder", "encodeur"},
    Words{"decoder", "décodeur"},
    Words{"cross-attention", "attention croisée"},
    Words{"train, pause", "entraîner, pause"},
    Words{"one step", "un pas"},
    Words{"compare", "comparer"},
    Words{"mean of the heads", "moyenne des têtes"},
    Words{"next step back", "le prochain pas à rebours"},
    Words{"the sentence", "la phrase"},
    Words{"the lessons", "les leçons"},
    Words{"Answer", "Répondre"},
    Words{"a number", "un nombre"},
    Words{"a word", "un mot"},
    Words{"Done", "C’est fait"},
    Words{"Left as it is", "Laissé tel quel"},
    Words{"Right: ", "Juste : "},
    Words{"The engine gives ", "Le moteur donne "},
    Words{"Not ", "Ce n’est pas "},
    Words{"No. ", "Non. "},
    Words{"Show the answer", "Voir la réponse"},
    Words{"Next lesson", "Leçon suivante"},
    Words{"All lessons", "Toutes les leçons"},
    Words{"Finish", "Terminer"},
    Words{"Next", "Suivant"},
    Words{"Back", "Retour"},
    Words{"Leave", "Quitter"},
    Words{"Show all of it", "Tout montrer"},
    Words{"Back to the picture of this page", "Retour à l’image de cette page"},
    Words{"Your name", "Votre nom"},
    Words{"Type it, then Enter", "Tapez-le, puis Entrée"},
    Words{"Every name gets another sentence; the answers are computed for yours.",
          "À chaque nom une autre phrase ; les réponses sont calculées pour la vôtre."},
    Words{"Type your name first: it draws your sentence.", "Tapez d’abord votre nom : il tire votre phrase."},
    Words{"Begin again", "Recommencer"},
    Words{"Beginning again discards your answers to this lesson.",
          "Recommencer efface vos réponses à cette leçon."},
    Words{"Discard them", "Les effacer"},
    Words{"Keep them", "Les garder"},
    Words{"Not as it is saved now: ", "Pas tel qu’enregistré maintenant : "},
    Words{"answer shown", "réponse montrée"},
    Words{"not answered", "sans réponse"},
    Words{" tries", " essais"},
    Words{"Hand in", "Remettre"},
    Words{
        "If a teacher asks for it: a small file with your answers, the right ones, your tries and your time.",
        "Si un professeur le demande : un petit fichier avec vos réponses, les justes, les essais et le "
        "temps."},
    Words{"File", "Fichier"},
    Words{"Teacher’s note", "Note du professeur"},
    Words{"Hide the teacher’s note", "Cacher la note du professeur"},
    Words{"Written: ", "Écrit : "},
    Words{". Send this file to your teacher.", ". Envoyez ce fichier à votre professeur."},
};

}  // namespace

std::string lesson_words(std::string_view english, std::string_view language) {
  const auto found = std::ranges::find(kLessonWords, english, &Words::english);
  return std::string(language == "fr" && found != kLessonWords.end() ? found->french : english);
}

std::string lesson_given(const LessonQuestion& asked, const std::string& given, const std::string& language) {
  if (asked.kind == AnswerKind::number) return given;
  std::string words = given;
  for (const LessonText& choice : asked.choices)
    if (choice.plain == given) words = choice.in(language);
  // What has quotation marks gets no others.
  if (words.find("“") != std::string::npos || words.find("«") != std::string::npos) return words;
  return language == "fr" ? "« " + words + " »" : "“" + words + "”";
}

std::string lesson_trouble(std::string_view english, std::string_view language) {
  constexpr std::string_view kExpected = "expected ", kGot = ", got ", kOneOf = "one of ";
  const std::size_t got = english.rfind(kGot);
  if (language != "fr" || !english.starts_with(kExpected) || got == std::string_view::npos)
    return std::string(english);
  const std::string_view expected = english.substr(kExpected.size(), got - kExpected.size()),
                         found = english.substr(got + kGot.size());
  const std::string wanted = expected.starts_with(kOneOf)
                                 ? "l’un de ces mots : " + std::string(expected.substr(kOneOf.size()))
                             : expected == "an answer" ? "une réponse"
                                                       : lesson_words(expected, language);
  return "Il faut " + wanted + " ; reçu : " + (found == "nothing" ? "rien" : std::string(found)) + ".";
}

// The curves of the models that a page of a lesson trains, on its card.
float lesson_trainings(ui::Ui& ui, const TakenLesson& lesson, const Rect& rect) {
  constexpr float kChart = 150;
  // What is to be predicted is not given away.
  const auto& asked = lesson.page().question;
  const bool predicts = asked && !asked->does && !lesson.may_continue();
  if (lesson.ready() && predicts) return 0;
  const std::vector<LessonCurve> curves = lesson.trainings();
  if (curves.empty()) return 0;
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Saying say{lesson.language()};
  float y = rect.y + 8;
  if (!lesson.ready()) {
    const LessonCurve& now = curves.front();
    const std::string far = now.run + ": " + say("step ") + format_count(std::ssize(now.losses)) +
                            say(" of ") + format_count(now.steps);
    canvas.text({rect.x, y}, elided(canvas, far, styles::caption(t), rect.width), styles::caption(t));
    ui.note({rect.x, y - 8, rect.width, 16}, "lesson training", far);
    y += 20;
    ui.ask_frame(0.1);
    if (predicts) return y - rect.y;
  }
  canvas.text({rect.x, y}, say("Loss of each step"), styles::section(t));
  y += 12;
  long last = 1;
  for (const LessonCurve& curve : curves) last = std::max(last, curve.steps);
  std::vector<double> steps(static_cast<std::size_t>(last));
  std::iota(steps.begin(), steps.end(), 1);
  std::vector<Series> series;
  for (const LessonCurve& curve : curves)
    series.push_back({.label = curve.run,
                      .x = std::span(steps).first(curve.losses.size()),
                      .y = curve.losses,
                      .width = 1,
                      .label_at = 0.9 * static_cast<double>(curve.steps) / static_cast<double>(last)});
  ChartOptions options;
  options.x = step_axis(0, static_cast<double>(last), true);
  options.y = fit_axis(series);
  draw_line_chart(canvas, {rect.x, y, rect.width, kChart}, series, options);
  ui.note({rect.x, y, rect.width, kChart}, "lesson curves", std::to_string(curves.size()));
  return y + kChart + 14 - rect.y;
}

}  // namespace glassformer
