#include "daemon/trade/session_news.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/deals/news.h"
#include "daemon/decide/acts.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::text_member;

deals::News news_about(const InboxMessage& message, const std::string& peer_id,
                       const std::string& offer_id) {
    deals::News news;
    news.named.agent_id = message.agent_id;
    news.named.peer_id = peer_id;
    news.named.offer_message_id = offer_id;
    return news;
}

Act deal_news(const json& event, const std::string& offer_id, const std::string& accept_id) {
    Act act;
    act.kind = ActKind::DealNews;
    act.by = ActBy::Market;
    act.offer_message_id = offer_id;
    act.message_id = accept_id;
    act.market_deal_id = text_member(event, "deal_id");
    return act;
}

/// "refused": our answer to an offer had no effect.
deals::News refused(const InboxMessage& message, const json& event) {
    const std::string offer_id = text_member(event, "offer_message_id");
    deals::News news = news_about(message, text_member(event, "agent_id"), offer_id);
    Act act;
    act.kind = ActKind::RefusalNews;
    act.by = ActBy::Market;
    act.offer_message_id = offer_id;
    act.message_id = text_member(event, "message_id");
    news.acts = {std::move(act)};
    return news;
}

/// What the other agent has said over HTTP.
deals::News said(const InboxMessage& message, const json& event) {
    const json& told = wire::member(event, "message");
    const json& payload = wire::member(told, "payload");
    const std::string offer_id = text_member(payload, "offer_message_id");
    deals::News news = news_about(message, text_member(told, "sender_agent_id"), offer_id);
    news.named.works_id = text_member(payload, "worksId");
    news.acts = decide::typed_acts(wire::canonical_json(payload));
    for (Act& act : news.acts) {
        act.by = ActBy::Peer;
        act.message_id = text_member(told, "message_id");
        if (!act.payload_hash.empty()) act.payload_hash = kOverHttp;
    }
    if (!text_member(event, "deal_id").empty())
        news.acts.push_back(deal_news(event, offer_id, text_member(told, "message_id")));
    return news;
}

std::optional<deals::News> read_session_news(const InboxMessage& message) {
    const json event = json::parse(message.payload_json, nullptr, false);
    const std::string type = text_member(event, "type");
    if (type == "session.event")
        return text_member(event, "event") == "refused" ? refused(message, event)
                                                        : said(message, event);
    if (type != "deal.event") return std::nullopt;
    const std::string offer_id = text_member(event, "offer_message_id");
    deals::News news = news_about(message, text_member(event, "agent_id"), offer_id);
    news.acts = {deal_news(event, offer_id, text_member(event, "accept_message_id"))};
    return news;
}

/// News of an older market does not say whose offer it is about.
std::optional<deals::News> read_named(const InboxMessage& message) {
    auto news = read_session_news(message);
    return news && !news->named.peer_id.empty() ? std::move(news) : std::optional<deals::News>();
}

}  // namespace

void register_session_news() {
    deals::register_news_reader(read_named);
}

}  // namespace a2h::trade
