// The names under which enumerators live in the database and on the wire.

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/approval.h"
#include "core/domain/contact.h"
#include "core/domain/job.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/domain/stage_case.h"

using namespace a2h;

namespace {

/// Checks that the enumerators have `names`, in order, and that each name reads back.
template <typename Enum>
void check_names(const std::vector<std::string_view>& names,
                 std::optional<Enum> (*parse)(std::string_view)) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        CAPTURE(names[i]);
        const auto value = static_cast<Enum>(i);
        CHECK(to_string(value) == names[i]);
        REQUIRE(parse(names[i]));
        CHECK(*parse(names[i]) == value);
        CHECK(!parse(std::string(names[i]) + " "));
    }
    CHECK(!parse(""));
    CHECK(!parse("something else"));
}

}  // namespace

TEST_CASE("names of a message's provenance and source read back") {
    check_names<Provenance>({"verified", "vouched", "unverified", "forged"}, parse_provenance);
    check_names<SourceClass>({"peer", "platform", "owner"}, parse_source_class);
}

TEST_CASE("names of an approval's status, outcome and answer read back") {
    check_names<ApprovalStatus>(
        {"pending", "approved", "rejected", "instructed", "expired", "cancelled"},
        parse_approval_status);
    check_names<ApprovalOutcome>({"none", "executing", "executed", "failed", "unknown", "expired"},
                                 parse_approval_outcome);
    check_names<AnswerSurface>(
        {"page", "terminal", "code", "button", "mandate", "relayed", "clock", "system"},
        parse_answer_surface);
}

TEST_CASE("names of outbox states, task states and contact sources read back") {
    check_names<OutboxState>({"queued", "sent", "delivered", "dead", "dropped", "held"},
                             parse_outbox_state);
    check_names<JobState>({"pending", "in_stages", "waiting_for_human", "done", "failed"},
                          parse_job_state);
    check_names<CaseKind>({"draft", "reply", "holding"}, parse_case_kind);
    check_names<CaseStage>({"context", "agent", "review", "closed"}, parse_case_stage);
    check_names<ContactSource>(
        {"system", "parent", "preset", "introduction", "first_message", "manual"},
        parse_contact_source);
}

TEST_CASE("every reason for a refusal has a lower-case name of its own") {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(Refusal::RateLimited); ++i) {
        const std::string_view name = to_string(static_cast<Refusal>(i));
        CHECK(std::all_of(name.begin(), name.end(),
                          [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || c == '8'; }));
        names.insert(name);
    }
    CHECK(names.size() == 14);
}
