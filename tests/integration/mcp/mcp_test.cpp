#include <doctest/doctest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/fd.h"
#include "core/control/client.h"
#include "core/control/framing.h"
#include "core/control/home.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

using namespace std::chrono_literals;
using a2h::control::Client;
using a2h::control::connect_or_start;
using a2h::control::raw_member;
using a2h::test::eventually;
using a2h::test::Process;
using a2h::test::TempDir;

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})"
    "\n";

std::string call_line(int id, std::string_view tool, std::string_view arguments) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":)" + std::string(arguments) + "}}\n";
}

std::string send_arguments(std::string_view text) {
    return R"({"target_agent_id":"ag_bob","text":")" + std::string(text) + "\"}";
}

/// A folder with a2h-mcp and, beside it, the stub under the daemon's name; a home folder. Ends the
/// daemon that was started there.
class Place {
  public:
    Place() {
        fs::create_directory(bin());
        fs::copy_file(A2H_BIN_DIR "/a2h-mcp", program());
        fs::copy_file(A2H_STUB, bin() / "a2hd");
        fs::create_directory(home().root);
    }
    ~Place() {
        // Not by asking it: one that is too slow to answer must end, too.
        for (const fs::directory_entry& process : fs::directory_iterator("/proc")) {
            std::error_code error;
            if (fs::read_symlink(process.path() / "exe", error) == bin() / "a2hd")
                ::kill(std::stoi(process.path().filename()), SIGTERM);
        }
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    fs::path bin() const { return dir_.path() / "bin"; }
    fs::path program() const { return bin() / "a2h-mcp"; }
    a2h::control::Home home() const { return {dir_.path() / "home"}; }

    /// Number of starts of the daemon, and the process id that answers now; 0 if none does.
    int starts() const {
        std::ifstream in(home().run_dir() / "starts");
        int count = 0;
        for (std::string line; std::getline(in, line);)
            ++count;
        return count;
    }
    pid_t daemon_pid() const {
        auto client = Client::connect(home().socket_file());
        if (!client) return 0;
        const std::string status =
            (*client)->call("status", "{}", a2h::test::kSlowdown * 5s).value_or(std::string());
        const auto data = raw_member(status, "data");
        return std::stoi(std::string(raw_member(data.value_or(""), "pid").value_or("0")));
    }

    std::unique_ptr<Process> serve(std::vector<std::string> options = {}) const {
        options.insert(options.begin(), {program(), "--home", home().root});
        auto process = std::make_unique<Process>(Process::Options{.argv = std::move(options),
                                                                  .environment = {},
                                                                  .stdout_file = {},
                                                                  .stderr_file = {},
                                                                  .pipe_stdin = true});
        process->write(kInitialize);
        CHECK(process->read_line(10s).value_or("").find("serverInfo") != std::string::npos);
        return process;
    }

  private:
    TempDir dir_;
};

bool contains(const std::optional<std::string>& line, std::string_view text) {
    return line && line->find(text) != std::string::npos;
}

/// 'R', 'S', … as in /proc; 'X' when there is no such process.
char state_of(const std::string& pid) {
    std::ifstream in("/proc/" + pid + "/stat");
    std::string id;
    std::string name;
    char state = 'X';
    in >> id >> name >> state;
    return state;
}

}  // namespace

TEST_CASE("listing tools opens and starts nothing") {
    const Place place;
    const auto mcp = place.serve();
    mcp->write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    CHECK(contains(mcp->read_line(10s), "a2h_approval_response"));
    CHECK(fs::is_empty(place.home().root));
}

TEST_CASE("the first call starts the daemon, which outlives its starter") {
    const Place place;
    auto mcp = place.serve();
    mcp->write(call_line(1, "a2h_status", "{}"));
    CHECK(contains(mcp->read_line(20s), "ag_stub"));
    mcp->close_stdin();
    CHECK(mcp->wait(10s) == 0);
    CHECK(place.daemon_pid() > 0);
    CHECK(::getsid(place.daemon_pid()) != ::getsid(0));
    CHECK(place.starts() == 1);
}

