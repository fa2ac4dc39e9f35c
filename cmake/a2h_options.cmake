# Compiler settings that every target of the project shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# Makes a full build a third faster. clang-tidy checks each file's own includes instead.
option(A2H_PCH "Compile common headers once" ON)
# Takes half off what is left. Without it (tidy) each file proves that it compiles alone.
option(A2H_UNITY "Compile several files of a target as one" ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
# For developing: -Og compiles a third faster than -O2, -g1 keeps line numbers for stack traces. What
# is installed and measured is Release.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-Og -g1")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-Og -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")

option(A2H_WERROR "Treat warnings as errors" ON)
set(A2H_SANITIZE "" CACHE STRING "Sanitizers to compile in, e.g. address,undefined or thread")
option(A2H_FUZZ "Build the libFuzzer targets (clang only)" OFF)
option(A2H_FAULT_POINTS "Let A2H_FAULT_POINT end a2hd at a numbered step, for tests" OFF)

add_library(a2h_options INTERFACE)
target_include_directories(a2h_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_definitions(a2h_options INTERFACE A2H_VERSION="${PROJECT_VERSION}")
target_compile_options(a2h_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wcast-qual -Wformat=2
    -Wnon-virtual-dtor -Woverloaded-virtual -Wdouble-promotion -Wimplicit-fallthrough -Wundef)
# Of embedded files, which are one text each, only clang is afraid.
target_compile_options(a2h_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-overlength-strings>)
if(A2H_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The first is for ccache. The others: from a precompiled header g++ 12 reports what it hides in
    # system headers, about std::string (its bugs 105329 and 105651).
    target_compile_options(a2h_options INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess> -Wno-array-bounds -Wno-stringop-overflow
        -Wno-stringop-overread -Wno-restrict)
    # At -O2 it takes the alternative of a std::variant that is not there for uninitialized.
    target_compile_options(a2h_options INTERFACE $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
endif()
if(A2H_WERROR)
    target_compile_options(a2h_options INTERFACE -Werror)
endif()
if(A2H_SANITIZE)
    # -O1: with ASan g++ takes half as long as at -O2, and stack traces are nearer to the source.
    target_compile_options(a2h_options INTERFACE
        -O1 -fsanitize=${A2H_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(a2h_options INTERFACE -fsanitize=${A2H_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Both are g++ 12's own, in system headers: with ASan it takes std::regex's states for
        # uninitialized (its bug 105562); and TSan does not model the fences that Boost.Asio uses.
        target_compile_options(a2h_options INTERFACE -Wno-maybe-uninitialized -Wno-tsan)
    endif()
else()
    target_compile_definitions(a2h_options INTERFACE _FORTIFY_SOURCE=2)
    target_compile_options(a2h_options INTERFACE -fstack-protector-strong)
    target_link_options(a2h_options INTERFACE -Wl,-z,relro,-z,now -Wl,--as-needed)
endif()

if(A2H_FUZZ)
    # Coverage for libFuzzer in every library; its main() is linked into the fuzz targets only.
    target_compile_options(a2h_options INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(a2h_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# mold links in a fifth of the time. Releases and benchmarks use the compiler's own linker.
find_program(MOLD mold)
if(MOLD AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    add_link_options(-fuse-ld=mold)
endif()

find_program(CCACHE ccache)
if(CCACHE)
    # Without this ccache takes no file that uses a precompiled header.
    set(CCACHE_COMMAND "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_COMMAND})
    set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_COMMAND})
endif()
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
