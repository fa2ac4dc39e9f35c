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

}  // namespace

/// One look through the peers of an agent.
struct CatchUp::Round {
    Agent& agent;
    std::vector<std::string> peers{};  ///< the last one is looked at
    int page = 1;
    std::vector<std::string> missing{};  ///< of that peer, newest first
    std::size_t taken = 0;

    const std::string& agent_id() const { return agent.identity.account.agent_id; }
};

CatchUp::CatchUp(const Context& context, ReceiverOf receiver_of)
    : context_(context), receiver_of_(std::move(receiver_of)) {}

void CatchUp::start(Agent& agent) {
    const auto now = context_.clock.steady_now();
    if (agent.next_catch_up > now) return;
    agent.next_catch_up = now + kPause;
    context_.loop.call_after(kDelay, [this, &agent] { begin(agent, kPatience); });
}

/// What the broker has kept is decided, what only the history has is not where another instance may
/// have answered it: there the broker's must all have come before.
void CatchUp::begin(Agent& agent, int patience) {
    const auto before_ms = elsewhere_before(context_.reader, agent.identity.account.agent_id);
    if (!before_ms || !agent.connection) return;
    const UnixMs quiet_since_ms =
        context_.clock.now_ms() - std::chrono::milliseconds(kDelay).count();
    if (*before_ms > 0 && patience > 0 &&
        agent.connection->state().last_received_ms > quiet_since_ms) {
        context_.loop.call_after(kDelay, [this, &agent, patience] { begin(agent, patience - 1); });
        return;
    }
    const auto known =
        store::conversations(context_.reader, agent.identity.account.agent_id, kPeersMax);
    if (!known) return;
    auto round = std::make_shared<Round>(Round{agent});
    for (const store::Conversation& conversation : *known)
        round->peers.push_back(conversation.peer_id);
    std::reverse(round->peers.begin(), round->peers.end());
    fetch(round);
}

void CatchUp::fetch(const std::shared_ptr<Round>& round) {
    if (round->peers.empty()) {
        if (round->taken > 0) {
            log::info(
                "Messages taken from the market's history",
                {{"agent", round->agent_id()}, {"count", static_cast<long long>(round->taken)}});
        }
        return;
    }
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
        if (!ends_round(page.error())) next_peer(round);
        return;
    }
    const std::string& peer = round->peers.back();
    bool all_new = true;
    for (std::string& text : *page) {
        const auto outcome = wire::parse_envelope(text, round->agent_id());
        // Our own messages, and what would be refused again, are not missing.
        if (!outcome.parsed || outcome.parsed->envelope.sender_id != peer) continue;
        const auto known = store::find_inbox(context_.reader, round->agent_id(), peer,
                                             outcome.parsed->envelope.message_id);
        if (!known || *known) {
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
    if (!before_ms) return;  // the next connection looks again
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
        [this, round](std::size_t taken) {
            round->taken += taken;
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

}  // namespace a2h::pipeline
