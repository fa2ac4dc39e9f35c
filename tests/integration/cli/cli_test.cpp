#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/control/client.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/terminal.h"

namespace fs = std::filesystem;
using namespace a2h;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

const std::string kProgram = A2H_BIN_DIR "/a2h";
const std::string kPin = "314159";

std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777;
}

/// A home folder and, where a test needs them, a market and its broker.
class World {
  public:
    ~World() { a2h({"down"}); }

    test::Ran a2h(std::vector<std::string> arguments, const std::string& input = {},
                  const std::string& language = "en_US.UTF-8") const {
        arguments.insert(arguments.begin(), kProgram);
        return test::run(std::move(arguments),
                         {{"A2H_HOME", home().string()}, {"LC_ALL", language}}, input, 60s);
    }
    /// The envelope that `--json` prints.
    json ask(std::vector<std::string> arguments, const std::string& input = {}) const {
        arguments.push_back("--json");
        const auto ran = a2h(std::move(arguments), input);
        CAPTURE(ran.err);
        const json envelope = json::parse(ran.out, nullptr, false);
        REQUIRE(envelope.is_object());
        CHECK((envelope["ok"] == true) == (ran.status == 0));
        CHECK(envelope["action"].is_string());
        if (envelope["ok"] == false) {
            CHECK(envelope["error"]["code"].is_string());
            CHECK(envelope["error"]["message"].is_string());
            CHECK(envelope["error"]["next"].is_string());
        }
        return envelope;
    }

    void start_market() {
        broker_port_ = test::free_port();
        market_ = std::make_unique<test::Process>(
            test::Process::Options{.argv = {A2H_BIN_DIR "/a2h-market", "--data", data().string(),
                                            "--listen", "127.0.0.1:0", "--mqtt-url",
                                            "mqtt://127.0.0.1:" + std::to_string(broker_port_)},
                                   .environment = {},
                                   .stdout_file = {},
                                   .stderr_file = dir_.path() / "market.log"});
        const auto line = market_->read_line(20s);
        REQUIRE(line);
        REQUIRE(line->starts_with("listening on "));
        market_url_ = line->substr(std::string_view("listening on ").size());
    }
    void start_broker() {
        const auto made = test::run({A2H_BIN_DIR "/a2h-market", "broker-config", "--data",
                                     data().string(), "--port", std::to_string(broker_port_)});
        REQUIRE(made.status == 0);
        std::ofstream(dir_.path() / "mosquitto.conf") << made.out;
        broker_ = std::make_unique<test::Process>(test::Process::Options{
            .argv = {"mosquitto", "-c", (dir_.path() / "mosquitto.conf").string()},
            .environment = {},
            .stdout_file = dir_.path() / "broker.log",
            .stderr_file = dir_.path() / "broker.log"});
    }
    json init(const std::string& name = "Lin") const {
        return ask({"init", "--market", market_url_, "--name", name, "--pin-stdin"}, kPin + "\n");
    }
    /// A daemon that is connected, and quiet about its notifications.
    void start_daemon() {
        start_market();
        start_broker();
        REQUIRE(init()["ok"] == true);
        std::ofstream(home() / "config.toml")
            << "[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n";
        const json up = ask({"up"});
        CAPTURE(up.dump());
        CAPTURE(content(home() / "run" / "a2hd.log"));
        REQUIRE(up["ok"] == true);
    }

    fs::path home() const { return dir_.path() / "home"; }
    fs::path data() const { return dir_.path() / "market"; }
    const std::string& market_url() const { return market_url_; }

  private:
    test::TempDir dir_;
    std::uint16_t broker_port_ = 0;
    std::string market_url_ = "http://127.0.0.1:1";
    std::unique_ptr<test::Process> market_;
    std::unique_ptr<test::Process> broker_;
};

std::string ask_approval(const World& world) {
    auto client = control::Client::connect(world.home() / "run" / "a2hd.sock");
    REQUIRE(client);
    const auto answer = (*client)->call(
        "approval.create",
        R"({"face":"assistant","peer_id":"ag_peer","question":"Go?","reply_text":"Yes, go."})",
        20s);
    REQUIRE(answer);
    return json::parse(*answer)["data"]["approval_id"];
}

/// Runs a2h on a terminal of its own; `dialogue` is what to wait for and what to type then.
std::string on_terminal(const World& world, std::vector<std::string> arguments,
                        const test::Dialogue& dialogue, int& status) {
    arguments.insert(arguments.begin(), kProgram);
    auto ran = test::run_on_terminal(
        std::move(arguments), {{"A2H_HOME", world.home().string()}, {"LC_ALL", "C"}}, dialogue);
    status = ran.status;
    return std::move(ran.shown);
}

}  // namespace

