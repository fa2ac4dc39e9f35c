#include "daemon/agents/mail_words.h"

#include <algorithm>
#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

/// The reading order. Other members follow, then the references.
constexpr std::array<std::string_view, 27> kMembers = {
    "task_brief",     "objective",  "constraints",
    "inputs",         "outputs",    "completion_criteria",
    "collaborators",  "references", "priority",
    "status",         "summary",    "result",
    "request",        "accepted",   "response",
    "introduced",     "contact",    "id",
    "role",           "reason",     "required_capability",
    "interface_spec", "services",   "input_format",
    "output_format",  "examples",   "text"};
constexpr std::array<std::string_view, 5> kReferences = {"task_id", "parent_task_id", "request_id",
                                                         "mandate_id", "message_type"};

template <std::size_t N>
std::size_t place_in(const std::array<std::string_view, N>& names, std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::size_t rank(std::string_view name) {
    const std::size_t known = place_in(kMembers, name);
    if (known < kMembers.size()) return known;
    const std::size_t reference = place_in(kReferences, name);
    return kMembers.size() + (reference < kReferences.size() ? 1 + reference : 0);
}

std::vector<std::string> names_of(const json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items())
        names.push_back(name);
    std::stable_sort(names.begin(), names.end(),
                     [](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return names;
}

class MailText {
  public:
    explicit MailText(i18n::Language language) : language_(language) {}

    void object(const json& value, std::size_t depth) {
        for (const std::string& name : names_of(value))
            member(label_of(name), value.at(name), depth);
    }
    std::string take() { return std::move(text_); }

  private:
    void member(const std::string& label, const json& value, std::size_t depth) {
        const std::string begin = std::string(2 * depth, ' ') + label;
        if (!value.is_structured()) {
            line(begin + colon() + scalar(value, depth));
        } else if (value.is_object()) {
            line(begin + colon());
            object(value, depth + 1);
        } else {
            line(begin + colon());
            for (const json& item : value)
                element(item, depth + 1);
        }
    }
    void element(const json& value, std::size_t depth) {
        const std::string begin = std::string(2 * depth, ' ') + "- ";
        if (value.is_object()) {
            line(begin);
            object(value, depth + 1);
        } else if (value.is_array()) {
            line(begin + printable(wire::canonical_json(value)));
        } else {
            line(begin + scalar(value, depth + 1));
        }
    }
    /// Continuation lines of a value are indented, so that none of them looks like one of ours.
    std::string scalar(const json& value, std::size_t depth) const {
        if (value.is_boolean()) {
            return i18n::text(language_, value.get<bool>() ? "agents.mail.yes" : "agents.mail.no");
        }
        if (!value.is_string()) return value.dump();
        std::string shown;
        for (const char c : printable(value.get<std::string>())) {
            shown += c;
            if (c == '\n') shown.append(2 * depth + 4, ' ');
        }
        return shown;
    }
    std::string label_of(const std::string& name) const {
        const bool is_known = rank(name) != kMembers.size();
        return is_known ? i18n::text(language_, "agents.mail." + name) : preview(printable(name));
    }
    std::string colon() const { return i18n::text(language_, "agents.mail.colon"); }
    void line(const std::string& words) {
        if (!text_.empty()) text_ += '\n';
        text_ += words;
    }

    i18n::Language language_;
    std::string text_;
};

/// The subject of a message of this type, for its question.
std::string subject_of(const json& payload) {
    const json& brief = wire::member(payload, "task_brief");
    for (const std::string& words :
         {wire::text_member(brief, "objective"), wire::text_member(payload, "summary"),
          wire::text_member(payload, "required_capability"),
          wire::text_member(wire::member(payload, "contact"), "id"),
          wire::text_member(payload, "request"), wire::text_member(payload, "response"),
          wire::text_member(payload, "reason")}) {
        if (!words.empty()) return preview(printable(words));
    }
    return {};
}

}  // namespace

bool is_known_member(std::string_view name) {
    const auto has_it = [&](const AgentMessageRow& row) { return row.find(name) != nullptr; };
    return place_in(kMembers, name) < kMembers.size() ||
           place_in(kReferences, name) < kReferences.size() ||
           std::any_of(std::begin(kAgentMessages), std::end(kAgentMessages), has_it);
}

std::string mail_in_words(const json& payload, i18n::Language language) {
    MailText text(language);
    if (payload.is_object()) text.object(payload, 0);
    return text.take();
}

std::string question_about_mail(AgentMessageType type, std::string_view peer_id,
                                const json& payload, i18n::Language language) {
    const std::string own = "daemon.question." + std::string(to_string(type));
    return i18n::text(language,
                      i18n::has_key(language, own) ? own : "daemon.question_agent_message",
                      {{"peer", std::string(peer_id)}, {"subject", subject_of(payload)}});
}

}  // namespace a2h::agents
