#!/bin/bash
# Debian 12's ccache 4.7.5 with g++ 12.2.0: a precompiled header, and in a header it reads one comment changed. Where
# the .gch is made anew in an empty build folder, ccache finds the preprocessed text equal (comments are gone from it)
# and gives back the .gch of before; g++ knows a `#pragma once` header in a .gch by size and MD5, so the changed header
# is read a second time. Seen: "preprocessed_cache_hit", then "redefinition of 'struct Chunk'"; with CCACHE_DEPEND=1: "compiles".
set -eu; here=$(mktemp -d); trap 'rm -rf "$here"' EXIT; cd "$here"
apt-get download ccache=4.8+really4.7.5-1 libhiredis0.14=0.14.1-3 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" unpacked; done
ccache=$here/unpacked/usr/bin/ccache; export LD_LIBRARY_PATH=$(dirname "$(find unpacked -name 'libhiredis*' | head -1)" | sed "s|^|$here/|")
export CCACHE_CONFIGPATH=/dev/null CCACHE_SLOPPINESS=pch_defines,time_macros LC_ALL=C
mkdir src && cd src
build() {   # in an empty build folder, each time
  rm -f all.hxx.gch all.d a.o a.d "$here/log"; sleep 2   # ccache passes by headers younger than its own start
  export CCACHE_LOGFILE=$here/log
  "$ccache" g++ -x c++-header -include all.hxx -fpch-preprocess -MD -MF all.d -o all.hxx.gch -c empty.cxx
  grep -o 'preprocessed_cache_[a-z]*' "$here/log" | tail -1 || true
  "$ccache" g++ -Winvalid-pch -include "$PWD/all.hxx" -fpch-preprocess -MD -MF a.d -o a.o -c a.cpp 2>&1 |
    grep -o "redefinition of 'struct Chunk'" || echo compiles
}
for depend in "" 1; do
  export CCACHE_DIR=$here/cache$depend; [ -z "$depend" ] || export CCACHE_DEPEND=1
  printf '#pragma once\nstruct Chunk { int a; };\n' > saved.h
  printf '#pragma once\n#include "saved.h"\n' > all.hxx; : > empty.cxx
  printf '#include "saved.h"\nint f(Chunk c) { return c.a; }\n' > a.cpp
  build >/dev/null
  sed -i 's|int a;|int a; /* size */|' saved.h; sed -i 's|c.a|c.a + 1|' a.cpp
  echo "depend '$depend': $(build | paste -sd, | sed 's/,/, /')"
done > seen; cat seen
grep -q "^depend '': preprocessed_cache_hit, redefinition" seen && grep -q "^depend '1': .*compiles" seen
