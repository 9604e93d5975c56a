#!/bin/sh
# How large Chromium's print of a usual report is, how long it takes and how many pages it has. Not part of CI: it needs
# Debian's packages chromium and poppler-utils.
# Usage: tests/print/chromium_print.sh PATH/TO/glassformer
set -eu
program=$(realpath "${1:?path to glassformer}")
for tool in chromium pdfinfo pdftotext; do
  command -v "$tool" >/dev/null || { echo "chromium_print: $tool is missing: apt-get install chromium poppler-utils"; exit 1; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
  echo "chromium_print: $*" >&2
  exit 1
}
# measure NAME OPTIONS...: a report with these options, printed.
measure() {
  name=$1
  shift
  "$program" report "$@" --out "$scratch/$name" >/dev/null
  figures=$(ls "$scratch/$name"/figures/*.svg | wc -l)
  start=$(date +%s%N)
  chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --no-pdf-header-footer --user-data-dir="$scratch/$name-profile" \
    --print-to-pdf="$scratch/$name.pdf" "file://$scratch/$name/index.html" >"$scratch/said" 2>&1 || fail "chromium: $(tail -n 3 "$scratch/said")"
  milliseconds=$((($(date +%s%N) - start) / 1000000))
  bytes=$(stat -c %s "$scratch/$name.pdf")
  pages=$(pdfinfo "$scratch/$name.pdf" | sed -n 's/^Pages: *//p')
  echo "$name: $figures figures, $bytes bytes, $milliseconds ms, $pages pages of A4"
  [ "$bytes" -le 3000000 ] || fail "$name: more than 3 MB"
  [ "$milliseconds" -le 5000 ] || fail "$name: more than 5 s"
}
measure usual --source "the cat sees a small bird"
[ "$pages" -le 4 ] || fail "more than four pages"
measure hatched --source "the tired girl sees a red car" --views masks,attention:decoder,head:decoder,what-if,tokens,lookup
