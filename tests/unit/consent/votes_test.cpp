#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <vector>

#include "core/store/approval_stats.h"
#include "core/store/vote_store.h"
#include "core/store/writer.h"
#include "daemon/card/card.h"
#include "daemon/consent/renewal.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using consent::Answer;
using consent::ApprovalRule;
using test::Desk;
using test::kStart;
using test::must;

namespace {

using Names = std::vector<std::string>;

Person person(std::string name, std::string substitute = "") {
    Person person;
    person.name = std::move(name);
    person.normal = person.high = {{"terminal"}};
    person.substitute = std::move(substitute);
    return person;
}

class VoteDesk : public Desk {
  public:
    VoteDesk() {
        policy.rules = {ApprovalRule{"reply.send", 20'000, "CNY", 2, {"human", "anna", "bert"}}};
    }
    Answer from(const std::string& person, const Approval& approval,
                AnswerKind kind = AnswerKind::Approve) const {
        Answer answer;
        answer.approval_id = approval.id;
        answer.kind = kind;
        answer.words = "words";
        answer.surface = AnswerSurface::Page;
        answer.person = person;
        answer.proof = consent::approval_link_token(secrets, approval, person);
        return answer;
    }
    Answer worded_by(const std::string& person, const Approval& approval,
                     const std::string& text) const {
        Answer answer = from(person, approval);
        answer.edited_reply_text = text;
        return answer;
    }
    static bool card_says(const Approval& approval, std::string_view words) {
        const auto lines = card::card_of(approval, i18n::Language::English).lines;
        return std::any_of(lines.begin(), lines.end(), [&](const card::Line& line) {
            return line.kind == card::Line::Kind::Votes && line.value == words;
        });
    }
    /// The error of an answer that changed nothing at all.
    ErrorCode error(const Answer& answer) {
        must(db->begin());
        const auto applied = consent::apply_answer(*db, answer, secrets, policy, now);
        db->rollback();
        REQUIRE(!applied);
        return applied.error().code;
    }
};

}  // namespace

TEST_CASE_FIXTURE(VoteDesk, "Two of three: the first yes waits, the second releases, once") {
    const Approval approval = open();
    const auto first = give_well(from("anna", approval));
    CHECK(first.approval.status == ApprovalStatus::Pending);
    CHECK(first.votes == Names{"anna"});
    CHECK(outbox().empty());
    CHECK(job_state() == JobState::WaitingForHuman);
    const auto second = give_well(from("bert", approval));
    CHECK(second.approval.status == ApprovalStatus::Approved);
    CHECK(second.approval.answered_by == "anna, bert");
    CHECK(second.votes.empty());
    CHECK(outbox().size() == 1);
    CHECK(refusal(from("human", approval)) == ErrorCode::Conflict);
    CHECK(audit(approval.id) == Names{"asked", "voted", "voted", "answered", "consumed"});
}

TEST_CASE_FIXTURE(VoteDesk, "Nobody votes twice, and a stranger's yes does not count") {
    const Approval approval = open();
    give_well(from("anna", approval));
    CHECK(error(from("anna", approval)) == ErrorCode::Conflict);
    CHECK(refusal(from("carl", approval)) == ErrorCode::PermissionDenied);
    CHECK(stored(approval.id).status == ApprovalStatus::Pending);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(VoteDesk, "One person's proof is not another's vote") {
    const Approval approval = open();
    give_well(from("anna", approval));
    Answer forged = from("anna", approval);
    forged.person = "bert";
    CHECK(refusal(forged) == ErrorCode::Unauthenticated);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(VoteDesk, "The person who has asked does not vote") {
    consent::Ask asked = ask();
    asked.asked_by = "anna";
    const Approval approval = open(asked);
    CHECK(stored(approval.id).voters == Names{"human", "bert"});
    CHECK(refusal(from("anna", approval)) == ErrorCode::PermissionDenied);
    give_well(from("bert", approval));
    CHECK(give_well(from("human", approval)).approval.status == ApprovalStatus::Approved);
}

TEST_CASE_FIXTURE(VoteDesk, "A question that too few people could agree to is not asked") {
    policy.rules[0].people = {"human"};
    consent::Ask asked = ask();
    asked.asked_by = "anna";
    const auto approval = consent::new_approval(asked, policy, now);
    must(db->begin());
    CHECK(consent::open_approval(*db, approval, policy, now).error().code == ErrorCode::Conflict);
    db->rollback();
}

TEST_CASE_FIXTURE(VoteDesk, "A vote can be withdrawn before the last, and given again") {
    const Approval approval = open();
    CHECK(error(from("anna", approval, AnswerKind::Withdraw)) == ErrorCode::NotFound);
    give_well(from("anna", approval));
    const auto withdrawn = give_well(from("anna", approval, AnswerKind::Withdraw));
    CHECK(withdrawn.votes.empty());
    CHECK(give_well(from("bert", approval)).approval.status == ApprovalStatus::Pending);
    CHECK(outbox().empty());
    CHECK(give_well(from("anna", approval)).approval.status == ApprovalStatus::Approved);
    CHECK(refusal(from("anna", approval, AnswerKind::Withdraw)) == ErrorCode::Conflict);
    CHECK(outbox().size() == 1);
}

TEST_CASE_FIXTURE(VoteDesk, "Nobody withdraws another's vote") {
    const Approval approval = open();
    give_well(from("anna", approval));
    CHECK(error(from("bert", approval, AnswerKind::Withdraw)) == ErrorCode::NotFound);
    CHECK(must(store::votes_for(*db, approval.id, approval.digest)).size() == 1);
}

TEST_CASE_FIXTURE(VoteDesk, "A no of anybody closes the question") {
    const Approval approval = open();
    give_well(from("anna", approval));
    CHECK(give_well(from("bert", approval, AnswerKind::Reject)).approval.status ==
          ApprovalStatus::Rejected);
    CHECK(refusal(from("human", approval)) == ErrorCode::Conflict);
}

TEST_CASE_FIXTURE(VoteDesk, "Edited words need the votes of others, and earlier votes are void") {
    const Approval approval = open();
    give_well(from("anna", approval));
    Answer edit = from("bert", approval);
    edit.edited_reply_text = "290 CNY is fine";
    const auto edited = give_well(edit);
    CHECK(edited.approval.status == ApprovalStatus::Pending);
    CHECK(edited.votes.empty());
    const Approval now_asked = stored(approval.id);
    CHECK(now_asked.reply_text == "290 CNY is fine");
    CHECK(refusal(from("anna", approval)) == ErrorCode::Unauthenticated);  // the old link
    CHECK(refusal(from("bert", now_asked)) == ErrorCode::PermissionDenied);
    give_well(from("anna", now_asked));
    CHECK(give_well(from("human", now_asked)).approval.status == ApprovalStatus::Approved);
    REQUIRE(outbox().size() == 1);
    CHECK(outbox()[0].payload_json.find("290 CNY") != std::string::npos);
}

TEST_CASE_FIXTURE(VoteDesk,
                  "Words that may name an amount need the people of a rule about amounts") {
    policy.rules = {ApprovalRule{"", 20'000, "CNY", 2, {"anna", "bert"}}};
    consent::Ask ask = this->ask();
    ask.amount_minor.reset();
    ask.currency.clear();
    const auto needed = [&](const std::string& text) {
        ask.reply_text = text;
        return stored(open(ask).id).votes_needed;
    };
    CHECK(needed("Agreed, deal.") == 2);
    CHECK(needed("Agreed: 500.00 CNY.") == 2);
    CHECK(needed("Hello!") == 1);
    CHECK(needed("") == 1);
}

TEST_CASE_FIXTURE(VoteDesk, "Words for a question without a draft need the people of a rule") {
    policy.rules = {ApprovalRule{"", 20'000, "CNY", 2, {"anna", "bert"}}};
    consent::Ask ask = this->ask();
    ask.amount_minor.reset();
    ask.currency.clear();
    ask.reply_text.clear();
    const Approval question = open(ask);
    give_well(worded_by("human", question, "Agreed: 500.00 CNY."));
    const Approval worded = stored(question.id);
    CHECK(worded.status == ApprovalStatus::Pending);
    CHECK(worded.votes_needed == 2);
    CHECK(outbox().empty());
    give_well(from("anna", worded));
    CHECK(outbox().empty());
    give_well(from("bert", stored(question.id)));
    CHECK(outbox().size() == 1);
}

TEST_CASE_FIXTURE(VoteDesk, "Where all must agree, who asks says yes like the other") {
    policy.rules[0].people = {"anna", "bert"};
    consent::Ask asked = ask();
    asked.asked_by = "anna";
    const Approval approval = open(asked);
    CHECK(give_well(from("bert", approval)).approval.status == ApprovalStatus::Pending);
    CHECK(outbox().empty());
    CHECK(give_well(from("anna", approval)).approval.status == ApprovalStatus::Approved);
    CHECK(outbox().size() == 1);
}

TEST_CASE_FIXTURE(VoteDesk, "Where all must agree, one's own words need the other's yes only") {
    policy.rules[0].people = {"anna", "bert"};
    consent::Ask asked = ask();
    SUBCASE("in place of a draft") {}
    SUBCASE("to a question without one") {
        asked.reply_text.clear();
    }
    const Approval approval = open(asked);
    const auto worded = give_well(worded_by("anna", approval, "290 CNY is fine"));
    CHECK(worded.approval.status == ApprovalStatus::Pending);
    CHECK(worded.votes == Names{"anna"});
    CHECK(error(from("anna", stored(approval.id))) == ErrorCode::Conflict);
    CHECK(outbox().empty());
    CHECK(card_says(stored(approval.id),
                    "anna chose the words, which is the yes of anna. This still needs a yes from 1 "
                    "of these people: bert."));
    const auto agreed = give_well(from("bert", stored(approval.id)));
    CHECK(agreed.approval.status == ApprovalStatus::Approved);
    CHECK(agreed.approval.answered_by == "anna, bert");
    REQUIRE(outbox().size() == 1);
    CHECK(outbox()[0].payload_json.find("290 CNY") != std::string::npos);
    CHECK(audit(approval.id) == Names{"asked", "edited", "voted", "voted", "answered", "consumed"});
}

TEST_CASE_FIXTURE(VoteDesk,
                  "Words that were changed by turns leave when both have agreed to them") {
    policy.rules[0].people = {"anna", "bert"};
    const Approval approval = open();
    give_well(worded_by("anna", approval, "290 CNY is fine"));
    const auto changed = give_well(worded_by("bert", stored(approval.id), "295 CNY is fine"));
    CHECK(changed.votes == Names{"bert"});
    CHECK(outbox().empty());
    SUBCASE("The first words again are what only one has agreed to") {
        const auto again = give_well(worded_by("anna", stored(approval.id), "290 CNY is fine"));
        CHECK(again.votes == Names{"anna"});
        CHECK(give_well(from("bert", stored(approval.id))).approval.status ==
              ApprovalStatus::Approved);
    }
    SUBCASE("The other's words, chosen by the other, are agreed") {
        give_well(worded_by("anna", stored(approval.id), "292 CNY is fine"));
        CHECK(
            give_well(worded_by("bert", stored(approval.id), "292 CNY is fine.")).approval.status ==
            ApprovalStatus::Pending);
        CHECK(give_well(from("anna", stored(approval.id))).approval.status ==
              ApprovalStatus::Approved);
    }
    CHECK(outbox().size() == 1);
}

TEST_CASE_FIXTURE(VoteDesk, "A person who takes back their own words says yes like the other") {
    policy.rules[0].people = {"anna", "bert"};
    const Approval approval = open();
    give_well(worded_by("anna", approval, "290 CNY is fine"));
    CHECK(give_well(from("anna", stored(approval.id), AnswerKind::Withdraw)).votes.empty());
    CHECK(card_says(stored(approval.id), "This needs a yes from 2 of these people: bert, anna."));
    CHECK(give_well(from("bert", stored(approval.id))).approval.status == ApprovalStatus::Pending);
    CHECK(give_well(from("anna", stored(approval.id))).approval.status == ApprovalStatus::Approved);
}

TEST_CASE_FIXTURE(VoteDesk,
                  "Where all must agree, a draft of one's instruction needs all of them") {
    policy.people = {person("anna"), person("bert")};
    policy.rules[0].people = {"anna", "bert"};
    const Approval approval = open();
    Answer instruction = from("anna", approval, AnswerKind::Instruct);
    instruction.words = "还价到 450";
    const auto drafted = give_well(instruction);
    REQUIRE(drafted.next);
    const Approval draft = stored(drafted.next->id);
    CHECK(draft.question.find("It follows an instruction of anna: “还价到 450”") !=
          std::string::npos);
    CHECK(card_says(draft, "This needs a yes from 2 of these people: anna, bert."));
    CHECK(give_well(from("bert", draft)).approval.status == ApprovalStatus::Pending);
    CHECK(give_well(from("anna", draft)).approval.status == ApprovalStatus::Approved);
}

TEST_CASE_FIXTURE(VoteDesk, "The only person who decides may choose the words") {
    policy.rules[0].people = {"anna"};
    policy.rules[0].votes = 1;
    const Approval approval = open();
    CHECK(give_well(worded_by("anna", approval, "290 CNY is fine")).approval.status ==
          ApprovalStatus::Approved);
    CHECK(outbox().size() == 1);
}

TEST_CASE_FIXTURE(VoteDesk, "Words to which a person agreed before are asked again after news") {
    policy.rules[0].people = {"anna", "bert"};
    const Approval approval = open();
    give_well(worded_by("anna", approval, "290 CNY is fine"));
    InboxMessage message = *must(store::get_inbox(*db, job_id));
    message.message_id = "msg_1760000000001_0badf00d";
    message.payload_json = R"({"text":"wait"})";
    message.provenance = Provenance::Verified;
    message.payload_hash = "another";
    write([&] {
        Job job = *must(store::get_job(*db, must(store::insert_inbox(*db, message)).inbox_id));
        job.state = JobState::Done;
        job.decision = "silent";
        must(store::update_job(*db, job));
    });
    std::optional<Approval> next;
    write([&] { next = must(consent::renew(*db, stored(approval.id), policy, now)); });
    REQUIRE(next);
    CHECK(card_says(*next, "This needs a yes from 2 of these people: bert, anna."));
    CHECK(give_well(from("bert", *next)).approval.status == ApprovalStatus::Pending);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(VoteDesk,
                  "A rule applies from its amount on, and to any amount that it cannot compare") {
    consent::Ask asked = ask();
    asked.amount_minor = 19'999;
    CHECK(stored(open(asked).id).votes_needed == 1);
    asked.amount_minor = 20'000;
    CHECK(stored(open(asked).id).votes_needed == 2);
    asked.amount_minor = 1;
    asked.currency = "USD";
    CHECK(stored(open(asked).id).votes_needed == 2);
    asked.amount_minor.reset();
    CHECK(stored(open(asked).id).votes_needed == 2);
    asked.action = "works.publish";
    CHECK(stored(open(asked).id).votes_needed == 1);
}

TEST_CASE_FIXTURE(VoteDesk, "Words withdraw only where a yes can be taken back") {
    Approval approval;
    CHECK(consent::understand_answer(approval, "withdraw") == AnswerKind::Instruct);
    approval.votes_needed = 2;
    CHECK(consent::understand_answer(approval, " 撤回 ") == AnswerKind::Withdraw);
    policy.rules.clear();
    const Approval one = open();
    CHECK(refusal(from("human", one, AnswerKind::Withdraw)) == ErrorCode::InvalidArgument);
}

TEST_CASE_FIXTURE(Desk, "Exactly one of a hundred simultaneous answers counts") {
    const Approval approval = open();
    std::vector<Answer> answers;
    for (int i = 0; i < 100; ++i) {
        const auto surface = i % 3 == 0 ? AnswerSurface::Page : AnswerSurface::Terminal;
        answers.push_back(
            proved(approval, i % 2 == 0 ? AnswerKind::Approve : AnswerKind::Reject, surface));
    }
    store::Writer writer(std::move(db));
    std::atomic<int> counted = 0;
    std::atomic<int> told = 0;
    std::vector<std::future<void>> threads;
    for (int thread = 0; thread < 10; ++thread) {
        threads.push_back(std::async(std::launch::async, [&, thread] {
            std::vector<std::future<Result<void>>> done;
            for (int i = 0; i < 10; ++i) {
                const Answer& answer = answers[static_cast<std::size_t>(thread * 10 + i)];
                done.push_back(writer.submit_urgent([&, answer](store::Database& database) {
                    auto applied = consent::apply_answer(database, answer, secrets, policy, now);
                    if (!applied) return Result<void>(fail(applied.error()));
                    counted += applied->answered ? 1 : 0;
                    told +=
                        applied->refused && applied->refused->code == ErrorCode::Conflict ? 1 : 0;
                    return Result<void>();
                }));
            }
            for (auto& ready : done)
                CHECK(ready.get().has_value());
        }));
    }
    for (auto& thread : threads)
        thread.get();
    CHECK(counted == 1);
    CHECK(told == 99);
    writer
        .submit_urgent([&](store::Database& database) -> Result<void> {
            CHECK(must(store::list_outbox(database, "ag_seller", std::nullopt, 100)).size() == 1);
            return {};
        })
        .wait();
}

TEST_CASE_FIXTURE(Desk, "Expensive and soon expiring questions are urgent") {
    policy.high_from_minor = 30'000;
    consent::Ask asked = ask();
    CHECK(stored(open(asked).id).priority == Priority::High);
    asked.amount_minor = 29'999;
    CHECK(stored(open(asked).id).priority == Priority::Normal);
    policy.answer_within = std::chrono::minutes(119);
    CHECK(stored(open(asked).id).priority == Priority::High);
}

TEST_CASE_FIXTURE(Desk, "A question that nobody answers is escalated once") {
    const Approval approval = open();
    write([&] { CHECK(must(consent::escalate(*db, policy, now)) == 0); });
    policy.escalate_after = std::chrono::minutes(30);
    now = kStart + 30 * 60'000 - 1;
    write([&] { CHECK(must(consent::escalate(*db, policy, now)) == 0); });
    now += 1;
    write([&] { CHECK(must(consent::escalate(*db, policy, now)) == 1); });
    write([&] { CHECK(must(consent::escalate(*db, policy, now)) == 0); });
    CHECK(stored(approval.id).escalated_at_ms == now);
    CHECK(stored(approval.id).status == ApprovalStatus::Pending);
    const Approval answered = open();
    give_well(proved(answered, AnswerKind::Reject));
    now += 3'600'000;
    write([&] { CHECK(must(consent::escalate(*db, policy, now)) == 0); });
}

namespace {

std::vector<std::string> asked_people(store::Database& db, const std::string& approval_id) {
    std::vector<std::string> names;
    for (const auto& row : must(store::notifications_of_approval(db, approval_id)))
        names.push_back(row.person + (row.body_json == "{}" ? "" : " " + row.body_json));
    return names;
}

}  // namespace

TEST_CASE_FIXTURE(Desk, "A substitute is asked only when nobody answered in time, and once") {
    using Names = std::vector<std::string>;
    policy.people = {person("anna", "bert"), person("bert"), person("carl"),
                     person("dora", "bert")};
    policy.escalate_after = std::chrono::minutes(30);
    const Approval approval = open();
    CHECK(asked_people(*db, approval.id) == Names{"anna", "carl", "dora"});
    now = kStart + 30 * 60'000;
    write([&] { CHECK(must(consent::escalate(*db, policy, now)) == 1); });
    // A person without a substitute is asked once more.
    CHECK(asked_people(*db, approval.id) ==
          Names{"anna", "carl", "dora", R"(bert {"instead_of":"anna"})", "carl"});
    const auto audit = must(store::audit_rows(*db, approval.id));
    CHECK(audit.back().what == "escalated");
    CHECK(audit.back().detail_json == R"({"asked":"bert, carl"})");
    now = kStart + std::chrono::milliseconds(policy.answer_within).count() + 1;
    write([&] { CHECK(must(consent::expire_overdue(*db, policy, now)).size() == 1); });
    CHECK(asked_people(*db, approval.id).size() == 9);
}

TEST_CASE_FIXTURE(Desk, "Only people who were asked are notified that a question has expired") {
    policy.people = {person("anna", "bert"), person("bert")};
    const Approval approval = open();
    now = kStart + std::chrono::milliseconds(policy.answer_within).count() + 1;
    write([&] { CHECK(must(consent::expire_overdue(*db, policy, now)).size() == 1); });
    CHECK(asked_people(*db, approval.id) == std::vector<std::string>{"anna", "anna"});
}

TEST_CASE_FIXTURE(Desk,
                  "A person whose yes a rule requires is asked at once, even as a substitute") {
    policy.people = {person("anna", "bert"), person("bert"), person("carl")};
    consent::ApprovalRule rule;
    rule.votes = 2;
    rule.people = {"anna", "bert"};
    policy.rules = {rule};
    policy.escalate_after = std::chrono::minutes(30);
    const Approval approval = open();
    CHECK(asked_people(*db, approval.id) == std::vector<std::string>{"anna", "bert", "carl"});
}

TEST_CASE_FIXTURE(Desk, "Numbers say how often and how fast people say yes") {
    const auto answered_after = [&](std::int64_t ms, AnswerKind kind) {
        const Approval approval = open();
        now += ms;
        Answer answer = proved(approval, kind);
        answer.words = "words";
        give_well(answer);
    };
    answered_after(1'000, AnswerKind::Approve);
    answered_after(9'000, AnswerKind::Approve);
    answered_after(60'000, AnswerKind::Reject);
    open();
    // A question without a draft: its yes only closes it.
    consent::Ask bare = ask();
    bare.reply_text.clear();
    const Approval closed = open(bare);
    now += 500;
    give_well(proved(closed, AnswerKind::Approve));
    const auto counts = must(store::count_approvals(*db, "ag_seller", kStart));
    std::int64_t asked = 0, yes = 0, only_closed = 0;
    for (const auto& row : counts) {
        asked += row.count;
        if (row.status != ApprovalStatus::Approved) continue;
        (row.only_closes ? only_closed : yes) += row.count;
    }
    CHECK(asked == 5);
    CHECK(yes == 2);
    CHECK(only_closed == 1);
    CHECK(must(store::yes_durations_ms(*db, "ag_seller", kStart)) ==
          std::vector<std::int64_t>{1'000, 9'000});
    CHECK(must(store::yes_durations_ms(*db, "ag_seller", now + 1)).empty());
    CHECK(must(store::count_edited(*db, "ag_seller", kStart)) == 0);
}

TEST_CASE_FIXTURE(Desk, "Ten thousand open questions are listed page by page in no time") {
    write([&] {
        auto approval = consent::new_approval(ask(), policy, now);
        approval.context = std::string(2'000, 'x');
        for (int i = 0; i < 10'000; ++i) {
            approval.id = "apr_" + std::to_string(i);
            must(store::insert_approval(*db, approval));
        }
    });
    const auto began = std::chrono::steady_clock::now();
    CHECK(must(store::count_pending_approvals(*db, "ag_seller")) == 10'000);
    const auto first = must(store::list_approvals(*db, "ag_seller", ApprovalStatus::Pending, 100));
    const auto took = std::chrono::steady_clock::now() - began;
    MESSAGE("first page and count: ",
            std::chrono::duration_cast<std::chrono::microseconds>(took).count(), " us");
    CHECK(took < std::chrono::milliseconds(100));
    std::size_t seen = 0;
    std::int64_t before = first.front().number + 1;
    while (true) {
        const auto page =
            must(store::list_approvals(*db, "ag_seller", ApprovalStatus::Pending, 100, before));
        if (page.empty()) break;
        CHECK(page.front().number < before);
        seen += page.size();
        before = page.back().number;
    }
    CHECK(seen == 10'000);
}
