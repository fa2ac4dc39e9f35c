#include "daemon/mail/catch_up.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/store/event_store.h"
#include "core/store/inbox_store.h"
#include "core/store/refused_store.h"
#include "core/store/setting_store.h"
#include "core/wire/canonical.h"
#include "core/wire/envelope.h"
#include "daemon/consent/approvals.h"
#include "daemon/effects/rows.h"
#include "daemon/kernel/fault_point.h"
#include "daemon/mail/other_instance.h"

namespace a2h::mail {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstDelay{50};
/// The position in the market's record up to which everything is stored.
constexpr std::string_view kAfterSetting = "history.after";

/// True if another request now would fail as well, whatever it asks for.
bool is_passing(const Error& error) {
    return error.code == ErrorCode::Unavailable || error.code == ErrorCode::Timeout ||
           error.code == ErrorCode::ResourceExhausted;
}

/// True if the same request about any other peer would fail as well.
bool ends_round(const Error& error) {
    return is_passing(error) || error.code == ErrorCode::Unauthenticated;
}

/// True if the market has no such data, now or later.
bool is_final(const Error& error) {
    return error.code == ErrorCode::NotFound || error.code == ErrorCode::Unsupported ||
           error.code == ErrorCode::PermissionDenied || error.code == ErrorCode::InvalidArgument;
}

Result<std::int64_t> stored_place(store::Database& db, const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto text, store::get_setting(db, agent_id, kAfterSetting));
    std::int64_t place = 0;
    if (text) std::from_chars(text->data(), text->data() + text->size(), place);
    return place;
}

Error too_much_waits() {
    return {ErrorCode::ResourceExhausted, "too many requests are waiting"};
}

/// What was sent before this time is left to the human. The first fetch after a restore or a
/// takeover brings nothing but what the other instance may have answered, whatever time its senders
/// wrote.
Result<UnixMs> left_to_human_before(store::Database& db, std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(const bool is_first, is_other_instance_unread(db, agent_id));
    if (is_first) return std::numeric_limits<UnixMs>::max();
    return other_instance_before(db, agent_id);
}

std::string digest_of_text(const std::string& envelope_json, std::string_view agent_id) {
    const auto outcome = wire::parse_envelope(envelope_json, agent_id);
    return outcome.parsed ? wire::digest_of(*outcome.parsed) : std::string();
}

}  // namespace

/// One fetch of the history of an agent.
struct CatchUp::Round {
    Agent& agent;
    std::int64_t after;    ///< the position up to which the mail of all senders is stored
    std::uint64_t number;  ///< as in `HistoryFetches::begun`
    UnixMs other_instance_before_ms;  ///< when the fetch began
    std::uint64_t sessions_lost;      ///< before the fetch began
    std::uint64_t connections;        ///< before the fetch began
    int pages = 0;
    bool everybody = true;
    std::vector<std::string> peers{};  ///< the peers still to be asked; the last one is next
    int page = 1;
    std::vector<std::string> missing{};
    std::size_t taken = 0;
    bool is_whole = true;  ///< no part is missing that another round could fetch

    const std::string& agent_id() const { return agent.identity.account.agent_id; }
};

CatchUp::CatchUp(const kernel::Kernel& kernel, const Current<Config>& config,
                 const outcome::Commits& commits)
    : kernel_(kernel), config_(config), commits_(commits) {}

void CatchUp::start(Agent& agent) {
    if (agent.catch_up_timer != 0) {
        if (agent.next_catch_up != std::chrono::steady_clock::time_point{}) return;
        kernel_.loop.cancel(agent.catch_up_timer);
    }
    const auto now = kernel_.clock.steady_now();
    // Before the first fetch the broker has kept nothing for the agent.
    const auto delay = agent.history.was_read ? milliseconds(kDelay) : kFirstDelay;
    const auto at = std::max(now + delay, agent.next_catch_up);
    agent.catch_up_timer = kernel_.loop.call_after(std::chrono::ceil<milliseconds>(at - now),
                                                   [this, &agent] { due(agent); });
}

