#!/bin/sh
# What the command line refuses, each with one sentence and the right exit code.
# Usage: commands_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"

# refused CODE WORDS ARGUMENTS...: the program ends with CODE and says WORDS, on one line when it is no usage error.
refused() {
  wanted=$1 words=$2
  shift 2
  code=0
  "$program" "$@" >"$scratch/stdout" 2>"$scratch/stderr" || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code instead of $wanted" "$@"
  grep -qF -- "$words" "$scratch/stderr" || fail "\"$words\" is not said" "$@"
  [ "$wanted" -ne 1 ] || [ "$(wc -l <"$scratch/stderr")" -eq 1 ] || fail "more than one sentence" "$@"
  [ ! -s "$scratch/stdout" ] || fail "a result is printed" "$@"
}

# The version names the commit that is built, and an engine that this processor can run.
"$program" --version >"$scratch/version"
commit=$(git -C "$root" rev-parse --short=8 HEAD 2>"$scratch/stderr") || commit="unknown commit"
grep -q "^Glassformer [0-9.]*, .*$commit" "$scratch/version" || fail "the version does not say $commit"
engine=$(sed -n 's/^The engine that is used here has //p' "$scratch/version" | tr 'A-Z-' 'a-z_' | sed 's/avx_512/avx512f/')
grep -qw "$engine" /proc/cpuinfo || fail "this processor has no $engine"

# Ids that no int holds.
for id in 4294967301 2147483648 -1 2.5 '"5"' 1e30; do
  echo "[[$id, 3]]" >"$scratch/ids.json"
  refused 1 "an id should be a whole number" decode --model "$root/models/reverse" --ids "$scratch/ids.json"
done
echo "[[5, 6, 3]]" >"$scratch/ids.json"
"$program" decode --model "$root/models/reverse" --ids "$scratch/ids.json" | grep -q '"ids":\[' || fail "decode writes no ids"

# One page of a lesson has its text, its question and its choices, and not what the engine answers.
cat >"$scratch/page.lesson" <<EOF
lesson A page
model reverse
source b a c
page One
text There are {count(pieces)} of them.
ask How many columns has the table?
answer choice none | as many as pieces : "as many as pieces"
wrong Look once more.
right So many it has.
page Two
ask And rows?
answer number : rows(weights)
EOF
"$program" lesson --page 1 "$scratch/page.lesson" >"$scratch/page" 2>"$scratch/stderr" || fail "no page of a lesson"
for words in "1. One" "of them." "? How many columns has the table?" "none | as many as pieces"; do
  grep -qF -- "$words" "$scratch/page" || fail "\"$words\" is not on the page: $(cat "$scratch/page")"
done
for words in " = " "So many" "Look once more" "Two" "rows"; do
  if grep -qF -- "$words" "$scratch/page"; then fail "\"$words\" is on the page"; fi
done

# Train goes on with the model on screen: a lesson that wants a fresh run by it is noticed, and yet no error.
train_lesson() {
  cat >"$scratch/train.lesson" <<EOF
lesson Training
model reverse
source b a c
page One
text $1
point control Train
do Train a model. : if(count(curve.loss) < 100, 1, 0)
right It learns.
EOF
  "$program" lesson --check "$scratch/train.lesson" 2>"$scratch/stderr" || fail "a notice is an error"
}
train_lesson "Train another one from random weights."
grep -q "train.lesson:6: notice: Train continues" "$scratch/stderr" || fail "no notice: $(cat "$scratch/stderr")"
train_lesson "Choose Start over… in the menu Model, then press Train."
[ ! -s "$scratch/stderr" ] || fail "a notice for a lesson that says Start over: $(cat "$scratch/stderr")"

# A path as it is pasted.
echo 'la lune brille' >"$scratch/two words"
address="file://$(echo "$scratch/two words" | sed 's/ /%20/g')"
for path in "$address" "\"$scratch/two words\""; do
  "$program" bleu --hypothesis "$path" --reference "$path" >/dev/null 2>"$scratch/stderr" || fail "no path is $path"
  "$program" translate --model "file://$root/models/english-french" --input "$path" >/dev/null 2>"$scratch/stderr" ||
    fail "a pasted path is not understood"
done
printf 'la fille boit du lait\nle chien dort\n' | "$program" translate --model "$root/models/english-french" \
  2>"$scratch/stderr" >/dev/null
