// Backups of a home, and the effects that a restore must not repeat.

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/control/home.h"
#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"
#include "core/store/setting_store.h"
#include "tests/integration/home/test_home.h"
#include "tests/support/permit.h"
#include "tests/support/queued_message.h"

using namespace a2h;
using namespace a2h::test;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr UnixMs kLongAgo = 1'700'000'000'000;

std::unique_ptr<store::Database> open_home(const fs::path& root) {
    auto db = store::Database::open(control::Home{root}.database_file(),
                                    store::Database::Mode::ReadWrite);
    REQUIRE_MESSAGE(db.has_value(), (db ? "" : db.error().message));
    return std::move(*db);
}

InboxMessage letter(int number) {
    InboxMessage message;
    message.agent_id = TestHome::kAgent;
    message.sender_id = "ag_peer";
    message.message_id = "letter-" + std::to_string(number);
    message.message_type = "chat.request";
    message.payload_json = R"({"text":"letter"})";
    message.payload_hash = std::to_string(number);
    message.envelope_json = "{}";
    message.received_at_ms = kLongAgo + number;
    return message;
}

/// Mail of years, an open approval, and one message that is not sent yet.
void fill(const fs::path& root, int letters) {
    const auto db = open_home(root);
    REQUIRE(db->begin());
    for (int i = 0; i < letters; ++i) {
        const auto inserted = store::insert_inbox(*db, letter(i));
        REQUIRE(inserted);
        if (i == 0) continue;  // one is still to be decided
        auto job = store::get_job(*db, inserted->inbox_id);
        (*job)->state = JobState::Done;
        REQUIRE(store::update_job(*db, **job));
    }
    Approval approval;
    approval.id = "apr_open";
    approval.agent_id = TestHome::kAgent;
    approval.action = "approval.create";
    approval.action_json = "{}";
    approval.digest = "d";
    approval.question = "Is it?";
    approval.answer_by_ms = kLongAgo * 2;
    approval.act_by_ms = kLongAgo * 2;
    REQUIRE(store::insert_approval(*db, approval));
    approval.id = "apr_used";
    approval.digest = "e";
    approval.status = ApprovalStatus::Approved;
    REQUIRE(store::insert_approval(*db, approval));
    REQUIRE(db->commit());
}

fs::path only_entry(const fs::path& folder) {
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        CHECK(found.empty());
        found = entry.path();
    }
    return found;
}

mode_t mode_bits(const fs::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777;
}

std::string all_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

json data_of(const Ran& ran) {
    const json envelope = json::parse(ran.out, nullptr, false);
    REQUIRE_MESSAGE(envelope.is_object(), (ran.out + ran.err));
    REQUIRE_MESSAGE(envelope["ok"] == true, envelope.dump());
    return envelope["data"];
}

bool has_code(const json& problems, const char* code) {
    return std::any_of(problems.begin(), problems.end(),
                       [code](const json& problem) { return problem["code"] == code; });
}

/// 0: all mail is decided.
UnixMs before_which_mail_is_left_to_the_human(const control::Home& home) {
    const auto db = store::Database::open(home.database_file(), store::Database::Mode::ReadOnly);
    REQUIRE(db);
    return store::get_number(**db, {}, "elsewhere.before_ms").value_or(-1);
}

/// A home that was filled, backed up with one message queued, and lived on.
struct Saved {
    explicit Saved(int letters = 50) {
        test_home.daemon.stop();
        fill(test_home.daemon.home(), letters);
        REQUIRE(test::insert_outbox(*open_home(test_home.daemon.home()),
                                    queued_message(TestHome::kAgent, "ag_friend", "chat.request",
                                                   R"({"text":"Good morning!"})", "tool:send")));
        backup =
            data_of(test_home.a2h({"backup", (test_home.dir.path() / "saved").string(), "--json"}))
                .at("path")
                .get<std::string>();
    }
    TestHome test_home;
    fs::path backup;
};

}  // namespace

TEST_CASE("a backup of a running a2hd is a whole home, and for its owner only") {
    TestHome test_home;
    const Ran ran = test_home.a2h({"backup", "--json"});
    const json made = data_of(ran);
    const fs::path folder = made["path"].get<std::string>();
    CHECK(folder == only_entry(test_home.daemon.home() / "backups"));
    CHECK(mode_bits(folder) == 0700);
    CHECK(mode_bits(folder.parent_path()) == 0700);
    for (const char* name : {"a2hd.db", "human.json", "config.toml", "manifest.json"})
        CHECK(mode_bits(folder / name) == 0600);
    CHECK(all_of(folder / "agents" / "ag_house.json") ==
          all_of(test_home.daemon.home() / "agents" / "ag_house.json"));
    const json manifest = json::parse(all_of(folder / "manifest.json"));
    CHECK(manifest["agents"] == json::array({TestHome::kAgent}));
    CHECK(manifest["tables"]["schema_migration"] == store::Database::schema_version_newest());
    CHECK(manifest["files"].contains("a2hd.db"));
    CHECK(test_home.daemon.call_human("status")["ok"] == true);
}

