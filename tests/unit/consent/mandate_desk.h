#pragma once

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/base/money.h"
#include "core/store/mandate_store.h"
#include "daemon/consent/mandates.h"
#include "tests/unit/consent/fixture.h"

namespace a2h::test {

inline constexpr std::int64_t kDayMs = 86'400'000;
inline const mandates::Giver kHuman{"human", AnswerSurface::Terminal};

/// "Accept offers of at least 280 CNY for works_1, three a day."
inline MandateTerms reply_terms() {
    MandateTerms terms;
    terms.agent_id = "ag_seller";
    terms.action = "reply.send";
    terms.works_id = "works_1";
    terms.currency = "CNY";
    terms.amount_from_minor = 28'000;
    terms.count_per_day = 3;
    terms.starts_ms = kStart;
    terms.ends_ms = kStart + 30 * kDayMs;
    return terms;
}

class MandateDesk : public Desk {
  public:
    MandateDesk() {
        setenv("TZ", "UTC", 1);
        tzset();
    }
    ~MandateDesk() {
        unsetenv("TZ");
        tzset();
    }
    std::string give(const MandateTerms& wanted) {
        std::string id;
        write([&] { id = must(mandates::give(*db, wanted, kHuman, now)).id; });
        return id;
    }
    consent::Ask bounded(std::int64_t amount_minor = 30'000) const {
        consent::Ask wanted = ask();
        wanted.job_id = 0;
        wanted.accepts_inbox_id = inbox_id();
        wanted.is_bounded = true;
        wanted.amount_minor = amount_minor;
        wanted.reply_text = "Agreed: " + to_text({amount_minor, "CNY"});
        return wanted;
    }
    Approval opened(const consent::Ask& asked) {
        const auto approval = consent::new_approval(asked, policy, now);
        write([&] {
            const auto result = must(consent::open_approval(*db, approval, policy, now));
            CHECK(result.status == must(store::get_approval(*db, approval.id))->status);
        });
        const Approval result = stored(approval.id);
        if (orders_follow && result.status == ApprovalStatus::Approved) hear_of_order();
        return result;
    }
    /// The market's news that an order between both was created, which ends an agreement.
    void hear_of_order(const std::string& status = "PENDING_CONFIRM") {
        InboxMessage news;
        news.agent_id = "ag_seller";
        news.sender_id = "market_1";
        news.message_id = "msg_1760000000000_0badf2" + std::to_string(10 + ++heard);
        news.message_type = "chat.request";
        news.source = SourceClass::Platform;
        news.payload_json =
            nlohmann::json{
                {"type", "order.event"},
                {"order", {{"status", status}, {"peerId", "ag_buyer"}, {"currentType", 2}}}}
                .dump();
        news.payload_hash = news.message_id;
        news.envelope_json = "{}";
        news.provenance = Provenance::Verified;
        news.received_at_ms = now;
        write([&] { must(store::insert_inbox(*db, news)); });
    }
    /// The buyer's offer, which the job is about.
    std::int64_t inbox_id() const { return job_id; }
    /// A question that stays open would keep mandates from answering the next one.
    void over(const Approval& approval) {
        if (approval.status != ApprovalStatus::Pending) return;
        write([&] { must(consent::call_off(*db, approval.id, "over", policy, now)); });
    }
    bool yes(const consent::Ask& asked) {
        const Approval approval = opened(asked);
        over(approval);
        return approval.status == ApprovalStatus::Approved;
    }
    /// Stores one more message of `peer_id` and how it was decided; the id of its inbox row.
    std::int64_t hear(const std::string& text, const std::string& decision = "ask",
                      const std::string& rule_id = "offer.unclear",
                      Provenance provenance = Provenance::Verified) {
        std::int64_t id = 0;
        InboxMessage message;
        message.agent_id = heard_by;
        message.sender_id = "ag_buyer";
        message.message_id = "msg_1760000000000_0badf1" + std::to_string(10 + ++heard);
        message.message_type = "chat.request";
        message.payload_json = nlohmann::json{{"text", text}}.dump();
        message.payload_hash = message.message_id;
        message.envelope_json = "{}";
        message.provenance = provenance;
        // Before the offer that is about to be answered.
        message.received_at_ms = kStart - 1'000 + heard;
        write([&] {
            id = must(store::insert_inbox(*db, message)).inbox_id;
            Job job = *must(store::get_job_of_inbox(*db, id));
            job.state = JobState::Done;
            job.decision = decision;
            job.rule_id = rule_id;
            must(store::update_job(*db, job));
        });
        return id;
    }
    /// Answers with the words of `asked` as a person would.
    void answer_by_hand(consent::Ask asked) {
        asked.is_bounded = false;
        const Approval approval = open(asked);
        give_well(proved(approval, AnswerKind::Approve));
    }
    std::string heard_by = "ag_seller";
    int heard = 0;
    bool orders_follow = true;  ///< each agreement of a mandate becomes an order
    void expect_asked(const consent::Ask& asked) {
        const auto before = outbox().size();
        const Approval approval = opened(asked);
        CHECK(approval.status == ApprovalStatus::Pending);
        CHECK(notifications(approval.id, "approval.asked") == 2);
        CHECK(outbox().size() == before);
        over(approval);
    }
};

}  // namespace a2h::test