TEST_CASE("two servers that start the daemon at once end up with the same one") {
    const Place place;
    const auto one = place.serve();
    const auto two = place.serve();
    one->write(call_line(1, "a2h_status", "{}"));
    two->write(call_line(1, "a2h_status", "{}"));
    const auto first = one->read_line(20s);
    const auto second = two->read_line(20s);
    CHECK(contains(first, "ag_stub"));
    CHECK(first == second);
}

TEST_CASE("a daemon that died is started again by the next call") {
    const Place place;
    const auto mcp = place.serve();
    mcp->write(call_line(1, "a2h_status", "{}"));
    CHECK(contains(mcp->read_line(20s), "ag_stub"));
    mcp->write(call_line(2, "a2h_send", send_arguments("die")));
    const auto lost = mcp->read_line(20s);
    CHECK(contains(lost, "\"isError\":true"));
    CHECK(contains(lost, "not known whether"));
    mcp->write(call_line(3, "a2h_status", "{}"));
    CHECK(contains(mcp->read_line(20s), "ag_stub"));
    CHECK(place.starts() == 2);
}

TEST_CASE("a daemon that ends at once is reported with the last line of its log") {
    const Place place;
    std::ofstream(place.home().root / "refuse") << "";
    const auto mcp = place.serve();
    mcp->write(call_line(1, "a2h_status", "{}"));
    const auto answer = mcp->read_line(20s);
    CHECK(contains(answer, "There is no agent here, run a2h init"));
    CHECK(contains(answer, "a2h up --home"));
    CHECK(contains(answer, "\"isError\":true"));
}

TEST_CASE("with --no-start nothing is started and the error says how") {
    const Place place;
    const auto mcp = place.serve({"--no-start"});
    mcp->write(call_line(1, "a2h_status", "{}"));
    const auto answer = mcp->read_line(20s);
    CHECK(contains(answer, "\"code\":\"unavailable\""));
    CHECK(contains(answer, "a2h up --home " + place.home().root.string()));
    CHECK(fs::is_empty(place.home().root));
}

TEST_CASE("a program that cannot be executed is named in the error") {
    const Place place;
    std::ofstream(place.bin() / "broken") << "#!/no/such/interpreter\n";
    fs::permissions(place.bin() / "broken", fs::perms::owner_all);
    const auto client = connect_or_start(place.home().root, place.bin() / "broken", 10s);
    REQUIRE(!client);
    CHECK(client.error().code == a2h::ErrorCode::Unavailable);
    CHECK(client.error().message.find("broken") != std::string::npos);
    CHECK(client.error().message.find("No such file") != std::string::npos);
}

TEST_CASE("the agent chosen on the command line goes with every call") {
    const Place place;
    const auto mcp = place.serve({"--agent", "ag_second"});
    mcp->write(call_line(1, "a2h_status", R"({"detail":"full"})"));
    CHECK(contains(mcp->read_line(20s), R"("params":{"agent":"ag_second","face":"assistant"})"));
}

TEST_CASE("a call that a2hd answers after the end of stdin is answered") {
    const Place place;
    const auto mcp = place.serve();
    const auto other = place.serve();
    mcp->write(call_line(1, "a2h_send", send_arguments("hold")));
    mcp->write("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n");
    CHECK(contains(mcp->read_line(10s), "\"id\":2"));
    mcp->close_stdin();
    CHECK(mcp->wait(2s) == std::nullopt);
    other->write(call_line(1, "a2h_send", send_arguments("release")));
    const auto answer = mcp->read_line(20s);
    CHECK(contains(answer, "\"id\":1"));
    CHECK(contains(answer, "\"isError\":false"));
    CHECK(mcp->wait(5s) == 0);
}

