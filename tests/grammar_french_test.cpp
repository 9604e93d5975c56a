// What the shipped grammar says, phenomenon by phenomenon.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/text/corpus_reader.h"
#include "tests/grammar_recognizer.h"
#include "tests/source_folder.h"

using namespace glassformer;

namespace {

void check_all(const std::vector<std::pair<std::string, std::string>>& pairs) {
  const GrammarText grammar = english_french_grammar();
  for (const auto& [source, target] : pairs) {
    const auto& this_source = source;
    CAPTURE(this_source);
    const std::vector<std::string> found = translations(grammar, source);
    REQUIRE(found.size() == 1);
    CHECK(found[0] == target);
  }
}

void check_list(const std::string& name, std::size_t least) {
  const auto corpus = read_tab_separated(source_folder() + "/tests/fixtures/" + name);
  CHECK(corpus.pairs.size() >= least);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const SentencePair& pair : corpus.pairs) pairs.emplace_back(pair.source, pair.target);
  check_all(pairs);
}

}  // namespace

TEST_CASE("the sentences of the tutorials have their French") {
  check_list("tutorial-sentences.tsv", 40);
}

TEST_CASE("sentences of the same kinds with other words have theirs") {
  check_list("held-back-sentences.tsv", 60);
}

TEST_CASE("word order decides who does what") {
  check_all({{"the cat drank the milk", "le chat a bu le lait"},
             {"the milk drank the cat", "le lait a bu le chat"}});
}

TEST_CASE("adjectives follow the noun, but those of beauty, age, goodness and size precede it") {
  check_all({{"a kind girl", "une fille gentille"},
             {"a small house", "une petite maison"},
             {"a kind girl sees the cat", "une fille gentille voit le chat"},
             {"the tired girl sees a red car", "la fille fatiguée voit une voiture rouge"},
             {"a small dog finds the book", "un petit chien trouve le livre"},
             {"the woman buys a black table", "la femme achète une table noire"},
             {"a big bird likes the house", "un grand oiseau aime la maison"},
             {"the boy buys a small green table", "le garçon achète une petite table verte"}});
}

TEST_CASE("adjectives have a form of their own before a vowel, and stand alone in the plain one") {
  check_all({{"the old friend sees a beautiful bird", "le vieil ami voit un bel oiseau"},
             {"the friend is old today", "l'ami est vieux aujourd'hui"},
             {"she sees the old heroes", "elle voit les vieux héros"},
             {"she sees the old hero", "elle voit le vieux héros"},
             {"I buy a new umbrella", "J'achète un nouveau parapluie"},
             {"I see the new hotel", "Je vois le nouvel hôtel"},
             {"the house is new", "la maison est neuve"}});
}

TEST_CASE("articles, adjectives and participles agree") {
  check_all({{"the white flowers were beautiful", "les fleurs blanches étaient belles"},
             {"the loyal horses are happy", "les chevaux loyaux sont heureux"},
             {"the girls arrived", "les filles sont arrivées"},
             {"the boys arrived", "les garçons sont arrivés"},
             {"these brown shoes are clean", "ces chaussures marron sont propres"}});
}

TEST_CASE("small words lose their vowel before a vowel, but not before an aspirated h") {
  check_all({{"the man sees the hero", "l'homme voit le héros"},
             {"I like the house that he has", "J'aime la maison qu'il a"},
             {"he loses an axe", "il perd une hache"},
             {"she does not eat the bean", "elle ne mange pas le haricot"},
             {"this man is sad", "cet homme est triste"},
             {"my friend sees my clock", "mon ami voit mon horloge"}});
}

TEST_CASE("prepositions contract with the article") {
  check_all({{"he goes to the market", "il va au marché"},
             {"he goes to the hotel", "il va à l'hôtel"},
             {"she came back from the market", "elle est revenue du marché"},
             {"I give the key to the girls", "Je donne la clé aux filles"},
             {"the boy's dog sleeps", "le chien du garçon dort"},
             {"you are near the big stations", "tu es près des grandes gares"}});
}

