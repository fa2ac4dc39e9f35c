#pragma once

#include <string>
#include <string_view>

namespace a2h::wire {

/// The two secrets of an approval in its present form, derived from the human's link key
/// (home/human.json), the approval's id and its digest: neither is ever stored, and an edit, which
/// changes the digest, voids both. Both are empty when `link_key` is empty, and an empty secret
/// proves nothing. Source: docs/architecture.md, "Approvals".

/// Six decimal digits.
std::string derive_code(std::string_view link_key, std::string_view approval_id,
                        std::string_view digest);
/// 32 hex characters, for `/a/{id}?t={token}`.
std::string derive_link_token(std::string_view link_key, std::string_view approval_id,
                              std::string_view digest);

}  // namespace a2h::wire
