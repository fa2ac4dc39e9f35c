# One way of declaring targets: each lists all its .cpp files and what it links, nothing else.

# a2h_library(name SOURCES a.cpp ... [DEPENDS lib ...] [PRIVATE_DEPENDS lib ...])
function(a2h_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
    if(ARG_SOURCES)
        add_library(${name} STATIC ${ARG_SOURCES})
        target_link_libraries(${name} PUBLIC a2h_options ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
    else()
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE a2h_options ${ARG_DEPENDS})
    endif()
endfunction()

# a2h_program(name SOURCES main.cpp ... DEPENDS lib ...): an executable in build/bin
function(a2h_program name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE a2h_options ${ARG_DEPENDS})
endfunction()

# a2h_test(name SOURCES x_test.cpp ... DEPENDS lib ... [TIMEOUT s] [LABELS l]): a doctest
# program in build/tests that ctest runs once. Names begin with unit_ or integration_.
function(a2h_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
    add_executable(${name} ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_link_libraries(${name} PRIVATE a2h_options a2h_test_main ${ARG_DEPENDS})
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
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()

# a2h_test_both_databases(name): ctest runs the test a second time, as name_postgresql, with the
# market on PostgreSQL; see tests/support/market.h.
function(a2h_test_both_databases name)
    add_test(NAME ${name}_postgresql COMMAND ${name})
    get_test_property(${name} TIMEOUT timeout)
    set_tests_properties(${name}_postgresql PROPERTIES
        TIMEOUT ${timeout} ENVIRONMENT "A2H_TEST_DATABASE=postgresql")
endfunction()
