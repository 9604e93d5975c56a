#!/bin/sh
# Studies on the command line: listed, shown, run, run again with other seeds, and refused.
# Usage: study_command_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"
cd "$scratch"
exec 3>&2 2>"$scratch/stderr"
fail() {
  echo "study_command_test: $*" >&3
  cat "$scratch/stderr" >&3
  exit 1
}

"$program" study --help | grep -q 'study warm-up --run' || fail "no help"
"$program" study >list || fail "no list"
for study in "$root"/assets/studies/*.study; do
  grep -q "^$(basename "$study" .study) " list || fail "$study is not listed"
done
"$program" study --json | python3 -c 'import json, sys; assert all(each["claim"] and each["rules"] for each in json.load(sys.stdin))' ||
  fail "the list as JSON lacks claims"

# One of one's own.
cat >own.study <<'END'
title = Layers
claim = Two layers are better than one.
source = nobody
expect = 10 %, nothing in so few steps
base = --task copy --symbols 6 --length 5 --pairs 400 --preset nano --steps 20
vary layers = 1, 2
seeds = 1, 2
test = held-out 40
measure = exact, bleu, loss, calibration, saturated, exact 1-3
verdict = loss of "layers 2" below loss of "layers 1"
verdict = loss of "layers 2" within 100 of loss of "layers 1"
END
"$program" study own.study >said || fail "an own study is not shown"
grep -q '^Claim: Two layers' said && grep -q '^Expected: 10 %, nothing' said && grep -q '^Verdict: not run yet' said || fail "not shown: $(cat said)"
"$program" study own.study --run --out out --at-once 2 --threads 1 --seeds 1,2 >said 2>told || fail "it does not run: $(cat told)"
grep -q '^layers 2  *2 .*±' said || fail "no table: $(cat said)"
grep -q '^Holds (claimed: at most 100 apart): loss with “layers 2” is [0-9.]*, with “layers 1”' said || fail "no sentence: $(cat said)"
grep -q 'trained (. of 4, about .* left)' told || fail "the time left is not said: $(cat told)"
[ "$(head -n 1 out/own.csv)" = 'setting,seed,steps,exact,bleu,loss,calibration,saturated,exact 1-3,seconds,processor,version' ] || fail "other columns: $(head -n 1 out/own.csv)"
[ "$(grep -c '^layers [12],[12],20,' out/own.csv)" -eq 4 ] || fail "not a line a run: $(cat out/own.csv)"
[ ! -e own.csv ] || fail "results are written beside the study unasked"

# The same again trains nothing, and gives the same results; --write puts them beside the study.
cp out/own.csv before.csv
"$program" study own.study --run --out out --write >again 2>told || fail "not again"
cmp -s before.csv out/own.csv && cmp -s before.csv own.csv && ! grep -q begins told || fail "other results"
if "$program" study own.study --run --out out --seeds 3 --write >again 2>told; then fail "results of other seeds replace those beside the study"; fi
"$program" study own.study --run --out out --seeds 3 --json >json 2>told || fail "no third seed"
python3 - json <<'END' || fail "the JSON is not that of the run: $(cat json)"
import json, sys
result = json.load(open(sys.argv[1]))
assert result["finished"] and result["runs"] == 2 and result["rules"][0]["verdict"] == "undecided", result
assert result["settings"][1]["figures"]["calibration"]["seeds"] == 1, result
END

# The smallest that comes with the program.
"$program" study rms-norm --run --out rms --seeds 1 --at-once 2 --threads 1 >said || fail "rms-norm does not run"
grep -q '^Undecided (.*one seed' said && grep -q '^One seed cannot decide; the known results say: holds' said || fail "one seed decides: $(cat said)"
[ -e rms/rms-norm-other-seeds.csv ] && [ ! -e rms/rms-norm.csv ] || fail "other seeds replace the study's own"

# Settings that search differently share a model; what heads, gradients and the search do is measured.
cat >beams.study <<'END'
title = Beams
claim = A beam is better.
source = nobody
expect = 10 %, nothing
base = --source a.txt --target b.txt --preset nano --layers 1 --heads 2 --steps 30 --pieces 40
variant "greedy" =
variant "beam 3" = --beam 3
seeds = 1
test = held-out 20
measure = exact, right-at 1-2, length, search-errors, model-errors, gradient 1-10, lost cross 1.1, lost cross 1, dispensable
verdict = length of "beam 3" above length of "greedy"
END
i=0
while [ $i -lt 120 ]; do
  echo "one two $((i * 7 % 11)) $((i * 5 % 13))" >>mine.txt
  i=$((i + 1))
done
code=0
"$program" study own.study --run --out other --source a.txt --target b.txt >said 2>message || code=$?
[ "$code" -eq 1 ] && grep -q 'data of its own' message || fail "pairs for a study without any are ignored: $(cat message)"
code=0
"$program" study own.study --target b.txt >said 2>message || code=$?
[ "$code" -eq 2 ] || fail "--target alone is taken"
sed 's/^measure = .*/measure = length, alignment muting/' beams.study >words.study
code=0
"$program" study words.study --run --out words --source mine.txt --target mine.txt >said 2>message || code=$?
[ "$code" -eq 1 ] && grep -q 'expected --grammar' message && [ ! -e words ] || fail "alignments of no grammar: $(cat message)"
code=0
"$program" study beams.study --run --out beams >said 2>message || code=$?
[ "$code" -ne 0 ] && grep -q 'its pairs, a.txt, are not there; take a copy' message && [ ! -e beams ] || fail "data that are nowhere are read: $(cat message)"
"$program" study beams.study --run --out shared --source mine.txt --target mine.txt >said 2>told || fail "no pairs of one's own: $(cat told)"
"$program" study beams.study --run --out shared --source mine.txt --target mine.txt >said 2>again || fail "it does not go on"
! grep -q 'begins\|scored' again || fail "the same again does not do nothing: $(cat again)"
[ -d shared/greedy-seed1 ] && [ ! -e shared/beam-3-seed1 ] && grep -q 'trained (1 of 1)' told || fail "the model is not shared: $(cat told)"
python3 - shared/beams.csv <<'END' || fail "what was measured is not as it must be: $(cat shared/beams.csv)"
import csv, sys
greedy, beam = csv.DictReader(open(sys.argv[1]))
for row in greedy, beam:
    wrong = 100 - float(row["exact"])
    assert abs(float(row["search-errors"]) + float(row["model-errors"]) - wrong) < 1e-6, row
    assert float(row["exact"]) <= float(row["right-at 1-2"]) <= 100, row
    assert float(row["gradient 1-10"]) > 0 and float(row["length"]) > 0
    assert 0 <= float(row["dispensable"]) <= 6, row
