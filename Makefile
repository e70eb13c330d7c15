# A thin wrapper of CMakePresets.json: `make demo` and `make test` do everything on a fresh Debian 12 machine.
.PHONY: all build demo test bench check checked threads format format-check tidy package wheel dist windows arm64 i386 macos wasm playground portable fuzz judges setup clean
.DEFAULT_GOAL := build
jobs := $(shell nproc)

all: build

setup:
	@tools/setup.sh

configure: setup
	@cmake --preset release > build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log

# What `cmake --install build` installs: program, manual pages, completions and library.
build: configure
	@cmake --build --preset release --target texlate_installed

demo: configure
	@shaders/first_look.sh kept
	@cmake --build --preset release --target texlate_shared
	@shaders/first_look.sh build
	@cmake --build --preset release --target texlate
	@shaders/demo.sh build/bin/texlate
	@cmake --build --preset release --target texlate_installed

test: configure
	@cmake --build --preset release
	@ctest --preset release -j $(jobs)

# What translations cost, beside installed libvkd3d-shaders (docs/performance.md).
bench: setup
	@cmake --preset release -B build/bench -DTEXLATE_BUILD_BENCHMARKS=ON > build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	@cmake --build build/bench --target translation_bench
	@tests/bench/translation/bench.sh build/bench/bin/translation_bench build/bench

# The unit tests and fuzz entries again, built by clang 14 with AddressSanitizer, UndefinedBehaviorSanitizer and assertions:
# the verifier then runs after every pass. To save compile time, most folders are not optimized (CMakeLists.txt, TEXLATE_BUSY_FOLDERS), and there is no
# debug information: AddressSanitizer names functions, but not lines. The presets `debug` and `fuzz` have lines.
checked:
	@tools/setup.sh checked
	@cmake --preset checked > build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	@cmake --build --preset checked
	@ctest --preset checked -j $(jobs)

# Eight threads that work on the same and on different programs, built by clang 14 with ThreadSanitizer.
threads:
	@tools/setup.sh checked
	@cmake --preset threads && cmake --build --preset threads && build/threads/bin/threads_test

# Everything that CI runs.
check:
	@.ci/run

# The program and the benches optimized across files, in build/package.
package: setup
	@cmake --preset package && cmake --build --preset package

# A Python wheel with the library and the program inside, in build/wheels (library/python).
wheel: package
	@python3 library/python/make_wheel.py --build build/package --out build/wheels

# Library and program for other systems, in build/windows, build/arm64 and build/i386. The examples and the unit tests run under Wine, qemu-user and here.
windows arm64 i386:
	@tools/setup.sh $@
	@cmake --preset $@ && cmake --build --preset $@
	@ctest --preset $@ -L portable
	@cmake --build --preset $@ --target unit_tests && ctest --preset $@ -L unit -j $(jobs)

# Library and program for macOS, in build/macos, by PyPI's ziglang. Nothing here can run them.
macos:
	@tools/setup.sh macos && tools/zig.sh
	@cmake --preset macos && cmake --build --preset macos

# The library for WebAssembly, in build/wasm, by PyPI's ziglang; what it translates under Node is compared with this system's build.
wasm: configure
	@tools/setup.sh wasm && tools/zig.sh && tools/node.sh
	@cmake --preset wasm && cmake --build --preset wasm
	@cmake --build --preset release --target digests && TEXLATE_MUST_COMPARE=wasm ctest --preset release -R same_bytes_test

# The playground, one HTML file, in build/wasm/playground.html (docs/playground.md), used in a browser as people use it: build/wasm/screenshots.
playground: configure
	@tools/setup.sh playground && tools/zig.sh
	@cmake --preset wasm && cmake --build --preset wasm --target playground
	@cmake --build --preset release --target texlate && ctest --preset release -R "^playground_test$$"

# The other systems that can run here, or SYSTEMS, with little optimization: the examples, the page in a browser, and equal bytes everywhere.
portable: configure
	@tools/portable.sh $(SYSTEMS)

# What a release consists of, in build/dist: source archive, Debian packages, a Windows zip, an ARM64 archive, wheels, checksums. `make dist BUILD=build` packs
# the release build; without BUILD there is one that is optimized across files.
dist:
	@tools/setup.sh dist
	@tools/dist.sh $(BUILD)

# The fuzz entries as libFuzzer programs with both sanitizers, each run for a fixed number of inputs (docs/frontend.md).
fuzz:
	@tools/setup.sh checked
	@cmake --preset fuzz && cmake --build --preset fuzz && ctest --preset fuzz

# NVIDIA's ptxas, nvdisasm and cuobjdump from PyPI into build/judges/bin, for the tests that ask them.
judges:
	@tools/judges.sh

sources = git ls-files '*.cpp' '*.h' '*.hpp' '*.c'

format:
	@$(sources) | xargs clang-format-14 -i

format-check:
	@tools/setup.sh checked
	@$(sources) | xargs clang-format-14 --dry-run -Werror

# clang-tidy over all sources of the program, or over FILES.
tidy: configure
	@tools/tidy.sh $(FILES)

clean:
	@rm -rf build
