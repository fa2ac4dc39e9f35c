# The few commands a person needs; everything else is CMake (see CMakePresets.json).
.PHONY: run build check test test-asan test-tsan test-packages bench mcpb deb fuzz torture redteam tidy format deps clean

BUILD := build
# What only the tests need, beside what building needs.
TEST_PACKAGES := chromium fonts-wqy-microhei prometheus systemd
export CCACHE_BASEDIR := $(CURDIR)

run: build
	@$(BUILD)/bin/a2h demo $(ARGS)

deps:
	@packaging/install-deps

$(BUILD)/build.ninja: CMakePresets.json
	@cmake --preset dev -Wno-dev >/dev/null

build: deps $(BUILD)/build.ninja
	@cmake --build $(BUILD)

check: $(BUILD)/build.ninja
	@tests/check $(BUILD)

test: build
	@packaging/install-deps $(TEST_PACKAGES)
	@cmake --build $(BUILD) --target a2h_tests
	@tests/run $(BUILD)

test-asan:
	@packaging/install-deps $(TEST_PACKAGES)
	@cmake --preset asan -Wno-dev >/dev/null && cmake --build build/asan --target all a2h_tests && tests/run build/asan

test-tsan:
	@packaging/install-deps $(TEST_PACKAGES)
	@cmake --preset tsan -Wno-dev >/dev/null && cmake --build build/tsan --target all a2h_tests && tests/run build/tsan

bench: deps
	@cmake --preset release -Wno-dev >/dev/null
	@cmake --build build/release --target all a2h_benches
	@tests/bench/run build/release

# RELEASE_URL: the folder that the bundle will be downloaded from, for server.json
mcpb: deps
	@cmake --preset release -Wno-dev >/dev/null
	@cmake --build build/release --target a2h-mcp a2hd a2h
	@packaging/mcpb/pack build/release $(RELEASE_URL)

deb:
	@packaging/install-deps debhelper lintian
	@packaging/debian/build $(BUILD)/deb

# In a Debian of its own, which is made once and needs root and a mirror.
test-packages: deb
	@packaging/install-deps debootstrap systemd-container
	@tests/packages/run $(BUILD)/deb $(BUILD)/packages

# Every text of tests/redteam through the real programs; about ten minutes.
redteam: build
	@cmake --build $(BUILD) --target redteam_judge redteam_obedient
	@$(BUILD)/tests/redteam_judge
	@A2H_REDTEAM=all $(BUILD)/tests/redteam_obedient

torture: build
	@packaging/install-deps clang libclang-rt-14-dev
	@cmake --build build --target a2h_tests
	@cmake --preset fuzz -Wno-dev >/dev/null && cmake --build build/fuzz --target fuzz_all
	@tests/torture/run build build/fuzz

fuzz:
	@packaging/install-deps clang libclang-rt-14-dev
	@cmake --preset fuzz -Wno-dev >/dev/null && cmake --build build/fuzz --target fuzz_all
	@tests/fuzz/run build/fuzz $(SECONDS)

tidy:
	@packaging/install-deps clang-tidy
	@cmake --preset tidy -Wno-dev >/dev/null && cmake --build build/tidy

format:
	@git ls-files '*.cpp' '*.h' '*.c' | xargs clang-format -i

clean:
	@rm -rf $(BUILD)
