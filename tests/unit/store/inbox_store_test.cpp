#include "core/store/inbox_store.h"
#include "core/store/refused_store.h"

#include "core/store/job_store.h"
#include "core/store/outbox_store.h"
#include "tests/support/permit.h"
#include "tests/support/refused_messages.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::sample_message;
using a2h::test::sample_reply;
using a2h::test::StoreFixture;
using store::InsertOutcome;

TEST_CASE_FIXTURE(StoreFixture, "A stored message is read back with every field") {
    InboxMessage message = sample_message("msg_1");
    message.source = SourceClass::Owner;
    message.sent_at_ms = 42;
    message.envelope_json = "{\"protocol\":\"a2hmarket-a2a\"}";
    const auto inserted = store::insert_inbox(db(), message);
    REQUIRE(inserted.has_value());
    CHECK(inserted->outcome == InsertOutcome::Inserted);

    const auto found = store::get_inbox(db(), inserted->inbox_id);
    REQUIRE(found.has_value());
    REQUIRE(found->has_value());
    CHECK((*found)->agent_id == "ag_me");
    CHECK((*found)->sender_id == "ag_peer");
    CHECK((*found)->message_id == "msg_1");
    CHECK((*found)->message_type == "chat.request");
    CHECK((*found)->trace_id == "trace_1");
    CHECK((*found)->payload_json == message.payload_json);
    CHECK((*found)->payload_hash == message.payload_hash);
    CHECK((*found)->envelope_json == message.envelope_json);
    CHECK((*found)->provenance == Provenance::Verified);
    CHECK((*found)->source == SourceClass::Owner);
    CHECK((*found)->sent_at_ms == 42);
    CHECK((*found)->received_at_ms == 1'000);
    CHECK_FALSE(store::get_inbox(db(), 999)->has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "Every stored message has exactly one pending task") {
    const auto inserted = store::insert_inbox(db(), sample_message("msg_1"));
    CHECK(store::insert_inbox(db(), sample_message("msg_1"))->outcome == InsertOutcome::Duplicate);
    const auto pending = store::pending_jobs(db(), 0, 10);
    REQUIRE(pending->size() == 1);
    CHECK(pending->front().inbox_id == inserted->inbox_id);
    CHECK(pending->front().agent_id == "ag_me");
    CHECK(pending->front().created_at_ms == 1'000);
}

TEST_CASE_FIXTURE(StoreFixture, "R1: the same sender, id and content is a duplicate") {
    const auto first = store::insert_inbox(db(), sample_message("msg_1"));
    InboxMessage again = sample_message("msg_1", "ag_peer", 9'000);
    again.envelope_json = "{\"nonce\":\"another\"}";
    const auto second = store::insert_inbox(db(), again);
    CHECK(second->outcome == InsertOutcome::Duplicate);
    CHECK(second->inbox_id == first->inbox_id);
    CHECK(store::inbox_counts(db(), "ag_me")->accepted == 1);
    CHECK(store::inbox_counts(db(), "ag_me")->conflicts == 0);
}

TEST_CASE_FIXTURE(StoreFixture, "R1: the same id from two senders is two messages") {
    CHECK(store::insert_inbox(db(), sample_message("msg_1", "ag_a"))->outcome ==
          InsertOutcome::Inserted);
    CHECK(store::insert_inbox(db(), sample_message("msg_1", "ag_b"))->outcome ==
          InsertOutcome::Inserted);
}

TEST_CASE_FIXTURE(StoreFixture, "The same message to two of our agents is two messages") {
    InboxMessage other = sample_message("msg_1");
    other.agent_id = "ag_other";
    CHECK(store::insert_inbox(db(), sample_message("msg_1"))->outcome == InsertOutcome::Inserted);
    CHECK(store::insert_inbox(db(), other)->outcome == InsertOutcome::Inserted);
}

TEST_CASE_FIXTURE(StoreFixture, "R1: other content under a known id is recorded") {
    const auto first = store::insert_inbox(db(), sample_message("msg_1"));
    InboxMessage other_payload = sample_message("msg_1");
    other_payload.payload_hash = "another hash";
    InboxMessage other_type = sample_message("msg_1");
    other_type.message_type = "order.cancel";
    for (const InboxMessage& other : {other_payload, other_type}) {
        const auto judged = store::insert_inbox(db(), other);
        CHECK(judged->outcome == InsertOutcome::Conflict);
        CHECK(judged->inbox_id == first->inbox_id);
    }
    CHECK((*store::get_inbox(db(), first->inbox_id))->message_type == "chat.request");
    const auto counts = store::inbox_counts(db(), "ag_me");
    CHECK(counts->conflicts == 2);
    CHECK(counts->refused == 0);
    CHECK(counts->accepted == 1);
    const auto recorded = test::list_refused(db(), "ag_me", 10);
    REQUIRE(recorded->size() == 2);
    CHECK(recorded->front().reason == Refusal::ConflictingDuplicate);
    CHECK(recorded->front().detail.find("order.cancel") != std::string::npos);
}

TEST_CASE_FIXTURE(StoreFixture, "Refused rows are bounded an agent, their counts are not") {
    RefusedMessage refused;
    refused.agent_id = "ag_me";
    refused.reason = Refusal::NotJson;
    refused.size_bytes = 7;
    REQUIRE(db().begin());
    for (int i = 1; i <= store::kRefusedRowsMax + 5; ++i) {
        refused.reason = i % 2 == 0 ? Refusal::NotJson : Refusal::BadSignature;
        refused.detail = std::to_string(i);
        REQUIRE(store::insert_refused(db(), refused));
    }
    REQUIRE(db().commit());
    refused.agent_id = "ag_other";
    REQUIRE(store::insert_refused(db(), refused));

    const auto kept = test::list_refused(db(), "ag_me", 10'000);
    REQUIRE(kept->size() == store::kRefusedRowsMax);
    CHECK(kept->front().detail == "1005");
    CHECK(kept->back().detail == "6");
    CHECK(kept->front().size_bytes == 7);
    CHECK(store::inbox_counts(db(), "ag_me")->refused == 1'005);
    const auto reasons = store::refused_by_reason(db(), "ag_me");
    REQUIRE(reasons->size() == 2);
    CHECK(reasons->at(0) == std::pair<std::string, std::int64_t>("bad_signature", 503));
    CHECK(reasons->at(1) == std::pair<std::string, std::int64_t>("not_json", 502));
    CHECK(test::list_refused(db(), "ag_other", 10)->size() == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "Strangers do not push out what an authentic sender has sent") {
    RefusedMessage refused;
    refused.agent_id = "ag_me";
    refused.claimed_sender = "ag_known";
    refused.reason = Refusal::UnsupportedSchema;
    refused.provenance = Provenance::Verified;
    REQUIRE(db().begin());
    for (int i = 1; i <= store::kRefusedOfSenderMax + 5; ++i) {
        refused.digest = std::to_string(i);
        REQUIRE(store::insert_refused(db(), refused));
        REQUIRE(store::insert_refused(db(), refused));
    }
    refused.provenance = Provenance::Unverified;
    for (int i = 1; i <= store::kRefusedRowsMax + 5; ++i) {
        refused.claimed_sender = "ag_" + std::to_string(i);
        REQUIRE(store::insert_refused(db(), refused));
    }
    REQUIRE(db().commit());
    const auto kept = test::list_refused(db(), "ag_me", 10'000);
    REQUIRE(kept->size() == store::kRefusedRowsMax + store::kRefusedOfSenderMax);
    CHECK(kept->back().digest == "6");
    CHECK(store::inbox_counts(db(), "ag_me")->refused ==
          2 * (store::kRefusedOfSenderMax + 5) + store::kRefusedRowsMax + 5);
}

TEST_CASE_FIXTURE(StoreFixture, "History merges both directions, newest first") {
    REQUIRE(store::insert_inbox(db(), sample_message("in_1", "ag_peer", 100)).has_value());
    REQUIRE(test::insert_outbox(db(), sample_reply("out_1", "ag_peer", 200)).has_value());
    REQUIRE(store::insert_inbox(db(), sample_message("in_2", "ag_peer", 300)).has_value());
    REQUIRE(store::insert_inbox(db(), sample_message("foreign", "ag_third", 400)).has_value());
    const auto found = store::history(db(), "ag_me", "ag_peer", 1, 20);
    REQUIRE(found->size() == 3);
    CHECK(found->at(0).message_id == "in_2");
    CHECK(found->at(0).incoming);
    CHECK(found->at(0).sender_id == "ag_peer");
    CHECK(found->at(0).target_id == "ag_me");
    CHECK(found->at(0).provenance == Provenance::Verified);
    CHECK(found->at(0).payload_json == R"({"text":"in_2"})");
    CHECK(found->at(1).message_id == "out_1");
    CHECK_FALSE(found->at(1).incoming);
    CHECK(found->at(1).sender_id == "ag_me");
    CHECK(found->at(1).target_id == "ag_peer");
    CHECK(found->at(1).outbox_state == "queued");
    CHECK(found->at(1).at_ms == 200);
    CHECK(found->at(2).message_id == "in_1");
}

TEST_CASE_FIXTURE(StoreFixture, "History of one millisecond has a stable order on every page") {
    for (const char* id : {"in_1", "in_2"})
        REQUIRE(store::insert_inbox(db(), sample_message(id, "ag_peer", 100)).has_value());
    for (const char* id : {"out_1", "out_2"})
        REQUIRE(test::insert_outbox(db(), sample_reply(id, "ag_peer", 100)).has_value());
    std::string order;
    for (int page = 1; page <= 4; ++page) {
        const auto found = store::history(db(), "ag_me", "ag_peer", page, 1);
        REQUIRE(found->size() == 1);
        order += found->front().message_id + " ";
    }
    CHECK(order == "out_2 out_1 in_2 in_1 ");
    CHECK(store::history(db(), "ag_me", "ag_peer", 5, 1)->empty());
}

TEST_CASE_FIXTURE(StoreFixture, "A page or a limit out of range is refused") {
    using Asked = std::pair<int, int>;
    for (const auto& [page, limit] : {Asked{0, 20}, Asked{1, 0}, Asked{1, 101}, Asked{-1, 20}}) {
        CHECK(store::history(db(), "ag_me", "ag_peer", page, limit).error().code ==
              ErrorCode::InvalidArgument);
    }
}

TEST_CASE_FIXTURE(StoreFixture, "A look-up of a sender replaces the provenance of its message") {
    const auto inserted = store::insert_inbox(db(), sample_message("msg_1"));
    CHECK(store::set_inbox_provenance(db(), inserted->inbox_id, Provenance::Vouched).has_value());
    CHECK((*store::get_inbox(db(), inserted->inbox_id))->provenance == Provenance::Vouched);
    CHECK(store::set_inbox_provenance(db(), 99, Provenance::Vouched).error().code ==
          ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture,
                  "Repeats are counted by payload, peer and time, without the asker") {
    for (int i = 0; i < 4; ++i) {
        InboxMessage message = sample_message("msg_" + std::to_string(i), "ag_peer", 100 * i);
        message.payload_hash = i == 1 ? "0123456789abcdef other" : "0123456789abcdef same";
        REQUIRE(store::insert_inbox(db(), message).has_value());
    }
    Provenance provenance = Provenance::Verified;
    std::string sender = "ag_peer";
    const auto count = [&](UnixMs since_ms, std::string_view except) {
        InboxMessage asker = sample_message(std::string(except));
        asker.payload_hash = "0123456789abcdef same";
        asker.provenance = provenance;
        asker.sender_id = sender;
        return *store::count_same_payload(db(), asker, since_ms);
    };
    CHECK(count(0, "msg_3") == 2);
    CHECK(count(0, "") == 3);
    CHECK(count(200, "msg_3") == 1);
    provenance = Provenance::Unverified;
    CHECK(count(0, "") == 0);
    REQUIRE(store::set_inbox_provenance(db(), 1, Provenance::Unverified));
    CHECK(count(0, "") == 1);
    REQUIRE(store::set_inbox_provenance(db(), 1, Provenance::Forged));
    CHECK(count(0, "") == 0);
    provenance = Provenance::Verified;
    CHECK(count(0, "") == 2);
    sender = "ag_x";
    CHECK(count(0, "") == 0);
}

TEST_CASE_FIXTURE(StoreFixture, "Conversations list each peer once, newest first") {
    REQUIRE(store::insert_inbox(db(), sample_message("a_1", "ag_a", 100)).has_value());
    REQUIRE(store::insert_inbox(db(), sample_message("b_1", "ag_b", 200)).has_value());
    REQUIRE(store::insert_inbox(db(), sample_message("b_2", "ag_b", 250)).has_value());
    REQUIRE(test::insert_outbox(db(), sample_reply("out_1", "ag_a", 300)).has_value());
    REQUIRE(test::insert_outbox(db(), sample_reply("out_2", "ag_c", 50)).has_value());
    const auto found = store::conversations(db(), "ag_me", 10);
    REQUIRE(found->size() == 3);
    CHECK(found->at(0).peer_id == "ag_a");
    CHECK(found->at(0).last_text_json == R"({"text":"reply"})");
    CHECK(found->at(0).incoming_count == 1);
    CHECK(found->at(0).last_at_ms == 300);
    CHECK(found->at(1).peer_id == "ag_b");
    CHECK(found->at(1).last_text_json == R"({"text":"b_2"})");
    CHECK(found->at(1).incoming_count == 2);
    CHECK(found->at(2).peer_id == "ag_c");
    CHECK(found->at(2).incoming_count == 0);
    CHECK(store::conversations(db(), "ag_me", 1)->size() == 1);
    const auto counts = store::inbox_counts(db(), "ag_me");
    CHECK(counts->accepted == 3);
    CHECK(counts->last_received_ms == 250);
    CHECK(store::inbox_counts(db(), "ag_nobody")->last_received_ms == 0);
}

TEST_CASE_FIXTURE(StoreFixture, "A task is final once") {
    const auto inserted = store::insert_inbox(db(), sample_message("msg_1"));
    Job job = **store::get_job_of_inbox(db(), inserted->inbox_id);
    job.state = JobState::WaitingForHuman;
    job.decision = "ask";
    CHECK(store::update_job(db(), job).has_value());
    CHECK(*store::count_pending_jobs(db(), "ag_me") == 0);
    job.state = JobState::Done;
    job.rule_id = "price.listed";
    job.decision = "answer";
    job.why = "it is in the listing";
    job.retry_count = 2;
    job.updated_at_ms = 5'000;
    CHECK(store::update_job(db(), job).has_value());
    const auto stored = **store::get_job(db(), job.id);
    CHECK(stored.state == JobState::Done);
    CHECK(stored.rule_id == "price.listed");
    CHECK(stored.decision == "answer");
    CHECK(stored.why == "it is in the listing");
    CHECK(stored.retry_count == 2);
    CHECK(stored.updated_at_ms == 5'000);
    CHECK(stored.created_at_ms == 1'000);
    CHECK(store::update_job(db(), job).error().code == ErrorCode::Conflict);
    job.id = 77;
    CHECK(store::update_job(db(), job).error().code == ErrorCode::NotFound);
}

TEST_CASE_FIXTURE(StoreFixture, "A task keeps what its decision went by") {
    const auto inserted = store::insert_inbox(db(), sample_message("msg_1"));
    Job job = **store::get_job(db(), inserted->inbox_id);
    CHECK(job.basis_json.empty());
    job.basis_json = R"({"playbook":"0123"})";
    REQUIRE(store::update_job(db(), job).has_value());
    CHECK((*store::get_job(db(), job.id))->basis_json == job.basis_json);
}

TEST_CASE_FIXTURE(StoreFixture, "Decided messages come in order of arrival, in pages and by time") {
    for (int i = 0; i < 4; ++i) {
        const auto inserted = store::insert_inbox(
            db(), sample_message("msg_" + std::to_string(i), "ag_peer", 1'000 + i));
        Job job = **store::get_job(db(), inserted->inbox_id);
        job.decision = "silent";
        if (i != 1) REQUIRE(store::update_job(db(), job).has_value());
    }
    const auto first = store::decided_jobs(db(), "ag_me", 0, 0, 2);
    REQUIRE(first->size() == 2);
    CHECK(first->at(0).inbox_id < first->at(1).inbox_id);
    const auto rest = store::decided_jobs(db(), "ag_me", first->at(1).id, 0, 2);
    REQUIRE(rest->size() == 1);
    CHECK(rest->at(0).created_at_ms == 1'003);
    CHECK(store::decided_jobs(db(), "ag_me", 0, 1'002, 9)->size() == 2);
    CHECK(store::decided_jobs(db(), "ag_other", 0, 0, 9)->empty());
}

TEST_CASE_FIXTURE(StoreFixture, "A conversation is read as it was when a message came") {
    REQUIRE(store::insert_inbox(db(), sample_message("msg_1", "ag_peer", 1'000)).has_value());
    REQUIRE(test::insert_outbox(db(), sample_reply("msg_2", "ag_peer", 1'500)).has_value());
    const auto inserted = store::insert_inbox(db(), sample_message("msg_3", "ag_peer", 2'000));
    REQUIRE(test::insert_outbox(db(), sample_reply("msg_4", "ag_peer", 2'000)).has_value());
    REQUIRE(store::insert_inbox(db(), sample_message("msg_5", "ag_peer", 2'000)).has_value());
    const auto message = **store::get_inbox(db(), inserted->inbox_id);
    const auto before = store::context_before(db(), message, 5);
    REQUIRE(before->size() == 2);
    CHECK(before->at(0).message_id == "msg_2");
    CHECK_FALSE(before->at(0).incoming);
    CHECK(before->at(1).message_id == "msg_1");
    CHECK(store::context_before(db(), message, 1)->size() == 1);
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A message is found by its id alone, the newest if several have it") {
    REQUIRE(store::insert_inbox(db(), sample_message("msg_1", "ag_a")).has_value());
    REQUIRE(store::insert_inbox(db(), sample_message("msg_1", "ag_b")).has_value());
    CHECK((*store::find_inbox(db(), "ag_me", "msg_1"))->sender_id == "ag_b");
    CHECK_FALSE(store::find_inbox(db(), "ag_me", "msg_2")->has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "Answers are counted by peer and time") {
    for (int i = 0; i < 3; ++i) {
        const auto inserted = store::insert_inbox(
            db(), sample_message("msg_" + std::to_string(i), i == 2 ? "ag_b" : "ag_a"));
        Job job = **store::get_job(db(), inserted->inbox_id);
        job.state = JobState::Done;
        job.decision = "answer";
        job.updated_at_ms = 100 * i;
        REQUIRE(store::update_job(db(), job).has_value());
    }
    const auto count = [&](const char* sender, UnixMs since_ms, const char* agent = "ag_me",
                           Provenance provenance = Provenance::Verified) {
        InboxMessage message = sample_message("next", sender);
        message.agent_id = agent;
        message.provenance = provenance;
        return *store::count_answers_since(db(), message, since_ms);
    };
    CHECK(count("ag_a", 0) == 2);
    CHECK(count("ag_a", 50) == 1);
    CHECK(count("ag_b", 0) == 1);
    CHECK(count("ag_b", 0, "ag_other") == 0);
    CHECK(count("ag_a", 0, "ag_me", Provenance::Unverified) == 0);
    REQUIRE(store::set_inbox_provenance(db(), 1, Provenance::Unverified));
    CHECK(count("ag_a", 0) == 1);
    CHECK(count("ag_a", 0, "ag_me", Provenance::Unverified) == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "Pending tasks come in order of arrival, in pages by id") {
    for (int i = 0; i < 5; ++i)
        REQUIRE(store::insert_inbox(db(), sample_message(std::to_string(i))).has_value());
    const auto first = store::pending_jobs(db(), 0, 3);
    REQUIRE(first->size() == 3);
    const auto rest = store::pending_jobs(db(), first->back().id, 3);
    REQUIRE(rest->size() == 2);
    CHECK(rest->front().id > first->back().id);
    CHECK(*store::count_pending_jobs(db(), "ag_me") == 5);
    CHECK(*store::count_pending_jobs(db(), "ag_other") == 0);
}

TEST_CASE_FIXTURE(StoreFixture, "Counting repeats stops where no rule asks for more") {
    for (int i = 0; i < store::kSamePayloadMax + 20; ++i) {
        InboxMessage message = sample_message("msg_" + std::to_string(i));
        message.payload_hash = "same";
        REQUIRE(store::insert_inbox(db(), message).has_value());
    }
    InboxMessage asker = sample_message("msg_0");
    asker.payload_hash = "same";
    CHECK(*store::count_same_payload(db(), asker, 0) == store::kSamePayloadMax);
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A message is found by its id among those of many peers, the newest of several") {
    for (int i = 0; i < 50; ++i) {
        const std::string peer = "ag_peer" + std::to_string(i);
        REQUIRE(store::insert_inbox(db(), sample_message("only" + std::to_string(i), peer)));
        REQUIRE(store::insert_inbox(db(), sample_message("same", peer)));
    }
    InboxMessage foreign = sample_message("theirs", "ag_peer1");
    foreign.agent_id = "ag_other";
    REQUIRE(store::insert_inbox(db(), foreign));
    CHECK(store::find_inbox(db(), "ag_me", "only7").value()->sender_id == "ag_peer7");
    CHECK(store::find_inbox(db(), "ag_me", "same").value()->sender_id == "ag_peer49");
    CHECK_FALSE(store::find_inbox(db(), "ag_me", "theirs")->has_value());
    CHECK(store::find_inbox(db(), "ag_other", "theirs").value()->agent_id == "ag_other");
}

TEST_CASE_FIXTURE(StoreFixture,
                  "The news of the market about an order is found, and nobody else's words") {
    UnixMs now_ms = 1'000;
    const auto put = [&](const std::string& id, const std::string& payload, SourceClass source) {
        InboxMessage message = sample_message(id, "ag_market");
        message.payload_json = payload;
        message.source = source;
        message.received_at_ms = ++now_ms;
        REQUIRE(store::insert_inbox(db(), message));
    };
    put("m1", R"({"orderId":"WKS1","n":1})", SourceClass::Platform);
    put("m2", R"({"orderId":"WKS2"})", SourceClass::Platform);
    put("m3", R"({"orderId":"WKS1","n":2})", SourceClass::Platform);
    put("m4", R"({"orderId":"WKS1","n":3})", SourceClass::Peer);
    using Payloads = std::vector<std::string>;
    CHECK(store::market_payloads(db(), "ag_me", {.text = "WKS1"}).value() ==
          Payloads{R"({"orderId":"WKS1","n":2})", R"({"orderId":"WKS1","n":1})"});
    CHECK(store::market_payloads(db(), "ag_me", {.text = "WKS1", .limit = 1})->size() == 1);
    CHECK(store::market_payloads(db(), "ag_other", {.text = "WKS1"})->empty());
    const auto since = [&](UnixMs since_ms) {
        return store::market_payloads(db(), "ag_me", {.text = "WKS1", .since_ms = since_ms})
            ->size();
    };
    CHECK(since(1'001) == 2);
    CHECK(since(1'002) == 1);
    CHECK(since(1'004) == 0);
    CHECK(store::market_payloads(db(), "ag_me", {.text = "WKS1", .read_max = 2})->size() == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "R49: unproved messages are not in the context of a proved one") {
    const auto say = [&](const char* id, UnixMs at_ms, Provenance provenance) {
        InboxMessage message = sample_message(id, "ag_peer", at_ms);
        message.provenance = provenance;
        message.id = store::insert_inbox(db(), message)->inbox_id;
        return message;
    };
    const auto answer = [&](const InboxMessage& message, const char* id, UnixMs at_ms) {
        OutboxMessage reply = test::sample_reply(id, "ag_peer", at_ms);
        reply.effect_key = "task:" + std::to_string(message.id);
        REQUIRE(test::insert_outbox(db(), reply));
    };
    const InboxMessage sure = say("sure", 100, Provenance::Verified);
    say("confirmed", 110, Provenance::Vouched);
    InboxMessage doubtful;
    for (int i = 0; i < 10; ++i)
        doubtful = say(("doubtful" + std::to_string(i)).c_str(), 200 + i, Provenance::Unverified);
    say("forged", 300, Provenance::Forged);
    InboxMessage next = say("next", 400, Provenance::Verified);
    const auto ids = [](const Result<std::vector<HistoryEntry>>& entries) {
        std::string all;
        for (const HistoryEntry& entry : *entries)
            all += entry.message_id + " ";
        return all;
    };
    CHECK(ids(store::context_of(db(), next, 5)) == "confirmed sure ");
    CHECK(ids(store::context_before(db(), next, 5)) == "confirmed sure ");
    answer(sure, "answered", 120);
    answer(doubtful, "provoked", 250);
    CHECK(ids(store::context_of(db(), next, 5)) == "answered confirmed sure ");
    CHECK(ids(store::context_before(db(), next, 5)) == "answered confirmed sure ");
    next.provenance = Provenance::Unverified;
    CHECK(ids(store::context_of(db(), next, 2)) == "provoked doubtful9 ");
    CHECK(ids(store::context_before(db(), next, 2)) == "provoked doubtful9 ");
}

TEST_CASE_FIXTURE(StoreFixture, "R49: an unverified message does not overtake a verified one") {
    const auto first = store::insert_inbox(db(), sample_message("msg_1"));
    InboxMessage doubtful = sample_message("msg_2");
    doubtful.provenance = Provenance::Unverified;
    REQUIRE(store::insert_inbox(db(), doubtful));
    const auto is_newer = [&](Provenance asked) {
        const bool newer =
            *store::has_newer_message(db(), "ag_me", "ag_peer", first->inbox_id, asked);
        CHECK(newer ==
              *store::has_undecided_after(db(), "ag_me", "ag_peer", first->inbox_id, asked));
        return newer;
    };
    CHECK_FALSE(is_newer(Provenance::Verified));
    CHECK(is_newer(Provenance::Vouched));
    CHECK(is_newer(Provenance::Unverified));
    REQUIRE(store::insert_inbox(db(), sample_message("msg_3")));
    CHECK(is_newer(Provenance::Verified));
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A message that was sent before an earlier arrival is out of order") {
    constexpr UnixMs kMinute = 60'000;
    const auto store_sent = [&](const char* id, UnixMs sent_at_ms, Provenance provenance) {
        InboxMessage message = sample_message(id, "ag_peer", 10 * kMinute);
        message.sent_at_ms = sent_at_ms;
        message.provenance = provenance;
        message.id = store::insert_inbox(db(), message)->inbox_id;
        return message;
    };
    const auto newer = store_sent("msg_1", 9 * kMinute, Provenance::Verified);
    CHECK_FALSE(*store::is_out_of_order(db(), newer));
    auto late = store_sent("msg_2", 5 * kMinute, Provenance::Verified);
    CHECK(*store::is_out_of_order(db(), late));
    CHECK_FALSE(*store::is_out_of_order(db(), newer));  // what comes later changes nothing
    late.sent_at_ms = 0;                                // unreadable
    CHECK_FALSE(*store::is_out_of_order(db(), late));
    late.sent_at_ms = late.received_at_ms - store::kInOrderMs;  // it came at once
    CHECK_FALSE(*store::is_out_of_order(db(), late));
    // A message that could not be checked does not make the sender's own messages late.
    store_sent("msg_3", 9 * kMinute + 30'000, Provenance::Unverified);
    const auto last = store_sent("msg_4", 9 * kMinute + 10'000, Provenance::Verified);
    CHECK_FALSE(*store::is_out_of_order(db(), last));
}

TEST_CASE_FIXTURE(StoreFixture,
                  "R1: a message under a used id is recorded once, however often it comes") {
    InboxMessage message = sample_message("msg_1");
    message.provenance = Provenance::Verified;
    REQUIRE(store::insert_inbox(db(), message));
    message.payload_hash = "other";
    const auto comes = [&](const char* digest) {
        CHECK(store::insert_inbox(db(), message, {.digest = digest})->outcome ==
              InsertOutcome::Conflict);
        return *db().statement("select count(*) from refused_message").number();
    };
    CHECK(comes("d1") == 1);
    CHECK(comes("d1") == 1);
    CHECK(comes("d2") == 2);
    CHECK(*store::has_refused(db(), "ag_me", "ag_peer", "d2"));
}

TEST_CASE_FIXTURE(StoreFixture, "R49: a message id stays with its owner") {
    InboxMessage first = sample_message("msg_1");
    InboxMessage second = sample_message("msg_1", "ag_peer", 2'000);
    second.payload_hash = "other";
    second.envelope_json = R"({"nonce":"2"})";
    bool is_senders = false;
    const auto outcome = [&](Provenance of_first, Provenance of_second) {
        first.provenance = of_first;
        second.provenance = of_second;
        REQUIRE(store::insert_inbox(db(), first));
        const auto check = [&](const std::string& envelope_json) {
            CHECK(envelope_json == first.envelope_json);
            return is_senders;
        };
        return store::insert_inbox(db(), second, {.is_senders = check})->outcome;
    };
    SUBCASE("nobody could check the first, the second is certain") {
        CHECK(outcome(Provenance::Unverified, Provenance::Verified) == InsertOutcome::Inserted);
        CHECK(store::find_inbox(db(), "ag_me", "ag_peer", "msg_1").value()->id == 2);
        CHECK(store::get_inbox(db(), 1).value()->message_id.starts_with("msg_1 "));
        CHECK(store::pending_jobs(db(), 0, 10)->size() == 2);
        CHECK(store::insert_inbox(db(), second)->outcome == InsertOutcome::Duplicate);
    }
    SUBCASE("the first is found to be forged") {
        CHECK(outcome(Provenance::Forged, Provenance::Unverified) == InsertOutcome::Inserted);
        CHECK(store::find_inbox(db(), "ag_me", "ag_peer", "msg_1").value()->id == 2);
    }
    SUBCASE("the first was the sender's all the same") {
        is_senders = true;
        CHECK(outcome(Provenance::Unverified, Provenance::Verified) == InsertOutcome::Conflict);
    }
    SUBCASE("the first is certain") {
        CHECK(outcome(Provenance::Verified, Provenance::Verified) == InsertOutcome::Conflict);
    }
    SUBCASE("nobody could check either") {
        CHECK(outcome(Provenance::Unverified, Provenance::Unverified) == InsertOutcome::Conflict);
    }
    SUBCASE("the very same bytes") {
        second = first;
        CHECK(outcome(Provenance::Forged, Provenance::Unverified) == InsertOutcome::Duplicate);
    }
    CHECK(store::inbox_counts(db(), "ag_me")->conflicts <= 1);
}