TEST_CASE("init makes a private home, and prints no secret") {
    World world;
    world.start_market();
    const json made = world.init();
    REQUIRE(made["ok"] == true);
    const std::string id = made["data"]["agent_id"];
    const fs::path file = world.home() / "agents" / (id + ".json");
    CHECK(mode_of(world.home()) == 0700);
    CHECK(mode_of(world.home() / "agents") == 0700);
    CHECK(mode_of(file) == 0600);
    CHECK(mode_of(world.home() / "human.json") == 0600);
    const json identity = json::parse(content(file));
    for (const char* secret : {"secret_key", "agent_key"}) {
        CHECK(made.dump().find(identity[secret].get<std::string>()) == std::string::npos);
    }
    CHECK(content(world.home() / "human.json").find(kPin) == std::string::npos);
}

TEST_CASE("init adds agents to a home and never overwrites one") {
    World world;
    world.start_market();
    const json first = world.init("Lin");
    const fs::path file =
        world.home() / "agents" / (first["data"]["agent_id"].get<std::string>() + ".json");
    const std::string before = content(file);
    const json again = world.init("Lin");
    CHECK(again["error"]["code"] == "conflict");
    const std::string human = content(world.home() / "human.json");
    CHECK(world.init("Mika")["ok"] == true);
    CHECK(content(file) == before);
    CHECK(content(world.home() / "human.json") == human);
}

TEST_CASE("init without a market says where it looked and leaves no identity") {
    World world;
    const json failed = world.init();
    CHECK(failed["error"]["next"].get<std::string>().find("http://127.0.0.1:1") !=
          std::string::npos);
    CHECK(!fs::exists(world.home() / "human.json"));
    CHECK(fs::is_empty(world.home() / "agents"));
}

TEST_CASE("init refuses short PINs, missing options and unsafe names") {
    World world;
    const auto init = [&](const std::string& name, const std::string& pin) {
        return world.ask({"init", "--market", "http://127.0.0.1:1", "--name", name, "--pin-stdin"},
                         pin + "\n");
    };
    CHECK(init("Lin", "12345")["error"]["message"].get<std::string>().find("6") !=
          std::string::npos);
    CHECK(init("", kPin)["error"]["code"] == "usage");
    CHECK(init("a\nb", kPin)["error"]["code"] == "usage");
    CHECK(world.ask({"init", "--name", "Lin"})["error"]["code"] == "usage");
    CHECK(!fs::exists(world.home()));
}

TEST_CASE("a PIN is asked twice on a terminal and never shown") {
    World world;
    world.start_market();
    const std::vector<std::string> init = {"init", "--market", world.market_url(), "--name", "Lin"};
    int status = -1;
    std::string shown =
        on_terminal(world, init, {{"terminal: ", kPin + "\n"}, {"again: ", "other7\n"}}, status);
    CHECK(status == 1);
    CHECK(shown.find("differ") != std::string::npos);
    shown =
        on_terminal(world, init, {{"terminal: ", kPin + "\n"}, {"again: ", kPin + "\n"}}, status);
    CHECK(status == 0);
    CHECK(shown.find(kPin) == std::string::npos);
}

TEST_CASE("Ctrl-C at the PIN prompt ends the command, however soon it comes") {
    World world;
    const std::vector<std::string> init = {"init", "--market", world.market_url(), "--name", "Lin"};
    for (int i = 0; i < 40; ++i) {
        int status = 0;
        on_terminal(world, init, {{"terminal: ", "\x03"}}, status);
        CHECK(status == -1);  // by the signal
    }
    CHECK(!fs::exists(world.home()));
}

TEST_CASE("a wrong command line ends with 2 and says what was meant, in both languages") {
    const World world;
    const auto english = world.a2h({"stauts"});
    CHECK(english.status == 2);
    CHECK(english.err.find("Did you mean status?") != std::string::npos);
    const auto chinese = world.a2h({"stauts"}, {}, "zh_CN.UTF-8");
    CHECK(chinese.status == 2);
    CHECK(chinese.err.find("您是不是想输入 status") != std::string::npos);
    CHECK(world.ask({"stauts"})["error"]["code"] == "usage");
    CHECK(world.ask({"outbox", "drop", "x"})["error"]["code"] == "usage");
}

