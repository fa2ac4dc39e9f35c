#include <doctest/doctest.h>
#include <optional>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "core/http/tls_front.h"
#include "core/store/health.h"
#include "core/store/mandate_store.h"
#include "core/store/notification_store.h"
#include "core/store/outbox_store.h"
#include "core/store/statement.h"
#include "core/wire/crypto.h"
#include "daemon/backup/new_database.h"
#include "daemon/consent/terms.h"
#include "daemon/doctor/mailbox_checks.h"
#include "daemon/doctor/repairs.h"
#include "tests/support/certificate.h"
#include "tests/support/fake_platform.h"
#include "tests/support/manual_clock.h"
#include "tests/support/permit.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using doctor::State;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kHour = 3600LL * 1000;

/// A home without a problem, with a market that answers.
struct Patient {
    Patient()
        : certificate(Certificate::Validity::Long),
          market(SystemClock().now_ms()),
          front(http::TlsFront::start({.certificate_file = certificate.file(),
                                       .key_file = certificate.key(),
                                       .target_port = 9})
                    .value()) {
        REQUIRE(platform::make_private_folder(home.root));
        REQUIRE(platform::make_private_folder(home.agents_dir()));
        REQUIRE(platform::make_private_folder(home.run_dir()));
        save_identity(market.account().keys);
        REQUIRE(platform::save_new_human(home.human_file(), {wire::hash_pin("1234"), "link", {}}));
        std::ofstream(home.config_file()) << "language = \"en\"\n";
        std::ofstream(program) << "#!/bin/sh\necho a2h-mcp " A2H_VERSION "\n";
        fs::permissions(program, fs::perms::owner_all);
        database = open_database();
        answer_all();
        facts.home = {.home = home, .language = i18n::Language::English, .secret_files = {secret}};
        std::ofstream(secret) << "token = \"x\"\n";
        fs::permissions(secret, fs::perms::owner_read | fs::perms::owner_write);
        facts.home.free_bytes = [this](const fs::path&) { return free_bytes; };
        doctor::AgentFacts agent;
        agent.id = FakePlatform::kAgent;
        agent.key_id = market.account().keys.key_pair.key_id;
        agent.api_base = market.url();
        agent.mqtt_url = "mqtts://127.0.0.1:" + std::to_string(front->port());
        agent.ca_file = certificate.file().string();
        agent.market = &market.client();
        agent.connection.connected = true;
        facts.agents.push_back(agent);
        facts.channels = {"phone"};
        facts.now_ms = clock.now_ms();
        facts.clock = &clock;
        facts.serves = true;
        facts.mcp_program = program.string();
        facts.resolve = [](const std::string&) { return Result<std::size_t>(1); };
    }

    void save_identity(const wire::SigningKeys& keys) {
        platform::AgentIdentity identity;
        identity.name = "seller";
        identity.account = market.account();
        identity.account.keys = keys;
        identity.mqtt_url = "mqtt://127.0.0.1:1";
        fs::remove(identity_file());
        REQUIRE(platform::save_new_agent(home.agents_dir(), identity));
    }
    fs::path identity_file() const {
        return home.agents_dir() / (std::string(FakePlatform::kAgent) + ".json");
    }
    std::unique_ptr<store::Database> open_database() const {
        return store::Database::open(home.database_file(), store::Database::Mode::ReadWrite)
            .value();
    }
    void sql(const char* text) { REQUIRE(database->statement(text).run()); }

    void answer_all() {
        const auto& key = market.account().keys.key_pair;
        market.answer("GET /findu-user/api/v1/user/works/public", {{"items", json::array()}});
        market.answer("GET /v1/agents/ag_self", {{"agent_id", FakePlatform::kAgent},
                                                 {"key_id", key.key_id},
                                                 {"public_key", key.public_key},
                                                 {"name", "seller"}});
        answer_token(clock.now_ms() + kHour);
        market.answer_anybody("GET /healthz", {{"version", A2H_VERSION}});
    }
    void answer_token(UnixMs until_ms) {
        market.answer("POST /mqtt-token/api/v1/token",
                      {{"client_id", mqtt::listener_client_id(FakePlatform::kAgent)},
                       {"username", "u"},
                       {"password", "p"},
                       {"expire_time", until_ms}});
    }

