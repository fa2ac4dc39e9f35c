// tests/golden/platform/requests.jsonl: for every operation that is a call of the market its
// arguments and the call that they become.

#include "core/platform/requests.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "core/catalogue/schema.h"

using namespace a2h;
using nlohmann::ordered_json;
using platform::is_market_call;
using platform::make_request;

namespace {

const std::string kGolden = A2H_SOURCE_DIR "/tests/golden/platform/requests.jsonl";

std::vector<ordered_json> golden_lines() {
    std::ifstream in(kGolden);
    std::vector<ordered_json> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(ordered_json::parse(line));
    return lines;
}

ordered_json as_json(const platform::Request& request) {
    ordered_json shown{{"call", request.method + " " + request.path + request.query}};
    if (!request.body.empty()) shown["body"] = ordered_json::parse(request.body);
    return shown;
}

}  // namespace

TEST_CASE("every operation becomes the golden call") {
    std::ostringstream made;
    for (const ordered_json& line : golden_lines()) {
        const std::string action = line["action"];
        CAPTURE(action);
        const auto arguments = nlohmann::json::parse(line["arguments"].dump());
        const auto request = make_request(action, arguments, "ag_self");
        REQUIRE_MESSAGE(request.has_value(), request.error().message);
        ordered_json now{{"action", action}, {"arguments", line["arguments"]}};
        now.update(as_json(*request));
        CHECK(now == line);
        made << now.dump() << "\n";
    }
    if (std::getenv("A2H_ACCEPT") != nullptr) std::ofstream(kGolden) << made.str();
}

TEST_CASE("golden arguments are what the catalogue allows, and cover every market operation") {
    std::set<std::string> covered;
    for (const ordered_json& line : golden_lines()) {
        const std::string action = line["action"];
        CAPTURE(action);
        covered.insert(action);
        const catalogue::Operation* row = catalogue::find_action(action);
        if (row == nullptr) continue;
        const auto valid = catalogue::validate(catalogue::input_schema(*row),
                                               nlohmann::json::parse(line["arguments"].dump()));
        CHECK_MESSAGE(valid.has_value(), valid.error().message);
    }
    for (const catalogue::Operation& row : catalogue::operations()) {
        if (is_market_call(row.action))
            CHECK_MESSAGE(covered.contains(std::string(row.action)), row.action);
    }
}

TEST_CASE("an id from a peer stays one segment of the path") {
    const auto request = make_request("works.get", {{"works_id", "../x/y?z#"}}, "ag_self");
    REQUIRE(request);
    CHECK(request->path == "/findu-user/api/v1/user/works/%2E%2E%2Fx%2Fy%3Fz%23/detail");
    CHECK(request->query.empty());
}

TEST_CASE("an amount with more digits than its currency is refused, not rounded (R27)") {
    const auto submit = [](const char* price) {
        return make_request("proposal.submit",
                            {{"rfp_id", "r"}, {"price", nlohmann::json::parse(price)}}, "ag_self");
    };
    CHECK(submit(R"({"currency":"CNY","amount":5000})"));
    CHECK(submit(R"({"currency":"CNY","amount":19.99})"));
    for (const char* price :
         {R"({"currency":"CNY","amount":19.999})", R"({"currency":"JPY","amount":1.5})",
          R"({"currency":"CNY","amount":1e300})", R"({"currency":"CNY","amount":-1})",
          R"({"currency":"CNY","amount":"5"})", R"({"currency":"yuan","amount":5})"}) {
        CAPTURE(price);
        const auto refused = submit(price);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::InvalidArgument);
    }
}

TEST_CASE("an operation without a market call is NotFound, bad text InvalidArgument") {
    CHECK(make_request("status", nlohmann::json::object(), "ag_self").error().code ==
          ErrorCode::NotFound);
    CHECK(make_request("works.search", {{"keyword", "\xff"}}, "ag_self").error().code ==
          ErrorCode::InvalidArgument);
    CHECK(
        make_request("works.search", {{"keyword", "x"}, {"page", "two"}}, "ag_self").error().code ==
        ErrorCode::InvalidArgument);
}
