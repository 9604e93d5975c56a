#!/bin/sh
# What the command line does where its output cannot be written, memory or folders are missing, and names,
# words and numbers are unusual: one sentence, or a file that other programs can read.
# Usage: output_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"
model="$root/models/reverse"
# one_sentence WORDS: the failure of the last command is told in one line that holds them, and nothing raw.
one_sentence() {
  [ "$code" -eq 1 ] || fail "exit code $code instead of 1 ($1)"
  [ "$(grep -c '^glassformer: ' "$scratch/stderr")" -eq 1 ] || fail "not one sentence ($1)"
  grep -qF -- "$1" "$scratch/stderr" || fail "\"$1\" is not said"
  ! grep -qE 'json.exception|filesystem error|std::|type_error' "$scratch/stderr" || fail "a raw message ($1)"
}
# attempt COMMAND...: runs it and keeps its exit code and its messages.
attempt() {
  code=0
  "$@" 2>"$scratch/stderr" || code=$?
}

# Output that cannot be written.
printf 'a b c d e\nc d e f\n' >"$scratch/lines"
echo "[[5, 6, 3]]" >"$scratch/ids.json"
unwritable() {
  attempt "$program" "$@" <"$scratch/lines" >/dev/full
  one_sentence "No space left on device"
  attempt "$program" "$@" <"$scratch/lines" >&-
  one_sentence "standard output: "
}
unwritable --version
unwritable --help
unwritable translate --model "$model"
unwritable decode --model "$model" --ids "$scratch/ids.json"
unwritable bleu --hypothesis "$scratch/lines" --reference "$scratch/lines"
unwritable corpus --task sort --pairs 20
unwritable runs --json
unwritable train --task sort --pairs 60 --preset nano --steps 1 --overwrite --out "$scratch/full"
# What is translated before the disk is full is all that is read: a long stream stops there.
code=0
yes "a b c" | timeout 60 "$program" translate --model "$model" 2>"$scratch/stderr" >/dev/full || code=$?
one_sentence "No space left on device"
# A reader that leaves is no fault.
yes "a b c" | "$program" translate --model "$model" 2>"$scratch/stderr" | head -n 1 >/dev/null || true
[ ! -s "$scratch/stderr" ] || fail "a closed pipe is told of"

# Missing and unreadable folders.
long=$(printf '%0300d' 0)
for folder in "$long" "$scratch/$long"; do
  attempt "$program" translate --model "$folder" </dev/null
  one_sentence "$(printf '%0100d' 0)"
done
attempt "$program" runs --folder "$scratch/absent"
one_sentence "there is no such folder"
attempt env -u HOME -u XDG_DATA_HOME -u XDG_CONFIG_HOME TMPDIR="$scratch/absent" "$program" runs
one_sentence "No such file or directory"

# Memory that is short is said, whatever asks for it.
( ulimit -v 1500000
  attempt "$program" train --task sort --preset nano --d-model 65536 --heads 1 --steps 1 --out "$scratch/large"
  one_sentence "memory is short" ) || exit 1

# Names and words that are not UTF-8, or no signs.
latin=$(printf 'caf\351')
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf 'w%d x\tx w%d\n' $i $i; done >"$scratch/$latin.tsv"
attempt "$program" train --corpus "$scratch/$latin.tsv" --preset nano --tokenizer word --steps 2 --json --out "$scratch/named/$latin" >"$scratch/json"
[ "$code" -eq 0 ] || fail "a corpus named in Latin-1 is not learned from"
python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$scratch/json" || fail "the result is no JSON"
for arguments in --json "--out $scratch/lists"; do
  attempt "$program" runs --folder "$scratch/named" $arguments >"$scratch/json"
  [ "$code" -eq 0 ] || fail "runs $arguments"
done
printf 'a\351b\n' >"$scratch/bytes"
attempt "$program" translate --json --model "$model" <"$scratch/bytes" >"$scratch/json"
python3 -c 'import json, sys; json.loads(open(sys.argv[1], encoding="utf-8").read())' "$scratch/json" || fail "no JSON of Latin-1"
for words in "$(printf 'a \351t')" "$(printf 'a \357\277\276 \357\277\277 \357\267\220 b')" "$(printf 'a\n\033[31mb')"; do
  for kind in $("$program" render --help | grep -oE '^  --out .*' | grep -oE '\.(svg|png|pdf|csv)' | tr -d .); do
    attempt "$program" render --model "$scratch/named/$latin" --source "$words" --view attention --out "$scratch/figure.$kind"
    [ "$code" -eq 0 ] || fail "no $kind of odd words"
  done
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$scratch/figure.svg" || fail "the SVG is not well-formed"
  python3 - "$scratch/figure.caption.txt" <<'P' || fail "the caption is not one plain line"
import sys
text = open(sys.argv[1], encoding="utf-8").read()
assert text.count("\n") == 1 and "\x1b" not in text, text
P
done