void CatchUp::broker_is_read(Agent& agent) {
    const bool is_pausing = agent.next_catch_up > kernel_.clock.steady_now();
    if (agent.catch_up_timer == 0 || is_pausing) return;
    kernel_.loop.cancel(agent.catch_up_timer);
    due(agent);
}

void CatchUp::fetch_now(Agent& agent) {
    const auto now = kernel_.clock.steady_now();
    const auto failed_at = agent.history.failed_at;
    const bool has_failed = failed_at != std::chrono::steady_clock::time_point{};
    const auto from = has_failed ? failed_at + kShortPause : agent.next_catch_up;
    if (agent.is_catching_up || now < from) return;
    if (agent.catch_up_timer != 0) kernel_.loop.cancel(agent.catch_up_timer);
    due(agent);
}

void CatchUp::due(Agent& agent) {
    agent.catch_up_timer = 0;
    agent.history.failed_at = {};
    if (!agent.connected) return;  // the next connection starts it
    agent.next_catch_up = kernel_.clock.steady_now() + kPause;
    begin(agent, kPatience);
}

/// Messages kept by the broker are decided. Messages found only in the history are not decided if
/// another instance may have answered them; in that case all messages of the broker must have
/// arrived first.
void CatchUp::begin(Agent& agent, int patience) {
    if (!agent.connection) return;
    if (agent.is_catching_up) return start(agent);
    const auto before_ms = other_instance_before(kernel_.reader, agent.identity.account.agent_id);
    if (!before_ms) return start(agent);
    const UnixMs quiet_since_ms = kernel_.clock.now_ms() - milliseconds(kDelay).count();
    if (*before_ms > 0 && patience > 0 &&
        agent.connection->state().last_received_ms > quiet_since_ms) {
        kernel_.loop.call_after(kDelay, [this, &agent, patience] { begin(agent, patience - 1); });
        return;
    }
    const auto after = stored_place(kernel_.reader, agent.identity.account.agent_id);
    if (!after) return start(agent);
    agent.is_catching_up = true;
    fetch(std::make_shared<Round>(Round{agent, *after, ++agent.history.begun, *before_ms,
                                        agent.history.sessions_lost, agent.history.connections}));
}

void CatchUp::fetch(const std::shared_ptr<Round>& round) {
    if (round->pages++ == kIncomingPagesMax) return stop(round);
    using Page = Result<platform::IncomingPage>;
    kernel_.run_blocking<Page>(
        [market = round->agent.platform.get(), after = round->after] {
            return market->fetch_incoming(after, kIncomingPageSize);
        },
        [this, round](Page page) { fetched(round, std::move(page)); },
        [] { return fail(too_much_waits()); });
}

void CatchUp::fetched(const std::shared_ptr<Round>& round, Result<platform::IncomingPage> page) {
    if (!page) {
        // The answer of a foreign platform to an unknown path can have any form.
        const bool ours = round->agent.market_has_our_rules && !is_final(page.error());
        return ours || is_passing(page.error()) ? stop(round) : ask_known_peers(round);
    }
    for (std::string& text : page->envelopes) {
        const auto found = look_up(*round, text);
        if (!found) return stop(round);
        if (*found == Found::Missing) round->missing.push_back(std::move(text));
    }
    take(round, [this, round, after = page->after, more = page->more] {
        taken_until(round, after, more);
    });
}

void CatchUp::taken_until(const std::shared_ptr<Round>& round, std::int64_t after, bool more) {
    if (after == round->after) return finish(*round);
    A2H_FAULT_POINT("history.1");
    round->after = after;
    kernel_.write(
        store::Writer::Priority::Grouped,
        [id = round->agent_id(), after](store::Database& db) {
            auto stored = store::put_setting(db, id, kAfterSetting, std::to_string(after));
            A2H_FAULT_POINT("history.2");
            return stored;
        },
        [this, round, more](const Result<void>& written) {
            if (!written) return stop(round);
            more ? fetch(round) : finish(*round);
        });
}