TEST_CASE("after the end of stdin a signal, or the end of the reader, ends the server at once") {
    const Place place;
    for (const int number : {SIGTERM, 0}) {
        CAPTURE(number);
        const auto mcp = place.serve();
        mcp->write(call_line(1, "a2h_send", send_arguments("never answer")));
        mcp->write("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n");
        CHECK(contains(mcp->read_line(10s), "\"id\":2"));
        mcp->close_stdin();
        CHECK(mcp->wait(100ms) == std::nullopt);
        if (number == 0) {
            mcp->close_stdout();
        } else {
            mcp->signal(number);
        }
        CHECK(mcp->wait(2s) == (number == 0 ? 0 : 128 + number));
    }
}

TEST_CASE("answers that are read long after the end of stdin come whole") {
    const Place place;
    const auto mcp = place.serve();
    constexpr int kCount = 100;
    for (int i = 1; i <= kCount; ++i)
        mcp->write("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n");
    mcp->close_stdin();
    CHECK(mcp->wait(2s) == std::nullopt);
    std::istringstream lines(mcp->read_all(20s));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        CHECK(nlohmann::json::accept(line));
    CHECK(count == kCount);
    CHECK(mcp->wait(5s) == 0);
}

TEST_CASE("a flood of answers is not kept for a reader that has gone") {
    const Place place;
    const auto mcp = place.serve();
    // The last ones are still in the pipe when no more answers fit into memory.
    for (int i = 0; i < 1400; ++i)
        mcp->write("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n");
    mcp->close_stdin();
    CHECK(mcp->wait(2s) == std::nullopt);
    mcp->close_stdout();
    CHECK(mcp->wait(6s) == 0);
}

TEST_CASE("calls made before the end of stdin are answered") {
    const Place place;
    std::string input(kInitialize);
    for (int i = 1; i <= 5; ++i)
        input += call_line(i, "a2h_status", R"({"detail":"full"})");
    const auto ran = a2h::test::run({place.program(), "--home", place.home().root}, {}, input);
    CHECK(ran.status == 0);
    CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') == 6);
}

TEST_CASE("answers to calls before the end of stdin are written out") {
    const Place place;
    std::string input(kInitialize);
    for (int i = 1; i <= 20; ++i)
        input += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) +
                 R"(,"method":"tools/list"})"
                 "\n";
    const auto ran = a2h::test::run({place.program(), "--home", place.home().root}, {}, input);
    CHECK(ran.status == 0);
    CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') == 21);
    CHECK(ran.err == "");
}

TEST_CASE("64 MiB without a line feed cost one error and nothing else") {
    const Place place;
    const auto mcp = place.serve();
    const std::string piece(1024 * 1024, 'x');
    for (int i = 0; i < 64; ++i)
        mcp->write(piece);
    mcp->write("\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n");
    CHECK(contains(mcp->read_line(10s), "-32700"));
    CHECK(contains(mcp->read_line(10s), "\"id\":2"));
}

