#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/wire/payload.h"
#include "daemon/consent/approvals.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using consent::Answer;
using consent::ProofState;
using test::Desk;

namespace {

constexpr std::array kSurfaces{AnswerSurface::Page,  AnswerSurface::Terminal,
                               AnswerSurface::Code,  AnswerSurface::Relayed,
                               AnswerSurface::Clock, AnswerSurface::System};
constexpr std::array kKinds{AnswerKind::Approve, AnswerKind::Reject, AnswerKind::Option,
                            AnswerKind::Instruct};

/// Hands random answers, edits and clock steps to a desk and keeps what a correct outcome allows.
class Play {
  public:
    explicit Play(unsigned seed) : random_(seed) {
        for (const char* peer : {"ag_buyer", "ag_second", "ag_third"}) {
            consent::Ask ask = desk_.ask();
            ask.peer_id = peer;
            if (asked_.size() == 1) {
                ask.requested_by = "tool:send";
                ask.about = About::Other;
            }
            asked_.push_back(desk_.open(ask));
        }
    }

    void step() {
        switch (pick(8)) {
            case 0:
                desk_.now += pick(1'000'000);
                break;
            case 1:
                if (pick(8) == 0) desk_.now += 86'400'000;
                desk_.expire();
                break;
            default:
                answer();
        }
    }

    /// At most one row an approval, each released by a valid proof for exactly its text.
    void check() {
        std::map<std::string, int> rows;
        for (const OutboxMessage& row : desk_.outbox()) {
            ++rows[row.cause];
            const auto allowed = allowed_.find(row.effect_key);
            REQUIRE(allowed != allowed_.end());
            CHECK(row.payload_json == wire::text_payload(allowed->second, "", "works_1"));
        }
        for (const auto& [cause, count] : rows) {
            CAPTURE(cause);
            CHECK(count == 1);
        }
    }
    std::size_t released() { return desk_.outbox().size(); }

  private:
    std::size_t pick(std::size_t below) { return random_() % below; }

    std::string some_proof(const Approval& target, AnswerSurface surface, bool valid) {
        const Approval now = desk_.stored(target.id);
        if (!valid) return pick(2) == 0 ? "" : "123456";
        return surface == AnswerSurface::Page ? consent::approval_link_token(desk_.secrets, now)
                                              : consent::approval_code(desk_.secrets, now);
    }

    void answer() {
        const Approval& target = asked_[pick(asked_.size())];
        Answer answer;
        answer.approval_id = target.id;
        answer.surface = kSurfaces[pick(kSurfaces.size())];
        answer.kind = kKinds[pick(kKinds.size())];
        answer.words = "counter with 400";
        const bool valid = pick(3) != 0;
        answer.proof = some_proof(target, answer.surface, valid);
        answer.pin = valid ? ProofState::Valid : ProofState::Wrong;
        if (pick(4) == 0) answer.edited_reply_text = "3000 CNY is fine";
        if (pick(6) == 0) answer.digest_seen = target.digest;
        const bool human = answer.surface == AnswerSurface::Page ||
                           answer.surface == AnswerSurface::Terminal ||
                           answer.surface == AnswerSurface::Code;
        const Approval before = desk_.stored(target.id);
        const auto outcome = desk_.give(answer);
        if (valid && human && outcome.answered) allow(answer, before);
        if (!outcome.answered || !outcome.answered->next) return;
        desk_.deliver(outcome.answered->next->id);
        asked_.push_back(*outcome.answered->next);
    }

    void allow(const Answer& answer, const Approval& before) {
        const bool trusted =
            answer.surface == AnswerSurface::Page || answer.surface == AnswerSurface::Terminal;
        if (answer.kind == AnswerKind::Approve) {
            const bool edits = trusted && !answer.edited_reply_text.empty();
            allowed_.emplace("approval:" + before.id,
                             edits ? answer.edited_reply_text : before.reply_text);
        } else if (answer.kind == AnswerKind::Reject) {
            allowed_.emplace("approval:" + before.id + ":reject", before.reject_text);
        }
    }

    Desk desk_;
    std::mt19937 random_;
    std::vector<Approval> asked_;
    std::map<std::string, std::string> allowed_;  ///< effect key → text
};

}  // namespace

TEST_CASE(
    "an approval sends at most one message, and none without a valid proof for exactly its text, "
    "in whatever order it is answered, edited and timed out") {
    std::size_t released = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        Play play(seed);
        for (int i = 0; i < 30; ++i)
            play.step();
        play.check();
        released += play.released();
    }
    CHECK(released > 40);
}
