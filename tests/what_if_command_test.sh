#!/bin/sh
# Changes in force on the command line: what they do to a translation, and what is refused.
# Usage: what_if_command_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"

model=$root/models/english-french
sentence="the tired girl does not like the red car"

# translated CHANGES WORDS: WORDS stand in the translation with the changes in force.
translated() {
  echo "$sentence" | "$program" translate --model "$model" --what-if "$1" >"$scratch/out" 2>"$scratch/stderr" ||
    fail "no translation with $1"
  grep -qF -- "$2" "$scratch/out" || fail "\"$2\" does not come out" translate --what-if "$1"
}
plain=$(echo "$sentence" | "$program" translate --model "$model")
translated "none" "$plain"
translated "swap girl boy" "le garçon fatigué"
translated 'force "le chat"' "le chat"
for change in "positions off" "mute cross 2" "mute head cross 2.1, causal mask off" "mute head cross 2.1, mute head cross 2.3 by mean"; do
  echo "$sentence" | "$program" translate --model "$model" --what-if "$change" >"$scratch/out"
  [ "$(cat "$scratch/out")" != "$plain" ] || fail "nothing changes with $change"
done

# problem CHANGES WORDS: the line is not translated, and WORDS say why.
problem() {
  code=0
  echo "$sentence" | "$program" translate --model "$model" --what-if "$1" >"$scratch/out" 2>"$scratch/stderr" || code=$?
  [ "$code" -eq 1 ] || fail "exit code $code with $1"
  grep -qF -- "$2" "$scratch/stderr" || fail "\"$2\" is not said of $1"
  [ "$(wc -l <"$scratch/stderr")" -eq 1 ] || fail "more than one sentence of $1"
}
problem "mute head cross 9.1" "this model has 2 decoder layers; there is no layer 9"
problem "swap girl giraffe" "pieces for this model"
problem "mute head cross 2.1 from other" "a second Scene"
problem "break it" "expected one of mute head"
problem 'force "la' "second quotation mark"

# The window is drawn with them too.
for change in none "mute cross 2"; do
  "$program" render --view window --source "$sentence" --what-if "$change" --size 640x480 --scale 1 \
    --out "$scratch/window.png" >/dev/null
  cat "$scratch/window.caption.txt" >>"$scratch/captions"
done
[ "$(sort -u "$scratch/captions" | wc -l)" -eq 2 ] || fail "the window is drawn without the changes"

# Numbers that overflow write words that are none of the model's.
echo "$sentence" | "$program" translate --model "$model" --what-if "weight target_embedding.weight[5,5] = 1e38" \
  2>"$scratch/stderr" >/dev/null
grep -q "not finite here" "$scratch/stderr" || fail "nobody says that the numbers are not finite"

# A beam that has a finite score left says so too, and so do the numbers of the other commands.
for change in "weight target_embedding.weight[0,0] = 1e38" "weight encoder.layers.1.norm2.weight[0] = 3e38"; do
  echo "the cat sees a bird" | "$program" translate --model "$model" --beam 4 --what-if "$change" 2>"$scratch/stderr" >/dev/null
  grep -q "not finite" "$scratch/stderr" || fail "nobody says that the numbers of the beam are not finite"
done
printf '%s\n' "the dog is old" >"$scratch/one.en"
printf '%s\n' "le chien est vieux" >"$scratch/one.fr"
"$program" evaluate --model "$model" --source "$scratch/one.en" --target "$scratch/one.fr" \
  --what-if "weight encoder.layers.1.norm2.weight[0] = 3e38" >"$scratch/out" 2>"$scratch/stderr"
grep -q '"loss":null' "$scratch/out" || fail "a loss is told that nobody can know"
grep -q "not finite on at least one sentence" "$scratch/stderr" || fail "a loss is null and nobody says why"
echo "[[5, 6, 3], [7, 3]]" >"$scratch/ids.json"
"$program" decode --model "$root/models/reverse" --ids "$scratch/ids.json" --beam 2 \
  --what-if "weight source_embedding.weight[5,0] = 3e38" >/dev/null 2>"$scratch/stderr"
grep -q "list 1: .*not finite" "$scratch/stderr" || fail "decode does not say that its numbers are not finite"
[ "$(wc -l <"$scratch/stderr")" -eq 1 ] || fail "decode complains of a list that is well"

# The same in the other commands.
printf '%s\n' "the lion is small" "the girl sees a car" >"$scratch/en"
printf '%s\n' "le lion est petit" "la fille voit une voiture" >"$scratch/fr"
"$program" evaluate --model "$model" --source "$scratch/en" --target "$scratch/fr" >"$scratch/untouched" 2>/dev/null
"$program" evaluate --model "$model" --source "$scratch/en" --target "$scratch/fr" --what-if "mute cross 2" >"$scratch/muted" 2>/dev/null
cmp -s "$scratch/untouched" "$scratch/muted" && fail "a muted sub-block costs nothing"
"$program" evaluate --model "$model" --source "$scratch/en" --target "$scratch/fr" --what-if "mute cross 2 at voit" 2>"$scratch/stderr" >/dev/null
grep -q "1 of 2 sentences lack what is to be changed" "$scratch/stderr" || fail "a sentence left as it is goes unsaid"
echo "[[5, 6, 3]]" >"$scratch/ids.json"
a=$("$program" decode --model "$root/models/reverse" --ids "$scratch/ids.json")
b=$("$program" decode --model "$root/models/reverse" --ids "$scratch/ids.json" --what-if "positions off, swap 0 1")
[ "$a" != "$b" ] || fail "decode does not obey"
"$program" render --view attention --source "$sentence" --what-if "mute head cross 2.1" --out "$scratch/a.csv"
"$program" render --view attention --source "$sentence" --out "$scratch/b.csv"
cmp -s "$scratch/a.csv" "$scratch/b.csv" && fail "a figure is drawn without the changes"
echo "what-ifs on the command line: all as they should be"
