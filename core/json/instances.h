#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

/// Without this, every file that uses JSON would compile the library's parser, serializer and
/// containers again. These declarations refer to the instances in instances.cpp. It is part of the
/// precompiled header, so files do not include it; they include <nlohmann/json.hpp>.
namespace a2h::json_instances {

template <typename Iterator>
using Input = nlohmann::detail::iterator_input_adapter<Iterator>;

}  // namespace a2h::json_instances

#define A2H_JSON_INSTANCES(PREFIX)                                            \
    PREFIX template class nlohmann::basic_json<>;                             \
    PREFIX template class nlohmann::detail::serializer<nlohmann::json>;       \
    PREFIX template class std::vector<nlohmann::json>;                        \
    PREFIX template class std::map<std::string, nlohmann::json, std::less<>>; \
    A2H_JSON_PARSER(PREFIX, const char*)                                      \
    A2H_JSON_PARSER(PREFIX, std::string::const_iterator)

#define A2H_JSON_PARSER(PREFIX, ITERATOR)                                                \
    PREFIX template class nlohmann::detail::lexer<nlohmann::json,                        \
                                                  a2h::json_instances::Input<ITERATOR>>; \
    PREFIX template class nlohmann::detail::parser<nlohmann::json,                       \
                                                   a2h::json_instances::Input<ITERATOR>>;

A2H_JSON_INSTANCES(extern)