    /// The worst state of each check.
    std::map<std::string, State> look() const {
        std::map<std::string, State> states;
        const auto note = [&](std::string_view id, const doctor::Findings& findings) {
            for (const auto& finding : findings) {
                const auto [at, first] = states.emplace(std::string(id), finding.state);
                if (!first && finding.state == State::Failed) at->second = State::Failed;
                if (!first && at->second == State::Ok) at->second = finding.state;
                CHECK_FALSE(finding.text.empty());
                if (finding.state == State::Failed) CHECK_FALSE(finding.next.empty());
            }
        };
        for (const auto& check : doctor::home_checks())
            note(check.id, check.run(facts.home));
        for (const auto checks : {doctor::setup_checks(), doctor::network_checks(),
                                  doctor::mailbox_checks(), doctor::database_checks()}) {
            for (const auto& check : checks)
                note(check.id, check.run(facts));
        }
        return states;
    }

    TempDir dir;
    control::Home home{dir.path() / "home"};
    fs::path program = dir.path() / "a2h-mcp";
    fs::path secret = dir.path() / "secret.toml";
    std::int64_t free_bytes = 5'000'000'000;
    ManualClock clock{SystemClock().now_ms()};
    Certificate certificate;
    FakePlatform market;
    std::unique_ptr<http::TlsFront> front;
    std::unique_ptr<store::Database> database;
    doctor::Facts facts;
};

/// Breaks one thing: just the line of `check` becomes `state`, all others stay as they were.
template <typename Break>
void only_changes(const std::string& check, State state, Break break_it) {
    Patient patient;
    auto expected = patient.look();
    for (const auto& [id, healthy] : expected)
        CHECK_MESSAGE(healthy == State::Ok, id);
    break_it(patient);
    expected[check] = state;
    for (const auto& [id, now] : patient.look())
        CHECK_MESSAGE(now == expected[id], (id + ": " + std::string(to_string(now))));
}

OutboxMessage old_message(UnixMs now_ms) {
    OutboxMessage message;
    message.agent_id = FakePlatform::kAgent;
    message.target_id = "ag_peer";
    message.message_id = "msg_1";
    message.message_type = "a2h.chat";
    message.trace_id = "trc_1";
    message.payload_json = "{}";
    message.cause = "tool:send";
    message.created_at_ms = now_ms - 2 * kHour;
    message.updated_at_ms = now_ms - 2 * kHour;
    message.expires_at_ms = now_ms + kHour;
    return message;
}

void leave_socket(const fs::path& path) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
    REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    ::close(fd);
}

/// Overwrites the root page of a table that no check reads.
void damage(Patient& patient) {
    const auto page = patient.database
                          ->statement(
                              "select rootpage from sqlite_schema "
                              "where name = 'refused_message'")
                          .number();
    REQUIRE(page);
    REQUIRE(store::empty_log(*patient.database));
    patient.database.reset();
    std::fstream file(patient.home.database_file(),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp((*page - 1) * 4096);
    file << std::string(4096, '\xff');
}

/// A row that an index does not know of: the index was away while it was written.
void lose_index_entry(Patient& patient) {
    const auto pending = patient.database
                             ->statement(
                                 "select rootpage || '|' || sql from sqlite_schema "
                                 "where name = 'outbox_message'")
                             .first([](store::Row& row) { return row.text(0); });
    REQUIRE(pending->has_value());
    const std::string both = **pending;
    const auto bar = both.find('|');
    patient.sql("pragma writable_schema = on");
    patient.sql("delete from sqlite_schema where name = 'outbox_message'");
    patient.database = patient.open_database();
    const auto message = old_message(patient.facts.now_ms);
    REQUIRE(test::insert_outbox(*patient.database, message));
    REQUIRE(store::mark_outbox_sent(*patient.database, 1, patient.facts.now_ms));
    patient.sql("pragma writable_schema = on");
    REQUIRE(patient.database
                ->statement("insert into sqlite_schema (type, name, tbl_name, rootpage, sql) "
                            "values ('index', 'outbox_message', 'outbox', ?, ?)")
                .run(std::int64_t{std::stoll(both.substr(0, bar))}, both.substr(bar + 1)));
    patient.database = patient.open_database();
}

}  // namespace

