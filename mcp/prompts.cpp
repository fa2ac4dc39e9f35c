#include "mcp/prompts.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/i18n/messages.h"
#include "mcp/peer_text.h"
#include "mcp/playbooks.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kPromptsFreshMs = 3'600'000;
constexpr std::size_t kArgumentCodePoints = 200;

i18n::Language language_of(const Playbook& playbook) {
    return playbook.language == "en" ? i18n::Language::English : i18n::Language::Chinese;
}

ordered_json prompt_entry(const Playbook& playbook) {
    ordered_json arguments = ordered_json::array();
    for (const std::string& name : playbook.arguments) {
        const std::string key = "mcp.argument_" + name;
        arguments.push_back({{"name", name},
                             {"description", i18n::text(language_of(playbook), key)},
                             {"required", false}});
    }
    return {{"name", playbook.name},
            {"title", playbook.title},
            {"description", playbook.summary},
            {"arguments", std::move(arguments)}};
}

ordered_json user_message(ordered_json content) {
    return {{"role", "user"}, {"content", std::move(content)}};
}

ordered_json text_content(std::string text) {
    return {{"type", "text"}, {"text", std::move(text)}};
}

/// The given values; empty ones count as not given.
std::variant<std::map<std::string, std::string>, RpcError> arguments_in(const json& params,
                                                                        const Playbook& playbook) {
    std::map<std::string, std::string> given;
    const json arguments = params.value("arguments", json::object());
    if (!arguments.is_object()) return invalid_params("arguments must be an object");
    for (const auto& [name, value] : arguments.items()) {
        const auto& known = playbook.arguments;
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            std::string words =
                "Unknown argument: " + preview(name) + "; " + playbook.name + " takes";
            for (const std::string& each : known)
                words += (&each == &known.front() ? " " : ", ") + each;
            return invalid_params(std::move(words));
        }
        if (!value.is_string() ||
            code_point_count(value.get_ref<const std::string&>()) > kArgumentCodePoints) {
            return invalid_params(name + " must be a string of at most " +
                                  std::to_string(kArgumentCodePoints) + " characters");
        }
        if (auto text = value.get<std::string>(); !text.empty()) given[name] = std::move(text);
    }
    return given;
}

/// Resources that an argument refers to.
struct Enclosure {
    const char* argument;
    std::string_view uri_begin;
    std::string_view form;  ///< the required form of the value
};
constexpr Enclosure kEnclosures[] = {
    {"peer", "a2h://inbox/", "an agent's id, ag_…"},
    {"order", "a2h://orders/", "an order's id"},
};

}  // namespace

Outcome Prompts::list(const json& params) const {
    if (params.contains("cursor")) return invalid_params("Unknown cursor");
    ordered_json prompts = ordered_json::array();
    for (const Playbook& playbook : playbooks()) {
        if (playbook.language == usual_language()) prompts.push_back(prompt_entry(playbook));
    }
    return ordered_json{
        {"prompts", std::move(prompts)}, {"ttlMs", kPromptsFreshMs}, {"cacheScope", "public"}};
}

Outcome Prompts::get(const json& params, std::stop_token cancelled) const {
    const auto name = params.find("name");
    const Playbook* playbook = name != params.end() && name->is_string()
                                   ? find_playbook(name->get<std::string>(), usual_language())
                                   : nullptr;
    if (playbook == nullptr) {
        std::string words = "Unknown prompt; there are";
        for (const Playbook& each : playbooks()) {
            if (each.language == usual_language()) words += " " + each.name;
        }
        return invalid_params(std::move(words));
    }
    auto read = arguments_in(params, *playbook);
    if (auto* error = std::get_if<RpcError>(&read)) return std::move(*error);
    auto& given = std::get<0>(read);
    if (given.contains("language")) {
        const std::string& wanted = given.at("language");
        playbook = find_playbook(playbook->name, wanted == "zh" ? "zh_CN" : wanted);
        if (playbook == nullptr) return invalid_params("language must be en or zh_CN");
        given.erase("language");
    }
    const auto language = language_of(*playbook);
    std::string text = playbook->text;
    if (!given.empty()) text += "\n" + i18n::text(language, "mcp.prompt_about") + "\n";
    // Ids and words often come from a peer, copied by the user.
    for (const auto& [argument, value] : given)
        text += "- " + argument + ": " + fence(value, "user", "given") + "\n";
    ordered_json messages = ordered_json::array();
    messages.push_back(user_message(text_content(std::move(text))));
    for (const Enclosure& enclosure : kEnclosures) {
        const auto value = given.find(enclosure.argument);
        if (value == given.end()) continue;
        const std::string uri = std::string(enclosure.uri_begin) + value->second;
        if (!Resources::is_ours(uri)) {
            return invalid_params(std::string(enclosure.argument) + " must be " +
                                  std::string(enclosure.form));
        }
        auto content = resources_.content(uri, true, cancelled);
        // The tools that the playbook names will report the problem.
        if (!content) continue;
        messages.push_back(user_message({{"type", "resource"},
                                         {"resource",
                                          {{"uri", uri},
                                           {"mimeType", content->mime_type},
                                           {"text", std::move(content->text)}}}}));
    }
    return ordered_json{{"description", playbook->summary}, {"messages", std::move(messages)}};
}

}  // namespace a2h::mcp