TEST_CASE("without a daemon every command says how to start it") {
    const World world;
    for (const std::vector<std::string>& line :
         std::vector<std::vector<std::string>>{{"status"},
                                               {"inbox"},
                                               {"inbox", "ag_x"},
                                               {"send", "ag_x", "hi"},
                                               {"approvals"},
                                               {"approve", "apr_1"},
                                               {"outbox"},
                                               {"events"}}) {
        CAPTURE(line.front());
        const auto ran = world.a2h(line);
        CHECK(ran.status == 1);
        CHECK(ran.err.find("a2h up") != std::string::npos);
        CHECK(world.ask(line)["error"]["code"] == "unavailable");
    }
    CHECK(world.ask({"down"})["ok"] == true);
    CHECK(world.ask({"up"})["error"]["next"].get<std::string>().find("a2h init") !=
          std::string::npos);
}

TEST_CASE("mcp-config prints a snippet for each client") {
    const World world;
    const std::map<std::string, std::string> members = {
        {"claude-code", "mcpServers"}, {"claude-desktop", "mcpServers"}, {"cursor", "mcpServers"},
        {"vscode", "servers"},         {"codex", "mcp_servers"},         {"gemini", "mcpServers"},
        {"zed", "context_servers"}};
    for (const auto& [client, member] : members) {
        CAPTURE(client);
        const json data = world.ask({"mcp-config", "--client", client})["data"];
        const json server = data["config"][member]["a2h"];
        CHECK(fs::exists(server["command"].get<std::string>()));
        CHECK(server["args"] == json{"--home", world.home().string()});
        CHECK(server.contains("type") == (client == "claude-code" || client == "vscode"));
        if (client == "codex") {
            CHECK(data["snippet"].get<std::string>().starts_with("[mcp_servers.a2h]\ncommand = "));
        } else {
            CHECK(json::parse(data["snippet"].get<std::string>(), nullptr, false) ==
                  data["config"]);
        }
        const auto shown = world.a2h({"mcp-config", "--client", client});
        CHECK(shown.out.find(data["file"].get<std::string>()) != std::string::npos);
        CHECK(shown.out.find(data["snippet"].get<std::string>()) != std::string::npos);
    }
    CHECK(world.ask({"mcp-config", "--client", "emacs"})["error"]["code"] == "usage");
}

TEST_CASE("mcp-config --write adds the server to each client's file and keeps all else") {
    struct ClientFile {
        const char* client;
        const char* file;
        const char* before;
        const char* kept;
    };
    constexpr ClientFile kFiles[] = {
        {"claude-code", ".mcp.json", R"({"mcpServers": {"other": {"command": "x"}}})", "\"other\""},
        {"claude-desktop", ".config/Claude/claude_desktop_config.json", R"({"theme": "dark"})",
         "\"theme\": \"dark\""},
        {"cursor", ".cursor/mcp.json", "", ""},
        {"vscode", ".config/Code/User/mcp.json", "{\n\t\"servers\": {}, // mine\n}\n", "// mine"},
        {"codex", ".codex/config.toml", "model = \"m\" # mine\n", "# mine"},
        {"gemini", ".gemini/settings.json", "{\"a\": 1}", "\"a\": 1"},
        {"zed", ".config/zed/settings.json", "// Zed\n{\n  \"vim_mode\": true,\n}\n",
         "// Zed\n{\n  \"vim_mode\": true,\n"},
    };
    for (const ClientFile& row : kFiles) {
        CAPTURE(row.client);
        const test::TempDir home;
        const fs::path file = home.path() / row.file;
        const auto write = [&] {
            return test::run({"/bin/sh", "-c", "cd \"$HOME\" && exec \"$@\"", "sh", kProgram,
                              "mcp-config", "--client", row.client, "--write", "--json"},
                             {{"HOME", home.path().string()},
                              {"XDG_CONFIG_HOME", ""},
                              {"CODEX_HOME", ""},
                              {"A2H_HOME", (home.path() / "my a2h").string()},
                              {"LC_ALL", "en_US.UTF-8"}});
        };
        if (*row.before != '\0') {
            fs::create_directories(file.parent_path());
            std::ofstream(file) << row.before;
            fs::permissions(file, fs::perms::owner_all);
        }
        const json first = json::parse(write().out, nullptr, false);
        REQUIRE(first["ok"] == true);
        CHECK(first["data"]["file"] == file.string());
        CHECK(first["data"]["written"] == true);
        const std::string after = content(file);
        CHECK(after.find(row.kept) != std::string::npos);
        CHECK(after.find("a2h-mcp\"") != std::string::npos);
        CHECK(after.find("my a2h") != std::string::npos);
        if (*row.before != '\0') {
            CHECK(content(first["data"]["backup"].get<std::string>()) == row.before);
            CHECK(mode_of(file) == 0700);
        } else {
            CHECK(mode_of(file) == 0600);
        }
        const json second = json::parse(write().out, nullptr, false);
        CHECK(second["data"]["written"] == false);
        CHECK(content(file) == after);
    }
}

