#include "app/panels/lesson_words.h"

#include <algorithm>
#include <array>

namespace glassformer {

namespace {

struct Words {
  std::string_view english, french;
};

constexpr std::array kWords{
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
    Words{" weights, in about ", " poids, en "},
    Words{", as fast as it is now. PgDn begins.", " environ, à la vitesse actuelle. PgDn commence."},
    Words{" weights; how long they take is being measured. PgDn begins.",
          " poids ; leur durée est en cours de mesure. PgDn commence."},
    Words{"under 1 s", "moins de 1 s"},
    Words{"F5 leaves", "F5 : quitter"},
    Words{"Page ", "Page "},
    Words{"page ", "page "},
    Words{"pressed", "touche appuyée"},
    Words{"next page", "page suivante"},
    Words{"the lesson ends here", "la leçon finit ici"},
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
    Words{"clears the pin", "enlève l’épingle"},
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
    Words{"a word, typed or clicked", "un mot, tapé ou cliqué"},
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
    Words{"Back to the picture of this page", "Retour à l’image de cette page"},
    Words{"Your name", "Votre nom"},
    Words{"Enter takes it", "Entrée le prend"},
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
    Words{"A small file for your teacher: your answers, those of the engine, tries and time.",
          "Un petit fichier pour votre professeur : vos réponses, celles du moteur, les essais et le temps."},
    Words{"File", "Fichier"},
    Words{"Teacher’s note", "Note du professeur"},
    Words{"Hide the teacher’s note", "Cacher la note du professeur"},
    Words{"Written: ", "Écrit : "},
    Words{". Send this file to your teacher.", ". Envoyez ce fichier à votre professeur."},
};

}  // namespace

std::string lesson_words(std::string_view english, std::string_view language) {
  const auto found = std::ranges::find(kWords, english, &Words::english);
  return std::string(language == "fr" && found != kWords.end() ? found->french : english);
}

std::string lesson_given(const LessonQuestion& asked, const std::string& given, const std::string& language) {
  if (asked.kind == AnswerKind::number) return given;
  std::string words = given;
  for (const LessonText& choice : asked.choices)
    if (choice.plain == given) words = choice.in(language);
  // What has quotation marks of its own gets no others.
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

}  // namespace glassformer
