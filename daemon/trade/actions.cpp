#include "daemon/trade/actions.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/domain/order.h"
#include "core/wire/json_member.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/bounded.h"
#include "daemon/trade/read_back.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::text_member;

bool is_about(const json& request, const json& news, const char* id) {
    const std::string named = text_member(request, id);
    return !named.empty() && named == text_member(news, id);
}

bool is_move_void(const json& request, const json& news) {
    const json& order = wire::member(news, "order");
    const auto action = parse_order_action(text_member(request, "action"));
    const auto state = parse_order_state(text_member(order, "status"));
    const json& role = wire::member(order, "currentType");
    const std::string order_id = text_member(request, "order_id");
    if (!action || !state || order_id.empty() || text_member(order, "orderId") != order_id ||
        (role != 1 && role != 2)) {
        return false;
    }
    const auto allowed =
        allowed_order_actions(*state, role == 1 ? OrderRole::Customer : OrderRole::Provider);
    return std::find(allowed.begin(), allowed.end(), *action) == allowed.end();
}

bool is_answer_void(const json& request, const json& news) {
    return text_member(news, "type") == "proposal.event" &&
           text_member(news, "event") != "submitted" && is_about(request, news, "proposal_id");
}

bool is_proposal_void(const json& request, const json& news) {
    const std::string event = text_member(news, "event");
    return text_member(news, "type") == "rfp.event" &&
           (event == "closed" || event == "cancelled") && is_about(request, news, "rfp_id");
}

bool is_bounded_order(const json& request) {
    return mandates::holds_only(request, {"customer_id", "price_cent", "currency", "product_id",
                                          "order_type", "title", "content"});
}

/// What a move or an acceptance commits to stands at the market, with its amount.
bool is_bounded_move(const json& request) {
    return mandates::holds_only(request, {"order_id", "action"});
}
bool is_bounded_acceptance(const json& request) {
    return mandates::holds_only(request, {"proposal_id", "status"});
}

/// A proposal with words or a date of delivery commits to more than its price.
bool is_bounded_proposal(const json& request) {
    return mandates::holds_only(request, {"rfp_id", "price"});
}

constexpr consent::MandateKind kOrder[] = {{mandate_kind("order.create")}};
constexpr consent::MandateKind kConfirmation[] = {{mandate_kind("order.confirm")}};
constexpr consent::MandateKind kProposal[] = {{mandate_kind("proposal.submit")}};
constexpr consent::MandateKind kAcceptance[] = {{mandate_kind("proposal.accept")}};

std::string_view mandate_of_move(const json& request) {
    return text_member(request, "action") == "confirm" ? kConfirmation->name : std::string_view();
}

std::string_view mandate_of_answer(const json& request) {
    return text_member(request, "status") == "accepted" ? kAcceptance->name : std::string_view();
}

/// To accept a proposal needs a yes.
bool is_not_acceptance(const json& body) {
    return text_member(body, "status") != "accepted";
}

constexpr std::string_view kOrderId[] = {"order_id"};
constexpr std::string_view kProposalId[] = {"proposal_id"};
constexpr std::string_view kRfpId[] = {"rfp_id"};
constexpr std::string_view kSessionIds[] = {"proposal_id", "rfp_id"};

constexpr std::string_view kUpload[] = {"file.sign"};
/// A code is added with the address of its upload, and the first one becomes the default.
constexpr std::string_view kCodeUpload[] = {"file.sign", "profile.upload_qrcode",
                                            "profile.set_default_payment"};
constexpr std::string_view kCodeRemoval[] = {"profile.set_default_payment"};

