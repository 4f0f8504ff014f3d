#!/usr/bin/env bash
# One self-contained program: builds it, checks that it needs nothing but the C library, starts it
# in an empty root, and packs it with completions and manual pages.
#
#   scripts/binary.sh [OUT]            OUT defaults to dist/
#   PROFILE=dev scripts/binary.sh      quick, for trying the script
#   BINARY=path scripts/binary.sh      checks and packs a program that is there already
#
# The build has what released binaries have: features turbojpeg (needs cmake and nasm) and parquet.
# The empty root needs unshare (util-linux) and either root or user namespaces.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:-dist}
profile=${PROFILE:-release}
target=${CARGO_TARGET_DIR:-target}

if [ -z "${BINARY:-}" ]; then
  cargo build --locked --package verispec --features turbojpeg,parquet --profile "$profile"
  [ "$profile" = dev ] && BINARY=$target/debug/verispec || BINARY=$target/$profile/verispec
fi

# The C library comes in several files; anything else would have to be installed first.
needed=$(ldd "$BINARY" | awk '$2 == "=>" {print $3; next} $1 ~ /^\// {print $1}')
for library in $needed; do
  case $(basename "$library") in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libgcc_s.so.* | ld-linux*) ;;
    *)
      echo "the program needs $library, which is no part of the C library" >&2
      exit 1
      ;;
  esac
done
echo "needs: $(for l in $needed; do basename "$l"; done | tr '\n' ' ')"

# A root with the program, these libraries and a folder for temporary files, and nothing else.
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/tmp"
for library in $needed; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
cp "$BINARY" "$root/verispec"
inside() { unshare --map-root-user --root="$root" --wd=/tmp /verispec "$@"; }
inside --version
inside demo --out demo --json >"$root/demo.json"
grep -q '"kind": "scores"' "$root/demo.json"
echo "demo in an empty root: $(grep -c '"model"' "$root/demo.json") models scored"

name=verispec-$("$BINARY" --version | cut -d' ' -f2)-$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]')
stage=$root/stage/$name
mkdir -p "$stage/completions" "$stage/man"
cp "$BINARY" LICENSE README.md "$stage/"
for shell in bash zsh fish powershell elvish; do
  "$BINARY" completions "$shell" >"$stage/completions/verispec.$shell"
done
"$BINARY" man --out "$stage/man" >/dev/null
mkdir -p "$out"
tar -C "$root/stage" -czf "$out/$name.tar.gz" "$name"
echo "$out/$name.tar.gz: $(wc -c <"$out/$name.tar.gz") bytes, $(ls "$stage/man" | wc -l) manual pages"
