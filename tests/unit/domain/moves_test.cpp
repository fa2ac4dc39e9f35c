// The states of orders (R13), RFPs (R23) and proposals (R24), walked in full.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "core/domain/exchange.h"
#include "core/domain/order.h"
#include "tests/support/order_actions.h"

using namespace a2h;
using enum OrderState;
using enum OrderAction;

namespace {

constexpr std::array kRoles{OrderRole::Customer, OrderRole::Provider};

struct Move {
    OrderState from;
    OrderAction action;
    OrderRole role;
    OrderState to;
};

const std::vector<Move> kMoves{
    {PendingConfirm, Confirm, OrderRole::Customer, Confirmed},
    {PendingConfirm, Reject, OrderRole::Customer, Rejected},
    {PendingConfirm, Cancel, OrderRole::Provider, Cancelled},
    {Confirmed, ConfirmReceived, OrderRole::Provider, Paid},
    {Paid, ConfirmServiceCompleted, OrderRole::Customer, Completed},
};

/// The result of one of the 60 combinations by R13, found without the table under test.
std::string expected(OrderState from, OrderAction action, OrderRole role) {
    for (const Move& move : kMoves) {
        if (move.action != action) continue;
        if (move.role != role) return "denied";
        if (move.from == from) return "to " + std::string(to_string(move.to));
        if (move.to == from) return "repeated " + std::string(to_string(move.to));
    }
    return "conflict";
}

std::string happened(const Result<OrderMove>& moved) {
    if (moved) {
        return (moved->repeated ? "repeated " : "to ") + std::string(to_string(moved->to));
    }
    return moved.error().code == ErrorCode::PermissionDenied ? "denied"
           : moved.error().code == ErrorCode::Conflict       ? "conflict"
                                                             : "other";
}

}  // namespace

TEST_CASE("exactly 5 combinations of 6 states, 5 actions and 2 roles move an order (R13)") {
    int moved = 0;
    int repeated = 0;
    for (const OrderState from : kOrderStates) {
        for (const OrderAction action : test::kOrderActions) {
            for (const OrderRole role : kRoles) {
                CAPTURE(to_string(from));
                CAPTURE(to_string(action));
                CAPTURE(static_cast<int>(role));
                const auto result = move_order(from, action, role);
                CHECK(happened(result) == expected(from, action, role));
                if (result && !result->repeated) ++moved;
                if (result && result->repeated) ++repeated;
            }
        }
    }
    CHECK(moved == 5);
    CHECK(repeated == 5);
}

TEST_CASE("exactly the actions listed as allowed move an order") {
    for (const OrderState state : kOrderStates) {
        for (const OrderRole role : kRoles) {
            const auto allowed = allowed_order_actions(state, role);
            for (const OrderAction action : test::kOrderActions) {
                const auto moved = move_order(state, action, role);
                const bool listed =
                    std::find(allowed.begin(), allowed.end(), action) != allowed.end();
                CHECK(listed == (moved && !moved->repeated));
            }
        }
    }
}

TEST_CASE("a refused move of an order names state and allowed moves") {
    const auto early = move_order(PendingConfirm, ConfirmServiceCompleted, OrderRole::Customer);
    REQUIRE_FALSE(early);
    CHECK(early.error().message.find("PENDING_CONFIRM") != std::string::npos);
    CHECK(early.error().message.find("confirm by the customer") != std::string::npos);
    CHECK(early.error().message.find("cancel by the provider") != std::string::npos);
    const auto wrong_role = move_order(Confirmed, ConfirmReceived, OrderRole::Customer);
    REQUIRE_FALSE(wrong_role);
    CHECK(wrong_role.error().message.find("only the provider") != std::string::npos);
    const auto ended = move_order(Rejected, Confirm, OrderRole::Customer);
    REQUIRE_FALSE(ended);
    CHECK(ended.error().message.find("no further action") != std::string::npos);
}

TEST_CASE("words of orders read back and others do not") {
    for (const OrderState state : kOrderStates)
        CHECK(parse_order_state(to_string(state)) == state);
    for (const OrderAction action : test::kOrderActions)
        CHECK(parse_order_action(to_string(action)) == action);
    for (const std::string_view wrong : {"", "confirmed", "PAID ", "Confirm", "pending_confirm"}) {
        CHECK_FALSE(parse_order_state(wrong));
        CHECK_FALSE(parse_order_action(wrong));
    }
}

TEST_CASE("an RFP leaves open once and stays where it went (R23)") {
    using enum RfpStatus;
    const std::set<std::pair<RfpStatus, RfpStatus>> allowed{{Open, Closed}, {Open, Cancelled}};
    for (const RfpStatus from : {Open, Closed, Cancelled}) {
        for (const RfpStatus to : {Open, Closed, Cancelled}) {
            CAPTURE(to_string(from));
            CAPTURE(to_string(to));
            const auto checked = check_rfp_move(from, to);
            CHECK(checked.has_value() == (from == to || allowed.count({from, to}) == 1));
            if (checked) continue;
            CHECK(checked.error().code == ErrorCode::Conflict);
            CHECK(checked.error().message.find(to_string(from)) != std::string::npos);
        }
    }
}

TEST_CASE("a proposal leaves pending once, by its own side's move (R24)") {
    using enum ProposalStatus;
    using enum ProposalRole;
    const std::set<std::tuple<ProposalStatus, ProposalRole>> moves{
        {Accepted, Creator}, {Rejected, Creator}, {Withdrawn, Supplier}};
    for (const ProposalStatus from : {Pending, Accepted, Rejected, Withdrawn}) {
        for (const ProposalStatus to : {Pending, Accepted, Rejected, Withdrawn}) {
            for (const ProposalRole role : {Creator, Supplier}) {
                CAPTURE(to_string(from));
                CAPTURE(to_string(to));
                const auto checked = check_proposal_move(from, to, role);
                const bool own = to == Pending || moves.count({to, role}) == 1;
                CHECK(checked.has_value() == (own && (from == to || from == Pending)));
                if (checked) continue;
                CHECK(checked.error().code ==
                      (own ? ErrorCode::Conflict : ErrorCode::PermissionDenied));
                if (own) CHECK(checked.error().message.find(to_string(from)) != std::string::npos);
            }
        }
    }
}

TEST_CASE("words of the exchange read back and others do not") {
    for (const auto status : {RfpStatus::Open, RfpStatus::Closed, RfpStatus::Cancelled})
        CHECK(parse_rfp_status(to_string(status)) == status);
    for (const auto status : {ProposalStatus::Pending, ProposalStatus::Accepted,
                              ProposalStatus::Rejected, ProposalStatus::Withdrawn})
        CHECK(parse_proposal_status(to_string(status)) == status);
    CHECK_FALSE(parse_rfp_status("Open"));
    CHECK_FALSE(parse_rfp_status("pending"));
    CHECK_FALSE(parse_proposal_status(""));
    CHECK_FALSE(parse_proposal_status("open"));
}