TEST_CASE("a backup goes to the given path and never overwrites anything") {
    TestHome test_home;
    const fs::path out = test_home.dir.path() / "out";
    fs::create_directory(out);
    const fs::path inside =
        data_of(test_home.a2h({"backup", out.string(), "--json"}))["path"].get<std::string>();
    CHECK(inside.parent_path() == out);
    const fs::path named = test_home.dir.path() / "named";
    CHECK(data_of(test_home.a2h({"backup", named.string(), "--json"}))["path"] == named.string());
    const fs::path file = test_home.dir.path() / "alone.db";
    const json alone = data_of(test_home.a2h({"backup", file.string(), "--json"}));
    CHECK(alone["identities"] == false);
    CHECK(mode_bits(file) == 0600);

    const std::string before = all_of(file);
    const Ran again = test_home.a2h({"backup", file.string()});
    CHECK(again.status == 1);
    CHECK(again.err.find("already exists") != std::string::npos);
    CHECK(all_of(file) == before);
    const Ran nowhere = test_home.a2h({"backup", (test_home.dir.path() / "no" / "where").string()});
    CHECK(nowhere.status == 1);
}

TEST_CASE("no backup and no export goes to a folder whose files an assistant may upload") {
    TestHome test_home;
    const fs::path folder = test_home.dir.path() / "uploads";
    fs::create_directory(folder);
    fs::create_symlink(folder, test_home.dir.path() / "link");
    test_home.daemon.stop();
    std::ofstream(test_home.daemon.home() / "config.toml", std::ios::app)
        << "\n[files]\nupload_folders = [\"" << folder.string() << "\"]\n";
    test_home.daemon.start();
    for (const fs::path& to :
         {folder, folder / "deep" / "er", test_home.dir.path() / "link" / "file.db"}) {
        const std::string call = json{{"to", to.string()}}.dump();
        CHECK(test_home.daemon.call_human("backup.create", call)["ok"] == false);
        CHECK(test_home.daemon.call_human("backup.export", call)["ok"] == false);
    }
    CHECK(fs::is_empty(folder));
    // Nobody can say whether a loop of links leads there.
    const fs::path loop = test_home.dir.path() / "loop";
    fs::create_symlink(loop, loop);
    for (const char* action : {"backup.create", "backup.export"}) {
        const json refused =
            test_home.daemon.call_human(action, json{{"to", (loop / "file.db").string()}}.dump());
        CHECK(refused["ok"] == false);
        CHECK(refused.dump().find("cannot resolve") != std::string::npos);
    }
}

TEST_CASE("a restore brings back what was saved, and moves what is there aside") {
    Saved s;
    const fs::path home = s.test_home.daemon.home();
    fs::remove(control::Home{home}.database_file());
    fs::remove(home / "human.json");
    std::ofstream(home / "rules.toml") << "# later\n";

    const json restored = data_of(s.test_home.a2h({"restore", s.backup.string(), "--json"}));
    CHECK(restored["identities"] == true);
    const fs::path aside = restored["moved_to"].get<std::string>();
    CHECK(all_of(aside / "rules.toml") == "# later\n");
    CHECK(!fs::exists(home / "rules.toml"));
    CHECK(!fs::exists(home / "restore.partial"));
    CHECK(!fs::exists(home / "restore.unfinished"));

    s.test_home.daemon.start();
    CHECK(s.test_home.daemon.status()["counts"]["received"] == 50);
}

TEST_CASE("a restored home sends, decides and releases nothing that was open") {
    Saved s;
    const json restored = data_of(s.test_home.a2h({"restore", s.backup.string(), "--json"}));
    CHECK(restored["held"] == 1);
    CHECK(restored["approvals"] == 2);
    CHECK(restored["tasks"] == 1);

    s.test_home.daemon.start();
    Daemon& daemon = s.test_home.daemon;
    const json rows = daemon.call_human("outbox.list")["data"]["items"];
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["state"] == "held");
    CHECK(daemon.status()["backlog"]["undecided"] == 0);
    const json approvals = daemon.call_human("approval.list")["data"]["approvals"];
    REQUIRE(approvals.size() == 2);
    for (const json& approval : approvals)
        CHECK((approval["status"] == "expired" || approval["outcome"] == "expired"));
    const json problems = daemon.status()["problems"];
    CHECK(has_code(problems, "outbox.held"));
    const json events = daemon.call_human("events.list", R"({"after_id":0})")["data"]["events"];
    CHECK(std::any_of(events.begin(), events.end(),
                      [](const json& event) { return event["kind"] == "home.restored"; }));

    CHECK(daemon.call_owner("outbox.requeue", R"({"all_held":true})")["data"]["count"] == 1);
    CHECK(daemon.call_human("outbox.list")["data"]["items"][0]["state"] == "queued");
}

