// A person's yes, byte by byte: what each surface has shown, what the yes was bound to, and what
// has left for the market or the peer are the same, member by member.

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/catalogue/operations.h"
#include "core/http/client.h"
#include "core/i18n/messages.h"
#include "core/i18n/normalize.h"
#include "core/platform/requests.h"
#include "core/store/approval_store.h"
#include "core/wire/approval_secret.h"
#include "core/wire/json_member.h"
#include "tests/integration/channels/stage.h"
#include "tests/integration/daemon/strangers.h"
#include "tests/support/page_session.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// Operations of an assistant that ask and are not walked here, with the reason.
const std::set<std::string> kElsewhere = {
    // They upload files: tests/integration/trade/files_test.cpp.
    "file.upload", "profile.upload_qrcode", "profile.delete_qrcode", "profile.set_default_payment",
    // A link is made for an order in another currency: orders_test.cpp.
    "payment.create_link",
    // Negotiations of many parties, and what follows from them: tests/integration/negotiation,
    // invitations.
    "demand.submit", "negotiation.answer", "negotiation.apply", "negotiation.cancel",
    "proposal.feedback",
    // Answers to what other agents have begun, and agents of this home: tests/integration/agents.
    "introduction.answer", "task.report", "task.cancel", "agent.spawn", "agent.stop",
    "agent.register",
    // The owner's own account at the market, and answers: they never ask.
    "address.create", "address.delete", "address.set_default", "approval.response",
    // A browser login: login_test.cpp.
    "auth.login", "auth.poll"};

std::string without_blanks(const std::string& text) {
    std::string bare;
    for (const char c : text) {
        if (c != ' ' && c != '\n') bare += c;
    }
    return bare;
}

/// The surfaces on which a person says yes, in turn.
enum class Surface { Terminal, Code, Link, Page, Button };

/// The texts of a question that a person has been shown, by surface.
using Shown = std::vector<std::pair<std::string, std::string>>;

class Counter {
  public:
    Counter() {
        REQUIRE(buyer.connected());
        platform::Account account = seller_account;
        account.api_base = "http://127.0.0.1:" + std::to_string(recorder.port());
        seller = std::make_unique<Daemon>(
            dir.path() / "seller", std::vector{account}, market.mqtt_url(),
            DaemonOptions{.config = "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n"
                                    "[[channel]]\nname = \"phone\"\nkind = \"ntfy\"\nserver = \"" +
                                    phone.api.url() +
                                    "\"\ntopic = \"mine\"\nreply_topic = \"back\"\n"
                                    "[[person]]\nname = \"human\"\nnormal = [\"phone\"]\n"
                                    "high = [\"phone\"]\nlow = [\"terminal\"]\n"
                                    "per_hour_max = 1000\n",
                          .environment = {},
                          .people = {}});
        REQUIRE(seller->connected());
        page = enter_page(*seller);
        buyer_market = std::make_unique<MarketClient>(market.client(buyer_account));
        own_market = std::make_unique<MarketClient>(market.client(seller_account));
    }

    static json made(MarketClient& client, const std::string& action, const json& arguments) {
        const auto result = client.call(action, arguments);
        REQUIRE_MESSAGE(result.has_value(), action << ": " << result.error().message);
        return *result;
    }
    json row(const std::string& id) {
        return seller->call_human("approval.list",
                                  json{{"approval_id", id}}.dump())["data"]["approvals"][0];
    }
    Approval stored(const std::string& id) const {
        const auto db =
            store::Database::open(seller->home() / "a2hd.db", store::Database::Mode::ReadOnly);
        REQUIRE(db.has_value());
        return *store::get_approval(**db, id).value();
    }

