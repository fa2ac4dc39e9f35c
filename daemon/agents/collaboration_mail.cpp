#include <span>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/agents/mail_rows.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

/// Nobody else reads such words if the agent has no assistant.
void notify_human(Taking& taking, std::string_view kind, std::string_view key,
                  std::string_view words) {
    Notification news;
    news.agent_id = taking.message.agent_id;
    news.kind = kind;
    news.body_json = wire::canonical_json(
        json{{"text", taking.text(key, {{"peer", taking.message.sender_id},
                                        {"words", preview(printable(words))}})}});
    news.created_at_ms = taking.now_ms;
    taking.effects.news = std::move(news);
}

Result<void> take_request(Taking& taking) {
    A2H_TRY(take_words(taking));
    if (taking.is_from_this_home) return {};
    notify_human(taking, "collaboration.asked", "daemon.collaboration_asked",
                 taking.member("request"));
    return {};
}

Result<void> take_response(Taking& taking) {
    A2H_TRY(take_words(taking));
    if (taking.is_from_this_home) return {};
    const bool accepted = wire::member(taking.payload, "accepted") == true;
    notify_human(taking, "collaboration.answered",
                 accepted ? "daemon.collaboration_accepted" : "daemon.collaboration_declined",
                 taking.member("response"));
    return {};
}

constexpr MailRow kCollaborationMail[] = {
    {AgentMessageType::CollaborationRequest, take_request, note_in_story},
    {AgentMessageType::CollaborationResponse, take_response, note_in_story}};

}  // namespace

std::span<const MailRow> collaboration_mail() {
    return kCollaborationMail;
}

}  // namespace a2h::agents
