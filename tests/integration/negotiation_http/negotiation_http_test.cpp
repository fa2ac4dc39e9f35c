// /api/v1 of a real a2hd, as programs and pages of other origins reach it.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/integration/negotiation_http/place.h"

using namespace a2h;
using a2h::test::eventually;
using a2h::test::Place;
using nlohmann::json;
using std::chrono::seconds;

namespace {

/// A reader of the event stream, over a socket of its own.
class Follower {
  public:
    Follower(const Place& place, const std::string& demand_id, const std::string& headers = {},
             int receive_bytes = 0)
        : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        REQUIRE(socket_ >= 0);
        if (receive_bytes > 0) {
            ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
        }
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(place.port());
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
                0);
        const std::string request = "GET /api/v1/events/negotiations/" + demand_id +
                                    "/stream HTTP/1.1\r\nHost: " + place.url.substr(7) +
                                    "\r\nAuthorization: " + place.bearer + "\r\n" + headers +
                                    "\r\n";
        REQUIRE(::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) ==
                static_cast<ssize_t>(request.size()));
    }
    Follower(Follower&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)), text_(std::move(other.text_)) {}
    Follower& operator=(Follower&&) = delete;
    ~Follower() {
        if (socket_ >= 0) ::close(socket_);
    }

    bool has(std::string_view words) const { return text_.find(words) != std::string::npos; }
    /// Reads until `words` have come; false when they do not come or the other side ends the
    /// connection.
    bool reads(std::string_view words, seconds limit = seconds(20)) {
        const auto end = std::chrono::steady_clock::now() + limit * test::kSlowdown;
        while (!has(words)) {
            if (std::chrono::steady_clock::now() >= end || !read_some(1'000)) return false;
        }
        return true;
    }
    const std::string& text() const { return text_; }
    int socket() const { return socket_; }
    /// False at the end.
    bool read_some(int wait_ms) {
        pollfd readable{socket_, POLLIN, 0};
        if (::poll(&readable, 1, wait_ms) <= 0) return true;
        char bytes[16 * 1024];
        const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
        if (got > 0) text_.append(bytes, static_cast<std::size_t>(got));
        return got > 0;
    }

  private:
    int socket_;
    std::string text_;
};

/// The ids that a follower was given, in their order.
std::vector<std::string> ids_in(const std::string& stream) {
    std::vector<std::string> ids;
    for (std::size_t at = 0; (at = stream.find("\nid: ", at)) != std::string::npos;) {
        at += 5;
        ids.push_back(stream.substr(at, stream.find('\n', at) - at));
    }
    return ids;
}

constexpr const char* kEnd = "towow.negotiation.failed";

/// A demand that no agent can meet, after its end.
std::string ended_demand(Place& place) {
    const std::string id = place.submit("a party in Beijing")["demand_id"];
    REQUIRE(eventually([&] { return place.demand(id)["status"] == "failed"; }, seconds(30)));
    return id;
}

}  // namespace

TEST_CASE("a demand is submitted, followed to its end, and asked for") {
    Place place;
    const json submitted = place.submit("我想在北京办一场AI主题聚会，需要场地和嘉宾");
    CHECK(submitted["demand_id"].get<std::string>().starts_with("d-"));
    CHECK(submitted["channel_id"].get<std::string>().starts_with("collab-"));
    CHECK(submitted["status"] == "processing");
    CHECK(submitted["understanding"]["surface_demand"].is_string());
    CHECK(submitted["understanding"]["capability_tags"].is_array());
    CHECK(submitted.size() == 4);

    const std::string id = submitted["demand_id"];
    Follower follower(place, id);
    REQUIRE_MESSAGE(follower.reads(kEnd), follower.text());
    CHECK(follower.has("Content-Type: text/event-stream"));
    const std::string first = follower.text().substr(follower.text().find("data: ") + 6);
    const json event = json::parse(first.substr(0, first.find('\n')));
    CHECK(event["event_type"] == "towow.demand.understood");
    CHECK(event["event_id"] == ids_in(follower.text()).front());
    CHECK(event["timestamp"].get<std::string>().ends_with("Z"));
    CHECK(event["payload"]["demand_id"] == id);

    const json ended = place.demand(id);
    CHECK(ended["status"] == "failed");
    CHECK(ended["error"]["code"] == "E005");
    CHECK(place.demand(submitted["channel_id"])["demand_id"] == id);
}

TEST_CASE("a reader that comes back goes on where it was, and nothing comes twice") {
    Place place;
    const std::string id = ended_demand(place);
    Follower whole(place, id);
    REQUIRE(whole.reads(kEnd));
    const auto ids = ids_in(whole.text());
    REQUIRE(ids.size() >= 3);
    Follower resumed(place, id, "Last-Event-ID: " + ids[0] + "\r\n");
    REQUIRE(resumed.reads(kEnd));
    place.tell(id, "towow.later");
    REQUIRE(resumed.reads("towow.later"));
    const auto rest = ids_in(resumed.text());
    CHECK(rest.size() == ids.size());  // all but the first, and the later one
    CHECK(rest[0] == ids[1]);
    CHECK(std::adjacent_find(rest.begin(), rest.end()) == rest.end());
    CHECK_FALSE(resumed.has("event: gap"));
}