    /// Asks, reads, says yes and compares. Returns what the market answered.
    json approve(const std::string& action, const json& arguments) {
        CAPTURE(action);
        CAPTURE(arguments.dump());
        const Surface surface = static_cast<Surface>(number_++ % 5);
        CAPTURE(static_cast<int>(surface));
        const json asked = seller->call_assistant(action, arguments.dump());
        const json& about = asked.contains("error") ? asked["error"] : asked["data"];
        REQUIRE_MESSAGE(about.contains("approval_id"), asked.dump());
        const std::string id = about["approval_id"];
        walked.insert(action);
        const Approval approval = stored(id);
        const json bound = json::parse(approval.action_json)["request"];
        const json note = notification_of(id);
        const Shown shown = what_is_shown(id, note);
        check_shown(bound.is_null() ? json{{"text", approval.reply_text}} : bound, approval, shown);
        const std::size_t before = recorder.requests().size();
        say_yes(surface, approval, note);
        json after;
        REQUIRE(eventually([&] {
            after = row(id);
            return after["status"] == "approved" && after["outcome"] != "none" &&
                   after["outcome"] != "executing";
        }));
        REQUIRE_MESSAGE(after["outcome"] == "executed", after.dump());
        CHECK(stored(id).digest == approval.digest);
        CHECK(stored(id).action_json == approval.action_json);
        if (platform::is_market_call(action)) {
            check_request(action, bound, approval, shown, before);
        } else {
            check_payload(bound, approval, shown);
        }
        return json::parse(after["outcome_detail"].get<std::string>(), nullptr, false);
    }

    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account seller_account = market.register_agent("seller");
    platform::Account buyer_account = market.register_agent("buyer");
    Daemon buyer{dir.path() / "buyer", {buyer_account}, market.mqtt_url()};
    Phone phone;
    ScriptedHttp recorder{[this](ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
        relay_to(market, peer, request);
    }};
    std::unique_ptr<Daemon> seller;
    PageSession page;
    std::unique_ptr<MarketClient> buyer_market;
    std::unique_ptr<MarketClient> own_market;
    std::set<std::string> walked;
    std::size_t members = 0;  ///< that were compared

  private:
    json notification_of(const std::string& id) {
        json found;
        REQUIRE(eventually([&] {
            for (const json& message : phone.shown()) {
                const bool is_about = message["message"].get<std::string>().find(
                                          "a2h approve " + id) != std::string::npos;
                if (is_about && message.contains("actions")) found = message;
            }
            return !found.is_null();
        }));
        return found;
    }

    Shown what_is_shown(const std::string& id, const json& note) {
        Shown shown;
        const json asked = row(id);
        std::string covers = asked["question"];
        for (const json& line : asked["covers"])
            covers +=
                "\n" + line["label"].get<std::string>() + ": " + line["value"].get<std::string>();
        shown.emplace_back("approval.list", covers);
        shown.emplace_back("terminal", seller->a2h({"approvals"}).out);
        shown.emplace_back("notification", note["message"].get<std::string>());
        const json full = json::parse(page.send("GET", "/api/approvals/" + id).body);
        std::string on_page;
        for (const json& line : full["data"]["covers"])
            on_page +=
                line["label"].get<std::string>() + ": " + line["value"].get<std::string>() + "\n";
        shown.emplace_back("page", on_page);
        const std::string link = link_in(note);
        const auto linked = http::Client({}).send({.method = "GET", .url = link});
        REQUIRE(linked.has_value());
        shown.emplace_back("link page", linked->body);
        return shown;
    }
    static std::string link_in(const json& note) {
        const std::string text = note["message"];
        const auto at = text.find("http://127.0.0.1");
        if (at != std::string::npos) return text.substr(at, text.find_first_of(" \n", at) - at);
        return note.value("click", "");
    }

