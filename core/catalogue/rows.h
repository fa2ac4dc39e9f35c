#pragma once

#include <span>

#include "core/catalogue/operations.h"

namespace a2h::catalogue {

// The rows behind `operations()`, which adds their toolsets. Other code uses that function.
std::span<const Operation> core_rows();
std::span<const Operation> works_rows();
std::span<const Operation> deal_rows();
std::span<const Operation> order_rows();
std::span<const Operation> approvals_rows();
std::span<const Operation> profile_rows();
std::span<const Operation> file_rows();
std::span<const Operation> discussion_rows();
std::span<const Operation> address_rows();
std::span<const Operation> payment_rows();
std::span<const Operation> exchange_rows();
std::span<const Operation> auth_rows();
std::span<const Operation> human_rows();
std::span<const Operation> mandate_rows();
std::span<const Operation> agent_rows();
std::span<const Operation> plan_rows();
std::span<const Operation> watch_rows();
std::span<const Operation> candidate_rows();
std::span<const Operation> demand_rows();
std::span<const Operation> invitation_rows();

constexpr Hints kReadsHome{
    .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
constexpr Hints kReadsMarket{
    .read_only = true, .destructive = false, .idempotent = true, .open_world = true};
/// Creates or sends something outside this home; a repeated call does it again.
constexpr Hints kAdds{
    .read_only = false, .destructive = false, .idempotent = false, .open_world = true};
/// Waits for a yes; a repeated call does not ask again.
constexpr Hints kAsks{
    .read_only = false, .destructive = false, .idempotent = true, .open_world = true};
/// Changes or removes something; waits for a yes as above, or has the same result when repeated.
constexpr Hints kChanges{
    .read_only = false, .destructive = true, .idempotent = true, .open_world = true};
/// The same three for operations that concern only this home.
constexpr Hints kAddsAtHome{
    .read_only = false, .destructive = false, .idempotent = false, .open_world = false};
constexpr Hints kSetsAtHome{
    .read_only = false, .destructive = false, .idempotent = true, .open_world = false};
constexpr Hints kChangesHome{
    .read_only = false, .destructive = true, .idempotent = true, .open_world = false};

}  // namespace a2h::catalogue