TEST_CASE("the server does not outlive its parent even when its stdin stays open") {
    const Place place;
    const std::string command =
        "exec 3<&0; " + place.program().string() + " --no-start <&3 & echo $!; wait";
    Process shell({.argv = {"/bin/sh", "-c", command},
                   .environment = {},
                   .stdout_file = {},
                   .stderr_file = {},
                   .pipe_stdin = true});
    const std::string pid = shell.read_line(10s).value_or("");
    shell.write("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n");
    REQUIRE(contains(shell.read_line(10s), "\"id\":2"));
    shell.signal(SIGKILL);
    const auto gone = [&] { return state_of(pid) == 'X' || state_of(pid) == 'Z'; };
    // The kernel reports it where it can; otherwise a2h-mcp polls every 3 s.
    const a2h::Fd told(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
    CHECK(eventually(gone, told ? 2s : 20s));
}

TEST_CASE("no line of input ends the server or causes more than an error") {
    const Place place;
    const auto mcp = place.serve();
    const std::string ping = R"("method":"ping")";
    const struct {
        std::string line;
        std::string answer;  ///< part of it; empty: there is none
    } exchanges[] = {
        {"", ""},
        {"\r", ""},
        {R"({"jsonrpc":"2.0","id":0,)" + ping + "}\r", R"({"jsonrpc":"2.0","id":0,"result":{}})"},
        {R"({"jsonrpc":"2.0","id":9007199254740993,)" + ping + "}", R"("id":9007199254740993,)"},
        {R"({"jsonrpc":"2.0","id":")"
         "\xff\xfe"
         R"(",)" +
             ping + "}",
         "-32700"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\x28\"}", "-32700"},
        {std::string("\0\0", 2), "-32700"},
        {"not JSON", "-32700"},
        {std::string(100'000, '['), "-32700"},
        {std::string(10 * 1024 * 1024, 'x'), "-32700"},
        {R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":")" +
             std::string(10 * 1024 * 1024, 'x') + R"("}})",
         R"("id":2,"error")"},
        {R"({"jsonrpc":"2.0","id":null,)" + ping + "}", "-32600"},
        {R"({"jsonrpc":"2.0","method":"notifications/nothing"})", ""},
        {R"({"jsonrpc":"2.0","id":"x","result":{}})", ""},
        {"[]", "-32600"},
        {R"({"jsonrpc":"2.0","id":3,)" + ping + "}", R"("id":3)"},
    };
    for (const auto& [line, answer] : exchanges) {
        CAPTURE(line.substr(0, 100));
        mcp->write(line + "\n");
        if (!answer.empty()) CHECK(contains(mcp->read_line(20s), answer));
    }
    mcp->close_stdin();
    CHECK(mcp->wait(10s) == 0);
}

TEST_CASE("input before a session is answered or ignored, and the session begins") {
    const Place place;
    const auto ran = a2h::test::run({place.program(), "--home", place.home().root}, {},
                                    R"({"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"v999","io.modelcontextprotocol/clientCapabilities":{}}}}
{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"1900-01-01","capabilities":{}}}
[{"jsonrpc":"2.0","id":4,"method":"ping"}]
{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}}
[{"jsonrpc":"2.0","id":6,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":7,"method":"ping"}]
)");
    CHECK(ran.status == 0);
    CHECK(ran.err == "");
    std::istringstream lines(ran.out);
    std::vector<nlohmann::json> answers;
    for (std::string line; std::getline(lines, line);)
        answers.push_back(nlohmann::json::parse(line));
    REQUIRE(answers.size() == 6);
    CHECK(answers[0]["error"]["code"] == -32602);
    CHECK(answers[1]["error"]["code"] == -32022);
    CHECK(answers[2]["result"]["protocolVersion"] == "2025-11-25");
    CHECK(answers[3]["error"]["code"] == -32600);
    CHECK(answers[4]["result"]["protocolVersion"] == "2025-03-26");
    CHECK(answers[5].size() == 2);
}

TEST_CASE("a call waits while the daemon is restarted by others") {
    const Place place;
    const auto start = [&] {
        auto daemon = std::make_unique<Process>(
            Process::Options{.argv = {place.bin() / "a2hd", "--home", place.home().root}});
        CHECK(contains(daemon->read_line(10s), "listening"));
        return daemon;
    };
    auto daemon = start();
    const auto mcp = place.serve({"--no-start"});
    mcp->write(call_line(1, "a2h_status", "{}"));
    const auto first = mcp->read_line(20s);
    REQUIRE(contains(first, "ag_stub"));
    daemon->kill();
    for (int id = 2; id < 10; ++id)
        mcp->write(call_line(id, "a2h_status", "{}"));
    mcp->write("{\"jsonrpc\":\"2.0\",\"id\":\"now\",\"method\":\"ping\"}\n");
    CHECK(contains(mcp->read_line(10s), "\"now\""));
    daemon = start();
    for (int id = 2; id < 10; ++id)
        CHECK(contains(mcp->read_line(20s), "ag_stub"));
}

