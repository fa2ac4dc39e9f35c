#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/job.h"
#include "core/domain/message.h"
#include "core/store/outbox_store.h"
#include "core/wire/demand_messages.h"
#include "daemon/collab/advisor.h"
#include "daemon/collab/coordinator.h"
#include "daemon/collab/invitations.h"
#include "daemon/config/current.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"

namespace a2h::collab {

/// Settles the messages of negotiations. An answer of a participant goes to the negotiation that it
/// answers; a message of a requester goes to the invitation of our agent. If a mandate could answer
/// it, the mail that waits is read first (R52).
///
/// Errors:  as `outcome::OwnMail` says.
/// Thread:  the loop.
class DemandMail final : public outcome::OwnMail {
  public:
    /// With `asks_model`, `advisor` receives the invitations that wait for a model.
    DemandMail(const kernel::Kernel& kernel, const Current<Config>& config,
               Coordinator& coordinator, Advisor& advisor, const UnreadMail& unread_mail,
               bool asks_model, const outcome::Commits& commits);

    /// True for message types of negotiations.
    bool takes(const InboxMessage& message) const override;
    bool takes_at_home(std::string_view message_type) const override;
    void receive(const Job& job, const InboxMessage& message, Done done) override;
    Result<std::function<void()>> take_at_home(store::Database& db,
                                               const InboxMessage& arrival) const override;

  private:
    struct Settlement {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;
        std::string negotiation_id;  ///< the negotiation whose requester has received an answer
                                     ///< that counts; otherwise empty
    };
    void settle(const Job& job, const InboxMessage& message, Asks asks, Done done);
    Result<void> take(store::Database& db, const Job& job, const InboxMessage& message, Asks asks,
                      UnixMs now_ms, Settlement& settlement) const;
    void taken(const Settlement& settlement) const;

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    Coordinator& coordinator_;
    Advisor& advisor_;
    const UnreadMail& unread_mail_;
    const bool asks_model_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::collab