TEST_CASE("mcp-config --write leaves a broken file as it is and says where it is broken") {
    const World world;
    const test::TempDir folder;
    for (const auto& [client, text] :
         {std::pair("cursor", "{\n\"mcpServers\": [\n}"), std::pair("codex", "model = \n"),
          std::pair("claude-desktop", "{ // no comments here\n}"), std::pair("zed", "[]"),
          std::pair("gemini", "{\"mcpServers\": 7}")}) {
        CAPTURE(client);
        const fs::path file = folder.path() / client;
        std::ofstream(file) << text;
        const std::vector<std::string> line = {"mcp-config", "--client", client,
                                               "--write",    "--file",   file.string()};
        const auto ran = world.a2h(line);
        CHECK(ran.status == 1);
        CHECK(ran.err.find(file.string()) != std::string::npos);
        CHECK(ran.err.find("a2h mcp-config --client") != std::string::npos);
        CHECK(world.ask(line)["error"]["code"] == "invalid_argument");
        CHECK(content(file) == text);
        CHECK(!fs::exists(file.string() + ".a2h-backup"));
    }
}

TEST_CASE("up, status and down of one daemon") {
    World world;
    world.start_daemon();
    CHECK(world.ask({"up"})["data"]["started"] == false);
    const json status = world.ask({"status"})["data"];
    for (const char* name : {"agent_id", "connection", "backlog", "counts", "problems"}) {
        CAPTURE(name);
        CHECK(status.contains(name));
    }
    CHECK(test::eventually(
        [&] { return world.ask({"status"})["data"]["connection"]["connected"] == true; }, 20s));
    CHECK(world.a2h({"status"}, {}, "zh_CN.UTF-8").out.find("信箱") != std::string::npos);
    CHECK(world.ask({"inbox"})["data"]["conversations"].empty());
    CHECK(world.ask({"outbox"})["data"]["items"].empty());
    CHECK(world.ask({"outbox", "drop", "7", "--pin-stdin"}, kPin + "\n")["error"]["code"] ==
          "PLATFORM_410");
    CHECK(world.ask({"down"})["ok"] == true);
    const int lock = ::open((world.home() / "run/a2hd.pid").c_str(), O_RDWR | O_CLOEXEC);
    CHECK(::flock(lock, LOCK_EX | LOCK_NB) == 0);
    ::close(lock);
    CHECK(world.ask({"status"})["error"]["code"] == "unavailable");
}

TEST_CASE("approving takes the right PIN, and happens once") {
    World world;
    world.start_daemon();
    const std::string id = ask_approval(world);
    const json listed = world.ask({"approvals"})["data"]["approvals"];
    REQUIRE(listed.size() == 1);
    CHECK(listed[0]["approval_id"] == id);
    CHECK(listed[0]["reply_text"] == "Yes, go.");
    CHECK(world.ask({"approve", id, "--pin-stdin"}, "000000\n")["error"]["code"] ==
          "PLATFORM_90005");
    const auto told = world.a2h({"approve", id, "--pin-stdin"}, "000000\n");
    CHECK(told.err.find("15 minutes") != std::string::npos);
    CHECK(told.err.find("Yes, go.") != std::string::npos);  // what is answered is shown first
    CHECK(world.ask({"approve", id, "--pin-stdin"}, kPin + "\n")["data"]["status"] == "approved");
    CHECK(world.ask({"approve", id, "--pin-stdin"}, kPin + "\n")["ok"] == false);
    CHECK(world.ask({"approvals"})["data"]["approvals"].empty());
    CHECK(world.ask({"approvals", "--all"})["data"]["approvals"].size() == 1);
    const json sent = world.ask({"inbox", "ag_peer"})["data"]["items"];
    REQUIRE(sent.size() == 1);
    CHECK(sent[0]["text"] == "Yes, go.");
}

TEST_CASE("an instruction becomes a draft that is confirmed; a no sends nothing") {
    World world;
    world.start_daemon();
    const json instructed = world.ask(
        {"instruct", ask_approval(world), "Say that we open at nine", "--pin-stdin"}, kPin + "\n");
    CHECK(instructed["data"]["status"] == "instructed");
    const std::string draft = instructed["data"]["next_approval_id"];
    CHECK(world.ask({"inbox", "ag_peer"})["data"]["items"].empty());
    CHECK(world.ask({"reject", draft, "--pin-stdin"}, kPin + "\n")["data"]["status"] == "rejected");
    CHECK(world.ask({"inbox", "ag_peer"})["data"]["items"].empty());
}