TEST_CASE("a database that replaces a missing one is seen for a week") {
    const auto begin_anew = [](Patient& patient, UnixMs at_ms) {
        std::ofstream(patient.home.device_file()) << "device\n";
        REQUIRE(backup::note_new_database(*patient.database, patient.home, {}, FakePlatform::kAgent,
                                          at_ms));
    };
    only_changes("integrity", State::Warning,
                 [&](Patient& patient) { begin_anew(patient, patient.facts.now_ms); });
    only_changes("integrity", State::Ok, [&](Patient& patient) {
        begin_anew(patient, patient.facts.now_ms - 8 * 24 * kHour);
    });
}

TEST_CASE("keys that do not belong together are seen") {
    only_changes("identity", State::Failed, [](Patient& patient) {
        auto keys = patient.market.account().keys;
        keys.key_pair.secret_key = wire::new_key_pair().secret_key;
        patient.save_identity(keys);
    });
}

TEST_CASE("a secret that others may read is seen, whichever it is") {
    only_changes("permissions", State::Failed, [](Patient& patient) {
        fs::permissions(patient.secret, fs::perms::others_read, fs::perm_options::add);
    });
    only_changes("permissions", State::Failed, [](Patient& patient) {
        fs::permissions(patient.home.human_file(), fs::perms::group_read, fs::perm_options::add);
    });
    only_changes("permissions", State::Failed, [](Patient& patient) {
        fs::permissions(patient.home.config_file(), fs::perms::others_write, fs::perm_options::add);
    });
}

TEST_CASE("a socket that nobody serves is seen") {
    only_changes("stale_files", State::Warning,
                 [](Patient& patient) { leave_socket(patient.home.socket_file()); });
}

TEST_CASE("a draft that a crash left behind is seen, a new one is not") {
    const auto draft = [](Patient& patient, std::chrono::hours age) {
        const fs::path path = patient.home.root / "human.json.new-0a1b2c3d";
        std::ofstream(path) << "{}";
        fs::last_write_time(path, fs::file_time_type::clock::now() - age);
    };
    only_changes("stale_files", State::Warning,
                 [&](Patient& patient) { draft(patient, std::chrono::hours(2)); });
    only_changes("stale_files", State::Ok,
                 [&](Patient& patient) { draft(patient, std::chrono::hours(0)); });
}

TEST_CASE("a disk that fills up is seen before it is full") {
    only_changes("disk", State::Warning,
                 [](Patient& patient) { patient.free_bytes = 500'000'000; });
    only_changes("disk", State::Failed, [](Patient& patient) { patient.free_bytes = 50'000'000; });
    only_changes("disk", State::NotChecked, [](Patient& patient) { patient.free_bytes = -1; });
}

TEST_CASE("a configuration that the next start would refuse is seen") {
    only_changes("config", State::Failed, [](Patient& patient) {
        std::ofstream(patient.home.config_file()) << "langauge = \"en\"\n";
    });
}

TEST_CASE("rules that are not used are seen") {
    only_changes("playbook", State::Failed,
                 [](Patient& patient) { patient.facts.rules_problem = "line 3"; });
}

TEST_CASE("an assistant whose messages nobody reviews is seen") {
    only_changes("send", State::Warning, [](Patient& patient) {
        std::ofstream(patient.home.config_file()) << "[send]\nassistant = \"open\"\n";
    });
}

