#include "core/wire/agent_messages.h"

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/wire/contact_file.h"
#include "core/wire/json_text.h"
#include "core/wire/task_brief.h"
#include "daemon/agents/model_text.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

using nlohmann::json;

/// A payload is found to be the same in our spelling, and that is final.
void check_types(const json& payload) {
    for (const AgentMessageRow& row : kAgentMessages) {
        const AgentMessageType type = row.type;
        const json ours = wire::normalized(type, payload);
        const auto fault = wire::fault_of(type, payload);
        const auto again = wire::fault_of(type, ours);
        A2H_CHECK(fault.has_value() == again.has_value());
        A2H_CHECK(!fault || wire::to_json(*fault) == wire::to_json(*again));
        A2H_CHECK(wire::normalized(type, ours) == ours);
    }
}

/// A brief is read when nothing is missing or wrong, and comes back as it was.
void check_brief(const json& object) {
    const auto brief = wire::read_task_brief(object);
    A2H_CHECK(brief.has_value() ==
              (wire::missing_fields(object).empty() && wire::wrong_members(object).empty()));
    if (!brief) return;
    A2H_CHECK(wire::read_task_brief(wire::write_task_brief(*brief)).value() == *brief);
    const agents::Author giver{SourceClass::Peer, "ag_a", "role", Provenance::Verified};
    A2H_CHECK(is_utf8(agents::format_brief(giver, *brief, i18n::Language::Chinese)));
}

void check_contacts(const json& file) {
    const auto read = wire::read_contact_file(file);
    if (!read) {
        A2H_CHECK(!read.error().message.empty());
        return;
    }
    const json written = wire::write_contact_file(*read);
    A2H_CHECK(wire::write_contact_file(wire::read_contact_file(written).value()) == written);
}

std::size_t headers_in(std::string_view text) {
    constexpr std::string_view kOpening = "\u3010";
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(kOpening, at)) != std::string_view::npos; ++at)
        ++count;
    return count;
}

}  // namespace

void agent_messages(std::string_view input) {
    const agents::Author author{SourceClass::Peer, std::string(input.substr(0, 20)),
                                std::string(input.substr(0, 200)), Provenance::Unverified};
    for (const auto language : {i18n::Language::Chinese, i18n::Language::English}) {
        const std::string text =
            agents::format_message(author, input, agents::ReplyTool::A2hSend, language);
        A2H_CHECK(is_utf8(text) && headers_in(text) == 1);
    }
    const auto object = wire::parse_json(input);
    if (!object) return;
    check_types(*object);
    check_brief(*object);
    check_contacts(*object);
}

}  // namespace a2h::fuzz
