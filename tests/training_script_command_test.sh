#!/bin/sh
# A run that is learned elsewhere, by the script that the program writes: its loss and gradient are those of `trace`, its
# steps those of `train`, two processes compute what one does, and its folder opens and is resumed here.
# Left out where python3-torch is missing.
# Usage: training_script_command_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"
python=/usr/bin/python3
"$python" -c 'import numpy, torch' 2>/dev/null || { echo "python3-torch is missing: PyTorch is left out"; exit 77; }
numbers="$root/tests/training_numbers.py"
export OMP_NUM_THREADS=1

quiet() { "$@" >"$scratch/stdout" 2>"$scratch/stderr" || fail "$*"; }
refused() {  # WORDS COMMAND...: exit status 1 and one line that says so
  words=$1
  shift
  "$@" >"$scratch/stdout" 2>"$scratch/stderr" && fail "$* was not refused"
  [ "$(wc -l <"$scratch/stderr")" = 1 ] || fail "$*: not one line"
  grep -q "$words" "$scratch/stderr" || fail "$*: not said: $words"
}
learn() { script=$1; shift; quiet "$python" "$scratch/$script/train.py" "$@"; }
same() { worst=$("$python" "$numbers" "$@" 2>"$scratch/stderr") || fail "$*: $worst"; echo "$*: $worst" | sed "s|$scratch/||g"; }

# begun NAME OPTIONS...: a model as it begins, and its script.
options="--task reverse --preset nano --pairs 300 --length 6 --max-length 16 --warmup 10"
begun() {
  name=$1
  shift
  quiet "$program" train $options --batch-tokens "$tokens" --steps 0 --out "$scratch/$name" "$@"
  quiet "$program" export --model "$scratch/$name" --training-script --out "$scratch/$name-script"
}

# The loss and the gradient of one batch, for models that are put together in several ways.
tokens=256
begun paper
begun since-2017 --positions rotary --norm-kind rms --norm pre --feed-forward swiglu --attention-activation relu
begun shared --sharing all --shared-vocabulary --embedding-norm true --dropout 0.3
for name in paper since-2017 shared; do
  at=$scratch/$name-script
  "$python" "$at/train.py" --check >"$at.theirs" 2>"$scratch/stderr" || fail "$name: --check"
  "$program" trace --model "$at" --batch "$at/check.safetensors" --out "$at.trace" >"$at.ours" 2>"$scratch/stderr" || fail "$name: trace"
  same check "$at.ours" "$at.theirs"
done

# Twenty-four steps, over several epochs, are the program's: losses, rates and gradients, weights, history, looks.
quiet "$program" train $options --batch-tokens $tokens --steps 24 --validate-every 8 --total-steps 40 --history 8 --out "$scratch/ours"
begun start --validate-every 8 --total-steps 40
learn start-script --steps 24 --keep-every 5 --out "$scratch/theirs"
same runs "$scratch/ours" "$scratch/theirs"
[ "$(ls "$scratch/theirs/history" | sort -n | tr '\n' ' ')" = "0.safetensors 5.safetensors 10.safetensors 15.safetensors 20.safetensors 24.safetensors " ] ||
  fail "history: $(ls "$scratch/theirs/history")"

# Two processes are one.
learn start-script --steps 1 --workers 1 --out "$scratch/one"
learn start-script --steps 1 --workers 2 --out "$scratch/two"
same weights "$scratch/one" "$scratch/two" 1e-6
tokens=8
begun few
learn few-script --steps 2 --workers 3 --out "$scratch/three"  # more of them than sentences in a batch
learn few-script --steps 2 --workers 1 --out "$scratch/alone"
same weights "$scratch/alone" "$scratch/three" 1e-6

# It is resumed where it was: there, by either program, as if it had never ended.
learn start-script --steps 16 --keep-every 8 --workers 2 --out "$scratch/half"
cp -r "$scratch/half" "$scratch/half-here"
learn start-script --resume "$scratch/half" --steps 24 --workers 1
same runs "$scratch/theirs" "$scratch/half"
quiet "$program" train --resume "$scratch/half-here" --steps 24 --history 8
same runs "$scratch/theirs" "$scratch/half-here"
learn start-script --resume "$scratch/half-here" --steps 26
grep -q "rate is 0" "$scratch/stderr" && fail "the schedule ends at step 40"
quiet "$program" train --resume "$scratch/half-here" --steps 28

