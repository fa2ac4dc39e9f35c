#include "daemon/consent/message_secrets.h"

#include "core/domain/person.h"
#include "daemon/consent/votes.h"

namespace a2h::consent {
namespace {

std::string link_to(const HumanSecrets& secrets, const std::string& page_url,
                    const Approval& approval, const std::string& person) {
    if (page_url.empty()) return {};
    std::string link =
        page_url + "/a/" + approval.id + "?t=" + approval_link_token(secrets, approval, person);
    if (person != kOwner) link += "&p=" + person;
    return link;
}

}  // namespace

notify::Secrets message_secrets(const HumanSecrets& secrets, const std::string& page_url,
                                const Approval& approval, const std::string& person) {
    return {approval_code(secrets, approval, person), link_to(secrets, page_url, approval, person),
            [&secrets, approval, person](AnswerKind choice) {
                return approval_button_token(secrets, approval, person, choice);
            },
            check_voter(approval, person).has_value()};
}

}  // namespace a2h::consent