void CatchUp::ask_known_peers(const std::shared_ptr<Round>& round) {
    round->everybody = false;
    const auto known = store::conversations(kernel_.reader, round->agent_id(), kPeersMax);
    if (!known) return stop(round);
    for (const store::Conversation& conversation : *known)
        round->peers.push_back(conversation.peer_id);
    std::reverse(round->peers.begin(), round->peers.end());
    fetch_peer(round);
}

void CatchUp::fetch_peer(const std::shared_ptr<Round>& round) {
    if (round->peers.empty()) return finish(*round);
    using Page = Result<std::vector<std::string>>;
    kernel_.run_blocking<Page>(
        [market = round->agent.platform.get(), peer = round->peers.back(), page = round->page] {
            return market->fetch_history(peer, page, kPageSize);
        },
        [this, round](Page page) { fetched_peer(round, std::move(page)); },
        [] { return fail(too_much_waits()); });
}

void CatchUp::fetched_peer(const std::shared_ptr<Round>& round,
                           Result<std::vector<std::string>> page) {
    if (!page) {
        round->is_whole = round->is_whole && is_final(page.error());
        return ends_round(page.error()) ? finish(*round) : next_peer(round);
    }
    bool all_new = true;
    for (std::string& text : *page) {
        const auto found = look_up(*round, text);
        if (!found) return stop(round);
        all_new = all_new && *found != Found::Known;
        if (*found == Found::Missing) round->missing.push_back(std::move(text));
    }
    const bool more = page->size() == kPageSize && all_new && round->page < kPagesMax;
    if (more) {
        ++round->page;
        return fetch_peer(round);
    }
    std::reverse(round->missing.begin(), round->missing.end());
    take(round, [this, round] { next_peer(round); });
}

void CatchUp::next_peer(const std::shared_ptr<Round>& round) {
    round->peers.pop_back();
    round->page = 1;
    round->missing.clear();
    fetch_peer(round);
}

Result<CatchUp::Found> CatchUp::look_up(const Round& round, const std::string& text) const {
    const auto outcome = wire::parse_envelope(text, round.agent_id());
    if (outcome.refused) return look_up_refused(round, *outcome.refused);
    const Envelope& envelope = outcome.parsed->envelope;
    if (envelope.sender_id == round.agent_id()) return Found::NoMail;  // said by this agent
    A2H_ASSIGN_OR_RETURN(const auto known,
                         store::find_inbox(kernel_.reader, round.agent_id(), envelope.sender_id,
                                           envelope.message_id));
    // Neither a forged message nor another one with the same id replaces it (R1).
    const std::string digest = wire::digest_of(*outcome.parsed);
    const bool is_there = known && known->provenance != Provenance::Forged &&
                          digest_of_text(known->envelope_json, round.agent_id()) == digest;
    if (is_there) return Found::Known;
    return is_recorded(round, envelope.sender_id, digest);
}

/// A refused message is missing only if it counts as said by its sender (R45).
Result<CatchUp::Found> CatchUp::look_up_refused(const Round& round,
                                                const wire::RefusedEnvelope& refused) const {
    const bool is_own = refused.claimed_sender == round.agent_id();
    if (!refused.signed_part || is_own) return Found::NoMail;
    return is_recorded(round, refused.claimed_sender, wire::digest_of(refused));
}

Result<CatchUp::Found> CatchUp::is_recorded(const Round& round, const std::string& sender_id,
                                            const std::string& digest) const {
    A2H_ASSIGN_OR_RETURN(const bool is_there,
                         store::has_refused(kernel_.reader, round.agent_id(), sender_id, digest));
    return is_there ? Found::Known : Found::Missing;
}

/// Stores the missing messages in order, and continues with `then` once all are stored.
void CatchUp::take(const std::shared_ptr<Round>& round, std::function<void()> then) {
    if (round->missing.empty()) return then();
    if (!round->agent.connection) return stop(round);
    const auto before_ms = left_to_human_before(kernel_.reader, round->agent_id());
    if (!before_ms) return stop(round);
    const std::size_t count = round->missing.size();
    kernel_.run_blocking<std::size_t>(
        [&intake = *round->agent.intake, missing = std::exchange(round->missing, {}),
         before_ms = *before_ms, may_act = round->agent.connection->gate()] {
            std::size_t taken = 0;
            for (const std::string& text : missing) {
                // After a suspension of the process, the rest is left to the acting instance.
                if (!may_act() || !intake.on_history(text, before_ms)) break;
                ++taken;
            }
            return taken;
        },
        [this, round, count, then = std::move(then)](std::size_t taken) {
            round->taken += taken;
            taken == count ? then() : stop(round);
        },
        [] { return std::size_t{0}; });
}