    /// Each value of `value` is on every surface.
    void check_shown(const json& value, const Approval& approval, const Shown& shown,
                     const std::string& place = {}) {
        if (value.is_structured()) {
            for (auto item = value.begin(); item != value.end(); ++item)
                check_shown(*item, approval, shown,
                            place + "/" + (value.is_object() ? item.key() : std::string("-")));
            return;
        }
        ++members;
        for (const auto& [where, text] : shown) {
            if (is_on(text, value, place)) continue;
            FAIL_CHECK(approval.action << ": " << place << " = " << value.dump() << " is not on "
                                       << where << ":\n"
                                       << text);
        }
    }
    /// The words of a card for a value of a closed set, such as `FIXED`; empty if it has none.
    static std::string words_of(const std::string& member, const std::string& value) {
        const bool is_big = value != i18n::fold(value);
        std::string name;
        for (const char c : member) {
            const bool is_capital = c >= 'A' && c <= 'Z';
            name += is_capital ? "_" + std::string(1, static_cast<char>(c + ('a' - 'A')))
                               : std::string(1, c);
        }
        const std::string key =
            (is_big ? "card.big_" : "card.is_") + name + "_" + i18n::fold(value);
        return i18n::has_key(i18n::Language::English, key)
                   ? i18n::text(i18n::Language::English, key)
                   : std::string();
    }
    static bool is_on(const std::string& text, const json& value, const std::string& place) {
        const std::string bare = without_blanks(text);
        const auto has = [&](const std::string& part) {
            return bare.find(without_blanks(part)) != std::string::npos;
        };
        if (value.is_string()) {
            const std::string words = words_of(place.substr(place.rfind('/') + 1), value);
            return has(value.get<std::string>()) || place == "/message_type" ||
                   (!words.empty() && has(words));
        }
        if (value.is_boolean()) return has("yes") || has("no");
        if (place == "/act_before_ms") return true;  // shown as the offer's `valid_until`
        if (!value.is_number()) return true;
        const auto minor = [&](std::int64_t all) {
            const std::string cents = std::to_string(all % 100);
            return std::to_string(all / 100) + "." + (cents.size() == 1 ? "0" : "") + cents;
        };
        if (has(value.dump())) return true;
        return value.is_number_integer() &&
               (has(minor(value.get<std::int64_t>())) || has(value.dump() + ".00"));
    }

    void say_yes(Surface surface, const Approval& approval, const json& note) {
        const std::string& id = approval.id;
        const std::string text = note["message"];
        if (surface == Surface::Terminal) {
            const Ran ran =
                seller->a2h({"approve", id, "--pin-stdin"}, std::string(Daemon::kPin) + "\n");
            REQUIRE_MESSAGE(ran.status == 0, ran.out << ran.err);
        } else if (surface == Surface::Code) {
            const std::string begin = "through your assistant: ";
            const auto at = text.find(begin);
            REQUIRE_MESSAGE(at != std::string::npos, text);
            const json answer{{"approval_id", id},
                              {"decision", "approve"},
                              {"code", text.substr(at + begin.size(), 6)}};
            const json done = seller->call_assistant("approval.response", answer.dump());
            REQUIRE_MESSAGE(done["ok"] == true, done.dump());
        } else if (surface == Surface::Link) {
            const std::string link = link_in(note);
            const std::string token = link.substr(link.find("t=") + 2, 32);
            const auto done = http::Client({}).send(
                {.method = "POST",
                 .url = link.substr(0, link.find('?')) + "/answer",
                 .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                 .body = "t=" + token + "&choice=approve&digest=" + approval.digest});
            REQUIRE(done.has_value());
            REQUIRE_MESSAGE(done->status < 400, done->body);
        } else if (surface == Surface::Page) {
            const json answer{
                {"approval_id", id}, {"digest", approval.digest}, {"decision", "approve"}};
            const auto done =
                page.send("POST", "/api/answers", json{{"answers", json::array({answer})}}.dump());
            REQUIRE_MESSAGE(done.status == 200, done.body);
        } else {
            phone.press(note["actions"][0]["body"]);
        }
    }

