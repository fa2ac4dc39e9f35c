#pragma once

#include <string>

#include "core/domain/approval.h"
#include "daemon/consent/approvals.h"
#include "daemon/notify/notification_queue.h"
#include "daemon/notify/render.h"

namespace a2h::consent {

/// Returns what a message to `person` about `approval` contains so that it can be answered: code,
/// link and button tokens. `page_url` is the address of the page; if it is empty, there is no link.
/// `secrets` must outlive the result.
///
/// Thread:  any.
notify::Secrets message_secrets(const HumanSecrets& secrets, const std::string& page_url,
                                const Approval& approval, const std::string& person);

/// The proofs in notification messages. `page_url` is the address of the page, or empty. Both must
/// outlive this object.
///
/// Thread:  any.
class MessageProofs final : public notify::Proofs {
  public:
    MessageProofs(const HumanSecrets& secrets, const std::string& page_url)
        : secrets_(secrets), page_url_(page_url) {}

    notify::Secrets secrets_of(const Approval& approval, const std::string& person) const override {
        return message_secrets(secrets_, page_url_, approval, person);
    }
    std::string pin_code_of(const std::string& nonce, const std::string& person) const override {
        return pin_code(secrets_, nonce, person);
    }

  private:
    const HumanSecrets& secrets_;
    const std::string& page_url_;
};

}  // namespace a2h::consent
