#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/contact.h"
#include "core/domain/message.h"
#include "core/domain/task.h"
#include "core/store/outbox_store.h"
#include "daemon/config/agents_options.h"
#include "daemon/context/context.h"
#include "daemon/outcome/outcome.h"

namespace a2h::house {

/// The rule of messages that are recorded and nothing more: what agents of one house say to each
/// other, and typed messages that took their effect.
constexpr std::string_view kHouseMailRule = "house.mail";
/// Of messages that were taken and changed nothing: faulty ones, or about what does not exist.
constexpr std::string_view kIgnoredRule = "house.ignored";
/// What one agent elsewhere may have offered or asked for without an answer; more changes nothing.
constexpr int kOpenRequestsOfPeerMax = 5;

/// Whether our agent may name contacts to `asker`, who lives elsewhere, by itself: as it knows it,
/// nullopt when it does not.
bool may_introduce(const Options& options, const std::optional<Contact>& asker);

/// What `message` changes for the agent that got it, all of it still to be written: its task is
/// settled, tasks, stories, introductions and contacts are changed in `db` at once, and what a
/// human has to decide is the approval of the effects.
///
/// From an agent of this house (`is_from_house`) a message counts at once. From elsewhere a task is
/// offered and an introduction is asked for, and both need the human; a report counts when its
/// sender is proved.
/// Errors: those of the database. Thread: the store writer, in the transaction that writes them.
Result<outcome::Effects> take_mail(store::Database& db, const Task& task,
                                   const InboxMessage& message, bool is_from_house,
                                   const Options& options, const consent::Policy& policy,
                                   UnixMs now_ms);

/// Takes the mail of agents out of the decider's way, as the stages do with theirs.
///
/// Thread: the loop.
class AgentMail {
  public:
    /// As of `stages::Exchange`.
    using Done = std::function<void(const Result<void>&)>;

    struct Environment {
        const Context& context;
        /// Whether an agent lives in this house.
        std::function<bool(const std::string& agent_id)> is_ours;
        /// After each commit, with the places of the outbox rows.
        std::function<void(const outcome::Effects&, const std::vector<store::OutboxPlace>&)>
            on_effects;
    };
    explicit AgentMail(Environment environment);

    /// A message of a proved agent of this house, or of a type by which agents work together;
    /// "general" from elsewhere is chat.
    bool takes(const InboxMessage& message) const;
    /// Settles `task` with all that follows, in one transaction.
    void receive(const Task& task, const InboxMessage& message, Done done);
    /// The same for what has just arrived within the house, in the transaction that delivers it,
    /// so that no other commit is needed. Returns what the loop does after the commit.
    /// Thread: the store writer.
    Result<std::function<void()>> take_at_home(store::Database& db,
                                               const InboxMessage& arrival) const;

  private:
    struct Job {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;  ///< of their outbox rows, once they are written
    };
    Result<void> take(store::Database& db, const Task& task, const InboxMessage& message,
                      bool from_house, UnixMs now_ms, Job& job) const;
    bool is_from_house(const InboxMessage& message) const;

    const Environment environment_;
};

}  // namespace a2h::house