TEST_CASE("ne and pas stand around the verb, and a, any and some become de") {
  check_all({{"the cat does not drink the milk", "le chat ne boit pas le lait"},
             {"the cat doesn't drink milk", "le chat ne boit pas de lait"},
             {"the cat did not drink the milk", "le chat n'a pas bu le lait"},
             {"he does not have a car", "il n'a pas de voiture"},
             {"he does not see any birds", "il ne voit pas d'oiseaux"},
             {"she won't sleep", "elle ne dormira pas"},
             {"she isn't tired", "elle n'est pas fatiguée"}});
}

TEST_CASE("some is des, du, de la, or de before an adjective; verbs of liking take the definite article") {
  check_all({{"the cat drinks milk", "le chat boit du lait"},
             {"she drinks some water", "elle boit de l'eau"},
             {"he eats meat", "il mange de la viande"},
             {"she likes milk", "elle aime le lait"},
             {"she likes cats", "elle aime les chats"},
             {"I see some small houses", "Je vois de petites maisons"},
             {"I see some red houses", "Je vois des maisons rouges"}});
}

TEST_CASE("object pronouns stand before the verb, and the participle agrees with them") {
  check_all({{"she saw them", "elle les a vus"},
             {"he sees me", "il me voit"},
             {"he saw her", "il l'a vue"},
             {"we do not see you", "nous ne te voyons pas"},
             {"I want to eat it", "Je veux le manger"},
             {"they gave it to the teacher", "ils l'ont donné au professeur"}});
}

TEST_CASE("questions begin with est-ce que") {
  check_all({{"do you see the dog?", "est-ce que tu vois le chien ?"},
             {"did she eat an apple?", "est-ce qu'elle a mangé une pomme ?"},
             {"is the girl happy?", "est-ce que la fille est heureuse ?"},
             {"what do you see?", "qu'est-ce que tu vois ?"},
             {"who sees the dog?", "qui voit le chien ?"},
             {"where is the key?", "où est la clé ?"},
             {"why do they cry?", "pourquoi est-ce qu'ils pleurent ?"}});
}

TEST_CASE("tenses and persons") {
  check_all({{"I am happy", "Je suis heureux"},
             {"I see the red car", "Je vois la voiture rouge"},
             {"i see the red car", "je vois la voiture rouge"},
             {"we were tired", "nous étions fatigués"},
             {"you will buy a book", "tu achèteras un livre"},
             {"they are going to buy a book", "ils vont acheter un livre"},
             {"she is eating an apple", "elle mange une pomme"},
             {"she was eating an apple", "elle mangeait une pomme"},
             {"he wanted a dog", "il voulait un chien"},
             {"he knew the teacher", "il connaissait le professeur"},
             {"we go to the beach", "nous allons à la plage"},
             {"I can open the door", "Je peux ouvrir la porte"}});
}

TEST_CASE("possessives agree with what is possessed") {
  check_all({{"her father sleeps", "son père dort"},
             {"his mother sleeps", "sa mère dort"},
             {"he sees his small flower", "il voit sa petite fleur"},
             {"their dogs play", "leurs chiens jouent"}});
}

TEST_CASE("relative clauses with qui and que, whose participle agrees") {
  check_all({{"the girl who sees the cat is happy", "la fille qui voit le chat est heureuse"},
             {"the apples that he ate were red", "les pommes qu'il a mangées étaient rouges"},
             {"the dog that sleeps is white", "le chien qui dort est blanc"}});
}

TEST_CASE("a pronoun takes the gender of what it stands for in the clause before") {
  check_all(
      {{"she sat down in the chair, it was very comfortable",
        "elle s'est assise sur la chaise, elle était très confortable"},
       {"she sat down in the armchair, it was very comfortable",
        "elle s'est assise dans le fauteuil, il était très confortable"},
       {"the girl ate the apples and she sold them", "la fille a mangé les pommes et elle les a vendues"},
       {"the boy bought a house, it was white", "le garçon a acheté une maison, elle était blanche"},
       {"he loves the dog because it is small", "il adore le chien parce qu'il est petit"}});
}

TEST_CASE("reflexive verbs agree with their subject") {
  check_all({{"we woke up", "nous nous sommes réveillés"},
             {"I am going to rest", "Je vais me reposer"},
             {"the girls did not hurry", "les filles ne se sont pas dépêchées"}});
}

