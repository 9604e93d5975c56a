#!/bin/sh
# `export --to onnx`: libonnx's checker passes the files of models of every kind, and onnxruntime computes what the
# program does with them. Without npm, or where it reaches nothing, the latter is skipped (status 77).
# Usage: onnx_command_test.sh PATH/TO/glassformer [PATH/TO/onnx_check]
set -eu
npm_config_cache=${npm_config_cache:-$HOME/.npm}
export npm_config_cache
. "$(dirname "$0")/command_helpers.sh"
checker=${2:-}
french="$root/models/english-french"

export_model() {  # MODEL NAME OPTION...
  model=$1 to="$scratch/onnx/$2"
  shift 2
  "$program" export --model "$model" --to onnx --out "$to" "$@" >"$scratch/stdout" 2>"$scratch/stderr" || fail "no export of $model"
  grep -q "^onnx: .* weights, now in $to$" "$scratch/stdout" || fail "what is written is not said"
  [ -z "$checker" ] || "$checker" "$to/encoder.onnx" "$to/decoder.onnx" 2>"$scratch/stderr" || fail "libonnx refuses $to"
}

# A model of each kind, that has learned a little.
learn() {  # NAME OPTION...
  name=$1
  shift
  "$program" train --task reverse --pairs 400 --preset nano --steps 40 --seed 3 --out "$scratch/models/$name" "$@" \
    >/dev/null 2>"$scratch/stderr" || fail "$name is not trained"
  printf 'a b c d e\nc\nb a d d a f\nf a c e\n' | "$program" translate --json --model "$scratch/models/$name" \
    >"$scratch/$name.jsonl" 2>"$scratch/stderr" || fail "$name does not translate"
  export_model "$scratch/models/$name" "$name" --attention
  kinds="$kinds $name"
}
kinds=
learn pre --norm pre --activation gelu --positions learned --sharing output --attention-bias false
learn rms --norm-kind rms --final-norm true --embedding-norm true --feed-forward swiglu --positions rotary
learn alibi --positions alibi --activation swish --sharing none --attention-scale false --output-bias false
learn relu --attention-activation relu --positions none --scale-embeddings false --source-eos false
learn rotary-relu --positions rotary --attention-activation relu --norm pre --final-norm false --decoder-layers 3

"$program" corpus --grammar "$root/assets/grammars/english-french.grammar" --pairs 200 --out "$scratch/pairs.tsv" \
  >/dev/null 2>"$scratch/stderr" || fail "no sentences"
cut -f 1 "$scratch/pairs.tsv" | "$program" translate --json --model "$french" >"$scratch/french.jsonl" 2>"$scratch/stderr" ||
  fail "no translations"
[ "$(wc -l <"$scratch/french.jsonl")" -eq 200 ] || fail "not 200 sentences"
export_model "$french" french
export_model "$french" french-attention --attention

# Into a folder where somebody keeps a file of such a name.
mkdir "$scratch/taken"
echo mine >"$scratch/taken/decoder.onnx"
! "$program" export --model "$french" --to onnx --out "$scratch/taken" 2>"$scratch/stderr" || fail "a file of somebody's is replaced"
[ "$(cat "$scratch/taken/decoder.onnx")" = mine ] && [ "$(ls "$scratch/taken")" = decoder.onnx ] || fail "something was written there"

skip() {
  echo "skipped: $*"
  exit 77
}
command -v npm >/dev/null || skip "npm is missing, so nothing ran in onnxruntime"
(cd "$scratch" && timeout 300 npm install --ignore-scripts --no-audit --no-fund --no-save onnxruntime-node@1.30.0) \
  >"$scratch/npm" 2>&1 || skip "npm does not bring onnxruntime-node: $(head -n 1 "$scratch/npm")"
compare() {  # MODEL NAME TRANSLATIONS
  NODE_PATH="$scratch/node_modules" node "$root/tests/onnx/compare.js" "$program" "$1" "$scratch/onnx/$2" "$scratch/$3.jsonl" \
    "$scratch" >"$scratch/report" 2>"$scratch/stderr" || fail "$2 in onnxruntime: $(cat "$scratch/report")"
  [ ! -s "$scratch/stderr" ] || fail "onnxruntime warns of $2"
  echo "$2: $(cat "$scratch/report")"
}
for kind in $kinds; do compare "$scratch/models/$kind" "$kind" "$kind"; done
compare "$french" french french
compare "$french" french-attention french