TEST_CASE("a page that cannot be served is seen") {
    only_changes("page", State::Failed,
                 [](Patient& patient) { patient.facts.page_problem = "the port is taken"; });
}

TEST_CASE("a channel whose last notification failed is seen") {
    only_changes("deliveries", State::Warning, [](Patient& patient) {
        Notification row;
        row.agent_id = FakePlatform::kAgent;
        row.channel = "phone";
        row.kind = "test";
        row.body_json = "{}";
        row.state = "failed";
        row.outcome = "401";
        row.attempts = 2;
        row.updated_at_ms = patient.facts.now_ms;
        REQUIRE(store::insert_notification(*patient.database, row));
    });
}

TEST_CASE("a name that is not found is seen") {
    only_changes("dns", State::Failed, [](Patient& patient) {
        patient.facts.resolve = [](const std::string&) -> Result<std::size_t> {
            return fail(ErrorCode::NotFound, "Name or service not known");
        };
    });
}

TEST_CASE("a certificate that ends soon, has ended, or is not trusted is seen") {
    const auto serve = [](Patient& patient, const Certificate& shown) {
        patient.front =
            http::TlsFront::start(
                {.certificate_file = shown.file(), .key_file = shown.key(), .target_port = 9})
                .value();
        patient.facts.agents[0].mqtt_url =
            "mqtts://127.0.0.1:" + std::to_string(patient.front->port());
        patient.facts.agents[0].ca_file = shown.file().string();
    };
    const Certificate soon(Certificate::Validity::Now);
    const Certificate expired(Certificate::Validity::Expired);
    only_changes("tls", State::Warning, [&](Patient& patient) { serve(patient, soon); });
    only_changes("tls", State::Failed, [&](Patient& patient) { serve(patient, expired); });
    only_changes("tls", State::Failed,
                 [&](Patient& patient) { patient.facts.agents[0].ca_file.clear(); });
    only_changes("tls", State::NotChecked, [](Patient& patient) {
        patient.facts.agents[0].mqtt_url = "mqtts://127.0.0.1:9";
    });
}

TEST_CASE("a broker on another machine without encryption is reported") {
    only_changes("tls", State::Warning, [](Patient& patient) {
        patient.facts.agents[0].mqtt_url = "mqtt://broker.example";
    });
}

TEST_CASE("a market that fails is seen") {
    only_changes("market", State::Failed, [](Patient& patient) {
        patient.market.refuse("GET /findu-user/api/v1/user/works/public", 500, "500");
    });
}

TEST_CASE("a market that knows the agent by another key is seen") {
    only_changes("registration", State::Failed, [](Patient& patient) {
        const auto other = wire::new_key_pair();
        patient.market.answer("GET /v1/agents/ag_self", {{"agent_id", FakePlatform::kAgent},
                                                         {"key_id", other.key_id},
                                                         {"public_key", other.public_key},
                                                         {"name", "seller"}});
    });
}

TEST_CASE("a missing and an expired token are seen") {
    only_changes("token", State::Failed, [](Patient& patient) {
        patient.market.refuse("POST /mqtt-token/api/v1/token", 403, "PLATFORM_401");
    });
    only_changes("token", State::Failed,
                 [](Patient& patient) { patient.answer_token(patient.facts.now_ms - kHour); });
}

TEST_CASE("a clock that is off against the market's is seen") {
    only_changes("clock_market", State::Warning,
                 [](Patient& patient) { patient.clock.advance(std::chrono::seconds(30)); });
    only_changes("clock_market", State::Failed,
                 [](Patient& patient) { patient.clock.set_wall(patient.facts.now_ms - kHour); });
}

