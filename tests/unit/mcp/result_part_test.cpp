#include "mcp/result_part.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "mcp/tokens.h"
#include "mcp/tools.h"

using namespace a2h;
using namespace a2h::mcp;
using nlohmann::json;
using nlohmann::ordered_json;

namespace {

const catalogue::Operation& operation(std::string_view tool) {
    const auto* found = catalogue::find_tool(tool);
    REQUIRE(found != nullptr);
    return *found;
}

/// A daemon with a list of `count` items, each with a text of `letters`.
class Shelf {
  public:
    Shelf(std::string tool, std::size_t count, std::size_t letters)
        : operation_(operation(tool)), count_(count), letters_(letters) {}

    /// The result of tools/call.
    ordered_json call(const json& arguments) {
        return call_tool(operation_, arguments, "",
                         [this](const DaemonCall& made, std::stop_token) {
                             asked_ = json::parse(made.params_json);
                             return Result<std::string>(page());
                         },
                         {});
    }
    const json& asked() const { return asked_; }

  private:
    std::string page() const {
        const std::size_t size = asked_.contains("page_size") ? asked_.value("page_size", 10u)
                                                              : asked_.value("limit", 10u);
        std::size_t first = (asked_.value("page", 1u) - 1) * size;
        if (asked_.contains("before")) first = count_ - asked_["before"].get<std::size_t>() + 1;
        json items = json::array();
        std::size_t at = first;
        for (; at < std::min(count_, first + size); ++at) {
            std::string text;
            while (text.size() < letters_)
                text += "word ";
            items.push_back({{"id", at}, {"text", text}, {"picture", nullptr}, {"tags", {}}});
        }
        json data = {{"items", std::move(items)}};
        if (operation_.tool == "a2h_approval_list" && at < count_) {
            data["more"] = true;
            data["next_before"] = count_ - at + 1;
        }
        return json{{"ok", true}, {"action", operation_.action}, {"data", std::move(data)}}.dump();
    }

    const catalogue::Operation& operation_;
    std::size_t count_;
    std::size_t letters_;
    json asked_;
};

std::string text_of(const ordered_json& result) {
    return result["content"][0]["text"];
}

/// Every item once, in order, following next_cursor; the number of calls that took.
int walk(Shelf& shelf, json arguments, std::size_t count) {
    std::size_t seen = 0;
    int calls = 0;
    for (std::string cursor; calls < 100;) {
        if (!cursor.empty()) arguments["cursor"] = cursor;
        const ordered_json result = shelf.call(arguments);
        CHECK(result["isError"] == false);
        ++calls;
        for (const auto& item : result["structuredContent"]["data"]["items"])
            CHECK(item["id"] == seen++);
        cursor = result["structuredContent"]["data"].value("next_cursor", "");
        if (cursor.empty()) break;
    }
    CHECK(seen == count);
    return calls;
}

std::string refusal(std::string_view tool, json arguments) {
    const auto part = take_result_part(operation(tool), arguments);
    REQUIRE_FALSE(part);
    CHECK(part.error().code == ErrorCode::InvalidArgument);
    return part.error().message;
}

}  // namespace

TEST_CASE("a list shows limit, cursor and detail in place of page and size") {
    const auto search = shown_input_schema(operation("a2h_works_search"))["properties"];
    CHECK(search.contains("limit"));
    CHECK(search["limit"]["default"] == 10);
    CHECK(search.contains("cursor"));
    CHECK(search.contains("detail"));
    CHECK(!search.contains("page"));
    CHECK(!search.contains("page_size"));
    CHECK(!shown_input_schema(operation("a2h_approval_list"))["properties"].contains("before"));
    // Operations that change something, or have a cursor of their own.
    CHECK(!shown_input_schema(operation("a2h_send"))["properties"].contains("detail"));
    CHECK(shown_input_schema(operation("a2h_approval_wait"))["properties"]["cursor"]["type"] ==
          "integer");
}

TEST_CASE("a cursor becomes page and size again, whatever the limit is") {
    json arguments = {{"keyword", "x"}, {"cursor", "n25"}, {"limit", 10}};
    const auto part = take_result_part(operation("a2h_works_search"), arguments);
    REQUIRE(part);
    CHECK(arguments == json{{"keyword", "x"}, {"page", 3}, {"page_size", 10}});
    CHECK(part->skip == 5);
}

TEST_CASE("the catalogue's own page and size are still understood") {
    json arguments = {{"keyword", "x"}, {"page", 2}, {"page_size", 5}};
    const auto part = take_result_part(operation("a2h_works_search"), arguments);
    REQUIRE(part);
    CHECK(arguments == json{{"keyword", "x"}, {"page", 2}, {"page_size", 5}});
    CHECK(part->page == 2);
}

