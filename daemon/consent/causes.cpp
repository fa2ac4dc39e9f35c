#include "daemon/consent/causes.h"

#include <algorithm>
#include <iterator>

namespace a2h::consent {
namespace {

struct CauseRow {
    std::string_view name;
    Right right;
    Ground ground;
    bool is_judged_late;
};

constexpr CauseRow kCauses[] = {
    {"approval:", Right::Yes, Ground::Approval, false},
    {"mandate:", Right::Mandate, Ground::Mandate, true},
    {"rule:", Right::Answer, Ground::Code, false},    // a reply to one message, judged by its job
    {"case:", Right::Answer, Ground::Code, false},    // the same, while the reply is evaluated
    {"tool:", Right::Harmless, Ground::Judge, true},  // an assistant's words
    {"unreviewed:", Right::Unreviewed, Ground::Judge, false},  // the same, by `[send] assistant`
    {"hand:", Right::OwnHand, Ground::Judge, true},            // words of a proved person
    {"spawn:", Right::Harmless, Ground::Code, true},  // a brief to a new agent of this home
    {"stop:", Right::Fixed, Ground::Code, true},  // tasks of an agent that an assistant has stopped
    {"task:", Right::Fixed, Ground::Code, false},  // tasks of an agent that the owner has stopped
    {"negotiation:", Right::Harmless, Ground::Negotiation, true},           // an assistant's demand
    {"negotiation_released:", Right::OwnHand, Ground::Negotiation, false},  // released by the owner
    {"negotiation_failed:", Right::Fixed, Ground::Negotiation, false},      // nothing came of it
};

const CauseRow* find_row(std::string_view cause) {
    const auto row = std::find_if(std::begin(kCauses), std::end(kCauses),
                                  [&](const auto& each) { return cause.starts_with(each.name); });
    return row == std::end(kCauses) ? nullptr : row;
}

}  // namespace

Claim claim_of(std::string_view cause) {
    const CauseRow* row = find_row(cause);
    return row == nullptr ? Claim{}
                          : Claim{row->right, row->ground, cause.substr(row->name.size())};
}

bool is_judged_late(std::string_view cause) {
    const CauseRow* row = find_row(cause);
    return row == nullptr || row->is_judged_late;
}

}  // namespace a2h::consent