[ "$(grep -c 'Most of these words are French' "$scratch/stderr")" -eq 1 ] || fail "the language is not reported once"
echo 'the girl drinks milk' | "$program" translate --model "$root/models/english-french" 2>"$scratch/stderr" >/dev/null
! grep -q 'Most of these words' "$scratch/stderr" || fail "English is taken for French"

# What is no number.
for option in --alpha --beam; do
  refused 2 "$option" translate --model "$root/models/reverse" $option nan
done
for option in --steps --epochs --minutes --factor --peak --clip --smoothing --dropout --patience; do
  refused 2 "${option#--}" train --task copy --out "$scratch/never" $option nan
done
refused 2 --scale render --view attention --out "$scratch/a.svg" --scale nan
refused 2 --scale --scale nan
[ ! -e "$scratch/never" ] || fail "a folder was made for a run that was refused"

# A line that never ends is given up.
refused 1 "comes without an end" translate --model "$root/models/reverse" </dev/zero

# A run that goes on elsewhere leaves where it stood as it is, and takes no other model's place.
"$program" train --task copy --pairs 200 --preset nano --steps 3 --out "$scratch/run" 2>"$scratch/stderr" >/dev/null ||
  fail "no run to go on with"
cp -r "$scratch/run" "$scratch/before"
"$program" train --resume "$scratch/run" --steps 5 --out "$scratch/further" --json 2>"$scratch/stderr" |
  grep -q '"step":5' || fail "the run does not go on in another folder"
diff -r "$scratch/run" "$scratch/before" >/dev/null || fail "going on elsewhere changed the run"
refused 1 "there is a model already" train --resume "$scratch/run" --steps 6 --out "$scratch/further"
# The run's own folder under another name is still its own: the steps that were kept stay.
"$program" train --task copy --preset nano --steps 6 --history 8 --threads 1 --out "$scratch/kept" 2>"$scratch/stderr"
"$program" train --resume "$scratch/kept" --steps 9 --history 8 --threads 1 --out "$scratch/../$(basename "$scratch")/kept/" 2>"$scratch/stderr" ||
  fail "a run does not go on in its own folder under another name"
[ -e "$scratch/kept/history/3.safetensors" ] && [ -e "$scratch/kept/history/9.safetensors" ] ||
  fail "a run under another name loses its kept steps"

# No step at all: the model as it begins is saved, and looked at; it goes on by the plan it would have had.
timeout 60 "$program" train --task copy --preset nano --pairs 200 --steps 0 --seed 3 --out "$scratch/untrained" \
  >"$scratch/stdout" 2>"$scratch/stderr" || fail "--steps 0 does not end"
grep -q 'untrained: saved untrained, as --steps 0 asks; go on with --resume .* (step 0, not validated)$' "$scratch/stdout" &&
  [ "$(wc -l <"$scratch/stdout")" = 1 ] || fail "--steps 0 does not say what it did"
"$program" train --task copy --preset nano --pairs 200 --steps 1 --seed 3 --history 1 --out "$scratch/one" \
  >/dev/null 2>"$scratch/stderr"
"$program" render --view parameters --model "$scratch/untrained" --out "$scratch/begun.csv" &&
  "$program" render --view parameters --model "$scratch/one" --at-step 0 --out "$scratch/first.csv"
# A kept step is rounded, so the weights agree to four digits.
paste -d , "$scratch/begun.csv" "$scratch/first.csv" | awk -F , '
  /^[0-9]/ { for (i = 2; i <= NF / 2; i++) { apart = $i - $(i + NF / 2); n++; if (apart * apart > 1e-8) exit 1 } }
  END { if (n < 500) exit 1 }' || fail "the untrained model is not the step 0 of a run"
"$program" train --task copy --preset nano --pairs 200 --steps 0 --json --out "$scratch/untold" 2>"$scratch/stderr" |
  grep -q '"finished":true.*"step":0,' || fail "--steps 0 --json does not tell step 0"
refused 2 "a resumed run has begun" train --resume "$scratch/untrained" --steps 0
"$program" train --resume "$scratch/untrained" --steps 2 --json 2>"$scratch/stderr" | grep -q '"step":2' ||
  fail "an untrained model does not go on"

