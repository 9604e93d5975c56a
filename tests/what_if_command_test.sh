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
translated "swap red <unk>" "pas la voiture"  # a word that the model cannot see
[ "$(cat "$scratch/out")" != "$plain" ] || fail "a hidden word is written all the same"
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
problem "mute head cross 2.1 from other" "this command runs one alone"
problem "break it" "expected one of mute head"
problem 'force "la' "second quotation mark"

problem "mute cross 2 at 3 at 4" "one place, found “at”"
problem "permute positions 0 1 1" "each position from 0 to 2 once"
problem "weight encoder.layers.1.norm2.bias[2,0] = 1" "encoder.layers.1.norm2.bias[2,0] = 1”: "

# A sign that the model does not know is told of, once, as one of the source is.
printf '%s\n' "$sentence" "the lion is small" |
  "$program" translate --model "$model" --what-if 'force "le § chat"' 2>"$scratch/stderr" >/dev/null
[ "$(grep -c "“§” is not among" "$scratch/stderr")" -eq 1 ] || fail "nobody tells of the unknown sign once"
"$program" render --view output --source "$sentence" --what-if 'force "§"' --out "$scratch/c.csv" 2>"$scratch/stderr"
grep -q "“§” is not among" "$scratch/stderr" || fail "a figure does not tell of the unknown sign"
echo "$sentence" | "$program" translate --model "$model" --what-if 'force "le chat"' 2>"$scratch/stderr" >/dev/null
grep -q "is not among" "$scratch/stderr" && fail "a known word is called unknown"

# The window is drawn with them too.
for change in none "mute cross 2"; do
  "$program" render --view window --source "$sentence" --what-if "$change" --size 640x480 --scale 1 \
    --out "$scratch/window.png" >/dev/null
  cat "$scratch/window.caption.txt" >>"$scratch/captions"
done
[ "$(sort -u "$scratch/captions" | wc -l)" -eq 2 ] || fail "the window is drawn without the changes"

# Values of a second Scene: of a kept step, or of a folder; by itself nothing moves.
drawn() {
  out=$1
  shift
  "$program" render --source "$sentence" --out "$out" "$@" >/dev/null 2>"$scratch/stderr" || fail "no picture" "$@"
}
taken="mute encoder 1 from other"
for against in 2500 "$model"; do
  drawn "$scratch/without.csv" --view attention --against "$against" --as first
  drawn "$scratch/with.csv" --view attention --against "$against" --as first --what-if "$taken"
  if [ "$against" = "$model" ]; then
    cmp -s "$scratch/without.csv" "$scratch/with.csv" || fail "the model's own values are others"
  else
    cmp -s "$scratch/without.csv" "$scratch/with.csv" && fail "nothing is taken from step $against"
  fi
done
for view in what-if layers decode teacher-forcing walk cell; do
  drawn "$scratch/view.csv" --view $view --against 679 --what-if "mute head decoder 1.3 from other"
done
drawn "$scratch/window.png" --view window --against 0 --size 640x480 --scale 1
mv "$scratch/window.caption.txt" "$scratch/without.txt"
drawn "$scratch/window.png" --view window --against 0 --size 640x480 --scale 1 \
  --what-if "mute cross 1 from other, mute cross 2 from other"
cmp -s "$scratch/without.txt" "$scratch/window.caption.txt" && fail "the window takes nothing from the second"
grep -q "Compared with step 0" "$scratch/window.caption.txt" || fail "nobody says what the window is compared with"
# What it takes is of the sentence asked for, not of the one that was open before.
for view in output window; do
  drawn "$scratch/$view.png" --view $view --against 0 --size 640x480 --scale 1 --what-if "mute cross 1 from other"
done
written=$(grep -o -- '-> "[^"]*"' "$scratch/output.caption.txt" | head -1)
grep -qF -- "$written" "$scratch/window.caption.txt" || fail "the window writes other words than $written"
# refused WORDS ARGUMENTS: no picture, and WORDS say why.
refused() {
  words=$1
  shift
  code=0
  "$program" render --source "$sentence" --out "$scratch/no.png" "$@" >/dev/null 2>"$scratch/stderr" || code=$?
  [ "$code" -eq 1 ] || fail "exit code $code" "$@"
  grep -qF -- "$words" "$scratch/stderr" || fail "\"$words\" is not said" "$@"
}
for view in attention window; do
  refused "say which with --against" --view $view --what-if "mute cross 1 from other"
done
refused "the first has 64 dimensions, the second 32" --view attention --against "$root/models/reverse" \
  --what-if "mute cross 1 from other"
# The means of the second are its own: of one whose data nobody knows there are none.
cp -r "$model" "$scratch/twin"
echo '{}' >"$scratch/twin/training.json"
drawn "$scratch/mean.csv" --view attention --against "$scratch/twin" --what-if "mute encoder 1"
refused "twin records no data" --view attention --against "$scratch/twin" --what-if "mute encoder 1 by mean"

# Means are kept from one command to the next, and made anew where the kept ones are damaged or cannot be written.
with_means() {
  "$program" render --view output --source "$sentence" --what-if "mute encoder 1 by mean" --out "$1" 2>"$scratch/stderr" ||
    fail "means: $1"
}
rm -rf "$scratch/cache"
with_means "$scratch/first.csv"
kept=$(echo "$scratch"/cache/glassformer/*.means)
[ -f "$kept" ] || fail "no means are kept"
cp "$kept" "$scratch/good.means"
"$program" render --view output --source "$sentence" --at-step 679 --what-if "mute encoder 1 by mean" \
  --out "$scratch/early.csv" 2>"$scratch/stderr" || fail "no means at an earlier step"
[ "$(ls "$scratch"/cache/glassformer/*.means | wc -l)" -eq 2 ] || fail "an earlier step has the means of the last"
with_means "$scratch/second.csv"
sed -i 's/1/2/g' "$kept"
with_means "$scratch/damaged.csv"
cmp -s "$kept" "$scratch/good.means" || fail "damaged means stay"
rm -rf "$scratch/cache"
echo mine >"$scratch/cache"
with_means "$scratch/unwritten.csv"
for other in second damaged unwritten; do
  cmp -s "$scratch/first.csv" "$scratch/$other.csv" || fail "other means: $other"
done
[ "$(cat "$scratch/cache")" = mine ] || fail "a file of somebody's gave way to means"

# Numbers that overflow write words that are none of the model's.
echo "$sentence" | "$program" translate --model "$model" --what-if "weight target_embedding.weight[5,5] = 1e38" \
  2>"$scratch/stderr" >/dev/null
grep -q "not finite here" "$scratch/stderr" || fail "nobody says that the numbers are not finite"

# So do those of a beam, and of the other commands.
echo "the cat sees a bird" | "$program" translate --model "$model" --beam 4 \
  --what-if "weight encoder.layers.1.norm2.weight[0] = 3e38" 2>"$scratch/stderr" >/dev/null
grep -q "not finite" "$scratch/stderr" || fail "nobody says that the numbers of the beam are not finite"
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
