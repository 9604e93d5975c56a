#!/bin/bash
# A recurrent model on the command line: trained, stopped, gone on with, used, and refused in one sentence.
set -u
. "$(dirname "$0")/command_helpers.sh"
refused() {  # status, words, command...
  local status=$1 words=$2
  shift 2
  "$program" "$@" >"$scratch/stdout" 2>"$scratch/stderr"
  [ $? -eq "$status" ] || fail "$* ends with another status than $status"
  grep -qF -- "$words" "$scratch/stderr" || fail "$* does not say: $words"
  [ "$(grep -vc 'Run with --help' "$scratch/stderr")" -le 1 ] || fail "$* says more than a sentence"
}
learn=(train --architecture recurrent --task reverse --length 5 --symbols 6 --pairs 1500 --width 32 --threads 1)

# Each kind of attention learns and writes what a model's folder has.
for kind in none additive dot; do
  "$program" "${learn[@]}" --recurrent-attention $kind --steps 400 --out "$scratch/$kind" >"$scratch/stdout" 2>"$scratch/stderr" ||
    fail "$kind is not trained"
  grep -q "^$scratch/$kind: all 400 steps are done (step 400, validation loss .* of sentences right)$" "$scratch/stdout" ||
    fail "$kind ends in other words"
  grep -q '"architecture": "recurrent"' "$scratch/$kind/config.json" && grep -q "\"recurrent_attention\": \"$kind\"" "$scratch/$kind/config.json" ||
    fail "config.json of $kind"
  [ -f "$scratch/$kind/weights.safetensors" ] && grep -q '"schedule"' "$scratch/$kind/training.json" || fail "files of $kind"
done

# What goes on is the run that was never interrupted.
"$program" "${learn[@]}" --schedule constant --steps 60 --out "$scratch/whole" >/dev/null 2>&1
"$program" "${learn[@]}" --schedule constant --steps 30 --out "$scratch/part" >/dev/null 2>&1
"$program" train --resume "$scratch/part" --steps 60 >"$scratch/stdout" 2>"$scratch/stderr" || fail "it does not go on"
cmp -s "$scratch/whole/weights.safetensors" "$scratch/part/weights.safetensors" || fail "it goes on otherwise"

# It is listed with its kind, and the command that is told there makes it again.
mkdir "$scratch/runs" && cp -r "$scratch/whole" "$scratch/dot" "$scratch/runs"
"$program" runs --folder "$scratch/runs" >"$scratch/list" 2>"$scratch/stderr" || fail "runs are not listed"
grep -q '^whole: recurrent, step 60, best .*, task reverse' "$scratch/list" || fail "not listed as recurrent: $(cat "$scratch/list")"
grep -q -- '--architecture recurrent --recurrent-attention dot' "$scratch/list" || fail "its attention is not in the command"
again=$(sed -n '/^whole: /{n;s/^ *glassformer //;s/ --out .*//;p}' "$scratch/list")
"$program" $again --threads 1 --out "$scratch/again" >/dev/null 2>"$scratch/stderr" || fail "the command of a run fails: $again"
cmp -s "$scratch/whole/weights.safetensors" "$scratch/again/weights.safetensors" || fail "the command makes another run: $again"
"$program" runs --folder "$scratch/runs" --json | grep -q '"architecture":"recurrent"' || fail "its configuration is not told"
"$program" runs --folder "$scratch/runs" --out "$scratch/curves" >/dev/null 2>"$scratch/stderr"
[ "$(wc -l <"$scratch/curves/whole.csv")" = 61 ] && [ -s "$scratch/curves/whole.json" ] || fail "its curves are not written"

# It has a Transformer's means, history and settings that change on the way.
"$program" "${learn[@]}" --schedule constant --steps 30 --average 2 --validate-every 10 --history 3 --out "$scratch/looks" >/dev/null \
  2>"$scratch/stderr" || fail "no history"
[ -f "$scratch/looks/history/0.safetensors" ] && grep -q '"step": *30' "$scratch/looks/held-out.json" || fail "nothing to look back at"
"$program" train --resume "$scratch/looks" --steps 40 --clip 2 >/dev/null 2>"$scratch/stderr" || fail "its clip does not change"
grep -q '"text":"largest gradient 1 to 2"' "$scratch/looks/training.json" || fail "the change is not marked"

# Ctrl-C saves.
"$program" "${learn[@]}" --steps 1000000 --out "$scratch/stopped" >"$scratch/stdout" 2>"$scratch/stderr" &
learning=$!
for _ in $(seq 100); do [ -f "$scratch/stopped/training.json" ] && break; sleep 0.1; done
sleep 1
kill -INT $learning
wait $learning || fail "a run that is stopped fails"
grep -q "stopped by request; go on with --resume $scratch/stopped (step [1-9]" "$scratch/stdout" || fail "stopped in other words"
"$program" "${learn[@]}" --steps 0 --out "$scratch/new" 2>"$scratch/stderr" | grep -q 'saved untrained, as --steps 0 asks' ||
  fail "an untrained model is not saved"