# Asked to end, it does not wait for a pipe that says nothing.
mkfifo "$scratch/silent"
sleep 60 >"$scratch/silent" &
silent=$!
for signal in TERM INT; do
  timeout 20 "$program" train --corpus /dev/stdin --out "$scratch/piped" <"$scratch/silent" >/dev/null 2>"$scratch/stderr" &
  reading=$!
  sleep 1
  pkill -"$signal" -P $reading || fail "nothing reads the pipe"
  wait $reading && fail "a reading that was given up is a success"
  grep -q "as the program is to end" "$scratch/stderr" || fail "SIG$signal is not answered while a pipe is read"
done
kill $silent

# Text without blanks is scored by its characters, against as many right translations as there are.
printf '\347\214\253\343\201\214\345\257\235\343\201\237\n' >"$scratch/said.ja"
printf '\347\214\253\343\201\257\345\257\235\343\201\237\n' >"$scratch/right.ja"
"$program" bleu --hypothesis "$scratch/said.ja" --reference "$scratch/right.ja" >"$scratch/stdout" 2>"$scratch/stderr"
grep -q '"bleu":0.0,' "$scratch/stdout" || fail "13a parts signs"
"$program" bleu --hypothesis "$scratch/said.ja" --reference "$scratch/right.ja" --reference "$scratch/said.ja" \
  --tokenize char >"$scratch/stdout" 2>"$scratch/stderr"
grep -q '"bleu":100.*nrefs:2.*tok:char' "$scratch/stdout" || fail "several references, by characters"
refused 2 "tokenize" bleu --hypothesis "$scratch/said.ja" --reference "$scratch/right.ja" --tokenize words

# A model learns on from other pairs with its own pieces, and begins with vectors of a file.
"$program" train --fine-tune "$scratch/kept" --task reverse --symbols 8 --pairs 200 --steps 2 --out "$scratch/tuned" --json \
  2>"$scratch/stderr" | grep -q '"step":2' || fail "a model is not tuned on other pairs"
grep -q 'begun with the weights of .*kept' "$scratch/tuned/training.json" || fail "what a tuned model began with is not kept"
cmp -s "$scratch/kept/shared.vocab" "$scratch/tuned/shared.vocab" ||
  cmp -s "$scratch/kept/source.vocab" "$scratch/tuned/source.vocab" || fail "a tuned model has other pieces"
refused 2 "keeps its sizes and pieces" train --fine-tune "$scratch/kept" --task reverse --heads 4 --out "$scratch/never"
refused 2 "a run that is resumed has begun already" train --fine-tune "$scratch/kept" --resume "$scratch/kept"
for letter in a b c; do printf '%s' "$letter"; for i in $(seq 32); do printf ' 0.%s' "$i"; done; echo; done >"$scratch/glove.txt"
"$program" train --task copy --pairs 200 --preset nano --source-embedding "$scratch/glove.txt" --freeze source --zero-pad true \
  --steps 2 --out "$scratch/given" 2>"$scratch/stderr" >/dev/null || fail "vectors of a file are not taken"
grep -q '3 of 20 words found in glove.txt' "$scratch/stderr" || fail "it is not told which words the file has"
# Beside whatever else there is to be told of the data.
printf 'source\ttarget\na b\tb a\nb c\tc b\nc a\ta c\n' >"$scratch/named.tsv"
"$program" train --corpus "$scratch/named.tsv" --tokenizer word --preset nano --source-embedding "$scratch/glove.txt" \
  --steps 1 --out "$scratch/named" 2>"$scratch/stderr" >/dev/null || fail "a file with named columns takes no vectors"
grep -q 'names the columns' "$scratch/stderr" || fail "the named columns are not told"
grep -q 'words found in glove.txt' "$scratch/stderr" || fail "beside another note the words found are not told"
"$program" train --task copy --pairs 200 --preset tiny --source-embedding "$scratch/glove.txt" --steps 1 --out "$scratch/never" \
  >/dev/null 2>"$scratch/stderr" && fail "vectors of another width are taken"
tail -1 "$scratch/stderr" | grep -q 'its vectors have 32 numbers, but the model is 64 wide' || fail "the width is not told"
refused 2 "add --shared-vocabulary" train --corpus "$scratch/named.tsv" --tokenizer word --preset nano --sharing all --steps 1 --out "$scratch/never"
"$program" train --task copy --pairs 200 --preset nano --steps 1 --freeze target --out "$scratch/frozen" 2>"$scratch/notes" >/dev/null
grep -q "the target embedding keeps the random numbers" "$scratch/notes" || fail "an embedding frozen as drawn is not reported"
refused 2 "freeze must be" train --task copy --freeze decoder --steps 1 --out "$scratch/never"

