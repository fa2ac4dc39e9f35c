#include "mcp/playbooks.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/i18n/messages.h"
#include "embedded/playbooks.h"

namespace a2h::mcp {
namespace {

constexpr std::string_view kEnding = ".md";
constexpr std::string_view kRule = "---\n";

/// The line up to the next line feed, which is removed from `text` together with it.
std::string_view take_text_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        parts.emplace_back(trim(text.substr(0, comma)));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return parts;
}

/// `file` is "sell.en.md"; its front matter is checked by tests/tidy/playbooks.py.
Playbook read_playbook(std::string_view file) {
    std::string_view text = embedded::playbooks(file).value();
    A2H_CHECK(text.starts_with(kRule));
    Playbook playbook;
    const auto point = file.find('.');
    playbook.name = file.substr(0, point);
    playbook.language = file.substr(point + 1, file.size() - point - 1 - kEnding.size());
    take_text_line(text);
    for (auto line = take_text_line(text); line != "---"; line = take_text_line(text)) {
        const auto colon = line.find(':');
        A2H_CHECK(colon != std::string_view::npos);
        const std::string_view key = line.substr(0, colon);
        const std::string_view value = trim(line.substr(colon + 1));
        if (key == "title") playbook.title = value;
        if (key == "summary") playbook.summary = value;
        if (key == "arguments") playbook.arguments = split_at_commas(value);
    }
    playbook.text = text;
    return playbook;
}

std::vector<Playbook> read_all_playbooks() {
    std::vector<Playbook> all;
    for (const std::string_view file : embedded::playbooks_names()) {
        if (!file.ends_with(kEnding)) continue;
        Playbook playbook = read_playbook(file);
        // Files without a title are prompts of the daemon itself, which people do not select.
        if (!playbook.title.empty()) all.push_back(std::move(playbook));
    }
    return all;
}

}  // namespace

const std::vector<Playbook>& playbooks() {
    static const std::vector<Playbook> kAll = read_all_playbooks();
    return kAll;
}

const Playbook* find_playbook(std::string_view name) {
    const auto point = name.find('.');
    return point == std::string_view::npos
               ? find_playbook(name, usual_language())
               : find_playbook(name.substr(0, point), name.substr(point + 1));
}

const Playbook* find_playbook(std::string_view name, std::string_view language) {
    const auto& all = playbooks();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Playbook& each) {
        return each.name == name && each.language == language;
    });
    return found == all.end() ? nullptr : &*found;
}

std::string_view usual_language() {
    return i18n::language_of_environment() == i18n::Language::Chinese ? "zh_CN" : "en";
}

}  // namespace a2h::mcp