TEST_CASE("a wrong cursor, detail or limit is refused with what is allowed") {
    for (const char* cursor : {"", "n", "12", "n-1", "n1.5", "n99999999999999999999", "n1 "}) {
        CAPTURE(cursor);
        CHECK(refusal("a2h_order_list", {{"role", "sales"}, {"cursor", cursor}})
                  .find("next_cursor") != std::string::npos);
    }
    CHECK(refusal("a2h_order_list", {{"role", "sales"}, {"cursor", "n1"}, {"page", 2}})
              .find("leave out page") != std::string::npos);
    CHECK(refusal("a2h_order_list", {{"role", "sales"}, {"detail", "all"}}).find("concise") !=
          std::string::npos);
    CHECK(refusal("a2h_order_list", {{"role", "sales"}, {"limit", 1000}}).find("100") !=
          std::string::npos);
    CHECK(refusal("a2h_send", {{"target_agent_id", "ag_1"}, {"detail", "full"}}).find("detail") !=
          std::string::npos);
}

TEST_CASE("a list is walked to its end by cursors, and nothing is lost or doubled") {
    Shelf small("a2h_works_search", 35, 20);
    CHECK(walk(small, {{"keyword", "x"}}, 35) == 4);
    Shelf full_pages("a2h_works_search", 20, 20);
    walk(full_pages, {{"keyword", "x"}}, 20);
    Shelf large("a2h_works_search", 90, 3000);
    CHECK(walk(large, {{"keyword", "x"}, {"limit", 40}}, 90) > 3);
    CHECK(walk(large, {{"keyword", "x"}, {"limit", 40}, {"detail", "full"}}, 90) > 3);
    Shelf approvals("a2h_approval_list", 230, 300);
    CHECK(walk(approvals, json::object(), 230) > 3);
}

TEST_CASE("a result stays under its tokens and ends with how to get more") {
    Shelf shelf("a2h_works_search", 1000, 2000);
    const json concise = {{"keyword", "x"}, {"limit", 100}};
    const std::string text = text_of(shelf.call(concise));
    CHECK(estimated_tokens(text) <= kConciseTokensMax + 100);
    const std::string last = text.substr(text.rfind('\n') + 1);
    CHECK(last.find("call a2h_works_search again with cursor \"n") != std::string::npos);
    CHECK(last.find("detail \"full\"") != std::string::npos);
    // The line before it is the whole envelope.
    CHECK(json::parse(text.substr(0, text.rfind('\n')), nullptr, false).is_object());
    CHECK(text.find("… (+1422 characters)⟧") != std::string::npos);

    const std::string full =
        text_of(shelf.call({{"keyword", "x"}, {"limit", 100}, {"detail", "full"}}));
    CHECK(estimated_tokens(full) <= kFullTokensMax + 100);
    CHECK(full.find("characters)") == std::string::npos);
    CHECK(full.size() > text.size());
}

TEST_CASE("empty members are left out unless everything is asked for") {
    Shelf shelf("a2h_works_search", 3, 20);
    const auto items = [&](const json& arguments) {
        return shelf.call(arguments)["structuredContent"]["data"]["items"];
    };
    CHECK(items({{"keyword", "x"}})[0] ==
          ordered_json{{"id", 0}, {"text", "⟦market, unverified: word word word word ⟧"}});
    CHECK(items({{"keyword", "x"}, {"detail", "full"}})[0].contains("picture"));
    CHECK(!shelf.asked().contains("detail"));
}

TEST_CASE("a small result is handed on as it came") {
    const std::string envelope = R"({"ok":true,"action":"works.get","data":{"a":null,"b":[]}})";
    const auto result = call_tool(
        operation("a2h_works_get"), {{"works_id", "w1"}}, "",
        [&](const DaemonCall&, std::stop_token) { return Result<std::string>(envelope); }, {});
    CHECK(text_of(result) == envelope);
}

