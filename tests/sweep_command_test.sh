#!/bin/sh
# A sweep from its file to its tables: stopped and gone on with, a broken run beside whole ones, files of others kept.
# Usage: sweep_command_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"
cd "$scratch"
exec 3>&2 2>"$scratch/stderr"
fail() {
  echo "sweep_command_test: $*" >&3
  cat "$scratch/stderr" >&3
  exit 1
}

cat >a.sweep <<'END'
base = --task copy --symbols 6 --length 5 --pairs 400 --preset nano --steps 30 --threads 1
vary layers = 1, 2
variant "3 heads" = --heads 3
seeds = 1, 2
test = held-out 40
END
code=0
"$program" sweep a.sweep --out out --at-once 2 >table || code=$?
[ "$code" -eq 1 ] || fail "a broken run is not told by the exit code: $code"
grep -q '^layers 2  *2 .*±' table || fail "no mean and deviation: $(cat table)"
grep -q '^3-heads-seed1: .*heads' table || fail "the sentence of the broken run is missing: $(cat table)"
[ "$(wc -l <out/results.csv)" -eq 7 ] || fail "results.csv has not a line a run"
grep -q '\\toprule' out/results.tex || fail "no table for LaTeX"
[ -f out/layers-1-seed2/weights.safetensors ] || fail "a run has no folder"
grep -q '"test_pairs": *40' out/layers-1-seed2/training.json || fail "the test pairs are not kept from the run"

# What train notes of a setting is repeated, once for all of its seeds.
cat >notes.sweep <<'END'
base = --task copy --symbols 6 --length 5 --pairs 200 --preset nano --steps 1 --threads 1
variant "stays" = --freeze source
seeds = 1, 2
test = held-out 10
END
"$program" sweep notes.sweep --out notes >said 2>told || fail "no sweep with frozen embeddings"
[ "$(grep -c 'note: the source embedding keeps the random numbers' told)" -eq 1 ] || fail "not noted once: $(cat told)"

# Recurrent models beside a Transformer, in one table that says which; the same weights as by hand.
cat >kinds.sweep <<'END'
base = --task copy --symbols 6 --length 5 --pairs 400 --steps 30 --threads 1
vary architecture = transformer, recurrent
variant "two layers" = --architecture recurrent --layers 2
test = held-out 40
END
"$program" sweep kinds.sweep --out kinds >table || fail "no sweep over both kinds: $(cat table)"
grep -q '^setting  *architecture  *seeds' table && grep -q '^two layers  *recurrent  *1 ' table || fail "the kind is not told: $(cat table)"
grep -q '^architecture transformer  *transformer  *1 ' table || fail "the Transformer is not told: $(cat table)"
[ "$(grep -c ',recurrent,' kinds/results.csv)" -eq 2 ] || fail "the kind is not in results.csv"
grep -q '{llrrrr}' kinds/results.tex && grep -q 'two layers & recurrent & 1' kinds/results.tex || fail "the kind is not in results.tex"
grep -q '"architecture": *"recurrent"' kinds/architecture-recurrent-seed1/config.json || fail "no recurrent model is trained"
grep -q '"layers": *2' kinds/two-layers-seed1/config.json || fail "its layers are those of another kind"
"$program" train --architecture recurrent --layers 2 --task copy --symbols 6 --length 5 --pairs 400 --steps 30 --test-pairs 40 \
  --threads 1 --out recurrent-by-hand >said
cmp -s recurrent-by-hand/weights.safetensors kinds/two-layers-seed1/weights.safetensors || fail "a recurrent run is not that of train"

# What is finished is not run again; --json says the same.
before=$(stat -c %Y%i out/layers-1-seed1/weights.safetensors)
code=0
"$program" sweep a.sweep --out out --json >json || code=$?
[ "$before" = "$(stat -c %Y%i out/layers-1-seed1/weights.safetensors)" ] || fail "a finished run was run again"
python3 - json <<'END' || fail "the JSON is not that of the table"
import json, sys
result = json.load(open(sys.argv[1]))
assert len(result["runs"]) == 6 and result["settings"][0]["exact_match"]["seeds"] == 2, result
assert sum(each["sentences"] for each in result["runs"][0]["by_length"]) >= 40, result
END