# Runs: listed, exported, with the steps that they kept.
mkdir "$scratch/runs"
"$program" train --task copy --preset nano --pairs 400 --steps 4 --history 1 --out "$scratch/runs/one" \
  2>"$scratch/stderr" >/dev/null || fail "no run with a history"
[ -f "$scratch/runs/one/history/4.safetensors" ] || fail "the newest step is not kept"
"$program" render --view diagnosis --model "$scratch/runs/one" --out "$scratch/looks.csv"
grep -q '^4,' "$scratch/looks.csv" && grep -q '^gradient norm' "$scratch/looks.csv" || fail "the run was not looked at"
"$program" runs --folder "$scratch/runs" | grep -q '^one: step 4' || fail "the run is not listed"
"$program" runs --folder "$scratch/runs" --json | grep -q '"d_model":32' || fail "its configuration is not told"
"$program" runs --folder "$scratch/runs" --out "$scratch/curves" >/dev/null
[ "$(wc -l <"$scratch/curves/one.csv")" = 5 ] || fail "not a line a step"
[ -s "$scratch/curves/one.json" ] || fail "no configuration is written"
head -n 1 "$scratch/curves/one.diagnosis.csv" | grep -q '^step,source embedding gradient norm,.*silent units$' ||
  fail "what was looked at is not exported"
[ "$(cut -d, -f1 "$scratch/curves/one.diagnosis.csv" | tail -n +2 | tr '\n' ' ')" = '1 2 4 ' ] ||
  fail "the looks of steps 1, 2 and 4 are not exported"
mkdir "$scratch/nothing"
"$program" runs --folder "$scratch/nothing" | grep -q 'no run is kept there' || fail "an empty folder says nothing"
echo '{' >"$scratch/runs/one/training.json"
"$program" runs --folder "$scratch/runs" 2>"$scratch/stderr" >/dev/null || fail "a broken run stops the list"
[ "$(wc -l <"$scratch/stderr")" = 1 ] || fail "a broken run is not told of in one line"

# Text as people have it: the same words in another packing score alike, and what cannot be read is no score.
printf 'a b c d e\nb c d e f\n' >"$scratch/plain"
printf '\357\273\277a b c d e\r\nb c d e f\r\n' | gzip >"$scratch/packed"
"$program" bleu --hypothesis "$scratch/plain" --reference "$scratch/packed" | grep -q '"bleu":100.0' ||
  fail "a packed file is scored otherwise"
printf 'caf\351\nd\351j\340\n' >"$scratch/latin"
refused 1 "takes the encoding’s name" bleu --hypothesis "$scratch/latin" --reference "$scratch/latin"
: >"$scratch/empty"
refused 1 "the file is empty" bleu --hypothesis "$scratch/empty" --reference "$scratch/empty"
code=0
printf 'a b c\nb \351 c\nc b a\n' | "$program" translate --json --model "$root/models/reverse" \
  >"$scratch/stdout" 2>"$scratch/stderr" || code=$?
[ "$code" = 1 ] && [ "$(wc -l <"$scratch/stdout")" = 3 ] && grep -q 'line 2: not valid UTF-8 (byte 3' "$scratch/stderr" ||
  fail "a line that is not UTF-8 stops the others"
"$program" translate --model "$root/models/reverse" --input "$scratch/packed" | grep -q . || fail "no file is translated"
awk 'BEGIN { for (i = 0; i < 500; ++i) printf "a "; print "" }' >"$scratch/long"
"$program" evaluate --model "$root/models/reverse" --source "$scratch/long" --target "$scratch/long" 2>"$scratch/stderr" |
  grep -q '"loss":null' || fail "a loss of nothing is no null"
printf 'id,source,target\n1,"a b c","c b a"\n2,"b c","c b"\n' >"$scratch/pairs.csv"
"$program" evaluate --model "$root/models/reverse" --corpus "$scratch/pairs.csv" --columns source,target \
  2>"$scratch/stderr" | grep -q '"sentences":2' || fail "a table is not evaluated"

# The head report: a line a head and a sub-block.
"$program" heads --model "$root/models/reverse" --pairs 5 --csv "$scratch/heads.csv" 2>"$scratch/stderr" |
  grep -q '"caution":"Measured on 5 pairs alone: .*"pairs":5' || fail "heads are not measured, or without a caution"
