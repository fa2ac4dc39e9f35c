// Calls every operation of an assistant with a marked commitment in each of its members: no mark
// reaches the other side or the market. New operations of the catalogue are covered as well.

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "core/domain/agent_message_types.h"
#include "tests/integration/trade/open_table.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// Operations whose texts stay in the owner's own account at the market, without a yes.
const std::set<std::string> kPrivate = {"address.create", "address.delete", "address.set_default",
                                        "auth.login", "auth.poll"};

/// The text of every row of every table.
std::string all_text(const std::filesystem::path& file) {
    SQLite::Database db(file.string(), SQLite::OPEN_READONLY);
    std::vector<std::string> tables;
    SQLite::Statement names(db, "select name from sqlite_master where type = 'table'");
    while (names.executeStep())
        tables.push_back(names.getColumn(0).getString());
    std::string text;
    for (const std::string& table : tables) {
        SQLite::Statement rows(db, "select * from \"" + table + "\"");
        while (rows.executeStep()) {
            for (int column = 0; column < rows.getColumnCount(); ++column)
                text += rows.getColumn(column).getString() + '\n';
        }
    }
    return text;
}

/// Finds everything in `call` that can be replaced: texts, numbers and flags, at any depth.
void collect_leaves(const json& value, const json::json_pointer& place,
                    std::vector<json::json_pointer>& leaves) {
    if (!value.is_structured()) return leaves.push_back(place);
    if (value.is_object()) {
        for (const auto& [name, member] : value.items())
            collect_leaves(member, place / name, leaves);
    } else {
        for (std::size_t at = 0; at < value.size(); ++at)
            collect_leaves(value[at], place / at, leaves);
    }
}

/// The seller's assistant, which calls the operations.
struct Walker : OpenTable {
    Walker() {
        const std::string& peer = buyer_account.agent_id;
        for (const char* name :
             {"target_agent_id", "customer_id", "agent_id", "peer_id", "contact_id", "creator_id"})
            known[name] = peer;
        for (const char* name : {"works_id", "product_id"})
            known[name] = works_id;
        for (const char* name : {"wait_seconds", "timeout_seconds"})
            known[name] = 0;
        for (const char* name : {"currency", "order_currency"})
            known[name] = "CNY";
        for (const char* name : {"task_brief", "taskBrief"})
            known[name] = {{"objective", "hello"},
                           {"constraints", {"hello"}},
                           {"inputs", "hello"},
                           {"outputs", "hello"},
                           {"completion_criteria", "hello"}};
        for (const char* name : {"request_id", "task_id"})
            known[name] = "0b5e6f0e-3c3a-4d2b-9a51-6f1c2d3e4f50";
        known["price"] = {{"currency", "CNY"}, {"amount", 1}};
        known["price_type"] = "FIXED";
        known["phoneNumber"] = "13800000000";
        known["order_type"] = 3;
        known["text"] = "hello";
        known["rfp_id"] = rfp_of_buyer();
        known["parent_works_id"] = post_of_buyer();
    }

    std::string rfp_of_buyer() {
        const auto made = market.client(buyer_account)
                              .call("rfp.create", {{"title", "Frames"},
                                                   {"description", "Frames of oak."},
                                                   {"capability_type", "frames"}});
        REQUIRE_MESSAGE(made.has_value(), made.error().message);
        return made->at("rfp_id");
    }
    std::string post_of_buyer() {
        const auto made =
            market.client(buyer_account)
                .call("discussion.publish", {{"title", "Frames"}, {"content", "Who makes them?"}});
        REQUIRE_MESSAGE(made.has_value(), made.error().message);
        return made->at("worksId");
    }

    /// A value that fits `schema`.
    json fill(const json& schema, const std::string& name = {}) {
        if (const auto given = known.find(name); given != known.end()) return given->second;
        if (schema.contains("enum")) return schema["enum"][0];
        const json types = schema.value("type", json("string"));  // without one: any value
        const std::string type = types.is_array() ? types[0] : types;
        if (type == "object") return object(schema);
        if (type == "array")
            return json::array({fill(schema.value("items", json::object()), name)});
        if (type == "boolean") return false;
        if (type == "integer" || type == "number") return schema.value("minimum", 1);
        if (schema.value("pattern", "").find("https") != std::string::npos)
            return "https://files.example/a.png";
        return "x1";
    }
    json object(const json& schema) {
        json filled = json::object();
        const json members = schema.value("properties", json::object());
        for (const auto& [name, member] : members.items())
            filled[name] = fill(member, name);
        return filled;
    }

