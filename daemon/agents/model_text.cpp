#include "daemon/agents/model_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::agents {
namespace {

using nlohmann::json;
using Replacements = std::initializer_list<std::pair<std::string_view, std::string_view>>;

constexpr std::string_view kUnknown = "unknown";
constexpr std::size_t kRoleCodePointsMax = 64;
/// A message of the largest size contains no more.
constexpr std::size_t kAttachmentsMax = 100;
constexpr std::size_t kItemIndent = 2;

/// Works in one pass, because a peer chooses how often something has to be replaced.
std::string replaced(std::string_view text, Replacements replacements) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto* const found =
            std::find_if(replacements.begin(), replacements.end(),
                         [&](const auto& one) { return text.starts_with(one.first); });
        const bool is_found = found != replacements.end();
        out += is_found ? found->second : text.substr(0, 1);
        text.remove_prefix(is_found ? found->first.size() : 1);
    }
    return out;
}

/// Removes the brackets that only headers have here (U+3010, U+3011) and similar characters.
std::string without_headers(std::string_view text) {
    return replaced(text, {{"\u3010", "["},
                           {"\u3011", "]"},
                           {"\u3016", "["},
                           {"\u3017", "]"},
                           {"\ufe3b", "["},
                           {"\ufe3c", "]"},
                           {"\ufe17", "["},
                           {"\ufe18", "]"}});
}

std::string shown(std::string_view text) {
    return without_headers(visible(text));
}

std::string one_line(std::string_view text) {
    return replaced(shown(text), {{"\n", " "}});
}

/// The role for a header, in which the id follows in brackets (full-width ones in Chinese). Such
/// brackets in the role are replaced, so that it cannot show an id of its own.
std::string shown_role(std::string_view role, i18n::Language language) {
    const std::string line = one_line(role);
    if (line.empty()) return std::string(kUnknown);
    const std::string_view part = truncate(line, kRoleCodePointsMax);
    return language == i18n::Language::Chinese
               ? replaced(part, {{"\uff08", "("}, {"\uff09", ")"}})
               : replaced(part, {{"\uff08", "["}, {"\uff09", "]"}, {"(", "["}, {")", "]"}});
}

std::string shown_id(std::string_view id) {
    const auto may_be_in = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.' || c == ':';
    };
    std::string kept;
    for (const char c : id.substr(0, kTokenCharsMax))
        kept += may_be_in(c) ? c : '_';
    return kept.empty() ? std::string(kUnknown) : kept;
}

std::string fenced(std::string_view text, const Author& author) {
    return without_headers(fence(text, author.agent_id, to_string(author.provenance)));
}

std::string content_of(std::string_view payload_json, const json& payload) {
    if (payload.is_string()) return payload.get<std::string>();
    if (const json& text = wire::member(payload, "text"); text.is_string()) {
        return text.get<std::string>();
    }
    return payload.is_discarded() ? std::string(payload_json) : wire::canonical_json(payload);
}

std::string attachment_line(const json& attachment) {
    const auto part = [&](std::string_view name, std::string_view other) {
        const std::string text = wire::text_member(attachment, name);
        return text.empty() ? wire::text_member(attachment, other) : text;
    };
    std::string line;
    const std::string type = part("mime_type", "type");
    for (const std::string& word :
         {part("name", "file_name"), type.empty() ? type : "(" + type + ")",
          part("url", "address")}) {
        if (!word.empty()) line.append(line.empty() ? "" : " ").append(one_line(word));
    }
    return line;
}

std::vector<std::string> attachments_of(const json& payload) {
    std::vector<std::string> lines;
    const auto add = [&](const json& attachment) {
        std::string line = attachment_line(attachment);
        if (!line.empty() && lines.size() < kAttachmentsMax) lines.push_back(std::move(line));
    };
    add(wire::member(payload, "attachment"));
    if (const json& list = wire::member(payload, "attachments"); list.is_array()) {
        for (const json& attachment : list)
            add(attachment);
    }
    return lines;
}

std::string call_of(ReplyTool tool, const std::string& id) {
    return tool == ReplyTool::SendMessage ? "send_message(to='" + id + "', ...)"
                                          : "a2h_send(target_agent_id='" + id + "', ...)";
}