[ "$(wc -l <"$scratch/heads.csv")" = 35 ] && grep -q '^mute head cross 1.1,' "$scratch/heads.csv" ||
  fail "the head report has no line for each part"

# Steps that the walk does not have.
refused 1 "this model has 1 to" render --view walk --step 100000 --out "$scratch/walk.png"
# Places that the sentence does not have.
for view in attention masks window; do
  out="$scratch/a.svg"
  [ $view != window ] || out="$scratch/a.png"
  for option in --query --key; do
    refused 1 "$option: expected a whole number from 0 to " render --model "$root/models/reverse" \
      --source "a b c" --view $view --out "$out" $option 20
  done
  [ ! -e "$out" ] || fail "a picture is made of a place that is not there"
done
refused 2 --query render --view attention --out "$scratch/a.svg" --query -2

# The screens that are no view, as pictures and in words.
"$program" render --view start --text --scale 1 --out "$scratch/start.png" >"$scratch/words" || fail "no first screen"
grep -q "to write fatiguée, layer 2 head 1 read tired, 0.99" "$scratch/words" || fail "the first screen in words"
[ -s "$scratch/start.png" ] && [ -s "$scratch/start.caption.txt" ] || fail "no picture of the first screen"
"$program" render --view view-menu --text >"$scratch/words" || fail "no View menu in words"
[ "$(grep -c '?$' "$scratch/words")" = 6 ] || fail "six questions of the View menu"
grep -q "^One head: " "$scratch/words" || fail "the View menu names One head"
"$program" render --view lesson --lesson 9 --step 2 --text --scale 1 --out "$scratch/lesson.png" >"$scratch/words" ||
  fail "no lesson page"
[ -s "$scratch/lesson.png" ] || fail "no picture of a lesson"
"$program" render --view watch --step 2 --text >"$scratch/words" || fail "no watched training"
grep -q "^for la it would write " "$scratch/words" || fail "a line a row of what is watched"
refused 1 "the lesson has no page 99" render --view lesson --step 99 --text
refused 1 "a screen is drawn to a .png" render --view start --out "$scratch/start.svg"
# One panel alone, of those that a view has.
"$program" render --model "$root/models/reverse" --source "a b c" --view attention --panel "all heads" \
  --out "$scratch/wall.svg" || fail "no picture of the wall alone"
grep -q 'All heads' "$scratch/wall.svg" || fail "the wall alone has no heading"
grep -q '>writes<' "$scratch/wall.svg" && fail "the enlarged head stands beside the wall alone"
grep -q 'Shown alone: all heads' "$scratch/wall.caption.txt" || fail "the caption names no panel"
refused 1 "it has: all-heads, one-head, ribbons" render --model "$root/models/reverse" --source "a b c" \
  --view attention --panel nothing --out "$scratch/a.svg"
refused 1 "it has: all-heads, one-head, ribbons" render --model "$root/models/reverse" --source "a b c" \
  --view attention --panel nothing --text
# For a column of print: centimetres in SVG, points in PDF, 300 dots an inch in PNG.
refused 2 --print-cm render --view attention --out "$scratch/a.svg" --print-cm 3
refused 2 --print-cm render --view attention --out "$scratch/a.svg" --print-cm nan
pictures=$("$program" render --help | grep -oE '^  --out .*' | grep -oE '\.(svg|png|pdf)' | tr -d .)
for kind in $pictures; do
  "$program" render --model "$root/models/reverse" --source "a b c" --view attention --print-cm 16 --out "$scratch/print.$kind" \
    || fail "no picture for print as $kind"
done
grep -q '<svg [^>]*width="16cm"' "$scratch/print.svg" || fail "the SVG is not 16 cm wide"
[ ! -e "$scratch/print.pdf" ] || grep -qa 'MediaBox \[ 0 0 453.5' "$scratch/print.pdf" || fail "the PDF is not 16 cm wide"
python3 -c 'import struct, sys; w = struct.unpack(">I", open(sys.argv[1], "rb").read()[16:20])[0]; assert abs(w - 1890) <= 2, w' \
  "$scratch/print.png" || fail "the PNG has not 300 dots an inch"
"$program" render --model "$root/models/reverse" --source "a b c" --view attention --out "$scratch/a.svg" \
  --query 3 --key 3 2>"$scratch/stderr" || fail "the last word is not pinned"
