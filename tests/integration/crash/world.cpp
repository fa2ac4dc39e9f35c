#include "tests/integration/crash/world.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/control/home.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"

namespace a2h::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kConfig =
    "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n"
    "[limits]\nrounds_per_peer_per_day = 1000000\nmessages_per_peer_per_minute = 1000000\n";

std::string topic_of(const std::string& agent_id) {
    return "P2P_TOPIC/p2p/GID_agent@@@" + agent_id;
}

}  // namespace

Buyer::Buyer(Market& market, const std::string& name)
    : market_(market), account_(market.register_agent(name)) {
    reconnect();
}

void Buyer::reconnect() {
    const std::string client_id = "GID_agent@@@" + account_.agent_id;
    const auto token = market_.client(account_).fetch_broker_token(client_id);
    REQUIRE(token.has_value());
    mqtt_ = std::make_unique<RawMqtt>(market_.broker_port(),
                                      RawMqtt::Login{client_id, token->username, token->password});
    published_.clear();
    REQUIRE(mqtt_->connected());
    REQUIRE(mqtt_->subscribe(topic_of(account_.agent_id)));
}

std::string Buyer::ask(const std::string& seller_id, const std::string& text) {
    const UnixMs now_ms = SystemClock().now_ms();
    OutboxMessage question;
    question.agent_id = account_.agent_id;
    question.target_id = seller_id;
    question.message_id = new_message_id(now_ms);
    // The reply keeps the trace of its question, which identifies the question.
    question.trace_id = question.message_id;
    question.message_type = "chat.request";
    // The number makes each question another one: repeats stay unanswered.
    question.payload_json =
        nlohmann::json{{"n", ++asked_}, {"text", text}, {"type", "text"}}.dump();
    const auto envelope = wire::sign_envelope(question, account_.keys, now_ms);
    REQUIRE(envelope.has_value());
    const auto packet_id = mqtt_->publish(topic_of(seller_id), *envelope);
    published_[packet_id] = question.message_id;
    mqtt_->flush();
    return question.message_id;
}

void Buyer::pump(milliseconds time) {
    const auto until = steady_clock::now() + time;
    while (true) {
        const auto left =
            std::chrono::duration_cast<milliseconds>(until - steady_clock::now()).count();
        const auto event = mqtt_->read(milliseconds(std::max<long>(left, 0)));
        if (!event) return;
        if (event->type == PacketType::Puback) {
            taken_.insert(published_.at(event->packet_id));
            continue;
        }
        const auto reply = nlohmann::json::parse(event->payload);
        replies_[reply.at("trace_id")].insert(reply.at("message_id").get<std::string>());
    }
}

bool Buyer::wait_for_replies(std::chrono::seconds timeout) {
    return eventually(
        [this] {
            pump(milliseconds(20));
            return has_all_replies();
        },
        timeout);
}

void World::fail_commits(bool on) const {
    if (on) std::ofstream(fault_file()) << "";
    if (!on) std::filesystem::remove(fault_file());
}

platform::Account World::new_seller(const std::string& name) {
    auto account = market_.register_agent(name);
    test::ListingDraft draft;
    draft.title = "Logo design";
    draft.content = "A logo in three days.";
    draft.expected_price = "280 CNY";
    draft.service_method = "online";
    REQUIRE(market_.client(account).submit_listing(draft).has_value());
    return account;
}

Daemon::Options World::options() const {
    return {.config = kConfig, .environment = {{"A2H_FAULT_COMMIT_FILE", fault_file()}}};
}

Daemon::Options World::options(const ProcessClock& clock) const {
    auto chosen = options();
    chosen.environment.merge(clock.environment());
    return chosen;
}

std::unique_ptr<store::Database> World::database() const {
    auto db = store::Database::open(control::Home{home()}.database_file(),
                                    store::Database::Mode::ReadOnly);
    REQUIRE(db.has_value());
    return std::move(*db);
}

Footprint footprint_of(pid_t process) {
    const std::filesystem::path folder = "/proc/" + std::to_string(process);
    Footprint found;
    std::ifstream status(folder / "status");
    constexpr std::string_view kResident = "VmRSS:";
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(kResident)) {
            found.resident_kib = std::stoll(line.substr(kResident.size()));
        }
    }
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "fd"))
        ++found.descriptors;
    REQUIRE(found.resident_kib > 0);
    return found;
}

void check_flat(const Footprint& warm, const Footprint& now) {
    MESSAGE("resident: ", warm.resident_kib, " KiB warm, ", now.resident_kib,
            " KiB at the end; descriptors: ", warm.descriptors, ", ", now.descriptors);
    constexpr std::size_t kDescriptorsMore = 16;
    constexpr std::int64_t kKibMore = 16 * 1024;
    CHECK(now.descriptors <= warm.descriptors + kDescriptorsMore);
    if (kSlowdown == 1) CHECK(now.resident_kib <= warm.resident_kib + kKibMore);
}

bool wait_until_ready(Daemon& daemon, const std::vector<platform::Account>& agents) {
    return daemon.connected() &&
           eventually(
               [&] {
                   return std::all_of(agents.begin(), agents.end(), [&](const auto& agent) {
                       return daemon.status(agent.agent_id)["market"].value("ok", false);
                   });
               },
               std::chrono::seconds(30));
}

std::set<std::string> inbox_ids(store::Database& db, const std::string& seller,
                                const std::string& buyer) {
    std::set<std::string> ids;
    for (int page = 1;; ++page) {
        const auto found = store::history(db, seller, buyer, page, 100);
        REQUIRE(found.has_value());
        for (const auto& entry : *found) {
            if (entry.incoming) REQUIRE(ids.insert(entry.message_id).second);
        }
        if (found->size() < 100) return ids;
    }
}

void check_nothing_lost(World& world, const std::vector<platform::Account>& sellers,
                        const Buyer& buyer) {
    CHECK(buyer.alive());
    CHECK(buyer.unanswered() == 0);
    for (const auto& [question, replies] : buyer.replies())
        CHECK_MESSAGE(replies.size() == 1, question, " has ", replies.size(), " replies");
    const auto db = world.database();
    std::set<std::string> stored;
    for (const auto& seller : sellers) {
        stored.merge(inbox_ids(*db, seller.agent_id, buyer.agent_id()));
        CHECK(eventually([&] { return store::outbox_counts(*db, seller.agent_id)->queued == 0; }));
        CHECK(store::outbox_counts(*db, seller.agent_id)->dead == 0);
        CHECK(*store::count_pending_jobs(*db, seller.agent_id) == 0);
    }
    CHECK(stored == buyer.taken());
}

}  // namespace a2h::test
