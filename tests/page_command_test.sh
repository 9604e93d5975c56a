#!/bin/sh
# `export --to page`: a folder of its own or nothing; its text.js gives the program's ids on sentences of the grammar and on
# signs that libraries read differently, and in headless Chromium it translates as the program does. Without npm, or
# Chromium, what needs them is skipped (status 77).
# Usage: page_command_test.sh PATH/TO/glassformer
set -eu
npm_config_cache=${npm_config_cache:-$HOME/.npm}
export npm_config_cache
. "$(dirname "$0")/command_helpers.sh"
french="$root/models/english-french"
export_page() {  # MODEL FOLDER
  "$program" export --model "$1" --to page --out "$2" >"$scratch/stdout" 2>"$scratch/stderr"
}

export_page "$french" "$scratch/page" || fail "no page"
grep -q "^page: .* weights, now in $scratch/page$" "$scratch/stdout" || fail "what is written is not said"
grep -q "may be cut here into other pieces" "$scratch/stderr" || fail "what cannot be promised is not said"
files=$(cd "$scratch/page" && echo *)
[ "$files" = "README.md decoder.onnx encoder.onnx heads.css heads.js index.html package.json page.css page.js page.json settings.json text.js tokenizer.json" ] ||
  fail "the folder has $files"
[ "$(wc -l <"$scratch/page/page.js")" -lt 300 ] || fail "page.js has 300 lines or more"
export_page "$french" "$scratch/page" || fail "an older page is not replaced"
export_page "$root/models/reverse" "$scratch/reverse" || fail "no page of words"
[ ! -s "$scratch/stderr" ] || fail "words are cut alike everywhere"

# Where somebody keeps something.
mkdir "$scratch/taken"
echo mine >"$scratch/taken/notes.txt"
! export_page "$french" "$scratch/taken" || fail "a folder of somebody's is taken"
[ "$(wc -l <"$scratch/stderr")" -eq 1 ] || fail "not one sentence"
[ "$(ls -A "$scratch/taken")" = notes.txt ] || fail "something was written there"
echo "body { color: red }" >>"$scratch/page/page.css"
! export_page "$french" "$scratch/page" || fail "a page that was edited is replaced"
tail -n 1 "$scratch/page/page.css" | grep -q red || fail "an edit is lost"
! "$program" export --model "$french" --to page --attention --out "$scratch/other" 2>"$scratch/stderr" || fail "--attention is taken"
[ ! -e "$scratch/other" ] || fail "a refused export leaves a folder"

skip() {
  echo "skipped: $*"
  exit 77
}
command -v npm >/dev/null || skip "npm is missing, so no page ran"
timeout 60 npm ping >/dev/null 2>&1 || skip "npm can't be reached, so no page ran"
installed=0
(cd "$scratch/page" && timeout 300 npm install --ignore-scripts --no-audit --no-fund) >"$scratch/npm" 2>&1 || installed=$?
[ "$installed" -ne 124 ] || skip "npm takes more than five minutes"
[ "$installed" -eq 0 ] || fail "npm install: $(head -n 3 "$scratch/npm")"

# Ids, pieces and text.
"$program" corpus --grammar "$root/assets/grammars/english-french.grammar" --pairs 10000 --out "$scratch/pairs.tsv" >/dev/null 2>"$scratch/stderr" ||
  fail "no sentences"
cut -f 1 "$scratch/pairs.tsv" >"$scratch/sentences"
node "$root/tests/page/lines.js" >"$scratch/lines"
compare() {  # NAME MODEL FOLDER LINES...
  name=$1 model=$2 folder=$3
  shift 3
  cat "$@" | "$program" translate --json --model "$model" >"$scratch/$name.jsonl" 2>"$scratch/stderr" || true  # some are too long
  [ -e "$folder/node_modules" ] || ln -s "$scratch/page/node_modules" "$folder/node_modules"
  node "$root/tests/page/ids.js" "$folder" "$scratch/$name.jsonl" >"$scratch/report" 2>"$scratch/stderr" ||
    fail "$name is read otherwise: $(cat "$scratch/report")"
  echo "$name: $(cat "$scratch/report")"
}
compare english-french "$french" "$scratch/page" "$scratch/sentences" "$scratch/lines"
compare reverse "$root/models/reverse" "$scratch/reverse" "$scratch/sentences" "$scratch/lines"

# Every kind of tokenizer, learned from such signs too.
head -n 1000 "$scratch/sentences" | cat - "$scratch/lines" | awk 'length($0) > 2 && length($0) < 200 { print $0 "\t" $0 }' >"$scratch/learn.tsv"
for kind in bpe unigram wordpiece word char; do
  "$program" train --corpus "$scratch/learn.tsv" --tokenizer $kind --preset nano --steps 0 --d-model 8 --d-ff 8 --heads 1 --encoder-layers 1 --decoder-layers 1 --out "$scratch/$kind" \
    >/dev/null 2>"$scratch/stderr" || fail "no $kind"
  export_page "$scratch/$kind" "$scratch/$kind-page" || fail "no page of $kind"
  head -n 1000 "$scratch/sentences" >"$scratch/some"
  compare $kind "$scratch/$kind" "$scratch/$kind-page" "$scratch/some" "$scratch/lines"
done

command -v chromium >/dev/null || skip "Chromium is missing, so the page ran in no browser"
node "$root/tests/page/page.js" "$program" "$french" "$scratch/page" "$scratch" >"$scratch/report" 2>"$scratch/stderr" || fail "the page: $(cat "$scratch/report")"
echo "page: $(cat "$scratch/report")"
