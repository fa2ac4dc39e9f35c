#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/message.h"
#include "core/domain/task.h"
#include "core/store/outbox_store.h"
#include "core/wire/demand_messages.h"
#include "daemon/context/context.h"
#include "daemon/outcome/outcome.h"

namespace a2h::collab {

/// Of messages of a negotiation: they are settled by what the negotiation says, not by rules.
constexpr std::string_view kDemandMailRule = "negotiation.mail";

/// Takes the messages of negotiations out of the decider's way, as `house::AgentMail` does with
/// those of agents. What a participant says goes to the channel that it answers, what a requester
/// says to the invitation of ours.
///
/// Thread: the loop.
class DemandMail {
  public:
    using Done = std::function<void(const Result<void>&)>;

    struct Environment {
        const Context& context;
        /// After each commit, with the places of the outbox rows.
        std::function<void(const outcome::Effects&, const std::vector<store::OutboxPlace>&)>
            on_effects;
        /// An answer to this channel counted.
        std::function<void(const std::string& channel_id)> answered;
        /// Something about our invitations has changed.
        std::function<void()> invited;
        bool asks_model = false;  ///< `invited` looks at what waits for a model
    };
    explicit DemandMail(Environment environment);

    /// A message of a type of negotiations.
    static bool takes(const InboxMessage& message);
    /// Settles `task` with all that follows, in one transaction.
    void receive(const Task& task, const InboxMessage& message, Done done);
    /// As `house::AgentMail::take_at_home`. Thread: the store writer.
    Result<std::function<void()>> take_at_home(store::Database& db,
                                               const InboxMessage& arrival) const;

  private:
    struct Job {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;
        std::string channel_id;  ///< whose requester has got an answer that counts; else empty
    };
    Result<void> take(store::Database& db, const Task& task, const InboxMessage& message,
                      UnixMs now_ms, Job& job) const;
    void taken(const Job& job) const;

    const Environment environment_;
};

}  // namespace a2h::collab