assert float(greedy["lost cross 1.1"]) == float(beam["lost cross 1.1"]) and greedy["seconds"] == beam["seconds"]
END

# Refused in one line.
wrong() {
  code=0
  "$program" study "$2" >said 2>message || code=$?
  [ "$code" -eq 1 ] && [ "$(wc -l <message)" -eq 1 ] && grep -qF "$1" message || fail "not refused by \"$1\": $(cat message)"
}
wrong 'is none of ' nothing
wrong 'absent.study' absent.study
sed 's/of "layers 1"/of "layers 3"/' own.study >wrong.study
wrong 'wrong.study:10: expected a setting of this study, found "layers 3"' wrong.study
sed -i 's/^layers 2,/layers 3,/' own.csv
wrong 'own.csv:3: expected a setting of own.study, found "layers 3"' own.study
"$program" study own.study --run --out out --write >said 2>message || fail "results of an older form stop a run"
grep -q 'own: the known results are not compared: own.csv:3' message && cmp -s out/own.csv own.csv || fail "not replaced: $(cat message)"
sed 's/--preset nano/--hats 3/' own.study >hats.study
code=0
"$program" study hats.study --run --out never >said 2>message || code=$?
[ "$code" -eq 1 ] && grep -q 'hats.study:6: expected options that train takes' message && [ ! -e never ] || fail "wrong options are run"
head -c 2000000 /dev/zero >zeros.study
code=0
"$program" study zeros.study >said 2>message || code=$?
[ "$code" -eq 1 ] || fail "zeros are read"
code=0
"$program" study --run >said 2>message || code=$?
[ "$code" -eq 2 ] || fail "--run without a name"

# A run that fails is named with its reason, and nothing is compared; what comes with the program is found from here.
sed 's/--task copy --symbols 6 --length 5/--grammar absent.grammar/' own.study >lost.study
cp out/own.csv lost.csv
code=0
"$program" study lost.study --run --out lost >said 2>message || code=$?
[ "$code" -eq 1 ] && tail -1 message | grep -q 'came to its end (layers-1-seed1: .*absent.grammar' || fail "no reason: $(cat message)"
! grep -q 'The known results' said || fail "what did not run is compared: $(cat said)"
"$program" train --grammar assets/grammars/english-french.grammar --pairs 200 --preset nano --steps 1 --out found \
  >said 2>message || fail "the program's own grammar is not found: $(cat message)"