TEST_CASE("French begins with a capital where English does") {
  check_all({{"The cat sleeps.", "Le chat dort."},
             {"The cat sleeps", "Le chat dort"},
             {"the cat sleeps", "le chat dort"},
             {"The friend sleeps.", "L'ami dort."},
             {"I see the old man.", "Je vois le vieil homme."},
             {"i see the old man", "je vois le vieil homme"},
             {"Where is the cat?", "Où est le chat ?"},
             {"where is the cat?", "où est le chat ?"},
             {"Do I see the cat?", "Est-ce que je vois le chat ?"},
             {"Yes, I sleep.", "Oui, je dors."},
             {"see you soon", "à bientôt"},
             {"See you soon!", "À bientôt !"},
             {"Alice sleeps", "Alice dort"}});
}

TEST_CASE("what somebody possesses is de somebody, and each adjective stays with its noun") {
  check_all({{"the white lady's hat", "le chapeau de la dame blanche"},
             {"the lady's white hat", "le chapeau blanc de la dame"},
             {"the old man's dog sleeps", "le chien du vieil homme dort"},
             {"my sister's hat is red", "le chapeau de ma sœur est rouge"},
             {"Alice's house is big", "La maison d'Alice est grande"},
             {"I see the actor's cars", "Je vois les voitures de l'acteur"}});
}

TEST_CASE("who, that and which do it or have it done to them") {
  check_all({{"the lion who the woman follows is small", "le lion que la femme suit est petit"},
             {"the lion that the woman follows is small", "le lion que la femme suit est petit"},
             {"the lion which follows the woman is small", "le lion qui suit la femme est petit"},
             {"the girl whom he sees is sad", "la fille qu'il voit est triste"},
             {"the girls that he saw are sad", "les filles qu'il a vues sont tristes"}});
}

TEST_CASE("has done is the passé composé, with être for verbs of coming and going") {
  check_all({{"she has eaten the apple", "elle a mangé la pomme"},
             {"he hasn't taken the keys", "il n'a pas pris les clés"},
             {"the women have entered the kitchen", "les femmes sont entrées dans la cuisine"},
             {"has the girl left?", "est-ce que la fille est partie ?"},
             {"they have sat down on the bench", "ils se sont assis sur le banc"}});
}

TEST_CASE("yesterday, today and tomorrow go with their tense") {
  check_all({{"she bought a dress yesterday", "elle a acheté une robe hier"},
             {"we will come back tomorrow", "nous reviendrons demain"},
             {"the girl is sick today", "la fille est malade aujourd'hui"},
             {"did you see the doctor yesterday?", "est-ce que tu as vu le médecin hier ?"},
             {"the weather will be bad tomorrow", "le temps sera mauvais demain"},
             {"is the weather nice today?", "est-ce que le temps est beau aujourd'hui ?"},
             {"it is snowing", "il neige"}});
}

TEST_CASE("what one is and looks like, and how one is") {
  check_all({{"she is a student", "elle est une étudiante"},
             {"the girls are good students", "les filles sont de bonnes étudiantes"},
             {"he is not a famous writer", "il n'est pas un écrivain célèbre"},
             {"the cat has green eyes", "le chat a les yeux verts"},
             {"my brothers have short hair", "mes frères ont les cheveux courts"},
             {"hello, how is your mother?", "bonjour, comment va ta mère ?"},
             {"thank you, she is very well", "merci, elle va très bien"},
             {"no, I do not see them", "non, je ne les vois pas"}});
}

TEST_CASE("big is gros of a ball and grand of a boat") {
  check_all({{"the ball is big", "le ballon est gros"},
             {"the boat is big", "le bateau est grand"},
             {"a big red apple", "une grosse pomme rouge"},
             {"a big white house", "une grande maison blanche"}});
}

TEST_CASE("one walks to school à pied") {
  check_all({{"Alice walked to school", "Alice est allée à l'école à pied"},
             {"he drives to the market", "il va au marché en voiture"},
             {"he walks in the garden", "il marche dans le jardin"}});
}
