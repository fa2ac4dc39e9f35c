#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace a2h::mcp {

/// One embedded playbook in one language.
struct Playbook {
    std::string name;      ///< "sell"
    std::string language;  ///< "en" or "zh_CN"
    std::string title;
    std::string summary;
    std::vector<std::string> arguments;
    std::string text;  ///< Markdown without the front matter
};

/// All playbooks, sorted by name and language.
///
/// Thread:  any.
const std::vector<Playbook>& playbooks();

/// "sell.zh_CN", or "sell" in the language of the environment; nullptr if there is none.
const Playbook* find_playbook(std::string_view name);
const Playbook* find_playbook(std::string_view name, std::string_view language);

/// The language of the environment in the form that playbooks use.
std::string_view usual_language();

}  // namespace a2h::mcp