# It translates, greedily and by beam, and is measured.
for beam in "" "--beam 4"; do
  echo 'c a b' | "$program" translate --model "$scratch/additive" $beam >"$scratch/stdout" 2>"$scratch/stderr" || fail "no translation"
  [ -s "$scratch/stdout" ] || fail "an empty translation"
done
echo '[[4, 5, 6, 3], [7, 3]]' >"$scratch/ids.json"
"$program" decode --model "$scratch/dot" --ids "$scratch/ids.json" --beam 3 2>"$scratch/stderr" | grep -q '"hypotheses"' || fail "decode"
"$program" corpus --task reverse --length 5 --symbols 6 --pairs 100 --data-seed 9 --out "$scratch/pairs.tsv" >/dev/null 2>"$scratch/stderr"
"$program" evaluate --model "$scratch/additive" --corpus "$scratch/pairs.tsv" >"$scratch/stdout" 2>"$scratch/stderr" || fail "evaluate"
grep -q '"bleu"' "$scratch/stdout" || fail "evaluate says nothing"

# Every value of a pass by its name.
python3 - "$scratch/batch.safetensors" <<'P'
import json, struct, sys
rows = {"source": [[4, 5, 6, 3]], "target_in": [[2, 6, 5, 4]], "target_out": [[6, 5, 4, 3]]}
header, data = {}, b""
for name, value in rows.items():
    raw = struct.pack("<4i", *value[0])
    header[name] = {"dtype": "I32", "shape": [1, 4], "data_offsets": [len(data), len(data) + len(raw)]}
    data += raw
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
open(sys.argv[1], "wb").write(struct.pack("<Q", len(text)) + text + data)
P
"$program" trace --model "$scratch/additive" --batch "$scratch/batch.safetensors" --out "$scratch/trace.safetensors" \
  --gradients "$scratch/gradients.safetensors" >"$scratch/stdout" 2>"$scratch/stderr" || fail "trace"
grep -q '"gradient_norm"' "$scratch/stdout" || fail "trace says nothing"
for name in encoder.embedded encoder.reset_l0 decoder.state_l0 attention.weights attention.context logits; do
  head -c 3000 "$scratch/trace.safetensors" | grep -qaF "\"$name\"" || fail "no $name in the trace"
done
head -c 3000 "$scratch/gradients.safetensors" | grep -qaF '"encoder.weight_ih_l0"' || fail "no gradient by its name"

# What it does not have is one sentence.
for option in "--heads 4" "--positions none" "--preset tiny" "--dropout 0.1" "--freeze source" "--extra-padding 3" "--unmasked-padding cross" "--fine-tune x"; do
  refused 2 "${option%% *} is for Transformers alone" "${learn[@]}" $option --out "$scratch/never"
done
refused 2 "--width is of a recurrent model; add --architecture recurrent" train --task copy --width 8 --out "$scratch/never"
refused 2 "a resumed run keeps its model" train --resume "$scratch/part" --architecture recurrent
refused 2 "--peak cannot be changed in a resumed run" train --resume "$scratch/part" --peak 2
refused 1 "there is a model already" "${learn[@]}" --steps 1 --out "$scratch/part"
[ ! -e "$scratch/never" ] || fail "a refused run leaves a folder"
refused 1 "--what-if is for Transformers alone" translate --model "$scratch/dot" --what-if 'no causal mask'
refused 1 "--gradient-trace is for Transformers alone" trace --model "$scratch/dot" --batch "$scratch/batch.safetensors" \
  --out "$scratch/t" --gradient-trace "$scratch/g"
recurrent="this is a recurrent model, and a Transformer is wanted here"
refused 1 "$recurrent" step --model "$scratch/dot" --batch "$scratch/batch.safetensors" --steps 1 --schedule constant --out "$scratch/s"
refused 1 "$recurrent" heads --model "$scratch/dot"
refused 1 "$recurrent" render --view attention --model "$scratch/dot" --out "$scratch/x.png"

# A folder that is broken, cut off or too large.
broken() {  # words
  refused 1 "$1" translate --model "$scratch/broken" </dev/null
  cp "$scratch"/dot/* "$scratch/broken"
}
cp -r "$scratch/dot" "$scratch/broken"
head -c 2000 "$scratch/dot/weights.safetensors" >"$scratch/broken/weights.safetensors"
broken "weights.safetensors"
sed -i 's/"width": 32/"width": 65536/' "$scratch/broken/config.json"
broken "too small for the model"
sed -i 's/"layers": 1/"layers": 3/' "$scratch/broken/config.json"
broken "is missing"
sed -i 's/"dot"/"query"/' "$scratch/broken/config.json"
broken "recurrent_attention must be"
echo '{"architecture": "recurrent"' >"$scratch/broken/config.json"
broken "config.json"
rm "$scratch/broken/weights.safetensors"
broken "weights.safetensors"
echo "A recurrent model on the command line: all is well."