# It opens: scores, curves, held-out translations, a step of the slider, Diagnosis.
quiet "$program" runs --folder "$scratch" --out "$scratch/csv"
[ "$(wc -l <"$scratch/csv/theirs.csv")" = "$(wc -l <"$scratch/csv/ours.csv")" ] || fail "other curves"
[ "$(wc -l <"$scratch/csv/theirs.diagnosis.csv")" = "$(wc -l <"$scratch/csv/ours.diagnosis.csv")" ] || fail "other looks"
echo "a b c" >"$scratch/lines"
"$program" translate --model "$scratch/theirs" <"$scratch/lines" >"$scratch/text" 2>"$scratch/stderr" || fail "translate"
"$python" "$scratch/start-script/load.py" --folder "$scratch/theirs" --translate <"$scratch/lines" >"$scratch/torch" 2>"$scratch/stderr" || fail "load.py"
cmp -s "$scratch/text" "$scratch/torch" || fail "load.py translates otherwise"
for view in training diagnosis forming; do
  for run in ours theirs; do
    "$program" render --view $view --model "$scratch/$run" --source "a b c" --text --out "$scratch/$view.png" \
      >"$scratch/$view.$run" 2>"$scratch/stderr" || fail "render $view of $run"
  done
done
quiet "$program" render --view attention --model "$scratch/theirs" --at-step 10 --source "a b c" --out "$scratch/step.svg"

# bfloat16, dropout, other pairs.
learn shared-script --steps 3 --mixed --workers 2 --out "$scratch/mixed"
quiet "$program" export --model "$scratch/paper" --training-script --task copy --pairs 60 --length 5 --out "$scratch/copy-script"
learn copy-script --steps 2 --out "$scratch/copy"

# torchrun and SLURM name the place of a process in its environment.
for rank in 0 1; do
  RANK=$rank WORLD_SIZE=2 LOCAL_RANK=$rank MASTER_ADDR=127.0.0.1 MASTER_PORT=29631 \
    "$python" "$scratch/start-script/train.py" --steps 1 --out "$scratch/torchrun" 2>"$scratch/stderr.$rank" &
done
wait
same weights "$scratch/one" "$scratch/torchrun" 1e-6
for rank in 0 1; do
  SLURM_PROCID=$rank SLURM_NTASKS=2 SLURM_LOCALID=0 SLURM_STEP_NODELIST=localhost SLURM_JOB_ID=9632 \
    "$python" "$scratch/start-script/train.py" --steps 1 --out "$scratch/slurm" 2>"$scratch/stderr.$rank" &
done
wait
same weights "$scratch/one" "$scratch/slurm" 1e-6

# changed NAME CODE: a copy of a run, its training.json `r` changed.
changed() {
  cp -r "$scratch/theirs" "$scratch/$1"
  "$python" - "$scratch/$1/training.json" "$2" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(r, open(sys.argv[1], "w"))
END
}
resume() { "$python" "$scratch/start-script/train.py" --workers "$1" --resume "$scratch/$2" --steps "$3"; }

# Behind the end of its schedule, either program says that the rate is 0.
changed over 'r["schedule"]["total_steps"] = 24'
quiet resume 1 over 25
grep -q "^note: the schedule's learning rate is 0 from step 24 on$" "$scratch/stderr" || fail "train.py: no note"
quiet "$program" train --resume "$scratch/over" --steps 26
grep -q "^note: the schedule's learning rate is 0 from step 24 on$" "$scratch/stderr" || fail "glassformer: no note"

# A save that was cut short is mended, by the first process alone; what is renamed is on the disk before.
changed cut 'r["files"]["best"] = "best-24.weights.safetensors"'
cp "$scratch/one/weights.safetensors" "$scratch/cut/best-24.weights.safetensors"
touch "$scratch/cut/history/99.safetensors"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$scratch/start-script" "$python" - "$scratch/cut" 2>"$scratch/stderr" <<'END' || fail "run.py"
import os, sys
from pathlib import Path
import run, torch
folder, synced, sync, replace = Path(sys.argv[1]), set(), os.fsync, os.replace
os.fsync = lambda file: (synced.add(os.readlink(f"/proc/self/fd/{file}")), sync(file))
def replace_synced(part, path):
    assert os.path.realpath(part) in synced, part
    replace(part, path)