TEST_CASE("a restore of a home in use is refused, and nothing is changed") {
    TestHome test_home;
    const fs::path backup = data_of(test_home.a2h({"backup", "--json"}))["path"].get<std::string>();
    const Ran refused = test_home.a2h({"restore", backup.string()});
    CHECK(refused.status == 1);
    CHECK(refused.err.find("stop it first") != std::string::npos);
    CHECK(test_home.daemon.call_human("status")["ok"] == true);
}

TEST_CASE("an incomplete backup is refused before anything is changed") {
    Saved s;
    const fs::path home = s.test_home.daemon.home();
    const std::string human = all_of(home / "human.json");
    const auto refused = [&](const fs::path& backup, const std::string& why) {
        const Ran ran = s.test_home.a2h({"restore", backup.string()});
        CAPTURE(ran.err);
        CHECK(ran.status == 1);
        CHECK(ran.err.find(why) != std::string::npos);
        CHECK(all_of(home / "human.json") == human);
        CHECK(!fs::exists(home / "restore.partial"));
    };
    refused(home / "nowhere", "there is no backup");
    refused(home, "is not a backup");
    std::ofstream(s.backup / "human.json", std::ios::app) << " ";
    refused(s.backup, "is not the file that was saved");

    fs::remove(s.backup / "human.json");
    refused(s.backup, "human.json");
    json manifest = json::parse(all_of(s.backup / "manifest.json"));
    manifest["files"]["../../evil"] = "x";
    std::ofstream(s.backup / "manifest.json") << manifest.dump();
    refused(s.backup, "an unexpected file: ../../evil");
    std::ofstream(home.parent_path() / "half.db") << "SQLite format 3";
    refused(home.parent_path() / "half.db", "");
}

TEST_CASE("an interrupted restore keeps every a2hd away until it is ended") {
    Saved s;
    const fs::path home = s.test_home.daemon.home();
    std::ofstream(home / "restore.unfinished") << s.backup.string() << "\n";
    const json refused = s.test_home.once("status");
    CHECK(refused["error"]["message"].get<std::string>().find(s.backup.string()) !=
          std::string::npos);
    data_of(s.test_home.a2h({"restore", s.backup.string(), "--json"}));
    CHECK(s.test_home.once("status")["ok"] == true);
}

TEST_CASE("an emptied database of a used home is refused and kept, and a restore brings it back") {
    Saved s;
    const fs::path file = control::Home{s.test_home.daemon.home()}.database_file();
    fs::resize_file(file, 0);
    const std::string why = s.test_home.once("status")["error"]["message"];
    CHECK(why.find(file.string() + " is empty") != std::string::npos);
    CHECK(why.find("a2h restore") != std::string::npos);
    const Ran up = s.test_home.a2h({"up"});
    CHECK(up.status != 0);
    CHECK_MESSAGE((up.out + up.err).find("is empty") != std::string::npos, (up.out + up.err));
    CHECK(fs::file_size(file) == 0);

    data_of(s.test_home.a2h({"restore", s.backup.string(), "--json"}));
    CHECK(s.test_home.once("status")["data"]["counts"]["received"] == 50);
}

TEST_CASE("an empty file in a home that was never used is no obstacle") {
    Saved s;
    const control::Home home{s.test_home.daemon.home()};
    fs::resize_file(home.database_file(), 0);
    fs::remove(home.device_file());
    CHECK(s.test_home.once("status")["ok"] == true);
    CHECK(before_which_mail_is_left_to_the_human(home) == 0);
}

