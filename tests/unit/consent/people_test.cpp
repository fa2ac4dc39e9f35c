// Each person has proofs of their own: PINs, codes to set one, and the person to whom a proof
// belongs.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/store/vote_store.h"
#include "core/wire/crypto.h"
#include "daemon/consent/limits.h"
#include "daemon/consent/pins.h"
#include "daemon/consent/proof.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using consent::Answer;
using consent::PinUse;
using consent::ProofState;
using test::Desk;
using test::must;

namespace {

using Words = std::vector<std::string>;

Person somebody(const std::string& name) {
    Person person;
    person.name = name;
    person.normal = person.high = {{"phone-of-" + name}};
    return person;
}

/// The owner and two others, of whom two must agree.
class PeopleDesk : public Desk {
  public:
    PeopleDesk() {
        policy.people = {somebody("human"), somebody("anna"), somebody("bert")};
        policy.rules = {{"reply.send", 0, "", 2, {"human", "anna", "bert"}}};
    }
    Answer with_pin(const std::string& person, const Approval& approval,
                    ProofState pin = ProofState::Valid) const {
        Answer answer = proved(approval, AnswerKind::Approve, AnswerSurface::Terminal);
        answer.person = person;
        answer.pin = pin;
        return answer;
    }
    Answer with_code_of(const std::string& person, const Approval& approval) const {
        Answer answer = proved(approval, AnswerKind::Approve, AnswerSurface::Code);
        answer.proof = consent::approval_code(secrets, approval, person);
        return answer;
    }
    Result<void> offer(const std::string& person) {
        Result<void> offered;
        write([&] { offered = consent::offer_pin(*db, use(person), policy, now); });
        return offered;
    }
    /// The code as the newest notification of that person shows it.
    std::string offered_code(const std::string& person) {
        for (const Notification& row : must(store::list_notifications(*db, 100))) {
            if (row.kind != "pin.code" || row.person != person) continue;
            const auto at = row.body_json.find(R"("nonce":")") + 9;
            return consent::pin_code(secrets, row.body_json.substr(at, 32), person);
        }
        return {};
    }
    std::optional<ErrorCode> refused_code(const std::string& person, const std::string& code) {
        std::optional<Error> refused;
        write([&] {
            refused = must(consent::check_pin_code(*db, use(person), code, secrets, policy, now));
        });
        return refused ? std::optional(refused->code) : std::nullopt;
    }
    std::string last_detail(const std::string& id, std::string_view what) {
        std::string detail;
        for (const auto& row : must(store::audit_rows(*db, id)))
            if (row.what == what) detail = row.detail_json;
        return detail;
    }

  private:
    static PinUse use(const std::string& person) { return {"ag_seller", {}, person}; }
};

}  // namespace

TEST_CASE("each PIN is checked against its own Argon2id hash, and no PIN is never right") {
    consent::Pins pins({{"human", wire::hash_pin("739154")}});
    CHECK(pins.check("human", "739154") == ProofState::Valid);
    CHECK(pins.check("human", "739155") == ProofState::Wrong);
    CHECK(pins.check("human", "") == ProofState::Wrong);
    CHECK(pins.check("anna", "739154") == ProofState::NotSet);
    CHECK(!pins.has("anna"));
    pins.set("anna", wire::hash_pin("271828"));
    CHECK(pins.check("anna", "271828") == ProofState::Valid);
    CHECK(pins.check("anna", "739154") == ProofState::Wrong);
    CHECK(pins.check("human", "271828") == ProofState::Wrong);
    CHECK(pins.hashes().size() == 2);
}

TEST_CASE("the owner is the one called human, else the first; strangers are nobody") {
    CHECK(owner_of({}) == "human");
    CHECK(owner_of({somebody("anna")}) == "anna");
    CHECK(owner_of({somebody("anna"), somebody("human")}) == "human");
    CHECK(is_person({}, "human"));
    CHECK(!is_person({somebody("anna")}, "human"));
}

TEST_CASE_FIXTURE(PeopleDesk, "Without a PIN of their own nobody votes at the terminal") {
    const Approval approval = open();
    CHECK(refusal(with_pin("anna", approval, ProofState::NotSet)) == ErrorCode::PermissionDenied);
    CHECK(refusal(with_pin("carl", approval)) == ErrorCode::PermissionDenied);
    CHECK(refusal(with_pin("anna", approval, ProofState::Wrong)) == ErrorCode::Unauthenticated);
    CHECK(must(store::votes_for(*db, approval.id, approval.digest)).empty());
    give_well(with_pin("anna", approval));
    CHECK(give_well(with_pin("human", approval)).approval.answered_by == "anna, human");
}