TEST_CASE("a daemon that stays away is reported after 5 seconds by all calls together") {
    const Place place;
    Process daemon({.argv = {place.bin() / "a2hd", "--home", place.home().root}});
    REQUIRE(contains(daemon.read_line(10s), "listening"));
    const auto mcp = place.serve({"--no-start"});
    mcp->write(call_line(1, "a2h_status", "{}"));
    REQUIRE(contains(mcp->read_line(20s), "ag_stub"));
    daemon.kill();
    const auto begun = std::chrono::steady_clock::now();
    for (int id = 2; id < 8; ++id)
        mcp->write(call_line(id, "a2h_status", "{}"));
    for (int id = 2; id < 8; ++id)
        CHECK(contains(mcp->read_line(20s), "a2h up --home"));
    const auto waited = std::chrono::steady_clock::now() - begun;
    CHECK(waited >= 4900ms);
    CHECK(waited < a2h::test::kSlowdown * 15s);
}

TEST_CASE("two servers of one launch learn of the same change") {
    const Place place;
    const auto one = place.serve();
    const auto two = place.serve();
    for (const auto& mcp : {one.get(), two.get()}) {
        mcp->write(
            R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a2h://status"}})"
            "\n");
        CHECK(contains(mcp->read_line(20s), "\"result\":{}"));
    }
    one->write(call_line(2, "a2h_send", send_arguments("mail")));
    int notices = 0;
    for (int line = 0; line < 2; ++line)
        notices += contains(one->read_line(20s), "resources/updated") ? 1 : 0;
    CHECK(notices == 1);
    CHECK(contains(two->read_line(20s), "resources/updated"));
}

TEST_CASE("the tools can be printed without a client, and wrong options are reported") {
    const Place place;
    const auto listed = a2h::test::run({place.program(), "--list-tools"});
    CHECK(listed.status == 0);
    CHECK(listed.out.find("\"a2h_status\"") != std::string::npos);
    CHECK(a2h::test::run({place.program(), "--version"}).out == "a2h-mcp " A2H_VERSION "\n");
    CHECK(a2h::test::run({place.program(), "--help"}).out.find("--no-start") != std::string::npos);
    CHECK(a2h::test::run({place.program(), "--nonsense"}).status != 0);
}

TEST_CASE("options and environment choose the tools, and unknown names end the start") {
    const Place place;
    const auto list = [&](std::vector<std::string> options,
                          std::map<std::string, std::string> environment = {}) {
        options.insert(options.begin(), {place.program().string(), "--list-tools"});
        return a2h::test::run(std::move(options), std::move(environment));
    };
    const auto lists = [](const a2h::test::Ran& ran, std::string_view tool) {
        return ran.out.find("\"name\": \"" + std::string(tool) + "\"") != std::string::npos;
    };
    CHECK(lists(list({"--tools", "a2h_recorded_deal_get"}), "a2h_recorded_deal_get"));
    CHECK(!lists(list({"--tools", "a2h_recorded_deal_get"}), "a2h_status"));
    CHECK(!lists(list({"--exclude-tools", "a2h_send"}), "a2h_send"));
    CHECK(!lists(list({"--read-only", "--toolsets", "all"}), "a2h_send"));
    CHECK(!lists(list({}, {{"A2H_READ_ONLY", "1"}}), "a2h_send"));
    CHECK(lists(list({}, {{"A2H_TOOLSETS", "exchange"}}), "a2h_recorded_deal_get"));
    const auto wrong = list({"--tools", "a2h_statsu"});
    CHECK(wrong.status == 2);
    CHECK(wrong.out == "");
    CHECK(wrong.err == "a2h-mcp: there is no tool \"a2h_statsu\"; did you mean a2h_status?\n");
}

TEST_CASE("a tool that was left out is not called, and the answer says why") {
    const Place place;
    const auto mcp = place.serve({"--read-only"});
    mcp->write(call_line(1, "a2h_send", send_arguments("hi")));
    CHECK(contains(mcp->read_line(10s), "started with --read-only"));
    CHECK(fs::is_empty(place.home().root));
}