    /// One request has reached the market, and it is what the yes was bound to.
    void check_request(const std::string& action, const json& bound, const Approval& approval,
                       const Shown& shown, std::size_t before) {
        const auto expected = platform::make_request(action, bound, seller_account.agent_id);
        REQUIRE(expected.has_value());
        int left = 0;
        const auto all = recorder.requests();
        for (std::size_t at = before; at < all.size(); ++at) {
            const std::string line = all[at].head.substr(0, all[at].head.find('\r'));
            const bool is_heartbeat = line.find("/lease/") != std::string::npos;
            if (line.starts_with("GET ") || is_heartbeat) continue;
            ++left;
            CHECK(line.starts_with(expected->method + " " + expected->path + expected->query));
            if (all[at].body.empty()) {
                CHECK(expected->body.empty());
                continue;
            }
            json body = json::parse(all[at].body);
            CHECK_MESSAGE(body == json::parse(expected->body), body.dump());
            // The action itself says that a post is no listing, and who acts.
            if (action.starts_with("discussion.") && body["type"] == 4) body.erase("type");
            if (body.value("providerId", "") == seller_account.agent_id) body.erase("providerId");
            check_shown(body, approval, shown);
        }
        CHECK_MESSAGE(left == 1, left << " requests have left");
    }
    /// The peer has exactly the payload of the yes.
    void check_payload(const json& bound, const Approval& approval, const Shown& shown) {
        const json wanted = bound.is_object() && bound.contains("payload") ? bound["payload"]
                            : bound.is_null() ? json{{"text", approval.reply_text}}
                                              : json();
        if (wanted.is_null()) return;
        json payload;
        const bool came = eventually([&] {
            const json history = buyer.call_human(
                "inbox.history", json{{"peer_id", seller_account.agent_id}}.dump());
            for (const json& item : history["data"]["items"]) {
                if (item["direction"] != "in") continue;
                payload = item["payload"];
                if (payload == wanted) return true;
            }
            return false;
        });
        CHECK_MESSAGE(came, "the peer has " << payload.dump() << " instead of " << wanted.dump());
        check_shown(wanted, approval, shown);
    }

    int number_ = 0;
};