os.replace = replace_synced
run.read(folder)
assert (folder / "best-24.weights.safetensors").exists() and (folder / "history/99.safetensors").exists()
run.write_text(folder / "text", "one")
run.write_tensors(folder / "tensors", {"one": torch.ones(1)})
END
quiet resume 2 cut 25
cmp -s "$scratch/one/weights.safetensors" "$scratch/theirs/weights.safetensors" && fail "the same weights"
[ ! -e "$scratch/cut/best-24.weights.safetensors" ] && [ ! -e "$scratch/cut/history/99.safetensors" ] || fail "not mended"

# Only the one that writes a folder may: neither program beside another.
refused "being trained" flock "$scratch/theirs" "$python" "$scratch/start-script/train.py" --workers 2 --resume "$scratch/theirs" --steps 30
# stopped WHERE ARGUMENTS...: as by Ctrl-C in a function of learn.py, while which glassformer must be kept out.
stopped() {
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$scratch/start-script" "$python" - "$program" "$scratch/locked" "$scratch/start-script/train.py" "$@" \
    >"$scratch/stdout" 2>"$scratch/stderr" <<'END' || return 0
import runpy, subprocess, sys
import learn
program, out, script, where = sys.argv[1:5]
def stop(*_):
    if where == "step":
        other = subprocess.run([program, "train", "--resume", out, "--steps", "30"], capture_output=True, text=True)
        assert "being trained" in other.stderr, other.stderr
    raise KeyboardInterrupt
setattr(learn.Training if where == "step" else learn, where, stop)
sys.argv = [script, *sys.argv[5:]]
runpy.run_path(script, run_name="__main__")
END
  fail "$* was not stopped"
}
stopped step --steps 20 --out "$scratch/locked"
[ "$(cat "$scratch/stderr")" = "train.py: stopped; --resume $scratch/locked resumes the last save" ] || fail "stopped"
stopped gradient_norm --check
[ "$(cat "$scratch/stderr")" = "train.py: stopped" ] || fail "stopped in --check"

# What cannot be done, in a sentence.
echo mine >"$scratch/outside"
for name in '"../outside"' '".glassformer"' 'None'; do
  rm -rf "$scratch/elsewhere"
  changed elsewhere "r['files']['averages'] = $name"
  touch "$scratch/elsewhere/history/99.safetensors"
  refused "name that leads elsewhere" resume 1 elsewhere 25
  [ -e "$scratch/outside" ] && [ -e "$scratch/elsewhere/history/99.safetensors" ] || fail "$name: something was touched"
done
refused "holds another model.*norm_kind" "$python" "$scratch/since-2017-script/train.py" --resume "$scratch/theirs" --steps 25
changed averaged 'r["options"]["average"] = 2'
refused "the mean of several" resume 2 averaged 25
changed minutes 'r["options"]["minutes"] = 1.5'
refused "ends by minutes" resume 2 minutes 25
changed patient 'r["options"]["patience"] = 2; r["validation"]["without_improvement"] = 2'
refused "2 validations without a better" resume 2 patient 25
refused "name a new folder" "$python" "$scratch/start-script/train.py"
refused "is there already" "$python" "$scratch/start-script/train.py" --out "$scratch/theirs"
refused "holds no run" "$python" "$scratch/start-script/train.py" --resume "$scratch/nowhere"
refused "other pairs" "$python" "$scratch/copy-script/train.py" --resume "$scratch/theirs"
refused "ask for more" "$python" "$scratch/start-script/train.py" --resume "$scratch/theirs" --steps 24
refused "leave out --workers" env RANK=0 WORLD_SIZE=1 LOCAL_RANK=0 "$python" "$scratch/start-script/train.py" --workers 2 --out "$scratch/x"
refused "no training.json" "$program" export --model "$scratch/copy-script" --training-script --out "$scratch/x"
mkdir "$scratch/mine"
echo mine >"$scratch/mine/notes"
refused "other things than an export" "$program" export --model "$scratch/paper" --training-script --out "$scratch/mine"
quiet "$program" train $options --steps 0 --mask-future false --out "$scratch/leaky"
refused "on purpose (mask_future)" resume 2 leaky 1
refused "mask_future false" "$program" export --model "$scratch/leaky" --training-script --out "$scratch/x"
[ ! -e "$scratch/x" ] || fail "something was left behind"
quiet "$program" export --model "$scratch/paper" --training-script --out "$scratch/paper-script"  # again
