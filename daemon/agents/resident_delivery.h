#pragma once

#include <memory>
#include <string>

#include "daemon/agents/residents.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/kernel/metrics.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/delivery.h"
#include "daemon/outcome/own_mail.h"

namespace a2h::agents {

/// Delivers messages to agents of this home. Their inbox row, what follows from it and the end of
/// the outbox row are one transaction. An agent that was stopped takes no mail.
///
/// Errors:  as `outcome::Delivery` says.
/// Thread:  the loop.
class ResidentDelivery final : public outcome::Delivery {
  public:
    ResidentDelivery(const kernel::Kernel& kernel, kernel::Metrics& metrics, const Agents& agents,
                     const Residents& residents, const outcome::OwnMailTable& own_mail,
                     const outcome::Commits& commits);

    Target find(const std::string& target_id) const override;
    Result<std::shared_ptr<Passage>> begin(const OutboxMessage& message,
                                           const std::string& envelope) const override;

  private:
    class HandOver;

    const kernel::Kernel& kernel_;
    kernel::Metrics& metrics_;
    const Agents& agents_;
    const Residents& residents_;
    const outcome::OwnMailTable& own_mail_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::agents
