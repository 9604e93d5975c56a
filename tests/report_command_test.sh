#!/bin/sh
# Reports on the command line: their own command lines, run by the same build, make every figure again.
# Usage: report_command_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"
program=$(realpath "$program")
glassformer() {
  "$program" "$@"
}
refused() {
  words=$1
  shift
  code=0
  "$program" report "$@" >"$scratch/stdout" 2>"$scratch/stderr" || code=$?
  [ "$code" -eq 1 ] || fail "exit code $code instead of 1: $*"
  [ "$(wc -l <"$scratch/stderr")" -eq 1 ] || fail "more than a sentence is said: $*"
  grep -qF -- "$words" "$scratch/stderr" || fail "“$words” is not said: $*"
}

# again REPORT: runs the lines of its report.md in its own folder, as a reader would, and compares. No line writes over
# what the report has; the second time each writes over its own.
again() {
  report=$1
  sed -n 's/^    \(glassformer render .*\)/\1/p' "$report/report.md" >"$scratch/lines"
  [ -s "$scratch/lines" ] || fail "no command lines are in $report"
  find "$report" -type f -exec cksum {} + | sort >"$scratch/before"
  for time in first second; do
    while read -r line; do
      (cd "$report" && eval "$line") 2>"$scratch/stderr" || fail "the $time time: $line"
    done <"$scratch/lines"
  done
  find "$report" -type f ! -name 'again-*' ! -path "$report/.glassformer" -exec cksum {} + | sort >"$scratch/after"
  grep -v '/\.glassformer$' "$scratch/before" | cmp -s - "$scratch/after" || fail "a line changes the report"
  count=0
  for file in "$report"/figures/*.svg "$report"/figures/*.png "$report"/figures/*.pdf "$report"/numbers/*.csv \
    "$report"/figures/*.caption.txt; do
    [ -e "$file" ] || continue
    cmp -s "$file" "$report/again-$(basename "$file")" || fail "$file is not made again"
    count=$((count + 1))
  done
  [ "$count" -ge $(($(wc -l <"$scratch/lines"))) ] || fail "$count files for $(wc -l <"$scratch/lines") lines"
}

# A nano model that learns to reverse; a change, a pin, another decoding, controls of several views.
"$program" train --task reverse --preset nano --steps 60 --history 8 --seed 3 --out "$scratch/nano" \
  >"$scratch/stdout" 2>"$scratch/stderr" || fail "nothing is learned"
cat >"$scratch/a.glassformer" <<END
glassformer session 1
model $scratch/nano
source d a c
view attention
kind cross
layer 1
head 1
pin query 1 key 2
what-if mute head encoder 1.1
decode beam 3 alpha 0.5
set "Head as" Ribbons
END
latex=$("$program" render --help | grep -q '^  --out .*\.pdf' && echo --latex || true)  # without Cairo there is no PDF
"$program" report --session "$scratch/a.glassformer" --out "$scratch/six" $latex >"$scratch/stdout" 2>"$scratch/stderr" ||
  fail "no report"
[ "$(ls "$scratch/six/figures/"*.svg | wc -l)" -eq 6 ] || fail "not six figures"
grep -q "mute head encoder 1.1" "$scratch/six/index.html" || fail "the change is not told"
grep -q "glassformer train --task reverse" "$scratch/six/report.md" || fail "the training is not told"
again "$scratch/six"

# With the weights, and every view; the model that it came from is gone.
views=$("$program" render --help | tr '\n' ' ' | sed 's/.*One of: window, start, watch, view-menu, lesson, //; s/ (the session.*//; s/ //g')
"$program" report --model "$scratch/nano" --source "a b" --views "$views" --with-model --out "$scratch/all" \
  >"$scratch/stdout" 2>"$scratch/stderr" || fail "no report with the weights"
mv "$scratch/nano" "$scratch/gone"
again "$scratch/all"
mv "$scratch/gone" "$scratch/nano"

# Two Scenes, and an earlier step.
printf 'glassformer session 1\nmodel %s\nsource d a c\nview attention\ncompare source b a\n' "$scratch/nano" >"$scratch/b.glassformer"
"$program" report --session "$scratch/b.glassformer" --out "$scratch/two" >"$scratch/stdout" 2>"$scratch/stderr" || fail "no report of two"
again "$scratch/two"
printf 'glassformer session 1\nmodel %s\nsource d a c\nview output\nstep 0\n' "$scratch/nano" >"$scratch/c.glassformer"
"$program" report --session "$scratch/c.glassformer" --out "$scratch/early" >"$scratch/stdout" 2>"$scratch/stderr" || fail "no early report"
again "$scratch/early"
refused "leave the weights out" --session "$scratch/c.glassformer" --with-model --out "$scratch/never"

# What is wrong is one sentence, and nothing is left.
refused "say of what" --out "$scratch/never"
refused "is none of" --source "a" --views "nothing" --out "$scratch/never"
refused "at least one" --source "a" --views "," --out "$scratch/never"
refused "“/nowhere”" --model /nowhere --source "a" --out "$scratch/never"
refused "nothing-there" --session "$scratch/nothing-there" --out "$scratch/never"
[ ! -e "$scratch/never" ] || fail "something is left"
mkdir "$scratch/mine" && echo mine >"$scratch/mine/notes.txt"
refused "choose a new folder" --source "the cat sees" --views output --out "$scratch/mine"
[ "$(ls -A "$scratch/mine")" = notes.txt ] || fail "something was written beside notes.txt"
echo "reports on the command line: all as they should be"
