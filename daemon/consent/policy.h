#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/person.h"
#include "core/i18n/messages.h"

namespace a2h::consent {

/// An action for which the yes of one person is not enough, or for which only some people may say
/// yes. Configured as `[[approval_rule]]`; see daemon/consent/README.md, "Several people".
struct ApprovalRule {
    std::string action;                  ///< action of the approval, or `order.confirm`; empty: any
    std::int64_t amount_from_minor = 0;  ///< 0: any amount, or none
    std::string currency;                ///< of `amount_from_minor`
    int votes = 1;
    std::vector<std::string> people;
};

/// `[approval]`, `[[person]]` and `[[approval_rule]]` of config.toml.
struct Policy {
    std::chrono::milliseconds answer_within{std::chrono::hours(24)};
    std::chrono::milliseconds act_within{
        std::chrono::hours(24)};  ///< counted from the answer-by time
    std::string version = "1";
    i18n::Language language = i18n::Language::English;  ///< language of the owner
    std::vector<Person> people;  ///< people who may answer and are notified; empty: `kOwner`
    std::vector<ApprovalRule> rules;
    std::int64_t high_from_minor = 0;  ///< amounts from here on are urgent; 0: none is
    std::chrono::milliseconds escalate_after{
        0};                          ///< after this time substitutes are asked; 0: never
    bool trust_elicitation = false;  ///< see `trusts_dialog`
};

}  // namespace a2h::consent
