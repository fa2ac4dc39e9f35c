#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h::wire {

/// The form that the secrets of an approval depend on: its present form and their holder.
struct ApprovalForm {
    std::string_view approval_id;
    std::string_view digest;
    std::string_view person;
};

/// The secrets of an approval, derived from the human's link key (home/human.json). None is stored,
/// and an edit, which changes the digest, voids all of them. They are empty if `link_key` is empty,
/// and an empty secret proves nothing.
///
/// Source:  daemon/consent/README.md, "Approvals".

/// Six decimal digits.
std::string derive_code(std::string_view link_key, const ApprovalForm& form);
/// 32 hex characters, for `/a/{id}?p={person}&t={token}`.
std::string derive_link_token(std::string_view link_key, const ApprovalForm& form);
/// 24 hex characters for one button: not valid for another `choice` or after `expires_ms`.
std::string derive_button_token(std::string_view link_key, const ApprovalForm& form,
                                std::string_view choice, UnixMs expires_ms);

}  // namespace a2h::wire
