#include "daemon/pipeline/catch_up.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/log.h"
#include "core/store/inbox_store.h"
#include "core/wire/envelope.h"
#include "daemon/pipeline/elsewhere.h"

namespace a2h::pipeline {
namespace {

/// True when another request now would fare no better.
bool ends_round(const Error& error) {
    return error.code == ErrorCode::Unavailable || error.code == ErrorCode::Timeout ||
           error.code == ErrorCode::Unauthenticated || error.code == ErrorCode::ResourceExhausted;
}

/// True when the market has nothing for us, now or later.
bool is_final(const Error& error) {
    return error.code == ErrorCode::NotFound || error.code == ErrorCode::Unsupported ||
           error.code == ErrorCode::PermissionDenied || error.code == ErrorCode::InvalidArgument;
}

}  // namespace

/// One look through the peers of an agent.
struct CatchUp::Round {
    Agent& agent;
    std::vector<std::string> peers{};  ///< the last one is looked at
    int page = 1;
    std::vector<std::string> missing{};  ///< of that peer, newest first
    std::size_t taken = 0;
    bool is_whole = true;  ///< nothing was left out that another round could find

    const std::string& agent_id() const { return agent.identity.account.agent_id; }
};

CatchUp::CatchUp(const Context& context, ReceiverOf receiver_of)
    : context_(context), receiver_of_(std::move(receiver_of)) {}

void CatchUp::start(Agent& agent) {
    if (agent.catch_up_timer != 0) {
        if (agent.next_catch_up != std::chrono::steady_clock::time_point{}) return;
        context_.loop.cancel(agent.catch_up_timer);
    }
    const auto now = context_.clock.steady_now();
    const auto at = std::max(now + kDelay, agent.next_catch_up);
    agent.catch_up_timer = context_.loop.call_after(
        std::chrono::ceil<std::chrono::milliseconds>(at - now), [this, &agent] { due(agent); });
}

void CatchUp::due(Agent& agent) {
    agent.catch_up_timer = 0;
    if (!agent.connected) return;  // the next connection starts it
    agent.next_catch_up = context_.clock.steady_now() + kPause;
    begin(agent, kPatience);
}

/// What the broker has kept is decided, what only the history has is not where another instance may
/// have answered it: there the broker's must all have come before.
void CatchUp::begin(Agent& agent, int patience) {
    if (!agent.connection) return;
    const auto before_ms = elsewhere_before(context_.reader, agent.identity.account.agent_id);
    if (!before_ms) return start(agent);
    const UnixMs quiet_since_ms =
        context_.clock.now_ms() - std::chrono::milliseconds(kDelay).count();
    if (*before_ms > 0 && patience > 0 &&
        agent.connection->state().last_received_ms > quiet_since_ms) {
        context_.loop.call_after(kDelay, [this, &agent, patience] { begin(agent, patience - 1); });
        return;
    }
    const auto known =
        store::conversations(context_.reader, agent.identity.account.agent_id, kPeersMax);
    if (!known) return start(agent);
    auto round = std::make_shared<Round>(Round{agent});
    for (const store::Conversation& conversation : *known)
        round->peers.push_back(conversation.peer_id);
    std::reverse(round->peers.begin(), round->peers.end());
    fetch(round);
}

void CatchUp::fetch(const std::shared_ptr<Round>& round) {
    if (round->peers.empty()) return finish(*round);
    using Page = Result<std::vector<std::string>>;
    context_.run_blocking<Page>(
        [market = round->agent.platform.get(), peer = round->peers.back(), page = round->page] {
            return market->fetch_history(peer, page, kPageSize);
        },
        [this, round](Page page) { fetched(round, std::move(page)); },
        [] { return fail(ErrorCode::ResourceExhausted, "too many requests are waiting"); });
}

void CatchUp::fetched(const std::shared_ptr<Round>& round, Result<std::vector<std::string>> page) {
    if (!page) {
        round->is_whole = round->is_whole && is_final(page.error());
        return ends_round(page.error()) ? finish(*round) : next_peer(round);
    }
    const std::string& peer = round->peers.back();
    bool all_new = true;
    for (std::string& text : *page) {
        const auto outcome = wire::parse_envelope(text, round->agent_id());
        // Our own messages, and what would be refused again, are not missing.
        if (!outcome.parsed || outcome.parsed->envelope.sender_id != peer) continue;
        const auto known = store::find_inbox(context_.reader, round->agent_id(), peer,
                                             outcome.parsed->envelope.message_id);
        // A forged message under its id does not stand for it.
        if (!known || (*known && (*known)->provenance != Provenance::Forged)) {
            all_new = false;
            continue;
        }
        round->missing.push_back(std::move(text));
    }
    const bool more = page->size() == kPageSize && all_new && round->page < kPagesMax;
    if (more) {
        ++round->page;
        fetch(round);
    } else {
        take(round);
    }
}

void CatchUp::take(const std::shared_ptr<Round>& round) {
    if (round->missing.empty()) {
        next_peer(round);
        return;
    }
    const auto before_ms = elsewhere_before(context_.reader, round->agent_id());
    if (!before_ms) {
        round->is_whole = false;
        return finish(*round);
    }
    const std::size_t count = round->missing.size();
    context_.run_blocking<std::size_t>(
        [&receiver = receiver_of_(round->agent_id()), missing = std::move(round->missing),
         before_ms = *before_ms] {
            std::size_t taken = 0;
            for (auto text = missing.rbegin(); text != missing.rend(); ++text) {
                if (!receiver.on_history(*text, before_ms)) break;
                ++taken;
            }
            return taken;
        },
        [this, round, count](std::size_t taken) {
            round->taken += taken;
            round->is_whole = round->is_whole && taken == count;
            next_peer(round);
        },
        [] { return std::size_t{0}; });
}

void CatchUp::next_peer(const std::shared_ptr<Round>& round) {
    round->peers.pop_back();
    round->page = 1;
    round->missing.clear();
    fetch(round);
}

void CatchUp::finish(const Round& round) {
    if (round.taken > 0) {
        log::info("Messages taken from the market's history",
                  {{"agent", round.agent_id()}, {"count", static_cast<long long>(round.taken)}});
    }
    if (!round.is_whole) start(round.agent);
}

}  // namespace a2h::pipeline