TEST_CASE("programs of different versions are seen") {
    only_changes("versions", State::Warning,
                 [](Patient& patient) { patient.facts.cli_version = "0.0.9"; });
    only_changes("versions", State::Warning, [](Patient& patient) {
        std::ofstream(patient.program) << "#!/bin/sh\necho a2h-mcp 9.9.9\n";
    });
    only_changes("versions", State::Warning, [](Patient& patient) {
        patient.market.answer_anybody("GET /healthz", {{"version", "9.9.9"}});
    });
    only_changes("versions", State::NotChecked,
                 [](Patient& patient) { fs::remove(patient.program); });
}

TEST_CASE("an agent for which another instance acts needs no connection here") {
    Patient patient;
    patient.facts.agents[0].connection.connected = false;
    patient.facts.agents[0].follows = true;
    const auto states = patient.look();
    CHECK(states.at("connection") == State::Ok);
    CHECK(states.at("other_instance") == State::Ok);
}

TEST_CASE("an agent without a connection is seen") {
    only_changes("connection", State::Failed,
                 [](Patient& patient) { patient.facts.agents[0].connection.connected = false; });
}

TEST_CASE("another program with the same agent is seen") {
    only_changes("other_instance", State::Failed,
                 [](Patient& patient) { patient.facts.agents[0].connection.taken_over = true; });
}

TEST_CASE("mail that went with a lost session is seen until it is fetched") {
    const auto lost = [](Patient& patient) -> HistoryFetches& {
        HistoryFetches& history = patient.facts.agents[0].history;
        history.sessions_lost = 1;
        history.asked_ms = patient.facts.now_ms;
        return history;
    };
    only_changes("history", State::Warning,
                 [&](Patient& patient) { lost(patient).is_owed = true; });
    only_changes("history", State::Warning, [&](Patient& patient) { lost(patient); });
    Patient patient;
    lost(patient).everybody = true;
    CHECK(patient.look().at("history") == State::Ok);
    patient.facts.agents[0].history = {.asked_ms = 1};
    CHECK(patient.look().at("history") == State::Ok);
}

TEST_CASE("a damaged database is seen") {
    only_changes("integrity", State::Failed, damage);
}

TEST_CASE("an index that lost a row is found by the full check, and rebuilt") {
    Patient patient;
    lose_index_entry(patient);
    patient.facts.full = true;
    CHECK(patient.look().at("integrity") == State::Failed);
    const auto done =
        doctor::repair_database(*patient.database, patient.facts, {doctor::Repair::Reindex});
    CHECK(done.size() == 1);
    CHECK(patient.look().at("integrity") == State::Ok);
}

TEST_CASE("a schema that somebody changed by hand is seen") {
    only_changes("schema", State::Failed,
                 [](Patient& patient) { patient.sql("drop index inbox_history"); });
}

TEST_CASE("a disk that takes nothing any more is seen") {
    only_changes("writing", State::Failed,
                 [](Patient& patient) { patient.facts.store_failure = "disk I/O error"; });
}

TEST_CASE("messages that wait too long to be sent are seen") {
    only_changes("backlog", State::Warning, [](Patient& patient) {
        REQUIRE(test::insert_outbox(*patient.database, old_message(patient.facts.now_ms)));
    });
}

TEST_CASE("dead letters are seen, and sent again when that is asked for") {
    const auto die = [](Patient& patient) {
        REQUIRE(test::insert_outbox(*patient.database, old_message(patient.facts.now_ms)));
        REQUIRE(store::bury_outbox(*patient.database, 1, "gone", patient.facts.now_ms));
    };
    only_changes("dead_letters", State::Warning, die);
    Patient patient;
    die(patient);
    doctor::repair_database(*patient.database, patient.facts, {doctor::Repair::Requeue});
    CHECK(patient.look().at("dead_letters") == State::Ok);
    CHECK(store::outbox_counts(*patient.database, FakePlatform::kAgent)->queued == 1);
}