TEST_CASE_FIXTURE(PeopleDesk,
                  "Each PIN is locked by its own wrong attempts, and everybody is notified") {
    const Approval approval = open();
    for (int i = 1; i < consent::kPinFailuresMax; ++i)
        CHECK(refusal(with_pin("anna", approval, ProofState::Wrong)) == ErrorCode::Unauthenticated);
    CHECK(refusal(with_pin("anna", approval, ProofState::Wrong)) == ErrorCode::PermissionDenied);
    CHECK(notifications(approval.id, "pin.locked") == 3);
    CHECK(last_detail(approval.id, "pin.locked").find(R"("person":"anna")") != std::string::npos);
    CHECK(must(consent::pin_locked_until(*db, "anna", now)).has_value());
    CHECK(!must(consent::pin_locked_until(*db, "human", now)).has_value());
    CHECK(refusal(with_pin("anna", approval)) == ErrorCode::PermissionDenied);
    give_well(with_pin("human", approval));
    now += 15 * 60'000;
    CHECK(give_well(with_pin("anna", approval)).approval.status == ApprovalStatus::Approved);
}

TEST_CASE_FIXTURE(PeopleDesk, "One person's PIN, link, button and code are one vote") {
    const Approval approval = open();
    give_well(with_pin("anna", approval));
    Answer link = proved(approval, AnswerKind::Approve);
    link.person = "anna";
    link.proof = consent::approval_link_token(secrets, approval, "anna");
    Answer button = proved(approval, AnswerKind::Approve, AnswerSurface::Button);
    button.person = "anna";
    button.proof = consent::approval_button_token(secrets, approval, "anna", AnswerKind::Approve);
    for (const Answer& again : {link, button, with_code_of("anna", approval)}) {
        must(db->begin());
        CHECK(consent::apply_answer(*db, again, secrets, policy, now).error().code ==
              ErrorCode::Conflict);
        db->rollback();
    }
    CHECK(must(store::votes_for(*db, approval.id, approval.digest)).size() == 1);
    CHECK(stored(approval.id).status == ApprovalStatus::Pending);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(PeopleDesk, "A code through the assistant is the vote of whom it was sent to") {
    const Approval approval = open();
    CHECK(give_well(with_code_of("bert", approval)).votes == Words{"bert"});
    CHECK(give_well(with_code_of("anna", approval)).approval.answered_by == "anna, bert");
}

TEST_CASE_FIXTURE(PeopleDesk, "The audit names who voted and how they were proved") {
    const Approval approval = open();
    give_well(with_pin("anna", approval));
    CHECK(last_detail(approval.id, "voted").find(R"("by":"anna")") != std::string::npos);
    CHECK(last_detail(approval.id, "voted").find(R"("proof":"pin")") != std::string::npos);
    Answer session = proved(approval, AnswerKind::Approve);
    session.in_session = true;
    give_well(session);
    CHECK(last_detail(approval.id, "voted").find(R"("proof":"session")") != std::string::npos);
    CHECK(last_detail(approval.id, "answered").find(R"("by":"anna, human")") != std::string::npos);
}

TEST_CASE_FIXTURE(PeopleDesk, "A PIN is set with a code that only its person is sent, once") {
    REQUIRE(offer("anna"));
    for (const Notification& row : must(store::list_notifications(*db, 100))) {
        CHECK(row.person == "anna");
        CHECK(row.channel == "phone-of-anna");
        CHECK(row.body_json.find(offered_code("anna")) == std::string::npos);
    }
    const std::string code = offered_code("anna");
    REQUIRE(code.size() == 6);
    CHECK(refused_code("bert", code) == ErrorCode::Unauthenticated);
    CHECK(refused_code("human", code) == ErrorCode::Unauthenticated);
    CHECK(!refused_code("anna", code));
    CHECK(refused_code("anna", code) == ErrorCode::Unauthenticated);
}

TEST_CASE_FIXTURE(PeopleDesk, "A code for a PIN is over after 15 minutes, or with a newer one") {
    REQUIRE(offer("anna"));
    const std::string first = offered_code("anna");
    CHECK(offer("anna").error().code == ErrorCode::Conflict);
    now += 60'000;
    REQUIRE(offer("anna"));
    const std::string second = offered_code("anna");
    REQUIRE(first != second);
    CHECK(refused_code("anna", first) == ErrorCode::Unauthenticated);
    now += 15 * 60'000;
    CHECK(refused_code("anna", second) == ErrorCode::Unauthenticated);
}

TEST_CASE_FIXTURE(PeopleDesk, "Guessing a code for a PIN locks like guessing the PIN") {
    REQUIRE(offer("anna"));
    const std::string code = offered_code("anna");
    for (int i = 1; i < consent::kPinFailuresMax; ++i)
        CHECK(refused_code("anna", code == "000000" ? "000001" : "000000") ==
              ErrorCode::Unauthenticated);
    CHECK(refused_code("anna", "") == ErrorCode::PermissionDenied);
    CHECK(refused_code("anna", code) == ErrorCode::PermissionDenied);
}

TEST_CASE_FIXTURE(PeopleDesk,
                  "No code is offered to strangers, the owner or over shared channels") {
    CHECK(offer("carl").error().code == ErrorCode::NotFound);
    CHECK(offer("human").error().code == ErrorCode::PermissionDenied);
    for (const Person::Steps& steps : {Person::Steps{}, Person::Steps{{"desktop"}},
                                       Person::Steps{{"phone-of-human", "phone-of-bert"}}}) {
        policy.people[1].high = steps;
        CHECK(offer("anna").error().code == ErrorCode::Unavailable);
    }
    CHECK(must(store::list_notifications(*db, 100)).empty());
}
