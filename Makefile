# A thin front of CMakePresets.json: `make demo` and `make test` do everything on a fresh Debian 12 machine.
.PHONY: all build demo test asan fuzz format judges setup clean
.DEFAULT_GOAL := build

all: build

setup:
	@tools/setup.sh

build: setup
	@cmake --preset release > build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	@cmake --build --preset release

demo: build
	@shaders/demo.sh build/bin/texlate

test: build
	@ctest --preset release

# The unit tests once more, under AddressSanitizer and UndefinedBehaviorSanitizer.
asan: setup
	@cmake --preset asan && cmake --build --preset asan && ctest --preset asan

# The fuzz entries as libFuzzer programs under both sanitizers, each for a fixed number of inputs (docs/frontend.md).
fuzz:
	@tools/setup.sh fuzz
	@cmake --preset fuzz && cmake --build --preset fuzz && ctest --preset fuzz

# NVIDIA's ptxas, nvdisasm and cuobjdump from PyPI into build/judges/bin, for the tests that ask them.
judges:
	@tools/judges.sh

format:
	@git ls-files '*.cpp' '*.h' '*.hpp' '*.c' | xargs clang-format-14 -i

clean:
	@rm -rf build
