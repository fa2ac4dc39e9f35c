#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/store/approval_store.h"
#include "core/store/database.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/notification_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/crypto.h"
#include "daemon/consent/approvals.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

constexpr UnixMs kStart = 1'760'000'000'000;
constexpr const char* kPin = "739154";

/// The value, or a failed test with the error's words.
template <typename T>
T must(Result<T> result) {
    if (!result) FAIL(std::string(result.error().message));
    return std::move(result).value();
}
inline void must(Result<void> result) {
    if (!result) FAIL(std::string(result.error().message));
}

/// A seller's database with one message of a buyer whose job waits for the human, and what a
/// human needs to answer.
class Desk {
  public:
    Desk() {
        db = must(store::Database::open(dir_.path() / "a2h.db", store::Database::Mode::ReadWrite));
        secrets.link_key = std::string(43, 'k');
        policy.people = {Person{}};
        policy.people[0].normal = policy.people[0].high = {{"terminal", "webhook"}};
        InboxMessage message;
        message.agent_id = "ag_seller";
        message.sender_id = "ag_buyer";
        message.message_id = "msg_1760000000000_0badf00d";
        message.message_type = "chat.request";
        message.trace_id = "trace_1760000000000_0badf00d";
        message.payload_json = R"({"text":"300?"})";
        message.payload_hash = "h";
        message.envelope_json = "{}";
        message.received_at_ms = kStart;
        write([&] { job_id = must(store::insert_inbox(*db, message)).inbox_id; });
        Job job = *must(store::get_job_of_inbox(*db, job_id));
        job_id = job.id;
        job.state = JobState::WaitingForHuman;
        job.decision = "ask";
        write([&] { must(store::update_job(*db, job)); });
    }

    consent::Ask ask() const {
        consent::Ask ask;
        ask.agent_id = "ag_seller";
        ask.peer_id = "ag_buyer";
        ask.job_id = job_id;
        ask.action = "reply.send";
        ask.reply_text = "300 CNY is fine";
        ask.reject_text = "Sorry, 450 CNY is the price";
        ask.works_id = "works_1";
        ask.amount_minor = 30'000;
        ask.currency = "CNY";
        ask.question = "ag_buyer offers 300 CNY; accept?";
        ask.provenance = "verified";
        ask.requested_by = "rule:own.bids";
        ask.about = About::Terms;
        return ask;
    }

    Approval open(const consent::Ask& asked) {
        auto approval = consent::new_approval(asked, policy, now);
        write([&] { must(consent::open_approval(*db, approval, policy, now)); });
        deliver(approval.id);
        return approval;
    }
    /// Acts as if every channel had notified everybody.
    void deliver(const std::string& id) {
        for (Notification row : must(store::notifications_of_approval(*db, id))) {
            row.state = "delivered";
            write([&] { must(store::update_notification(*db, row)); });
        }
    }
    Approval open() { return open(ask()); }

    /// A yes, no or instruction with a valid proof of `surface`.
    consent::Answer proved(const Approval& approval, AnswerKind kind,
                           AnswerSurface surface = AnswerSurface::Page) const {
        consent::Answer answer;
        answer.approval_id = approval.id;
        answer.kind = kind;
        answer.surface = surface;
        if (surface == AnswerSurface::Page) {
            answer.proof = consent::approval_link_token(secrets, approval);
        } else if (surface == AnswerSurface::Code) {
            answer.proof = consent::approval_code(secrets, approval);
        } else if (surface == AnswerSurface::Terminal) {
            // Never verified here: `Pins` has a test of its own, tests hand in its result.
            answer.pin = consent::ProofState::Valid;
        }
        return answer;
    }

    consent::AnswerOutcome give(const consent::Answer& answer) {
        consent::AnswerOutcome outcome;
        write([&] { outcome = must(consent::apply_answer(*db, answer, secrets, policy, now)); });
        return outcome;
    }
    consent::Answered give_well(const consent::Answer& answer) {
        auto outcome = give(answer);
        if (outcome.refused) FAIL(outcome.refused->message);
        return *outcome.answered;
    }
    ErrorCode refusal(const consent::Answer& answer) {
        auto outcome = give(answer);
        REQUIRE(outcome.refused.has_value());
        return outcome.refused->code;
    }

    std::vector<Approval> expire() {
        std::vector<Approval> expired;
        write([&] { expired = must(consent::expire_overdue(*db, policy, now)); });
        return expired;
    }

    Approval stored(const std::string& id) { return *must(store::get_approval(*db, id)); }
    std::vector<OutboxMessage> outbox() {
        return must(store::list_outbox(*db, "ag_seller", std::nullopt, 100));
    }
    std::vector<std::string> audit(const std::string& id) {
        std::vector<std::string> what;
        for (const AuditRow& row : must(store::audit_rows(*db, id)))
            what.push_back(row.what);
        return what;
    }
    int notifications(const std::string& id, std::string_view kind) {
        int count = 0;
        for (const auto& row : must(store::notifications_of_approval(*db, id))) {
            count += row.kind == kind ? 1 : 0;
        }
        return count;
    }
    JobState job_state() { return must(store::get_job(*db, job_id))->state; }

    template <typename Work>
    void write(Work work) {
        must(db->begin());
        work();
        must(db->commit());
    }

    std::unique_ptr<store::Database> db;
    consent::HumanSecrets secrets;
    consent::Policy policy;
    UnixMs now = kStart;
    std::int64_t job_id = 0;

  private:
    TempDir dir_;
};

}  // namespace a2h::test