/// Stops a fetch early; the next one continues it.
void CatchUp::stop(const std::shared_ptr<Round>& round) {
    round->is_whole = false;
    finish(*round);
}

void CatchUp::finish(const Round& round) {
    Agent& agent = round.agent;
    agent.is_catching_up = false;
    const auto taken = static_cast<std::int64_t>(round.taken);
    agent.history.fetched += taken;
    agent.history.fetched_since_loss += taken;
    if (taken > 0) {
        log::info("Messages were fetched from the market's history",
                  {{"agent", round.agent_id()}, {"count", taken}});
    }
    agent.history.is_late = !round.is_whole;
    if (!round.is_whole) {
        agent.history.failed_at = kernel_.clock.steady_now();
        return start(agent);
    }
    agent.history.ended = round.number;
    if (!round.everybody && agent.history.asked_ms == 0) {
        log::warning(
            "This market's history contains only mail of known peers; what others sent while "
            "the broker stored nothing may be missing",
            {{"agent", round.agent_id()}});
    }
    agent.next_catch_up = kernel_.clock.steady_now();
    agent.history.asked_ms = kernel_.clock.now_ms();
    agent.history.covered = round.connections;
    agent.history.everybody = round.everybody;
    note_other_instance_read(round);
    if (agent.history.is_owed && round.sessions_lost == agent.history.sessions_lost)
        notify_of_lost_session(agent);
}

/// Until this is stored, an assistant's texts wait for a yes (mail/standing.h).
void CatchUp::note_other_instance_read(const Round& round) {
    const bool is_first = !std::exchange(round.agent.history.was_read, true);
    if (round.other_instance_before_ms == 0 && !is_first) return;
    kernel_.write(
        store::Writer::Priority::Background,
        [id = round.agent_id(), before_ms = round.other_instance_before_ms](store::Database& db) {
            return set_other_instance_read(db, id, before_ms);
        },
        [this, &agent = round.agent](const Result<void>& written) {
            if (!written) start(agent);
        });
}

/// People are notified only if something may be missing.
void CatchUp::notify_of_lost_session(Agent& agent) {
    const HistoryFetches& history = agent.history;
    log::warning("The broker had lost the session; messages were fetched from the market's history",
                 {{"agent", agent.identity.account.agent_id},
                  {"fetched", history.fetched_since_loss},
                  {"asked_for", history.everybody ? "everybody" : "known peers"}});
    Notification news;
    news.agent_id = agent.identity.account.agent_id;
    news.kind = "listening.session_lost";
    news.body_json = wire::canonical_json(
        {{"fetched", history.fetched_since_loss}, {"everybody", history.everybody}});
    kernel_.write(
        store::Writer::Priority::Background,
        [this, news, notifies = !history.everybody, lost_at_ms = history.lost_at_ms,
         now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
            // A session that was lost in the meantime remains to be reported.
            A2H_ASSIGN_OR_RETURN(const auto noticed,
                                 store::get_number(db, news.agent_id, kLostSetting));
            if (noticed == lost_at_ms)
                A2H_TRY(store::put_number(db, news.agent_id, kLostSetting, 0));
            A2H_TRY(
                store::insert_event(db, effects::new_event(news.agent_id, news.kind, news.agent_id,
                                                           news.body_json, now_ms)));
            if (!notifies) return {};
            return consent::notify_human(db, news, config_->approval, now_ms);
        },
        [this, &agent, lost = history.sessions_lost](const Result<void>& written) {
            if (!written) return start(agent);
            agent.history.is_owed = agent.history.sessions_lost != lost;
            commits_.rows_written();
        });
}

}  // namespace a2h::mail
