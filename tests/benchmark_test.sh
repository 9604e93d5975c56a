#!/usr/bin/env bash
# The benchmark measures what it is asked for; how long anything takes is no test.
set -uo pipefail
source "$(dirname "$0")/command_helpers.sh"

refused() {
  local words=$1
  shift
  "$program" "$@" >/dev/null 2>"$scratch/stderr"
  [ $? -eq 2 ] || fail "is not refused: $*"
  grep -qF -- "$words" "$scratch/stderr" || fail "\"$words\" is not said: $*"
}
for option in --seconds --dropout; do refused "$option" $option nan; done
refused "--profile measures training alone; leave out --what beam" --profile --what beam
! GLASSFORMER_ENGINE=avx3 "$(dirname "$0")/benchmark/run" 2>"$scratch/stderr" || fail "an engine that there is not is used"
grep -qF 'is avx512, avx2 or sse2, not "avx3"' "$scratch/stderr" || fail "the engines are not named"

# `measured WHAT CONDITION SECONDS`: the condition holds of r, the answer.
measured() {
  local what=$1 condition=$2
  "$program" --preset nano --what "$what" --seconds "${3:-0.2}" --threads 1 2>"$scratch/stderr" |
    python3 -c "import json, sys; r = json.load(sys.stdin)['$what']; assert ($condition)" 2>>"$scratch/stderr" ||
    fail "$what is not measured"
}
measured train 'r["tokens_per_s"] > 0 and r["median_ms"] > 0'
measured greedy 'r["batch_1"]["tokens_per_s"] > 0 and r["batch_32"]["tokens_per_s"] > 0'
measured recurrent 'r["one_vector"]["median_ms"] > 0 and r["additive"]["tokens_per_s"] > 0'
measured history 'r["tokens_per_s"] > 0 and r["without_tokens_per_s"] > 0 and r["cost"] < 1'
measured pair 'r["alone_tokens_per_s"] > 0 and r["first_share"] > 0 and r["second_share"] > 0'
measured window 'r["frame"]["median_ms"] > r["frame"]["interface_median_ms"] > 0 and r["alone_tokens_per_s"] > 0 and
  r["tokens_per_s"] > 0 and r["cost"] < 1'
measured watch 'r["frame"]["median_ms"] > 0 and r["alone_tokens_per_s"] > 0 and r["tokens_per_s"] > 0 and r["cost"] < 1'
measured walk 'r["trace_ms"] > 0 and r["steps"] > 100 and r["frame"]["longest_ms"] >= r["frame"]["median_ms"] > 0'
measured slider 'r["kept_steps"] > 5 and r["answer"]["longest_ms"] >= r["answer"]["median_ms"] > 0' 0.5
measured begin 'r["at_once_ms"] > 0 and r["later_ms"] > 0'
