#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/contact.h"
#include "core/domain/job.h"
#include "core/domain/message.h"
#include "core/store/outbox_store.h"
#include "daemon/agents/residents.h"
#include "daemon/config/agents_options.h"
#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"

namespace a2h::agents {

/// The rule of messages that are only recorded: messages between agents of one home, and typed
/// messages that had their effect.
constexpr std::string_view kAgentMailRule = "house.mail";
/// The rule of messages that changed nothing: faulty ones, or messages about something that does
/// not exist.
constexpr std::string_view kIgnoredRule = "house.ignored";
/// The most unanswered offers or requests of one agent of another home; further ones are ignored.
constexpr int kOpenRequestsOfPeerMax = 5;

/// Whether our agent may introduce contacts to `asker`, an agent of another home, without asking.
/// `asker` is nullopt if our agent does not know it.
bool may_introduce(const Options& options, const std::optional<Contact>& asker);

/// Returns the changes that `message` makes for the agent that received it. Tasks, histories,
/// introductions and contacts are changed in `db` at once; settling the job and a question to a
/// human are returned as effects for the caller to write.
///
/// A message from an agent of this home (`is_from_this_home`) counts at once. From another home,
/// tasks are offers and introductions are requests, and both need the human; a report counts if its
/// sender is verified.
///
/// Errors:  those of the database.
/// Thread:  the store writer, in the transaction that writes the effects.
Result<outcome::Effects> take_mail(store::Database& db, const Job& job, const InboxMessage& message,
                                   bool is_from_this_home, const Options& options,
                                   const consent::Policy& policy, UnixMs now_ms);

/// Settles the mail by which agents work together.
///
/// Thread:  the loop.
class AgentMail final : public outcome::OwnMail {
  public:
    AgentMail(const kernel::Kernel& kernel, const Current<Config>& config,
              const Residents& residents, const outcome::Commits& commits);

    /// True for a message of a verified agent of this home, and for types by which agents work
    /// together. "general" from another home is ordinary chat.
    bool takes(const InboxMessage& message) const override;
    /// Takes all messages between agents of this home.
    bool takes_at_home(std::string_view) const override { return true; }
    void receive(const Job& job, const InboxMessage& message, Done done) override;
    Result<std::function<void()>> take_at_home(store::Database& db,
                                               const InboxMessage& arrival) const override;

  private:
    struct Settlement {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;  ///< places of their outbox rows, once written
    };
    Result<void> take(store::Database& db, const Job& job, const InboxMessage& message,
                      bool from_this_home, UnixMs now_ms, Settlement& settlement) const;
    bool is_from_this_home(const InboxMessage& message) const;

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const Residents& residents_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::agents
