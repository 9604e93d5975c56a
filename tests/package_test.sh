#!/bin/bash
# What a package brings beside the program: the manual page, completion, the desktop entry's names.
# Usage: package_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"
: >"$scratch/stderr"

"$root/app/man-page" "$program" >"$scratch/page"
for command in $("$program" --help | sed '1,/^Subcommands:/d' | awk 'NF { print $1 }'); do
  grep -qx "\.SS $command" "$scratch/page" || fail "the manual page lacks $command"
  for option in $("$program" "$command" --help | grep -oE '^  --[a-z0-9-]+'); do
    awk -v name=".SS $command" '/^\.S[SH]/ { at = $0 == name } at' "$scratch/page" | tr -d '\\' | grep -q -- "^\.B $option" ||
      fail "the manual page lacks $command $option"
  done
done
if command -v groff >/dev/null; then
  [ -z "$(groff -man -Tutf8 -K utf8 -ww "$scratch/page" 2>&1 >/dev/null)" ] || fail "groff complains of the manual page"
fi

# completed WORDS...: what follows the last word, in one line.
. "$root/assets/completion.bash"
completed() {
  COMP_WORDS=("$program" "$@") COMP_CWORD=$#
  _glassformer
  echo "${COMPREPLY[*]}"
}
[ "$(completed tra)" = "train translate trace" ] || fail "tra is completed to: $(completed tra)"
[ "$(completed train --task re)" = "reverse recall" ] || fail "--task re: $(completed train --task re)"
[ "$(completed --the)" = --theme ] || fail "--the: $(completed --the)"
[ "$(completed --theme "")" = "light dark" ] || fail "--theme: $(completed --theme "")"
[ -z "$(completed train --corpus mo)" ] || fail "a file is not left to the shell"

for name in "$(sed -n 's/^Exec=//p' "$root/assets/glassformer.desktop")" "$(sed -n 's:.*<binary>\(.*\)</binary>:\1:p' "$root/assets/glassformer.metainfo.xml")"; do
  [ "$name" = "$(basename "$program")" ] || fail "$name is not the program's name"
done

# A copy without git, as from an archive, is configured: it says that it knows no commit.
mkdir "$scratch/copy"
(cd "$root" && tar -c --exclude=./build* --exclude=./.git .) | tar -x -C "$scratch/copy"
cmake -S "$scratch/copy" -B "$scratch/copy/build" -G Ninja >"$scratch/stdout" 2>"$scratch/stderr" || fail "a copy without git is not configured"
grep -q "unknown commit" "$scratch/copy/build/build.ninja" || fail "a copy without git knows a commit"