TEST_CASE("events that are no longer kept are reported as a gap, and the rest follows") {
    Place place;
    const std::string id = ended_demand(place);
    for (const char* unknown : {"evt-999999", "garbage"}) {
        CAPTURE(unknown);
        Follower follower(place, id, "Last-Event-ID: " + std::string(unknown) + "\r\n");
        REQUIRE_MESSAGE(follower.reads(kEnd), follower.text());
        CHECK(follower.has("event: gap\ndata: {\"demand_id\":\"" + id + "\"}"));
        CHECK(follower.text().find("event: gap") < follower.text().find("towow.demand.understood"));
    }
}

TEST_CASE("errors have the codes and statuses of the specification") {
    Place place;
    place.check_refused(place.ask("POST", "/api/v1/demand/submit", "{"), 400, "E001");
    place.check_refused(place.ask("POST", "/api/v1/demand/submit", "{}"), 400, "E001");
    place.check_refused(place.ask("POST", "/api/v1/demand/submit", R"({"raw_input":7})"), 400,
                        "E001");
    place.check_refused(place.ask("GET", "/api/v1/demand/d-none"), 404, "E002");
    place.check_refused(place.ask("GET", "/api/v1/events/negotiations/d-none/stream"), 404, "E002");
    const std::string id = ended_demand(place);
    place.check_refused(place.ask("POST", "/api/v1/demand/" + id + "/cancel", "{}"), 409,
                        "conflict");
}

TEST_CASE("foreign host names and foreign pages get nothing") {
    Place place("cors_origins = [\"http://localhost:3000\"]\n");
    const std::string body = R"({"raw_input":"a party"})";
    const auto submit = [&](const std::string& name, const std::string& value) {
        return place.ask("POST", "/api/v1/demand/submit", body, {{name, value}});
    };
    CHECK(submit("Host", "evil.example").status == 421);
    CHECK(place.ask("GET", "/api/v1/demand/d-1", {}, {{"Host", "evil.example"}}).status == 421);
    place.check_refused(submit("Origin", "http://evil.example"), 403, "permission_denied");
    place.check_refused(submit("Sec-Fetch-Site", "cross-site"), 403, "permission_denied");
    CHECK(place.daemon.call_human("negotiation.list")["data"]["items"].empty());
    CHECK(submit("Origin", place.url).status == 200);
    CHECK(submit("Origin", "http://localhost:3000").status == 200);
    CHECK(place.daemon.call_human("negotiation.list")["data"]["items"].size() == 2);
}

TEST_CASE("a configured token gives access beside the one in the home") {
    Place place("api_token = \"0123456789abcdef\"\n");
    const auto submit = [&](const std::string& shown) {
        return place.ask("POST", "/api/v1/demand/submit", R"({"raw_input":"a party"})",
                         {{"Authorization", shown}});
    };
    place.check_refused(submit(""), 401, "unauthenticated");
    CHECK(submit("Bearer 0123456789abcdef").status == 200);
    CHECK(submit(place.bearer).status == 200);
}

TEST_CASE("a thousand readers follow one negotiation, and all get its events") {
    constexpr std::size_t kFollowers = 1'000;
    rlimit files{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &files) == 0);
    REQUIRE(files.rlim_max > kFollowers + 100);
    const rlim_t before = files.rlim_cur;
    files.rlim_cur = 1'024;  // what most systems begin with; a2hd raises it for itself
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &files) == 0);
    Place place;
    files.rlim_cur = std::max<rlim_t>(before, kFollowers + 100);
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &files) == 0);

    const std::string id = ended_demand(place);
    const auto began = std::chrono::steady_clock::now();
    std::vector<Follower> followers;
    followers.reserve(kFollowers);
    for (std::size_t i = 0; i < kFollowers; ++i)
        followers.emplace_back(place, id);
    for (Follower& follower : followers)
        REQUIRE(follower.reads(kEnd, seconds(60)));
    const auto joined = std::chrono::steady_clock::now();
    CHECK(place.metric("a2hd_negotiation_readers") == kFollowers);
    place.tell(id, "towow.news");
    for (Follower& follower : followers)
        REQUIRE(follower.reads("towow.news", seconds(60)));
    const auto heard = std::chrono::steady_clock::now();
    using std::chrono::milliseconds;
    MESSAGE("1000 joined in ", std::chrono::duration_cast<milliseconds>(joined - began).count(),
            " ms, heard the news within ",
            std::chrono::duration_cast<milliseconds>(heard - joined).count(), " ms; resident ",
            place.metric("a2hd_process_resident_memory_bytes") / 1024 / 1024, " MiB");
    CHECK(place.metric("a2hd_negotiation_readers_cut_total") == 0);
    followers.clear();
    place.tell(id, "towow.afterwards");
    CHECK(eventually([&] { return place.metric("a2hd_negotiation_readers") == 0; }, seconds(60)));
}

TEST_CASE("a client that does not read is cut off and counted; one that reads gets all") {
    Place place;
    const std::string id = ended_demand(place);
    Follower idle(place, id, {}, 4'096);
    Follower reading(place, id);
    REQUIRE(reading.reads(kEnd));
    const std::string much(100'000, 'x');
    for (int i = 0; i < 120; ++i)
        place.tell(id, "towow.much", much);
    place.tell(id, "towow.last");
    REQUIRE(reading.reads("towow.last", seconds(60)));
    CHECK(eventually([&] { return place.metric("a2hd_negotiation_readers_cut_total") == 1; },
                     seconds(60)));
    CHECK(place.metric("a2hd_negotiation_readers") == 1);
}
