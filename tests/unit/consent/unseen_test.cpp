// What a person types has no unseen code point, on whichever surface it is typed.
#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <string>

#include "core/base/fence.h"
#include "core/wire/payload.h"
#include "daemon/consent/approvals.h"
#include "tests/support/unseen.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using consent::Answer;
using test::Desk;

namespace {

constexpr AnswerSurface kSurfaces[] = {AnswerSurface::Page, AnswerSurface::Terminal,
                                       AnswerSurface::Code, AnswerSurface::Button,
                                       AnswerSurface::Relayed};

/// What is assigned is typed on every surface, as a text to send and as an instruction. Of the
/// 970 000 others, each 101st is, in one of these ways; unit_base examines all of them.
bool is_typed(char32_t c, std::size_t way) {
    if (test::is_assigned_unseen(c)) return true;
    return c % 101 == 0 && c / 101 % (2 * std::size(kSurfaces)) == way;
}

}  // namespace

TEST_CASE("an answer with an unseen code point is refused on every surface, and answers nothing") {
    Desk desk;
    consent::Ask asked = desk.ask();
    asked.requested_by = "tool:send";  // a relayed instruction is possible
    asked.about = About::Other;
    const Approval approval = desk.open(asked);
    int refused = 0;
    for (char32_t c = 0; c <= test::kLastCodePoint; ++c) {
        if (!test::is_unseen(c)) continue;
        const std::string text = "300 " + test::utf8(c) + "CNY";
        for (std::size_t way = 0; way < 2 * std::size(kSurfaces); ++way) {
            if (!is_typed(c, way)) continue;
            const AnswerSurface surface = kSurfaces[way / 2];
            const bool edits = way % 2 == 0;
            Answer answer =
                desk.proved(approval, edits ? AnswerKind::Approve : AnswerKind::Instruct, surface);
            (edits ? answer.edited_reply_text : answer.words) = text;
            const auto outcome = desk.give(answer);
            if (!outcome.refused) FAIL_CHECK(test::code_of(c) << " on " << to_string(surface));
            ++refused;
        }
    }
    MESSAGE(refused << " answers are refused");
    CHECK(desk.stored(approval.id).status == ApprovalStatus::Pending);
    CHECK(desk.outbox().empty());
}

TEST_CASE("a text that a person types is sent as it was typed, with what writing needs") {
    const std::string text = "❤\ufe0f 👩\u200d💻 می\u200cخواهم\n\tx";
    Desk desk;
    const Approval approval = desk.open();
    Answer answer = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Page);
    answer.edited_reply_text = text;
    CHECK(desk.give_well(answer).reply_queued);
    REQUIRE(desk.outbox().size() == 1);
    CHECK(desk.outbox()[0].payload_json == wire::text_payload(text, "", "works_1"));
    CHECK(shown_whole(text) == text);
}
