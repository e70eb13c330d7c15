#!/usr/bin/env bash
# package_test.sh BUILD SOURCE CMAKE CC: installs BUILD into a separate folder, then builds and runs three example hosts
# (docs/examples) against it, with the lines that their documentation gives.
set -euo pipefail
build=$1 source=$2 cmake=$3 cc=$4
prefix=$build/package_test/prefix
work=$build/package_test
rm -rf "$work"
mkdir -p "$work"
fail() { echo "package_test: $*" >&2; exit 1; }
# The targets of a build, a line each, whichever generator CMake has chosen.
targets_of() { "$cmake" --build "$1" --target help | sed -nE 's/^(\.\.\. )?([A-Za-z0-9_.]+)(: [a-z_]+)?$/\2/p'; }

"$cmake" --install "$build" --prefix "$prefix" > "$work/install.log" || { cat "$work/install.log"; fail "installing failed"; }
libdir=$(dirname "$(find "$prefix" -name libtexlate.a)")
library=$libdir/libtexlate.so
[ -e "$library" ] || fail "libtexlate.so was not installed"
[ "$(objdump -p "$library" | awk '/SONAME/ {print $2}')" = libtexlate.so.0 ] || fail "the soname is not libtexlate.so.0"

# What is installed is what `make build` and `make demo` build, without the tests.
for goal in build demo; do
  make -C "$source" -n "$goal" > "$work/make_$goal"
  grep -q -- '--target texlate_installed' "$work/make_$goal" || fail "'make $goal' does not build what is installed"
done
"$cmake" --build "$build" --target texlate_installed > "$work/installed.log" 2>&1 || { cat "$work/installed.log"; fail "texlate_installed does not build"; }
# The documents: README's links lead to files of the installed tree.
documents=$(dirname "$(find "$prefix" -path "*/texlate/README.md")")
grep -oE '\]\([^)#:]+' "$documents/README.md" | cut -c3- | sort -u > "$work/links"
grep -q docs/getting_started.md "$work/links" || fail "README has no links"
while read -r link; do
  [ -e "$documents/$link" ] || fail "the installed README leads to $link, which is not installed"
done < "$work/links"
for file in docs/launch_reflection.schema.json docs/examples/c_driver/main.c shaders/ld_edges.asm shaders/scenes/ld_edges.json; do
  [ -e "$documents/$file" ] || fail "$file is not installed"
done

# The library exports what texlate.h declares, and nothing else.
nm -D --defined-only "$library" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort > "$work/exported"
grep -hoE '\btexlate_[a-z0-9_]+\(' "$prefix"/include/texlate/*.h | tr -d '(' | sort -u > "$work/declared"
diff "$work/declared" "$work/exported" || fail "exported symbols (>) and declared functions (<) differ"
if [ -e "$libdir/libtexlate-vkd3d.so" ]; then
  drop_in=$libdir/texlate-vkd3d/libvkd3d-shader.so.1
  [ "$(readlink -f "$libdir/libtexlate-vkd3d.so")" = "$(readlink -f "$drop_in")" ] || fail "libtexlate-vkd3d.so is not a link to $drop_in"
  nm -D --defined-only "$drop_in" | awk '$2 != "A" {print $3}' | sort > "$work/drop_in"
  sed -n 's/^| `\(vkd3d_shader_[a-z0-9_]*\)`.*/\1@@VKD3D_1_0/p' "$source/docs/vkd3d.md" | sort > "$work/documented_entries"
  diff "$work/documented_entries" "$work/drop_in" || fail "$drop_in exports other functions (>) than docs/vkd3d.md lists (<)"
  # Not a pipe into `grep -q`: it ends at the first match, and ldd then fails if it still has lines to write.
  for library in "$drop_in" "$libdir/libtexlate-vkd3d.so"; do
    ldd "$library" > "$work/needed"
    grep -qF "libtexlate.so.0 => $libdir/" "$work/needed" || fail "$library does not find its library"
  done
fi
sed -n '/^## Every function/,/^## How/p' "$source/docs/c_api.md" > "$work/every_function"
while read -r function; do
  grep -q "\`$function\`" "$work/every_function" || fail "docs/c_api.md, \"Every function\", does not list $function"
done < "$work/declared"

# Every command in docs/library.md must be listed here. The lines below or tests/vkd3d run it.
awk '/^```/ {inside = !inside; plain = $0 == "```"; next} inside && plain' "$source/docs/library.md" | sed 's/ *#.*//' |
  while read -r line; do
    case $line in
      'make package') make -C "$source" -n package > /dev/null ;;
      'cmake -S . -B build -DTEXLATE_BUILD_TESTS=OFF')
        "$cmake" -S "$source" -B "$work/documented" -DTEXLATE_BUILD_TESTS=OFF > "$work/documented.log" 2>&1 ||
          { cat "$work/documented.log"; fail "'$line' failed"; }
        targets_of "$work/documented" > "$work/documented_targets"
        grep -qx texlate_shared "$work/documented_targets" || fail "'$line' has no library"
        ! grep -q '_test$' "$work/documented_targets" || fail "'$line' has tests" ;;
      'cmake --build build') ;;  # the installed build was built this way
      'cmake --install build'*) ;;
      'cc main.c $(pkg-config --cflags --libs texlate) -o plain_c') ;;
      'LD_PRELOAD=libtexlate-vkd3d.so vkd3d-gears') [ -x "$source/tests/vkd3d/demos_test.sh" ] ;;
      *) fail "docs/library.md has a command that no test runs: $line" ;;
    esac
  done

