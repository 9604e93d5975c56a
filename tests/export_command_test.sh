#!/bin/sh
# PyTorch computes from an exported folder what the program computes: logits to 1e-5, for each choice a model can be
# trained with, and the same translations. Left out where python3-torch is missing.
# Usage: export_command_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"
python=/usr/bin/python3
"$python" -c 'import numpy, torch' 2>/dev/null || { echo "python3-torch is missing: PyTorch is left out"; exit 77; }
numbers="$root/tests/export_numbers.py"

# same NAME: the model in $scratch/NAME, exported.
same() {
  at=$scratch/$1
  "$program" export --model "$at" --to pytorch --out "$at-torch" >"$scratch/stdout" 2>"$scratch/stderr" || fail "$1: export"
  "$python" "$numbers" "$at-torch" batch "$at.batch" 2>"$scratch/stderr" || fail "$1: no batch"
  "$program" trace --model "$at" --batch "$at.batch" --out "$at.trace" >"$at.loss" 2>"$scratch/stderr" || fail "$1: trace"
  "$python" "$at-torch/load.py" --batch "$at.batch" --out "$at.logits" >"$at.torch" 2>"$scratch/stderr" || fail "$1: load.py"
  grep -q '"strict": true' "$at.torch" || fail "$1: not strict"
  worst=$("$python" "$numbers" "$at-torch" compare "$at.batch" "$at.trace" "$at.logits" 2>"$scratch/stderr") || fail "$1: logits differ by $worst"
  "$python" -c 'import json, sys
ours, theirs = (json.load(open(path))["loss"] for path in sys.argv[1:])
assert abs(ours - theirs) < 1e-5, (ours, theirs)' "$at.loss" "$at.torch" 2>"$scratch/stderr" || fail "$1: the loss differs"
  echo "$1: $worst"
}

# trained NAME OPTIONS...: a model of two steps.
trained() {
  name=$1
  shift
  "$program" train --task reverse --preset nano --steps 2 --pairs 200 --length 6 --max-length 16 --out "$scratch/$name" "$@" \
    >"$scratch/stdout" 2>"$scratch/stderr" || fail "$name: train"
  same "$name"
}

trained paper
trained pre-norm --norm pre
trained pre-norm-alone --norm pre --final-norm false
trained rotary --positions rotary
trained alibi --positions alibi
trained alibi-3-heads --positions alibi --heads 3 --d-model 24
trained learned --positions learned
trained no-positions --positions none
trained rms --norm-kind rms --norm pre --embedding-norm true
trained swiglu --feed-forward swiglu
trained relu-attention --attention-activation relu
trained gelu --activation gelu
trained swish --activation swish
trained gelu-sigmoid --activation gelu_sigmoid
trained bare --attention-bias false --output-bias false --attention-scale false --scale-embeddings false --source-eos false
trained shared-output --sharing output --embedding-norm true
trained shared-all --sharing all --shared-vocabulary
trained since-2017 --positions rotary --norm-kind rms --norm pre --feed-forward swiglu --attention-activation relu

# A model that has learned, with words: the same text.
cp -r "$root/models/reverse" "$scratch/reverse"
same reverse
printf 'd a c\nb\na b c d e f\n' >"$scratch/lines"
"$program" translate --model "$scratch/reverse" <"$scratch/lines" >"$scratch/ours" 2>"$scratch/stderr" || fail "translate"
"$python" "$scratch/reverse-torch/load.py" --translate <"$scratch/lines" >"$scratch/theirs" 2>"$scratch/stderr" || fail "load.py --translate"
cmp -s "$scratch/ours" "$scratch/theirs" || fail "the translations differ: $(cat "$scratch/theirs")"
