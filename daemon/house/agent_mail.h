#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/contact.h"
#include "core/domain/job.h"
#include "core/domain/message.h"
#include "core/store/outbox_store.h"
#include "daemon/config/agents_options.h"
#include "daemon/config/current.h"
#include "daemon/house/residents.h"
#include "daemon/kernel/services.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"

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

/// What `message` changes for the agent that got it, all of it still to be written: its job is
/// settled, tasks, stories, introductions and contacts are changed in `db` at once, and what a
/// human has to decide is the approval of the effects.
///
/// From an agent of this house (`is_from_house`) a message counts at once. From elsewhere a task is
/// offered and an introduction is asked for, and both need the human; a report counts when its
/// sender is proved.
/// Errors: those of the database. Thread: the store writer, in the transaction that writes them.
Result<outcome::Effects> take_mail(store::Database& db, const Job& job, const InboxMessage& message,
                                   bool is_from_house, const Options& options,
                                   const consent::Policy& policy, UnixMs now_ms);

/// Settles the mail by which agents work together.
///
/// Thread: the loop.
class AgentMail final : public outcome::OwnMail {
  public:
    AgentMail(const kernel::Services& kernel, const Current<Config>& config,
              const Residents& residents, const outcome::Commits& commits);

    /// A message of a proved agent of this house, or of a type by which agents work together;
    /// "general" from elsewhere is chat.
    bool takes(const InboxMessage& message) const override;
    /// All that agents of this house say to each other.
    bool takes_at_home(std::string_view) const override { return true; }
    void receive(const Job& job, const InboxMessage& message, Done done) override;
    Result<std::function<void()>> take_at_home(store::Database& db,
                                               const InboxMessage& arrival) const override;

  private:
    struct Settlement {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;  ///< of their outbox rows, once they are written
    };
    Result<void> take(store::Database& db, const Job& job, const InboxMessage& message,
                      bool from_house, UnixMs now_ms, Settlement& settlement) const;
    bool is_from_house(const InboxMessage& message) const;

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    const Residents& residents_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::house