TEST_CASE("one item that is too large alone is shortened until it fits") {
    for (const char* detail : {"concise", "full"}) {
        CAPTURE(detail);
        Shelf shelf("a2h_works_search", 1, 300'000);
        const ordered_json result = shelf.call({{"keyword", "x"}, {"detail", detail}});
        CHECK(estimated_tokens(text_of(result)) <= kFullTokensMax + 100);
        CHECK(result["structuredContent"]["data"]["items"].size() == 1);
        CHECK(result["structuredContent"]["note"].get<std::string>().find("characters") ==
              std::string::npos);
    }
}

TEST_CASE("a shortened text of others keeps the mark that ends it") {
    json items = json::array();
    for (int i = 0; i < 20; ++i)
        items.push_back({{"text", "⟦ag_bob, vouched: " + std::string(3000, 'a') + "⟧"}});
    ordered_json envelope = {{"ok", true}, {"data", {{"items", items}}}};
    json arguments = {{"peer_id", "ag_bob"}};
    const auto part = take_result_part(operation("a2h_inbox_history"), arguments);
    REQUIRE(part);
    fit_result_part(envelope, operation("a2h_inbox_history"), *part);
    for (const auto& item : envelope["data"]["items"])
        CHECK(item["text"].get<std::string>().ends_with(" characters)⟧"));
}

TEST_CASE("changes that were left out are reached by the cursor of the last one shown") {
    json changes = json::array();
    for (int i = 0; i < 100; ++i)
        changes.push_back({{"cursor", i}, {"approval", {{"question", std::string(400, 'a')}}}});
    const std::string envelope =
        json{{"ok", true},
             {"action", "approval.changes"},
             {"data", {{"changes", changes}, {"cursor", 99}, {"more", false}}}}
            .dump();
    const auto result = call_tool(
        operation("a2h_approval_changes"), json::object(), "",
        [&](const DaemonCall&, std::stop_token) { return Result<std::string>(envelope); }, {});
    const auto& data = result["structuredContent"]["data"];
    CHECK(data["changes"].size() < 100);
    CHECK(data["cursor"] == data["changes"].back()["cursor"]);
    CHECK(data["more"] == true);
}

TEST_CASE("profiles that were left out are reached behind the last one shown") {
    std::string words;
    while (words.size() < 500)
        words += "word ";
    json items = json::array();
    for (int i = 0; i < 20; ++i)
        items.push_back({{"agent_id", "ag_" + std::to_string(i)},
                         {"profile_summary", words},
                         {"capabilities", {{"training", words}}}});
    const std::string envelope = json{{"ok", true},
                                      {"action", "profile.list"},
                                      {"data", {{"items", items}, {"total", 20}, {"more", false}}}}
                                     .dump();
    const auto result = call_tool(
        operation("a2h_profile_list"), {{"limit", 20}}, "",
        [&](const DaemonCall&, std::stop_token) { return Result<std::string>(envelope); }, {});
    const auto& data = result["structuredContent"]["data"];
    REQUIRE(data["items"].size() < 20);
    CHECK(data["more"] == true);
    const std::string last = data["items"].back()["agent_id"];
    const std::string note = result["structuredContent"]["note"];
    CHECK_MESSAGE(
        note.find("a2h_profile_list again with after \"" + last + "\"") != std::string::npos, note);
    CHECK(note.find("data.cursor") == std::string::npos);
}

TEST_CASE("tokens are estimated from above for words, numbers, ids and Chinese") {
    CHECK(estimated_tokens("") == 0);
    CHECK(estimated_tokens("hello world") == 2);
    CHECK(estimated_tokens("123456") >= 2);
    CHECK(estimated_tokens("你好世界") >= 4);
    CHECK(estimated_tokens("ag_7Yh3kQ92x") >= 8);
    CHECK(estimated_tokens(std::string(1000, ' ')) < 100);
}

TEST_CASE("a concise status shows whether there is mail, and every problem; a full one shows all") {
    const ordered_json data = {
        {"agent_id", "ag_me"},
        {"connection", {{"connected", false}, {"last_error", ""}, {"reconnects", 0}}},
        {"last_received_at", nullptr},
        {"last_self_test", {{"ok", false}, {"detail", "no echo"}}},
        {"backlog", {{"undecided", 0}}},
        {"store", {{"ok", false}}},
        {"problems", json::array({{{"code", "store.failing"}}})}};
    const std::string answer =
        ordered_json{{"ok", true}, {"action", "status"}, {"data", data}}.dump();
    const auto status = [&](const json& arguments) {
        const ordered_json result =
            call_tool(operation("a2h_status"), arguments, "",
                      [&](const DaemonCall& made, std::stop_token) {
                          CHECK(!json::parse(made.params_json).contains("detail"));
                          return Result<std::string>(answer);
                      },
                      {});
        return result["structuredContent"]["data"];
    };
    CHECK(status({{"detail", "full"}}) == data);
    const ordered_json concise = status(json::object());
    CHECK(concise["connection"] == ordered_json{{"connected", false}, {"reconnects", 0}});
    CHECK(concise["last_received_at"].is_null());
    CHECK(concise["last_self_test"] == data["last_self_test"]);
    CHECK(concise["problems"] == data["problems"]);
    CHECK(!concise.contains("store"));
}
