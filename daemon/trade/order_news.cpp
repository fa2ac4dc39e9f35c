#include "daemon/trade/order_news.h"

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/domain/order.h"
#include "core/store/market_matter_store.h"
#include "core/wire/json_member.h"
#include "daemon/consent/action.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/open_rows.h"
#include "daemon/deals/news.h"
#include "daemon/trade/market_words.h"

namespace a2h::trade {
namespace {

/// The `requested_by` of a question that the built-in rule about payment codes asks.
constexpr std::string_view kPaymentQuestion = "rule:payment.code";

bool names_order(const Approval& question) {
    return !consent::ids_of_action(question.action_json).order_id.empty();
}

bool closes_when_paid(const Approval& question) {
    return names_order(question) && question.requested_by == kPaymentQuestion;
}

bool closes_when_over(const Approval& question) {
    if (!names_order(question)) return consent::is_part_of_offer(question);
    return consent::sends_words(question) || consent::is_about_offer(question);
}

bool closes_while_open(const Approval& question) {
    return !names_order(question) && consent::is_part_of_offer(question);
}

bool (*closes_in(OrderState state))(const Approval&) {
    switch (state) {
        case OrderState::Paid:
        case OrderState::Completed:
            return closes_when_paid;
        case OrderState::Rejected:
        case OrderState::Cancelled:
            return closes_when_over;
        default:
            return closes_while_open;
    }
}

std::optional<consent::Later> read_order_news(const std::string& agent_id,
                                              const std::string& payload_json) {
    const auto payload = nlohmann::json::parse(payload_json, nullptr, false);
    const auto& order = wire::member(payload, "order");
    const auto state = parse_order_state(wire::text_member(order, "status"));
    const std::string peer_id = wire::text_member(order, "peerId");
    if (!state || peer_id.empty()) return std::nullopt;
    return consent::Later{.agent_id = agent_id,
                          .peer_id = peer_id,
                          .order_id = wire::text_member(order, "orderId"),
                          .works_id = wire::text_member(order, "productId"),
                          .job_id = 0,
                          .provenance = std::nullopt,
                          .what = ClosedBy::Order,
                          .is_offer = false,
                          .at_ms = 0,
                          .next_id = {},
                          .closes = closes_in(*state),
                          .begins_order = *state == OrderState::PendingConfirm};
}

/// In the deal that the order carries out.
std::optional<deals::News> read_order_act(const InboxMessage& message) {
    const auto payload = nlohmann::json::parse(message.payload_json, nullptr, false);
    const auto& order = wire::member(payload, "order");
    const auto state = parse_order_state(wire::text_member(order, "status"));
    deals::News news;
    news.named = {.agent_id = message.agent_id,
                  .peer_id = wire::text_member(order, "peerId"),
                  .works_id = wire::text_member(order, "productId"),
                  .order_id = wire::text_member(order, "orderId")};
    if (!state || news.named.peer_id.empty()) return std::nullopt;
    Act act;
    act.kind = ActKind::OrderNews;
    act.by = ActBy::Market;
    act.message_id = message.message_id;
    act.order = DealOrder{news.named.order_id, *state};
    news.acts = {std::move(act)};
    return news;
}

}  // namespace

void register_order_news() {
    consent::register_news_reader(read_order_news);
    deals::register_news_reader(read_order_act);
    consent::register_open_row(
        {store::open_at_market_since, store::market_news_after, market_in_words});
}

}  // namespace a2h::trade
