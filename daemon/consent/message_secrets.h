#pragma once

#include <string>

#include "core/domain/approval.h"
#include "daemon/consent/approvals.h"
#include "daemon/notify/render.h"

namespace a2h::consent {

/// What a message to `person` about `approval` carries so that it can be answered: code, link and
/// the tokens of buttons. `page_url` is where the page is served; empty: there is no link.
/// `secrets` must outlive the result.
notify::Secrets message_secrets(const HumanSecrets& secrets, const std::string& page_url,
                                const Approval& approval, const std::string& person);

}  // namespace a2h::consent