/// Returns the id of the seller's listing.
std::string walk_listings(Counter& c) {
    const std::string works_id =
        c.approve("works.publish", {{"type", 3},
                                    {"title", "Portrait photo session"},
                                    {"content", "One hour in the studio, ten edited pictures."},
                                    {"currency", "CNY"},
                                    {"price_type", "FIXED"},
                                    {"fixed_price", 28'117},
                                    {"service_method", "offline"},
                                    {"service_location", "Hangzhou"}})["worksId"];
    c.approve("works.update", {{"works_id", works_id},
                               {"type", 3},
                               {"title", "Portrait photo session"},
                               {"content", "Two hours in the studio, twelve pictures."},
                               {"currency", "CNY"},
                               {"price_type", "NEGOTIABLE"},
                               {"price_min", 28'217},
                               {"price_max", 31'319}});
    const json posted = Counter::made(*c.buyer_market, "discussion.publish",
                                      {{"title", "Frames"}, {"content", "Who makes them?"}});
    c.approve("discussion.publish", {{"title", "Studio"}, {"content", "We move to the river."}});
    c.approve("discussion.reply", {{"parent_works_id", posted["worksId"]},
                                   {"title", "Frames"},
                                   {"content", "We make them of oak."}});
    return works_id;
}

void walk_exchange(Counter& c) {
    const std::string& peer = c.buyer_account.agent_id;
    c.approve("capability.set",
              {{"capabilities", {{{"type", "portraits"}, {"domains", {"studio", "outdoor"}}}}}});
    const std::string rfp_id =
        c.approve("rfp.create", {{"title", "Prints on canvas"},
                                 {"description", "Ten prints, 30 by 40."},
                                 {"capability_type", "prints"},
                                 {"budget", {{"currency", "CNY"}, {"max", 1234.5}}},
                                 {"deadline_at", "2098-01-01T00:00:00Z"}})["rfp_id"];
    Counter::made(*c.buyer_market, "capability.set", {{"capabilities", {{{"type", "prints"}}}}});
    const json offered = Counter::made(*c.buyer_market, "proposal.submit",
                                       {{"rfp_id", rfp_id},
                                        {"price", {{"currency", "CNY"}, {"amount", 1119.5}}},
                                        {"content", "Within a week, framed."}});
    c.approve("proposal.update", {{"proposal_id", offered["proposal_id"]}, {"status", "accepted"}});
    c.approve("rfp.update", {{"rfp_id", rfp_id}, {"status", "closed"}});
    const json wanted = Counter::made(*c.buyer_market, "rfp.create",
                                      {{"title", "A portrait"},
                                       {"description", "Of two people."},
                                       {"capability_type", "portraits"}});
    c.approve("proposal.submit", {{"rfp_id", wanted["rfp_id"]},
                                  {"price", {{"currency", "CNY"}, {"amount", 417.25}}},
                                  {"delivery_at", "2098-02-03"},
                                  {"content", "In the studio, with two prints."}});
    c.approve("session.create", {{"agent_id", peer}, {"rfp_id", wanted["rfp_id"]}});
}

void walk_orders(Counter& c, const std::string& works_id) {
    const std::string& peer = c.buyer_account.agent_id;
    c.approve("order.create", {{"customer_id", peer},
                               {"title", "Portrait photo session"},
                               {"content", "Two hours, and an album."},
                               {"price_cent", 29'341},
                               {"currency", "CNY"},
                               {"product_id", works_id},
                               {"order_type", 3}});
    const std::string frames = Counter::made(*c.buyer_market, "works.publish",
                                             {{"type", 3},
                                              {"title", "Oak frames"},
                                              {"content", "A frame of oak."},
                                              {"currency", "CNY"},
                                              {"price_type", "FIXED"},
                                              {"fixed_price", 30'000}})["worksId"];
    const json order = Counter::made(*c.buyer_market, "order.create",
                                     {{"customer_id", c.seller_account.agent_id},
                                      {"title", "Two oak frames"},
                                      {"content", "By Friday."},
                                      {"price_cent", 61'277},
                                      {"currency", "CNY"},
                                      {"product_id", frames},
                                      {"order_type", 3}});
    c.approve("order.action", {{"order_id", order["orderId"]}, {"action", "confirm"}});
}

void walk_messages(Counter& c, const std::string& works_id) {
    const std::string& peer = c.buyer_account.agent_id;
    const auto send = [&](json what) {
        what["target_agent_id"] = peer;
        c.approve("send", what);
    };
    send({{"text", "We come on Friday and bring 2 lamps, 👍🏽 ❤\ufe0f."}});
    send({{"extra_payload",
           {{"type", "offer"},
            {"price", {{"amount", 283.5}, {"currency", "CNY"}}},
            {"valid_until", "2098-01-01T00:00:00Z"},
            {"summary", "With an album of 20 pages"}}},
          {"works_id", works_id}});
    send({{"text", "Pay here, please."},
          {"payment_qr", "https://files.example/pay-7731.png"},
          {"payment_qr_type", "alipay"}});
    send({{"text", "The plan."},
          {"attachment_url", "https://files.example/plan-8842.pdf"},
          {"attachment_name", "plan.pdf"},
          {"extra_payload",
           {{"own member", "some words"}, {"many", {{{"depth", 7'731}, {"flag", true}}, "x9"}}}}});
    c.approve("approval.create", {{"peer_id", peer},
                                  {"question", "May I promise Friday?"},
                                  {"context", "They asked for a day."},
                                  {"reply_text", "Friday at 10 is fine."}});
    c.approve("introduction.request", {{"target_agent_id", peer},
                                       {"reason", "We need somebody who frames."},
                                       {"required_capability", "frames"}});
    c.approve("task.assign", {{"target_agent_id", peer},
                              {"task_brief",
                               {{"objective", "Frame ten prints"},
                                {"constraints", {"Of oak"}},
                                {"inputs", "The prints"},
                                {"outputs", "Ten frames"},
                                {"completion_criteria", "All are framed"}}}});
}

}  // namespace

TEST_CASE("a yes releases exactly what every surface has shown, whichever it is given on") {
    Counter c;
    const std::string works_id = walk_listings(c);
    walk_exchange(c);
    walk_orders(c, works_id);
    walk_messages(c, works_id);
    c.approve("works.delete", {{"works_id", works_id}});
    MESSAGE(c.walked.size() << " operations, " << c.members << " members");
    CHECK(c.members > 150);
    for (const catalogue::Operation& operation : catalogue::operations()) {
        const std::string action(operation.action);
        const bool may_ask = operation.is_for_assistants() && !operation.hints.read_only &&
                             operation.hints.open_world;
        CHECK_MESSAGE((!may_ask || c.walked.contains(action) || kElsewhere.contains(action)),
                      action);
    }
}
