#include "daemon/mail/market_watch.h"

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/store/setting_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/approvals.h"

namespace a2h::mail {
namespace {

using nlohmann::json;
using platform::MarketRecord;

constexpr std::string_view kPinned = "market";
constexpr std::string_view kOther =
    "market_other";  ///< the last other key that was reported to the human

std::string to_text(const MarketRecord& record) {
    return wire::canonical_json(json{{"agent_id", record.agent_id},
                                     {"key_id", record.key_id},
                                     {"public_key", record.public_key}});
}

MarketRecord record_of(const std::string& text) {
    const json object = json::parse(text, nullptr, false);
    return {wire::text_member(object, "agent_id"), wire::text_member(object, "key_id"),
            wire::text_member(object, "public_key")};
}

std::string stored(const kernel::Kernel& kernel, const Agent& agent, std::string_view key) {
    const auto value = store::get_setting(kernel.reader, agent.identity.account.agent_id, key);
    return value ? value->value_or("") : std::string();
}

}  // namespace

MarketWatch::MarketWatch(const kernel::Kernel& kernel, const Current<Config>& config,
                         KeyRing& key_ring)
    : kernel_(kernel), config_(config), key_ring_(key_ring) {}

void MarketWatch::load(Agent& agent) {
    const std::string text = stored(kernel_, agent, kPinned);
    if (!text.empty()) pin(agent, record_of(text));
}

void MarketWatch::ask(Agent& agent) {
    using Answer = Result<MarketRecord>;
    kernel_.run_blocking<Answer>(
        [market = agent.platform.get()] { return market->fetch_market(); },
        [this, &agent](const Answer& record) {
            if (record) learned(agent, *record);
        },
        [] { return fail(ErrorCode::ResourceExhausted, "too many requests are waiting"); });
}

void MarketWatch::learned(Agent& agent, const MarketRecord& record) {
    const std::string known = stored(kernel_, agent, kPinned);
    if (known == to_text(record)) return;
    // The market is identified by its key. Markets of earlier releases used an agent's id.
    if (!known.empty() && record_of(known).public_key != record.public_key) {
        notify_of_change(agent, record);
        return;
    }
    kernel_.write(
        store::Writer::Priority::Grouped,
        [id = agent.identity.account.agent_id, text = to_text(record)](store::Database& db) {
            return store::put_setting(db, id, kPinned, text);
        },
        [this, &agent, record](const Result<void>& written) {
            if (written) pin(agent, record);
        });
}

void MarketWatch::pin(Agent& agent, const MarketRecord& record) {
    agent.market_has_our_rules = true;
    const KeyRing::Key key{record.key_id, record.public_key, true};
    const std::string& agent_id = agent.identity.account.agent_id;
    key_ring_.pin_platform(agent_id, record.agent_id, key);
    // Mail from before an upgrade of the market may still wait at the broker, and the market may be
    // upgraded before it is asked again.
    const std::string former_id = agent_of_market_sender(record.agent_id);
    key_ring_.pin_platform(agent_id,
                           former_id.empty() ? market_sender_id(record.agent_id) : former_id, key);
}

void MarketWatch::notify_of_change(Agent& agent, const MarketRecord& record) {
    const std::string text = to_text(record);
    if (stored(kernel_, agent, kOther) == text) return;
    log::warning("The market reports another id or key of its own; the pinned one stays in use",
                 {{"agent", agent.identity.account.agent_id}, {"market", record.agent_id}});
    Notification news;
    news.agent_id = agent.identity.account.agent_id;
    news.kind = "key.changed";
    news.body_json = wire::canonical_json(json{{"peer_id", record.agent_id}});
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, news, text](store::Database& db) -> Result<void> {
            A2H_TRY(store::put_setting(db, news.agent_id, kOther, text));
            return consent::notify_human(db, news, config_->approval, kernel_.clock.now_ms());
        },
        [](const Result<void>&) {});
}

}  // namespace a2h::mail