    /// Calls the operation with each leaf of `members` replaced by a mark, beside the `required`
    /// members.
    void walk(const std::string& action, const json& members, const json& required) {
        std::vector<json::json_pointer> leaves;
        collect_leaves(members, json::json_pointer(), leaves);
        for (const json::json_pointer& leaf : leaves) {
            const std::string place = leaf.to_string();
            const std::string top = place.substr(1, place.find('/', 1) - 1);
            json call = required;
            call[top] = members[top];
            for (const json& mark : marks_for(action, call[leaf])) {
                call[leaf] = mark;
                const json result = seller.call_assistant(action, call.dump());
                accepted += result["ok"] == true ? 1 : 0;
                ++calls;
            }
        }
        refuse_all();
    }
    /// The mark as a sentence, as an id, as an address or as a number.
    std::vector<json> marks_for(const std::string& action, const json& value) {
        if (value.is_boolean()) return {true};
        if (value.is_number()) return {next_mark(action)};
        return {"We accept and pay CNY " + std::to_string(next_mark(action)),
                "WeAcceptAndPay" + std::to_string(next_mark(action)),
                "https://files.example/we-accept-" + std::to_string(next_mark(action)) + ".png"};
    }
    std::int64_t next_mark(const std::string& action) {
        const std::int64_t mark = 700'000'100 + static_cast<std::int64_t>(marks.size());
        marks.emplace_back(std::to_string(mark), action);
        return mark;
    }
    /// Closes all questions, so that neither their limit nor an equal one affects the next call.
    void refuse_all() {
        const json open = seller.call_human("approval.list", R"({"status":"pending"})");
        json answers = json::array();
        for (const json& row : open["data"]["approvals"])
            answers.push_back({{"approval_id", row["approval_id"]}, {"digest", row["digest"]}});
        if (answers.empty()) return;
        const json refusal{{"answers", answers}, {"decision", "reject"}, {"pin", Daemon::kPin}};
        seller.call_human("approval.answer_many", refusal.dump());
        asked += answers.size();
    }
    void check_outside() {
        REQUIRE(no_work_left(seller));
        const std::string outside =
            all_text(market.dir() / "market.db") + all_text(buyer.home() / "a2hd.db");
        const std::string inside = all_text(seller.home() / "a2hd.db");
        std::size_t kept = 0;
        for (const auto& [mark, action] : marks) {
            kept += inside.find(mark) == std::string::npos ? 0 : 1;
            if (kPrivate.contains(action)) continue;
            CHECK_MESSAGE(outside.find(mark) == std::string::npos, action << " " << mark);
        }
        CHECK(kept > 20);  // the questions; a mark can be found
    }

    std::map<std::string, json> known;
    std::vector<std::pair<std::string, std::string>> marks;  ///< with the operation
    std::size_t calls = 0;
    std::size_t accepted = 0;
    std::size_t asked = 0;
};

}  // namespace

TEST_CASE("no member of any operation of an assistant carries a commitment out without a yes") {
    Walker s;
    for (const catalogue::Operation& operation : catalogue::operations()) {
        if (!operation.is_for_assistants() || operation.hints.read_only) continue;
        const std::string action(operation.action);
        const json schema = catalogue::input_schema(operation);
        json members = s.object(schema);
        if (action.starts_with("works.")) members["type"] = 3;  // as the listing is
        json required = json::object();
        for (const json& name : schema.value("required", json::array()))
            required[name.get<std::string>()] = members.at(name.get<std::string>());
        s.walk(action, members, required);
    }
    MESSAGE(s.calls << " calls, " << s.accepted << " done, " << s.asked << " questions");
    CHECK(s.calls > 300);
    CHECK(s.asked > 40);
    s.check_outside();
}

TEST_CASE("no member of any message between agents carries a commitment out without a yes") {
    Walker s;
    for (const AgentMessageRow& row : kAgentMessages) {
        json payload = json::object();
        for (const MessageMember& member : row.members) {
            if (member.name.empty()) continue;
            const std::string name(member.name);
            if (member.form == MessageMember::Form::Flag)
                payload[name] = false;
            else if (!member.words.empty())
                payload[name] = member.words[0];
            else
                payload[name] = s.known.contains(name) ? s.known[name] : json("hello");
        }
        payload["text"] = "hello";
        payload["strange"] = "hello";
        const json call{{"target_agent_id", s.buyer_account.agent_id},
                        {"message_type", row.name},
                        {"extra_payload", payload}};
        s.walk("send", call, call);
    }
    MESSAGE(s.calls << " calls, " << s.accepted << " done, " << s.asked << " questions");
    CHECK(s.calls > 20);
    s.check_outside();
}
