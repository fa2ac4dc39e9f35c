#include "daemon/pipeline/requests.h"

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_text.h"
#include "daemon/pipeline/effects.h"

namespace a2h::pipeline {
namespace {

Result<nlohmann::json> request_of(const Approval& approval) {
    auto action = wire::parse_json(approval.action_json);
    if (!action) return fail(action.error());
    const auto request = action->find("request");
    if (request == action->end() || !request->is_object()) {
        return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no request");
    }
    return *request;
}

std::string text_member(const nlohmann::json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Result<OutboxMessage> message_of_request(const Approval& approval, UnixMs now_ms) {
    const auto request = request_of(approval);
    if (!request) return fail(request.error());
    const auto payload = request->find("payload");
    if (payload == request->end() || !payload->is_object()) {
        return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no payload");
    }
    OutboxMessage message =
        new_outbox_message(approval.agent_id, approval.peer_id, wire::canonical_json(*payload), "",
                           "approval:" + approval.id, now_ms);
    const std::string type = text_member(*request, "message_type");
    if (!type.empty()) message.message_type = type;
    message.effect_key = "approval:" + approval.id;
    return message;
}

Result<platform::ListingDraft> listing_of_request(const Approval& approval) {
    const auto request = request_of(approval);
    if (!request) return fail(request.error());
    const auto type = request->find("type");
    if (type == request->end() || !type->is_number_integer()) {
        return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no listing type");
    }
    platform::ListingDraft draft;
    draft.type = static_cast<ListingType>(type->get<int>());
    draft.title = text_member(*request, "title");
    draft.content = text_member(*request, "content");
    draft.expected_price = text_member(*request, "expected_price");
    draft.service_method = text_member(*request, "service_method");
    draft.service_location = text_member(*request, "service_location");
    const std::string picture = text_member(*request, "picture");
    if (!picture.empty()) draft.pictures.push_back(picture);
    return draft;
}

}  // namespace a2h::pipeline