host() { # host NAME ARGUMENT...: builds and runs an example that uses find_package
  local name=$1
  shift
  "$cmake" -S "$source/docs/examples/$name" -B "$work/$name" -DCMAKE_PREFIX_PATH="$prefix" > "$work/$name.log" 2>&1 &&
    "$cmake" --build "$work/$name" >> "$work/$name.log" 2>&1 || { cat "$work/$name.log"; fail "$name does not build"; }
  "$work/$name/$name" "$@" > "$work/$name.out" || { cat "$work/$name.out"; fail "$name failed"; }
}
host c_driver "$source/shaders/ld_edges.asm"
grep -q 'equal' "$work/c_driver.out" || fail "c_driver said: $(cat "$work/c_driver.out")"
host cpp_host "$source/shaders/ld_edges.asm"
grep -q '^\.visible \.entry main' "$work/cpp_host.out" || fail "cpp_host printed no PTX"

# A project in C alone links the static library, too.
mkdir "$work/plain"
cat > "$work/plain/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.25)
project(plain LANGUAGES C)
find_package(texlate 0.3 REQUIRED)
add_executable(plain $source/docs/examples/plain_c/main.c)
target_link_libraries(plain PRIVATE texlate::texlate_static)
END
"$cmake" -S "$work/plain" -B "$work/plain/build" -DCMAKE_PREFIX_PATH="$prefix" > "$work/plain.log" 2>&1 &&
  "$cmake" --build "$work/plain/build" >> "$work/plain.log" 2>&1 || { cat "$work/plain.log"; fail "a static host in C does not build"; }
"$work/plain/build/plain" > "$work/plain.out" || fail "a static host in C failed"

# Inside another project. Configured only: the objects are those that were installed above.
mkdir "$work/outer"
cat > "$work/outer/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.25)
project(outer LANGUAGES C CXX)
add_subdirectory($source texlate)
add_executable(shared_host $source/docs/examples/plain_c/main.c)
target_link_libraries(shared_host PRIVATE texlate::texlate)
add_executable(static_host $source/docs/examples/plain_c/main.c)
target_link_libraries(static_host PRIVATE texlate::texlate_static)
END
"$cmake" -S "$work/outer" -B "$work/outer/build" > "$work/outer.log" 2>&1 || { cat "$work/outer.log"; fail "add_subdirectory failed"; }
targets_of "$work/outer/build" > "$work/outer_targets"
for target in shared_host static_host texlate_shared texlate_static; do
  grep -qx "$target" "$work/outer_targets" || fail "add_subdirectory gives no $target"
done
! grep -qxE 'texlate|texlate_vkd3d|.*_test' "$work/outer_targets" || fail "add_subdirectory gives more than the library"

if command -v pkg-config > /dev/null; then
  export PKG_CONFIG_PATH=$libdir/pkgconfig
  # shellcheck disable=SC2046
  "$cc" "$source/docs/examples/plain_c/main.c" $(pkg-config --cflags --libs texlate) -o "$work/plain_c"
  LD_LIBRARY_PATH=$libdir "$work/plain_c" > "$work/plain_c.out" || fail "plain_c failed"
  grep -q 'status 0' "$work/plain_c.out" || fail "plain_c said: $(cat "$work/plain_c.out")"
  # The program in README.
  awk '/^```/ {inside = !inside; c = $0 == "```c"; next} inside && c' "$source/README.md" > "$work/readme.c"
  # shellcheck disable=SC2046
  "$cc" -std=c11 -Wall -Werror "$work/readme.c" $(pkg-config --cflags --libs texlate) -o "$work/readme"
  LD_LIBRARY_PATH=$libdir "$work/readme" > "$work/readme.out" || fail "the program in README failed"
  grep -q '^[1-9][0-9]* bytes of SPIR-V$' "$work/readme.out" || fail "the program in README said: $(cat "$work/readme.out")"
  # The driver's call in docs/c_api.md compiles.
  echo 'void driver_log(void*, const char*, ...);' > "$work/call.c"
  awk '/^```/ {inside = !inside; c = $0 == "```c"; n += inside && c; next} inside && c && n == 1' "$source/docs/c_api.md" >> "$work/call.c"
  # shellcheck disable=SC2046
  "$cc" -std=c11 -Wall -Werror -c "$work/call.c" $(pkg-config --cflags texlate) -o "$work/call.o"
fi
echo "package_test: installed library and three hosts work"