# The same weights as one training by hand.
"$program" train --task copy --symbols 6 --length 5 --pairs 400 --preset nano --steps 30 --test-pairs 40 --encoder-layers 2 \
  --decoder-layers 2 --seed 2 --out by-hand >said
cmp -s by-hand/weights.safetensors out/layers-2-seed2/weights.safetensors || fail "a run is not that of train"

# Stopped in the middle, and gone on with.
sed -e 's/--steps 30/--steps 3000 --history 1/; s/^seeds.*/seeds = 1/; /3 heads/d' a.sweep >b.sweep
"$program" sweep b.sweep --out long >said &
sweep=$!
for i in $(seq 100); do [ -f long/layers-1-seed1/training.json ] && break; sleep .1; done
sleep 1
kill -INT $sweep
wait $sweep || fail "a stopped sweep fails"
grep -q 'stopped by request' said || fail "not said: $(cat said)"
[ -f long/layers-1-seed1/training.json ] || fail "nothing was saved"
newest_kept() { ls long/layers-1-seed1/history | sort -n | tail -n 1; }
stopped_at=$(newest_kept)
sed -i 's/--steps 3000/--steps 2999/' b.sweep
code=0
"$program" sweep b.sweep --out long >said 2>message || code=$?
[ "$code" -eq 1 ] && grep -q 'other options' message || fail "other options go on with the run: $(cat message)"
sed -i 's/--steps 2999/--steps 3000/' b.sweep
"$program" sweep b.sweep --out long --at-once 2 >table || fail "it does not go on"
grep -q '^layers-1-seed1: goes on' "$scratch/stderr" || fail "it begins anew"
"$program" runs --folder long | grep -q 'layers-1-seed1: step 3000' || fail "it does not end"
[ "$(newest_kept)" != "$stopped_at" ] || fail "no step is kept any more since it goes on"

# Files of others stay.
mkdir -p other/layers-1-seed1
echo mine >other/results.csv
code=0
"$program" sweep a.sweep --out other >said 2>message || code=$?
[ "$code" -eq 1 ] && [ "$(cat other/results.csv)" = mine ] || fail "a file of somebody was replaced"
rm other/results.csv
cp -r by-hand/. other/layers-1-seed1
code=0
"$program" sweep a.sweep --out other >table || code=$?
grep -q '^layers-1-seed1: .*there is a model already' table || fail "a model of somebody was taken: $(cat table)"
cmp -s by-hand/weights.safetensors other/layers-1-seed1/weights.safetensors || fail "a model of somebody was changed"

# Wrong files.
wrong() {
  printf '%s\n' "$2" >wrong.sweep
  code=0
  "$program" sweep wrong.sweep --out never >said 2>message || code=$?
  [ "$code" -eq 1 ] && [ "$(wc -l <message)" -eq 1 ] && grep -qF "$1" message || fail "not refused by \"$1\": $(cat message)"
  [ ! -e never ] || fail "a folder was made"
}
wrong 'wrong.sweep:2: expected options that train takes' 'base = --task copy
vary hats = 2
test = held-out 5'
wrong 'wrong.sweep:2: expected options that train takes, found in "width 8": --preset is for Transformers alone' \
  'base = --task copy --architecture recurrent --preset nano
vary width = 8
test = held-out 5'
wrong 'wrong.sweep:3: expected' 'base = --task copy
vary heads = 2
vary pairs = 10, 20
test = held-out 5'
wrong 'absent.tsv' 'base = --task copy
vary heads = 2
test = absent.tsv'
head -c 2000000 /dev/zero >zeros.sweep
code=0
"$program" sweep zeros.sweep --out never >said 2>message || code=$?
[ "$code" -eq 1 ] && [ ! -e never ] || fail "zeros are read"
printf 'a b\tb a\nb\tb\n' >pairs.tsv
printf 'base = --task copy --preset nano --steps 3 --pairs 100\nvariant "it" =\ntest = pairs.tsv\n' >file.sweep
"$program" sweep file.sweep --out file >table || fail "a test file is not taken: $(cat table)"
grep -q '2 pairs of pairs.tsv' table || fail "not scored on the file"
