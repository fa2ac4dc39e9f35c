#include "cli/sections.h"

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "core/base/money.h"

namespace a2h::cli {

using nlohmann::json;

std::string name_of(const Invocation& invocation, std::string_view set, const std::string& value) {
    const std::string key = "negotiate." + std::string(set) + "_" + value;
    return i18n::has_key(invocation.language, key) ? invocation.text(key) : value;
}

void add_to_list(const Invocation& invocation, std::string& list, const std::string& next) {
    list += (list.empty() ? "" : invocation.text("negotiate.list_comma")) + next;
}

std::string joined(const Invocation& invocation, const json& object, const char* name) {
    std::string all;
    for (const json& each : items_of(object, name)) {
        const json holder{{"text", each}};
        add_to_list(invocation, all, text_of(holder, "text"));
    }
    return all;
}

std::string price_text(const json& object, const char* name) {
    const json& price = at(object, name);
    const json& minor = at(price, "amount_minor");
    if (!minor.is_number_integer()) return {};
    return to_text(Money{minor.get<std::int64_t>(), text_of(price, "currency")});
}

std::string person(const json& row) {
    const std::string id = text_of(row, "agent_id");
    const std::string name = text_of(row, "display_name");
    return name.empty() || name == id ? id : name + " (" + id + ")";
}

std::string person_by_id(const json& data, const std::string& id) {
    for (const json& party : items_of(data, "candidates")) {
        if (text_of(party, "agent_id") == id) return person(party);
    }
    return id;
}

Sections::Sections(const Invocation& invocation)
    : invocation_(invocation), colours_(colours_for(stdout)), columns_(terminal_columns()) {}

void Sections::head(std::string_view key) {
    if (!text_.empty()) text_ += "\n";
    text_ += colours_.bold + invocation_.text(key) + colours_.reset + "\n";
}

void Sections::line(const std::string& words, std::size_t indent) {
    if (!words.empty()) text_ += wrap(with_hang(words), columns_, indent, kHang);
}

void Sections::command(const std::string& words) {
    text_ += "    " + words + "\n";
}

void Sections::rows(const std::vector<std::string_view>& headings,
                    const std::vector<std::vector<std::string>>& cells) {
    std::vector<std::string> words;
    for (const std::string_view key : headings)
        words.push_back(invocation_.text(key));
    text_ += table(words, cells, columns_);
}

void Sections::marks(std::string_view key, const json& object, const char* name) {
    for (const json& each : items_of(object, name)) {
        const json holder{{"text", each}};
        line(invocation_.text(key, {{"text", text_of(holder, "text")}}));
    }
}

}  // namespace a2h::cli
