#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/domain/approval.h"
#include "core/i18n/messages.h"
#include "daemon/consent/approvals.h"

namespace a2h::test {

/// A question with realistic content. `name` is the action, and what distinguishes it from other
/// questions about the same action.
struct Sample {
    std::string name;
    Approval approval;
};

/// A text in the reader's language.
struct Words {
    i18n::Language language;

    std::string operator()(std::string_view english, std::string_view chinese) const {
        return std::string(language == i18n::Language::English ? english : chinese);
    }
};

inline constexpr UnixMs kAskedAt = 1'795'348'800'000;
inline constexpr const char* kOurAgent = "ag_self";
inline constexpr const char* kPeer = "ag_mei7x2";
inline constexpr const char* kOtherPeer = "ag_bob42k";

/// Several lines, some of them longer than a terminal.
std::string long_text(const Words& words);
/// The question as a person gets it, with an id that is always the same.
Sample sample_of(std::string name, const consent::Ask& ask, i18n::Language language);

std::vector<Sample> market_samples(i18n::Language language);
std::vector<Sample> mail_samples(i18n::Language language);
std::vector<Sample> demand_samples(i18n::Language language);
/// One question or more for every action that can be asked.
std::vector<Sample> all_samples(i18n::Language language);

}  // namespace a2h::test
