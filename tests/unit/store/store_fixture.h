#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "core/domain/approval.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A new database in a folder of its own, inside one open transaction unless committed.
class StoreFixture {
  public:
    StoreFixture() : db_(open()) {}

    std::filesystem::path path() const { return dir_.path() / "agent.db"; }
    store::Database& db() { return *db_; }
    std::unique_ptr<store::Database> open(
        store::Database::Mode mode = store::Database::Mode::ReadWrite) const {
        auto opened = store::Database::open(path(), mode);
        REQUIRE_MESSAGE(opened.has_value(), (opened ? "" : opened.error().message));
        return std::move(*opened);
    }
    std::unique_ptr<store::Database> take() { return std::move(db_); }
    const std::filesystem::path& folder() const { return dir_.path(); }

  private:
    TempDir dir_;
    std::unique_ptr<store::Database> db_;
};

inline InboxMessage sample_message(const std::string& message_id,
                                   const std::string& sender = "ag_peer", UnixMs at_ms = 1'000) {
    InboxMessage message;
    message.agent_id = "ag_me";
    message.sender_id = sender;
    message.message_id = message_id;
    message.message_type = "chat.request";
    message.trace_id = "trace_1";
    message.payload_json = R"({"text":")" + message_id + R"("})";
    message.payload_hash = "hash of " + message_id;
    message.envelope_json = "{}";
    message.provenance = Provenance::Verified;
    message.received_at_ms = at_ms;
    return message;
}

inline OutboxMessage sample_reply(const std::string& message_id,
                                  const std::string& target = "ag_peer", UnixMs at_ms = 1'000) {
    OutboxMessage message;
    message.agent_id = "ag_me";
    message.target_id = target;
    message.message_id = message_id;
    message.message_type = "chat.request";
    message.trace_id = "trace_1";
    message.payload_json = R"({"text":"reply"})";
    message.cause = "rule:test";
    message.next_attempt_ms = at_ms;
    message.expires_at_ms = at_ms + 1'000'000;
    message.created_at_ms = at_ms;
    message.updated_at_ms = at_ms;
    return message;
}

inline Approval sample_approval(const std::string& id, const std::string& digest = "d1") {
    Approval approval;
    approval.id = id;
    approval.agent_id = "ag_me";
    approval.peer_id = "ag_peer";
    approval.action = "reply.send";
    approval.action_json = R"({"action":"reply.send"})";
    approval.digest = digest;
    approval.question = "450?";
    approval.options = {"yes, \"450\"", "不"};
    approval.reply_text = "450 is fine";
    approval.amount_minor = 45'000;
    approval.currency = "CNY";
    approval.requested_by = "rule:price";
    approval.created_at_ms = 1'000;
    approval.answer_by_ms = 5'000;
    approval.act_by_ms = 9'000;
    return approval;
}

}  // namespace a2h::test
