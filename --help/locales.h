#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
namespace a2h::embedded {
struct Message {
    std::string_view key, english, chinese;
};
std::size_t message_count();
/// Message `index` in the order of the keys' bytes. Nothing is parsed and nothing is kept.
Message message(std::size_t index);
/// The page's texts as a JSON object: `texts.en.json`, `texts.zh.json`; nullopt for other names.
std::optional<std::string_view> script_texts(std::string_view file_name);
}