std::string who(std::string_view key, const std::string& id, const std::string& role,
                i18n::Language language, std::string_view value = {}) {
    return i18n::text(
        language, key,
        {{"role", shown_role(role, language)}, {"id", shown_id(id)}, {"value", value}});
}

/// A brief line by line.
class BriefText {
  public:
    explicit BriefText(i18n::Language language) : language_(language) {}

    void line(const std::string& text) { text_ += "\n" + text; }
    void label(std::string_view key) { line(i18n::text(language_, key)); }
    void value(std::string_view key, const std::string& value, std::size_t indent = 0) {
        line(std::string(indent, ' ') +
             i18n::text(language_, key, {{"value", indented(value, indent + kItemIndent)}}));
    }
    void item(const std::string& value, std::size_t indent = 0) {
        line(std::string(indent, ' ') + "- " + indented(value, indent + kItemIndent));
    }
    void list(std::string_view key, const std::vector<std::string>& values) {
        label(key);
        for (const std::string& value : values)
            item(value);
    }
    void collaborator(const Collaborator& one) {
        line("- " + who("agents.collaborator", one.agent_id, one.role, language_,
                        indented(one.description, 2 * kItemIndent)));
        if (!one.interface_spec) return;
        value("agents.services", one.interface_spec->services, kItemIndent);
        value("agents.input_format", one.interface_spec->input_format, kItemIndent);
        value("agents.output_format", one.interface_spec->output_format, kItemIndent);
        if (one.interface_spec->examples.empty()) return;
        line(std::string(kItemIndent, ' ') + i18n::text(language_, "agents.examples"));
        for (const std::string& example : one.interface_spec->examples)
            item(example, kItemIndent);
    }

    std::string take(std::string_view header) {
        return i18n::text(language_, header) + std::move(text_);
    }

  private:
    static std::string indented(const std::string& value, std::size_t indent) {
        return replaced(shown(value), {{"\n", "\n" + std::string(indent, ' ')}});
    }

    i18n::Language language_;
    std::string text_;
};

}  // namespace

std::string format_message(const Author& author, std::string_view payload_json, ReplyTool tool,
                           i18n::Language language) {
    const auto parsed = wire::parse_json(payload_json);
    const json payload = parsed ? *parsed : json(json::value_t::discarded);
    const bool is_owners = author.source == SourceClass::Owner;
    const auto quoted = [&](std::string_view text) {
        return is_owners ? shown(text) : fenced(text, author);
    };

    std::string text = is_owners
                           ? i18n::text(language, "agents.header_user")
                           : who("agents.header_peer", author.agent_id, author.role, language);
    text += "\n" + quoted(content_of(payload_json, payload));
    if (const auto attachments = attachments_of(payload); !attachments.empty()) {
        text += "\n" + i18n::text(language, "agents.attachments");
        for (const std::string& line : attachments)
            text += "\n- " + quoted(line);
    }
    if (is_owners || shown_id(author.agent_id) != author.agent_id) return text;
    return text + "\n" +
           i18n::text(language, "agents.reply", {{"call", call_of(tool, author.agent_id)}});
}

std::string format_brief(const Author& giver, const TaskBrief& brief, i18n::Language language) {
    BriefText text(language);
    if (giver.source == SourceClass::Owner) {
        text.label("agents.brief_user");
    } else {
        text.line(who("agents.brief_peer", giver.agent_id, giver.role, language));
    }
    text.value("agents.objective", brief.objective);
    if (brief.constraints.empty()) {
        text.label("agents.no_constraints");
    } else {
        text.list("agents.constraints", brief.constraints);
    }
    text.value("agents.inputs", brief.inputs);
    text.value("agents.outputs", brief.outputs);
    text.value("agents.completion", brief.completion_criteria);
    if (!brief.priority.empty()) text.value("agents.priority", brief.priority);
    if (!brief.collaborators.empty()) {
        text.label("agents.collaborators");
        for (const Collaborator& one : brief.collaborators)
            text.collaborator(one);
    }
    if (!brief.references.empty()) text.list("agents.references", brief.references);
    return text.take("agents.brief");
}

}  // namespace a2h::agents