TEST_CASE("a new database of a used home leaves earlier mail to the human, and says so") {
    Saved s;
    Daemon& daemon = s.test_home.daemon;
    const control::Home home{daemon.home()};
    CHECK(before_which_mail_is_left_to_the_human(home) == 0);
    for (const char* suffix : {"", "-wal", "-shm"})
        fs::remove(home.database_file().string() + suffix);
    const UnixMs start_ms = SystemClock().now_ms();
    daemon.start();
    CHECK(before_which_mail_is_left_to_the_human(home) >= start_ms);
    CHECK(has_code(daemon.status()["problems"], "database.new"));
    CHECK(daemon.log().find("The database of this home was missing") != std::string::npos);
    const json events = daemon.call_human("events.list", R"({"after_id":0})")["data"]["events"];
    CHECK(std::count_if(events.begin(), events.end(), [](const json& event) {
              return event["kind"] == "home.new_database";
          }) == 1);
    const Ran doctor = s.test_home.a2h({"doctor"});
    CHECK_MESSAGE(doctor.out.find("was begun anew") != std::string::npos, doctor.out);

    daemon.stop();
    const UnixMs before_ms = before_which_mail_is_left_to_the_human(home);
    daemon.start();
    CHECK(before_which_mail_is_left_to_the_human(home) == before_ms);
    daemon.stop();
    data_of(s.test_home.a2h({"restore", s.backup.string(), "--json"}));
    daemon.start();
    CHECK(!has_code(daemon.status()["problems"], "database.new"));
}

TEST_CASE("a backup can become a home on another machine") {
    Saved s;
    const fs::path other = s.test_home.dir.path() / "other";
    const Ran ran =
        run({A2H_BIN_DIR "/a2h", "--home", other.string(), "restore", s.backup.string(), "--json"});
    CHECK(data_of(ran)["moved_to"] == "");
    CHECK(mode_bits(other) == 0700);
    const Ran status = run({A2H_BIN_DIR "/a2hd", "--home", other.string(), "--once", "status"});
    CHECK(json::parse(status.out)["data"]["agent_id"] == TestHome::kAgent);
}

TEST_CASE("people are notified in their language of what a backup and a restore did") {
    Saved s(2);
    const Ran english = s.test_home.a2h({"restore", s.backup.string()});
    CHECK(english.out.find("1 outgoing messages are held") != std::string::npos);
    const Ran chinese = s.test_home.a2h({"restore", s.backup.string()}, {}, "zh_CN.UTF-8");
    CHECK_MESSAGE(chinese.out.find("1 条待发消息暂不发送") != std::string::npos, chinese.err);
}

TEST_CASE("an export is readable without a2h and holds no secrets unless requested") {
    Saved s(3);
    const fs::path plain = s.test_home.dir.path() / "plain";
    const json data = data_of(s.test_home.a2h({"export", plain.string(), "--json"}));
    CHECK(data["secrets"] == false);
    CHECK(mode_bits(plain) == 0700);
    std::ifstream inbox(plain / "inbox.jsonl");
    int letters = 0;
    for (std::string line; std::getline(inbox, line); ++letters)
        CHECK(json::parse(line)["payload_json"]["text"] == "letter");
    CHECK(letters == 3);
    CHECK(all_of(plain / "identities.jsonl").find("public_key") != std::string::npos);
    CHECK(all_of(plain / "README.md").find("`inbox.jsonl`: messages received") !=
          std::string::npos);
    CHECK(all_of(plain / "README.md").find("收到的消息") != std::string::npos);
    const std::string secret =
        json::parse(all_of(s.test_home.daemon.home() / "agents" / "ag_house.json"))["secret_key"];
    for (const auto& entry : fs::recursive_directory_iterator(plain))
        if (entry.is_regular_file()) CHECK(all_of(entry).find(secret) == std::string::npos);
    CHECK(!fs::exists(plain / "human.json"));

    const fs::path whole = s.test_home.dir.path() / "whole";
    CHECK(data_of(s.test_home.a2h(
              {"export", whole.string(), "--with-secrets", "--json"}))["secrets"] == true);
    CHECK(all_of(whole / "agents" / "ag_house.json").find(secret) != std::string::npos);
    CHECK(s.test_home.a2h({"export", whole.string() + "/inbox.jsonl"}).status == 1);
}

TEST_CASE("to return to an older a2hd, use the copy from before the migration") {
    Saved s(3);
    const control::Home home{s.test_home.daemon.home()};
    // The files that a later version leaves: a schema that this one does not know, and the copy
    // from before.
    const fs::path before = home.database_file().string() + ".before-9999";
    fs::copy_file(home.database_file(), before);
    {
        SQLite::Database later(home.database_file().string(), SQLite::OPEN_READWRITE);
        later.exec("insert into schema_migration values (9999, 'later', 0)");
    }
    const json refused = s.test_home.once("status");
    const std::string why = refused["error"]["message"];
    CHECK(why.find("newer version") != std::string::npos);
    CHECK(why.find(".before-") != std::string::npos);
    const json restored = data_of(s.test_home.a2h({"restore", before.string(), "--json"}));
    CHECK(restored["identities"] == false);
    CHECK(s.test_home.once("status")["data"]["counts"]["received"] == 3);
}
