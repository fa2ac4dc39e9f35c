// Another user of this machine reaches no address over HTTP that reads or writes.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "tests/integration/negotiation_http/place.h"

using a2h::test::Place;
using nlohmann::json;

namespace {

constexpr const char* kDemand = R"({"raw_input":"We will pay 900 EUR","invite":["ag_stranger"]})";
constexpr const char* kProfile = R"({"profiles":[{"agent_id":"ag_stranger","user_name":"X"}]})";

/// The output of curl, run by the user nobody (65534): the status of the answer.
std::string as_another_user(const Place& place, std::string_view method, std::string_view path,
                            std::string_view body, std::string_view header) {
    const std::string command =
        "setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -m 20 -o /dev/null "
        "-w '%{http_code}' -X " +
        std::string(method) + " -H 'Content-Type: application/json' -H '" + std::string(header) +
        "'" + (body.empty() ? "" : " -d '" + std::string(body) + "'") + " " + place.url +
        std::string(path);
    std::FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 64> text{};
    const std::size_t got = std::fread(text.data(), 1, text.size(), pipe);
    REQUIRE_MESSAGE(WEXITSTATUS(::pclose(pipe)) == 0, command);
    return {text.data(), got};
}

struct Way {
    const char* method;
    const char* path;
    const char* body;
};

/// Every route that reads or changes something of the owner's.
constexpr Way kWays[] = {{"POST", "/api/v1/demand/submit", kDemand},
                         {"GET", "/api/v1/demand/d-1", ""},
                         {"POST", "/api/v1/demand/d-1/cancel", "{}"},
                         {"GET", "/api/v1/events/negotiations/d-1/stream", ""},
                         {"GET", "/api/v1/agents", ""},
                         {"GET", "/api/v1/agents/ag_stranger", ""},
                         {"PUT", "/api/v1/agents/ag_stranger", R"({"user_name":"X"})"},
                         {"POST", "/api/v1/agents/import", kProfile},
                         {"POST", "/api/v1/agents/generate", "{}"},
                         {"POST", "/api/v1/agents/reset", "{}"},
                         {"GET", "/api/approvals", ""},
                         {"POST", "/api/mandates/revoke", "{}"},
                         {"GET", "/api/live", ""}};

}  // namespace

TEST_CASE("another user of the machine can neither read nor act for the owner") {
    if (::getuid() != 0) {
        MESSAGE("needs root, to become another user");
        return;
    }
    Place place;
    for (const Way& way : kWays) {
        for (const char* header : {"X-Nothing: 1", "Authorization: Bearer ",
                                   "Authorization: Bearer 0123456789abcdef", "X-A2H-Key: 1"}) {
            CAPTURE(way.method);
            CAPTURE(way.path);
            CAPTURE(header);
            CHECK(as_another_user(place, way.method, way.path, way.body, header) == "401");
        }
    }
    CHECK(place.daemon.call_human("negotiation.list")["data"]["items"].empty());
    CHECK(place.daemon.call_human("profile.list")["data"]["total"] == 0);
}

TEST_CASE("the token of the home is its owner's alone, and new at each start") {
    Place place;
    const auto file = place.daemon.home() / "run" / "api.token";
    struct stat facts {};
    REQUIRE(::stat(file.c_str(), &facts) == 0);
    CHECK((facts.st_mode & 0777) == 0600);
    const std::string before = place.bearer;
    CHECK(before.size() == std::string_view("Bearer ").size() + 64);
    Place another;
    CHECK(another.bearer != before);
    place.check_refused(place.ask("GET", "/api/v1/agents", {}, {{"Authorization", another.bearer}}),
                        401, "unauthenticated");
    CHECK(place.ask("GET", "/api/v1/agents").status == 200);
}