constexpr consent::ActionRow kActions[] = {
    {.action = "order.create",
     .mandates = kOrder,
     .is_bounded = is_bounded_order,
     .market_lane = "order",
     .answer_id = {"orderId"},
     .read_back = new_order},
    {.action = "order.action",
     .mandates = kConfirmation,
     .mandate_of = mandate_of_move,
     .own_ids = {.at_market = kOrderId},
     .is_bounded = is_bounded_move,
     .is_void = is_move_void,
     .market_lane = "order",
     .answer_id = {"orderId", "order_id"},
     .read_back = moved_order},
    {.action = "proposal.update",
     .mandates = kAcceptance,
     .mandate_of = mandate_of_answer,
     .own_ids = {.at_market = kProposalId},
     .is_bounded = is_bounded_acceptance,
     .is_void = is_answer_void,
     .market_lane = "proposal",
     .right_without_yes = Right::Harmless,
     .is_free = is_not_acceptance,
     .tells_peer = consent::ActionRow::Tells::Refusal,
     .answer_id = {"proposal_id", "proposal_id"},
     .read_back = moved_proposal},
    {.action = "proposal.submit",
     .mandates = kProposal,
     .subject = "rfp_id",
     .own_ids = {.at_market = kRfpId},
     .is_bounded = is_bounded_proposal,
     .is_void = is_proposal_void,
     .market_lane = "proposal",
     .answer_id = {"proposal_id"},
     .read_back = new_proposal},
    {.action = "rfp.create", .market_lane = "rfp", .answer_id = {"rfp_id"}, .read_back = new_rfp},
    {.action = "rfp.update",
     .own_ids = {.at_market = kRfpId},
     .market_lane = "rfp",
     .answer_id = {"rfp_id", "rfp_id"},
     .read_back = changed_rfp},
    {.action = "works.publish",
     .market_lane = "works",
     .answer_id = {"worksId"},
     .read_back = new_post},
    {.action = "works.update",
     .market_lane = "works",
     .changes_listing = true,
     .answer_id = {"worksId", "works_id"},
     .read_back = changed_post},
    {.action = "works.delete",
     .market_lane = "works",
     .changes_listing = true,
     .answer_id = {"worksId", "works_id"},
     .read_back = deleted_post},
    {.action = "discussion.publish",
     .market_lane = "discussion",
     .answer_id = {"worksId"},
     .read_back = new_post},
    {.action = "discussion.reply",
     .market_lane = "discussion",
     .answer_id = {"worksId"},
     .read_back = new_reply},
    {.action = "payment.create_link",
     .own_ids = {.at_market = kOrderId},
     .market_lane = "payment",
     .answer_id = {"orderId", "order_id"},
     .read_back = made_link},
    {.action = "profile.upload_qrcode",
     .market_lane = "profile",
     .parts = kCodeUpload,
     .uploads = true,
     .read_back = uploaded_code},
    {.action = "profile.delete_qrcode",
     .market_lane = "profile",
     .parts = kCodeRemoval,
     .read_back = removed_code},
    {.action = "profile.set_default_payment",
     .market_lane = "profile",
     .read_back = default_method},
    {.action = "file.upload",
     .market_lane = "file",
     .right_without_yes = Right::Harmless,
     .parts = kUpload,
     .uploads = true},
    // The other side may have chosen the id of the request or proposal.
    {.action = "session.create",
     .own_ids = {.at_market = kSessionIds},
     .market_lane = "session",
     .right_without_yes = Right::Harmless,
     .tells_peer = consent::ActionRow::Tells::Act,
     .answer_id = {"session_id"}},
    {.action = "capability.set",
     .market_lane = "capability",
     .right_without_yes = Right::Harmless,
     .read_back = set_capabilities},
    {.action = "address.create", .market_lane = "address", .right_without_yes = Right::Harmless},
    {.action = "address.delete", .market_lane = "address", .right_without_yes = Right::Harmless},
    {.action = "address.set_default",
     .market_lane = "address",
     .right_without_yes = Right::Harmless},
    {.action = "profile.set", .market_lane = "profile", .right_without_yes = Right::OwnHand},
};

}  // namespace

void register_actions() {
    consent::register_actions(kActions);
}

}  // namespace a2h::trade