# A cell that a spreadsheet would run is a word; numbers stay numbers.
attempt "$program" render --model "$model" --source "=1+1 -2 @x +y" --view attention --out "$scratch/cells.csv"
[ "$code" -eq 0 ] || fail "no CSV"
! tr ',' '\n' <"$scratch/cells.csv" | grep -q '^"\{0,1\}[=@+]' || fail "a cell begins as a formula"

# Numbers as people write them, in every option alike; limits in few digits; empty values and signs that make no sense.
attempt "$program" train --task sort --pairs 1e2 --preset nano --dropout .1 --steps +3 --seed 020 --peak 1e-3 --schedule linear --warmup 0 --json --out "$scratch/typed" >"$scratch/json"
grep -q '"step":3' "$scratch/json" || fail "typed numbers are not read"
refused() {
  words=$1
  shift
  attempt "$program" "$@" >/dev/null
  [ "$code" -eq 2 ] || fail "exit code $code instead of 2: $*"
  grep -qF -- "$words" "$scratch/stderr" || fail "\"$words\" is not said: $*"
  ! grep -qE '[0-9]{21}' "$scratch/stderr" || fail "a limit of many digits: $*"
}
for option in --steps --seed --pairs --dropout --corpus --out; do
  refused "the value is empty" train --task sort --out "$scratch/never" $option ""
done
for seed in -1 1.5 x; do refused "whole number" train --task sort --out "$scratch/never" --seed "$seed"; done
refused "too large" train --task sort --out "$scratch/never" --seed 18446744073709551616
for option in --pairs --length --pieces; do refused "from 1 to" corpus --task sort $option 0; done
refused "warmup must be from 1 to" train --task sort --out "$scratch/never" --schedule noam --warmup 0 --steps 5
[ ! -e "$scratch/never" ] || fail "a folder was made for a run that was refused"
attempt "$program" train --task sort --pairs 60 --preset nano --schedule cosine --warmup 500 --steps 2 --out "$scratch/rising" >/dev/null
grep -q "note: the warm-up of 500 steps" "$scratch/stderr" || fail "a warm-up longer than the run is not told of"

# Paths are meant from where they were typed, and captions name the data.
mkdir "$scratch/data folder" "$scratch/elsewhere"
cp "$scratch/$latin.tsv" "$scratch/data folder/base.tsv"
(cd "$scratch/data folder" && "$program" train --corpus base.tsv --preset nano --tokenizer word --steps 2 --out "$scratch/model" >/dev/null 2>"$scratch/stderr") || fail "no run on base.tsv"
(cd "$scratch/elsewhere" && "$program" train --resume "$scratch/model" --steps 3 >/dev/null 2>"$scratch/stderr") || fail "the run does not go on from another folder"
(cd "$scratch/elsewhere" && "$program" render --model "$scratch/model" --view training --out t.svg 2>"$scratch/stderr") || fail "no view of the training from another folder"
grep -q "base.tsv" "$scratch/elsewhere/t.caption.txt" || fail "the caption does not name the data"

# A folder that somebody hands over shows nothing of the files that it names.
cp -r "$scratch/model" "$scratch/handed"
printf 'secret one\tx\nsecret two\ty\n' >"$scratch/private.tsv"
sed -i "s|\"corpus\":\"[^\"]*\"|\"corpus\":\"$scratch/private.tsv\"|" "$scratch/handed/training.json"
grep -q private.tsv "$scratch/handed/training.json" || fail "the test's folder names no other file"
attempt "$program" render --model "$scratch/handed" --view attention --out "$scratch/handed.svg"
[ "$code" -eq 0 ] || fail "a folder that was handed over is not drawn"
! grep -q secret "$scratch/handed.svg" "$scratch/handed.caption.txt" || fail "lines of a local file are shown"

# What lies under a name that nobody typed stays, unless this program wrote it; the same command goes on working.
cd "$scratch"
for turn in 1 2; do
  "$program" render --view output --out named.svg 2>"$scratch/stderr" || fail "a figure does not take its own place"
done
echo mine >named.caption.txt
cp named.svg before.svg
"$program" render --view head --out named.svg 2>"$scratch/stderr" && fail "somebody's caption is replaced"
[ "$(cat named.caption.txt)" = mine ] || fail "somebody's caption is gone"
cmp -s named.svg before.svg || fail "a figure is written without its caption"

# A message is a sentence, whatever was typed.
long=$(head -c 5000 /dev/zero | tr '\0' x)
escape=$(printf '\033[31m')
for options in "--view $long" "--view output --what-if $long" "--view output --what-if $escape" "--view output --size $long" \
  "--view output --model $long" "--session $long"; do
  # shellcheck disable=SC2086
  "$program" render $options --out a.svg 2>"$scratch/stderr" && fail "refused: ${options%%xxx*}"
  [ "$(head -1 "$scratch/stderr" | wc -m)" -le 301 ] || fail "a message of $(wc -m <"$scratch/stderr") letters"
  ! grep -q "$(printf '\033')" "$scratch/stderr" || fail "a message holds control characters"
done
