#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/order_steps.h"
#include "cli/standard.h"
#include "cli/terminal.h"
#include "cli/trade_text.h"
#include "cli/with_yes.h"
#include "tests/unit/cli/run_command.h"

using namespace a2h;
using cli::Failure;
using cli::Invocation;
using i18n::Language;
using nlohmann::json;

namespace {

Invocation at_desk(Language language = Language::English) {
    Invocation invocation;
    invocation.language = language;
    return invocation;
}

Invocation command_line(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--home", "/nonexistent/a2h"});
    auto parsed = cli::parse(arguments, Language::English);
    const auto* failure = std::get_if<Failure>(&parsed);
    REQUIRE_MESSAGE(failure == nullptr, failure->message);
    return *std::get_if<Invocation>(&parsed);
}

/// The code with which the command ends where no a2hd runs: "unavailable" if the command line is
/// right.
std::string code_of(const std::vector<std::string>& arguments) {
    const Invocation invocation = command_line(arguments);
    const cli::Outcome outcome = invocation.command->run(invocation);
    const auto* failure = std::get_if<Failure>(&outcome);
    REQUIRE(failure != nullptr);
    CHECK_FALSE(failure->message.empty());
    return failure->code;
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Every line fits into 60 columns.
bool is_narrow(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (cli::display_width(line) > 60) return false;
    }
    return true;
}

const std::string kWorksId(36, '7');
const std::string kOrderId = "WKS" + std::string(32, '5');
const std::string kPeerId = "ag_" + std::string(32, 'b');

json album_row() {
    return {{"worksId", kWorksId},
            {"agentId", kPeerId},
            {"nickname", "Lin\x1b[1m"},
            {"type", 3},
            {"title", "Wedding album"},
            {"extendInfo", {{"priceType", "FIXED"}, {"currency", "CNY"}, {"fixedPrice", 90'000}}}};
}

json order_row(int side, const char* status) {
    return {{"orderId", kOrderId},   {"providerId", kPeerId},
            {"customerId", kPeerId}, {"title", "Album"},
            {"content", "40 pages"}, {"price", 85'050},
            {"currency", "CNY"},     {"status", status},
            {"currentType", side},   {"profile", {{"nickname", "Wei"}}}};
}

}  // namespace

TEST_CASE("the words of a search need no quotes") {
    const Invocation invocation =
        command_line({"search", "wedding", "album", "--type", "demand", "in", "Chengdu"});
    CHECK(invocation.value("WORDS") == "wedding album in Chengdu");
    CHECK(invocation.value("--type") == "demand");
    CHECK(std::holds_alternative<Failure>(cli::parse({"search"}, Language::English)));
    const auto help = cli::parse({"search", "--help"}, Language::English);
    CHECK(holds(std::get<cli::Print>(help).text, "a2h search WORDS…"));
}

TEST_CASE("errors in an offer, a listing or a step are told before a2hd is called") {
    CHECK(code_of({"search", "x", "--type", "service"}) == "unavailable");
    CHECK(code_of({"search", "x", "--type", "serv"}) == "usage");
    CHECK(code_of({"search", "x", "--page", "0"}) == "usage");
    CHECK(code_of({"offer", "ag_x", "19.90", "CNY"}) == "unavailable");
    CHECK(code_of({"offer", "ag_x", "19.905", "CNY"}) == "usage");
    CHECK(code_of({"offer", "ag_x", "1,5", "CNY"}) == "usage");
    CHECK(code_of({"offer", "ag_x", "5", "yuan"}) == "usage");
    CHECK(code_of({"offer", "ag_x", "5", "CNY", "--until", "tomorrow"}) == "usage");
    CHECK(code_of({"offer", "ag_x", "5", "CNY", "--until", "2026-12-31T18:00:00+08:00"}) ==
          "unavailable");
    CHECK(code_of({"order", "WKS1", "confirm"}) == "unavailable");
    CHECK(code_of({"order", "WKS1", "pay"}) == "usage");
    const std::vector<std::string> publish = {"publish", "--title", "a", "--content", "b"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), publish.begin(), publish.end());
        return code_of(more);
    };
    CHECK(with({}) == "unavailable");
    CHECK(with({"--price", "100-200", "--currency", "USD"}) == "unavailable");
    CHECK(with({"--price", "cheap"}) == "usage");
    CHECK(with({"--price", "100-"}) == "usage");
    CHECK(with({"--type", "discussion"}) == "usage");
    CHECK(with({"--file", "/nonexistent"}) == "usage");
    CHECK(code_of({"publish", "--title", "a"}) == "usage");
}

TEST_CASE("every step of an order has one word, which names it") {
    for (const cli::OrderStep& step : cli::kOrderSteps) {
        CHECK(cli::parse_step(step.word) == step.action);
        CHECK(cli::step_word(step.action) == step.word);
    }
    CHECK_FALSE(cli::parse_step("confirm-received"));
}

TEST_CASE("the listings that a search finds have whole ids on a narrow terminal") {
    json data = json::object();
    data["result"] = json::array({album_row(), {{"title", "has no id"}}});
    const std::string text = cli::render_found_listings(at_desk(), data);
    for (const std::string& part :
         {std::string("Wedding album\n"), std::string("offered, 900.00 CNY"), kWorksId, kPeerId,
          std::string("a2h offer ag_…")})
        CHECK_MESSAGE(holds(text, part), text);
    CHECK_FALSE(holds(text, "\x1b"));
    CHECK_FALSE(holds(text, "has no id"));
    CHECK(holds(cli::render_found_listings(at_desk(Language::Chinese), data), "提供，900.00 CNY"));
    CHECK(holds(cli::render_found_listings(at_desk(), json::object()), "Nothing was found"));
    CHECK(is_narrow(cli::render_own_listings(at_desk(), {{"items", {album_row()}}})));
    json full = album_row();
    full["content"] = "First line\nsecond line";
    CHECK(holds(cli::render_listing(at_desk(), full), "  First line\n      second line\n"));
}

TEST_CASE("an order says which side one is on, its state, and the steps that it allows") {
    const json both{{"items", {order_row(1, "PENDING_CONFIRM"), order_row(2, "CONFIRMED")}}};
    const std::string list = cli::render_orders(at_desk(), both);
    CHECK(holds(list, "you buy, 850.50 CNY, waits for the buyer's confirmation"));
    CHECK(holds(list, "you sell, 850.50 CNY, confirmed, to be paid"));
    CHECK_MESSAGE(is_narrow(list), list);
    CHECK(holds(cli::render_orders(at_desk(Language::Chinese), both),
                "您买入，850.50 CNY，等买方确认"));
    CHECK(cli::render_orders(at_desk(), json::object()) == "No orders yet.\n");

    const auto steps = [](int side, const char* status) {
        return cli::render_order(at_desk(), order_row(side, status));
    };
    CHECK(holds(steps(1, "PENDING_CONFIRM"), "a2h order " + kOrderId + " confirm\n"));
    CHECK(holds(steps(1, "PENDING_CONFIRM"), " reject\n"));
    CHECK(holds(steps(2, "PENDING_CONFIRM"), " cancel\n"));
    CHECK(holds(steps(2, "CONFIRMED"), " received\n"));
    CHECK(holds(steps(1, "PAID"), " completed\n"));
    CHECK(is_narrow(steps(1, "PAID")));
    CHECK_FALSE(holds(steps(1, "COMPLETED"), "You can do now"));
    CHECK(holds(steps(1, "SHIPPED"), "SHIPPED"));
}

TEST_CASE("the end of a yes names the listing or order, or why it failed") {
    json approval{{"approval_id", "apr_1"},
                  {"status", "approved"},
                  {"outcome", "executed"},
                  {"result", {{"orderId", kOrderId}}}};
    CHECK(cli::render_carried_out(at_desk(), approval) ==
          "apr_1: approved, carried out\nOrder: " + kOrderId);
    approval["outcome"] = "failed";
    approval["outcome_detail"] = "the market refused (409)";
    CHECK(cli::render_carried_out(at_desk(), approval) ==
          "apr_1: approved, failed: the market refused (409)");
    approval["outcome"] = "executing";
    CHECK(holds(cli::render_carried_out(at_desk(), approval), "still being carried out"));
}

TEST_CASE("every command that waits for a yes offers --pin-stdin and --no-wait") {
    for (const char* name : {"send", "publish", "offer", "accept", "decline", "order"}) {
        CAPTURE(name);
        const auto all = cli::commands();
        const auto row = std::find_if(all.begin(), all.end(),
                                      [&](const cli::Command& each) { return each.name == name; });
        REQUIRE(row != all.end());
        for (const char* option : {"--pin-stdin", "--no-wait", "--person", "--agent"}) {
            CHECK(std::any_of(
                row->parameters.begin(), row->parameters.end(),
                [&](const cli::Parameter& parameter) { return parameter.name == option; }));
        }
    }
}
