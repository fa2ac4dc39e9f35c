#include "daemon/consent/causes.h"

#include <algorithm>
#include <iterator>

namespace a2h::consent {
namespace {

struct CauseRow {
    std::string_view name;
    Right right;
    bool is_judged_late;
};

constexpr CauseRow kCauses[] = {
    {"approval:", Right::Yes, false},
    {"mandate:", Right::Mandate, true},
    {"rule:", Right::Answer, false},            // a reply to one message, judged by its job
    {"case:", Right::Answer, false},            // the same, while the reply is evaluated
    {"tool:", Right::Harmless, true},           // an assistant's words, judged by `hold_of`
    {"unreviewed:", Right::Unreviewed, false},  // an assistant's words, by `[send] assistant`
    {"negotiation:", Right::Harmless, true},    // an assistant's demand
    {"negotiation_released:", Right::OwnHand, false},  // the owner has released it or its end
    {"negotiation_failed:", Right::Fixed, false},      // nothing came of it
    {"hand:", Right::OwnHand, true},
    {"task:", Right::Fixed, false},  // the tasks of an agent that the owner has stopped
};

const CauseRow* find_row(std::string_view cause) {
    const auto row = std::find_if(std::begin(kCauses), std::end(kCauses),
                                  [&](const auto& each) { return cause.starts_with(each.name); });
    return row == std::end(kCauses) ? nullptr : row;
}

}  // namespace

Claim claim_of(std::string_view cause) {
    const CauseRow* row = find_row(cause);
    return row == nullptr ? Claim{} : Claim{row->right, cause.substr(row->name.size())};
}

bool is_judged_late(std::string_view cause) {
    const CauseRow* row = find_row(cause);
    return row == nullptr || row->is_judged_late;
}

}  // namespace a2h::consent
