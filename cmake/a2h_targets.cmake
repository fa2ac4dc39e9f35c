# One way of declaring targets: each lists all its .cpp files and what it links, nothing else.

# Precompiled headers: one for all files, one for those that touch JSON. Each file includes what it
# uses all the same: without A2H_PCH (tidy, fuzz) nothing else provides it.
set(A2H_STANDARD_HEADERS
    <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable> <functional> <map>
    <memory> <mutex> <optional> <set> <span> <string> <string_view> <thread> <utility> <variant>
    <vector>)

# a2h_precompiled_header(name header ...): what targets take with REUSE_FROM name
function(a2h_precompiled_header name)
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/pch/${name}.cpp" CONTENT "")
    add_library(${name} OBJECT "${CMAKE_BINARY_DIR}/pch/${name}.cpp")
    target_link_libraries(${name} PRIVATE a2h_options)
    target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

if(A2H_PCH)
    a2h_precompiled_header(a2h_pch ${A2H_STANDARD_HEADERS})
    a2h_precompiled_header(a2h_json_pch
        ${A2H_STANDARD_HEADERS} "${CMAKE_SOURCE_DIR}/core/json/instances.h")
    a2h_precompiled_header(a2h_test_pch
        ${A2H_STANDARD_HEADERS} "${CMAKE_SOURCE_DIR}/core/json/instances.h" <doctest/doctest.h>)
    set_target_properties(a2h_test_pch PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

# a2h_unity(name): compiles the target's files six at a time, so that what they include is read once
# for six. Names in their anonymous namespaces must therefore differ within the target.
function(a2h_unity name)
    if(A2H_UNITY)
        set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
        # g++ warns of anonymous namespaces in headers; here they are in included .cpp files.
        target_compile_options(${name} PRIVATE
            $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
endfunction()

# a2h_json_files(name source ... [DEPENDS lib ...]): compiles those of the sources that touch JSON
# with its header and takes them off `<name>_sources`; `<name>_objects` are the result.
function(a2h_json_files name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
    set(sources ${ARG_SOURCES})
    set(json_sources)
    foreach(source ${ARG_SOURCES})
        cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
        if(A2H_PCH AND EXISTS "${file}")
            file(STRINGS "${file}" found REGEX "^#include <nlohmann/json.hpp>" LIMIT_COUNT 1)
            if(found)
                list(APPEND json_sources ${source})
                list(REMOVE_ITEM sources ${source})
            endif()
        endif()
    endforeach()
    set(objects)
    if(json_sources)
        add_library(${name}_json_files OBJECT ${json_sources})
        target_link_libraries(${name}_json_files PRIVATE a2h_options a2h_json ${ARG_DEPENDS})
        target_compile_definitions(${name}_json_files PRIVATE
            $<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>)
        target_precompile_headers(${name}_json_files REUSE_FROM a2h_json_pch)
        a2h_unity(${name}_json_files)
        set(objects $<TARGET_OBJECTS:${name}_json_files>)
    endif()
    set(${name}_sources ${sources} PARENT_SCOPE)
    set(${name}_objects ${objects} PARENT_SCOPE)
endfunction()

# a2h_library(name [FOLDER] [SOURCES a.cpp ...] [DEPENDS lib ...] [PRIVATE_DEPENDS lib ...])
# FOLDER takes every .cpp of the folder but main.cpp: a new one needs no line here.
function(a2h_library name)
    cmake_parse_arguments(ARG "FOLDER" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
    if(ARG_FOLDER)
        file(GLOB folder_sources RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" CONFIGURE_DEPENDS *.cpp)
        list(REMOVE_ITEM folder_sources main.cpp)
        list(APPEND ARG_SOURCES ${folder_sources})
    endif()
    if(NOT ARG_SOURCES)
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE a2h_options ${ARG_DEPENDS})
        return()
    endif()
    a2h_json_files(${name} SOURCES ${ARG_SOURCES} DEPENDS ${ARG_DEPENDS} ${ARG_PRIVATE_DEPENDS})
    add_library(${name} STATIC ${${name}_sources} ${${name}_objects})
    target_link_libraries(${name} PUBLIC a2h_options ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
    a2h_unity(${name})
    if(A2H_PCH)
        if(${name}_sources)
            target_precompile_headers(${name} REUSE_FROM a2h_pch)
        endif()
        if(${name}_objects)
            target_link_libraries(${name} PUBLIC a2h_json)
        endif()
    endif()
endfunction()

# a2h_program(name SOURCES main.cpp ... DEPENDS lib ...): an executable in build/bin
function(a2h_program name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE a2h_options ${ARG_DEPENDS})
endfunction()

# a2h_test(name SOURCES x_test.cpp ... [ALONE y_test.cpp ...] DEPENDS lib ... [TIMEOUT s] [LABELS l]):
# a doctest program in build/tests that ctest runs once. Names begin with unit_ or integration_. Files
# under ALONE are compiled one by one: they give names to their own scenes that others give to theirs.
function(a2h_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;ALONE;DEPENDS;LABELS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES} ${ARG_ALONE})
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_link_libraries(${name} PRIVATE a2h_options a2h_test_main a2h_json ${ARG_DEPENDS})
    if(A2H_PCH)
        # -fPIC instead of a program's -fPIE: the header was compiled so.
        set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
        target_compile_options(${name} PRIVATE -fPIC)
        target_precompile_headers(${name} REUSE_FROM a2h_test_pch)
    endif()
    a2h_unity(${name})
    target_compile_definitions(${name} PRIVATE
        A2H_SOURCE_DIR="${CMAKE_SOURCE_DIR}" A2H_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
    add_dependencies(a2h_tests ${name})
    add_test(NAME ${name} COMMAND ${name})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 60)
    endif()
    if(A2H_SANITIZE)
        math(EXPR ARG_TIMEOUT "4 * ${ARG_TIMEOUT}")  # ThreadSanitizer's programs are the slowest
    endif()
    # The longest tests begin first, so that none of them runs alone at the end.
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${ARG_TIMEOUT} COST ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()

# a2h_test_both_databases(name): ctest runs the test a second time, as name_postgresql, with the
# market on PostgreSQL; see tests/support/market.h.
function(a2h_test_both_databases name)
    add_test(NAME ${name}_postgresql COMMAND ${name})
    get_test_property(${name} TIMEOUT timeout)
    set_tests_properties(${name}_postgresql PROPERTIES
        TIMEOUT ${timeout} COST ${timeout} ENVIRONMENT "A2H_TEST_DATABASE=postgresql")
endfunction()