/// Gives a mandate to answer offers with these limits, in minor units.
void give_mandate(Patient& patient, std::optional<std::int64_t> from,
                  std::optional<std::int64_t> to, UnixMs ends_ms) {
    MandateTerms terms;
    terms.agent_id = FakePlatform::kAgent;
    terms.action = "reply.send";
    terms.currency = "CNY";
    terms.amount_from_minor = from;
    terms.amount_to_minor = to;
    terms.ends_ms = ends_ms;
    Mandate mandate;
    mandate.id = "mdt_1";
    mandate.agent_id = terms.agent_id;
    mandate.action = terms.action;
    mandate.terms_json = mandates::write_terms(terms);
    mandate.given_by = "human";
    REQUIRE(store::insert_mandate(*patient.database, mandate));
}

TEST_CASE("a mandate that ends within a week is seen") {
    only_changes("mandates", State::Warning, [](Patient& patient) {
        give_mandate(patient, 100, std::nullopt, patient.facts.now_ms + 48 * kHour);
    });
    Patient patient;
    give_mandate(patient, 100, std::nullopt, patient.facts.now_ms + 30 * 24 * kHour);
    CHECK(patient.look().at("mandates") == State::Ok);
}

TEST_CASE("a mandate of an earlier version without the limit that protects its owner is seen") {
    only_changes("mandates", State::Warning, [](Patient& patient) {
        give_mandate(patient, std::nullopt, 100, patient.facts.now_ms + 30 * 24 * kHour);
    });
}

TEST_CASE("a lost self-test message and a clock that jumped are reported") {
    const Patient patient;
    using Trip = health::Listening::RoundTrip;
    using std::chrono::milliseconds;
    const auto& facts = patient.facts;
    const Trip even{milliseconds(5), milliseconds(1)};
    const Trip jumped{milliseconds(5), milliseconds(-3'600'000)};
    CHECK(round_trip_finding(facts, "ag", even).state == State::Ok);
    CHECK(broker_clock_finding(facts, "ag", even).state == State::Ok);
    CHECK(round_trip_finding(facts, "ag", jumped).state == State::Ok);
    CHECK(broker_clock_finding(facts, "ag", jumped).state == State::Warning);
    const Result<Trip> lost = fail(ErrorCode::Timeout, "20 s");
    CHECK(round_trip_finding(facts, "ag", lost).state == State::Failed);
    CHECK(broker_clock_finding(facts, "ag", lost).state == State::NotChecked);
    const Result<Trip> away = fail(ErrorCode::Unavailable, "no connection");
    CHECK(round_trip_finding(facts, "ag", away).state == State::NotChecked);
}

TEST_CASE("files are repaired: closed to others, and removed when nothing uses them") {
    Patient patient;
    fs::permissions(patient.home.human_file(), fs::perms::group_all, fs::perm_options::add);
    leave_socket(patient.home.socket_file());
    const auto done = doctor::repair_files(
        patient.facts, {doctor::Repair::Permissions, doctor::Repair::StaleFile});
    CHECK(done.size() == 2);
    CHECK(patient.look().at("permissions") == State::Ok);
    CHECK(patient.look().at("stale_files") == State::Ok);
    CHECK_FALSE(fs::exists(patient.home.socket_file()));
}

TEST_CASE("a log that has grown is seen and emptied") {
    Patient patient;
    REQUIRE(test::insert_outbox(*patient.database, old_message(patient.facts.now_ms)));
    const fs::path log = patient.home.database_file().string() + "-wal";
    // The file has this size because of a hole at its end, which SQLite does not read.
    fs::resize_file(log, 80 * 1024 * 1024);
    CHECK(patient.look().at("writing") == State::Warning);
    const auto done = doctor::repair_files(patient.facts, {doctor::Repair::Checkpoint});
    CHECK(done.size() == 1);
    CHECK(patient.look().at("writing") == State::Ok);
}

TEST_CASE("every finding exists in Chinese") {
    Patient patient;
    patient.facts.home.language = i18n::Language::Chinese;
    for (const auto& [id, state] : patient.look()) {
        CHECK(state == State::Ok);
        CHECK(doctor::title_of(i18n::Language::Chinese, id) !=
              doctor::title_of(i18n::Language::English, id));
    }
}
