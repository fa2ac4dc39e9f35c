# a2h_embed(name FILES a.toml ...): a static library whose header "embedded/<name>.h" offers
#   std::optional<std::string_view> a2h::embedded::<name>(std::string_view file_name);
#   std::vector<std::string_view> a2h::embedded::<name>_names();   // sorted
# Files are text (no NUL byte), at most 1 MiB each, and are known by their base names.
function(a2h_embed name)
    cmake_parse_arguments(ARG "" "" "FILES" ${ARGN})
    set(dir "${CMAKE_BINARY_DIR}/embedded_${name}")
    set(inputs "")
    foreach(file ${ARG_FILES})
        get_filename_component(path "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
        list(APPEND inputs "${path}")
    endforeach()
    add_custom_command(
        OUTPUT "${dir}/embedded/${name}.cpp" "${dir}/embedded/${name}.h"
        COMMAND ${CMAKE_COMMAND} "-DNAME=${name}" "-DOUT=${dir}/embedded" "-DFILES=${inputs}"
                -P "${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake"
        DEPENDS ${inputs} "${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake" VERBATIM)
    add_library(a2h_embedded_${name} STATIC "${dir}/embedded/${name}.cpp")
    target_include_directories(a2h_embedded_${name} PUBLIC "${dir}")
    target_link_libraries(a2h_embedded_${name} PRIVATE a2h_options)
endfunction()
