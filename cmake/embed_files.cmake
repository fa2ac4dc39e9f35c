# Script behind a2h_embed(): writes OUT/NAME.h and OUT/NAME.cpp from FILES.
set(header "#pragma once
#include <optional>
#include <string_view>
#include <vector>
namespace a2h::embedded {
/// Content of the embedded file `file_name`; nullopt when there is none of that name.
std::optional<std::string_view> ${NAME}(std::string_view file_name);
/// Names of all embedded files, sorted.
std::vector<std::string_view> ${NAME}_names();
}
")
file(WRITE "${OUT}/${NAME}.h" "${header}")

list(SORT FILES)
set(body "#include \"embedded/${NAME}.h\"\nnamespace a2h::embedded {\nnamespace {\n")
set(lookup "")
set(names "")
set(index 0)
foreach(path ${FILES})
    get_filename_component(base "${path}" NAME)
    file(READ "${path}" hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
    # Many short literals: adjacent ones join, and the compiler need not read one endless line.
    string(REGEX REPLACE "(............................................................................................................................................................................................................................................................)" "\\1\"\n\"" bytes "${bytes}")
    file(SIZE "${path}" size)
    string(APPEND body "constexpr std::string_view kFile${index}(\n\"${bytes}\", ${size});\n")
    string(APPEND lookup "    if (file_name == \"${base}\") return kFile${index};\n")
    string(APPEND names "\"${base}\", ")
    math(EXPR index "${index} + 1")
endforeach()
string(APPEND body "}  // namespace\n\nstd::optional<std::string_view> ${NAME}(std::string_view file_name) {\n${lookup}    return std::nullopt;\n}\n\nstd::vector<std::string_view> ${NAME}_names() { return {${names}}; }\n}  // namespace a2h::embedded\n")
file(WRITE "${OUT}/${NAME}.cpp" "${body}")
