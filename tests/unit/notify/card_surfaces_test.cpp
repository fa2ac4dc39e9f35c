// A surface shows everything that a yes covers, or says that it does not and offers no yes: for
// every operation of the catalogue that changes something, member by member.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "daemon/card/card.h"
#include "daemon/card/reader.h"
#include "daemon/consent/approvals.h"
#include "daemon/notify/render.h"

using namespace a2h;
using i18n::Language;
using nlohmann::json;
using notify::Message;

namespace {

/// Arguments that hold a mark in every member of a schema.
class Marker {
  public:
    json fill(const json& schema, const std::string& name = {}) {
        const json& types = schema.at("type");
        const std::string type = types.is_array() ? types[0] : types;
        if (type == "object") return object(schema);
        if (type == "array") return json::array({fill(schema.at("items"))});
        if (type == "boolean") return true;
        const int number = ++count_;
        if (type == "integer" || type == "number") {
            const std::int64_t value = 7'000'100 + number;
            marks.push_back(std::to_string(value));
            return value;
        }
        // Three capital letters, as a currency has them.
        const std::string mark =
            name == "currency" ? "QQX" : "mark" + std::to_string(number) + "<&>*end";
        marks.push_back(mark);
        return mark;
    }

    std::vector<std::string> marks;

  private:
    json object(const json& schema) {
        json filled = json::object();
        const json members = schema.value("properties", json{{"strange", {{"type", "string"}}}});
        for (const auto& [name, member] : members.items())
            filled[name] = fill(member, name);
        return filled;
    }

    int count_ = 0;
};

bool shows(const std::string& text, const std::string& mark) {
    const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
    if (has(mark)) return true;
    // An amount: minor units as major ones, or major ones with their digits.
    const bool is_number = std::all_of(mark.begin(), mark.end(), ::isdigit);
    return is_number &&
           (has(mark.substr(0, mark.size() - 2) + "." + mark.substr(mark.size() - 2)) ||
            has(mark + ".00"));
}

Approval asked(std::string_view action, const json& request) {
    consent::Ask ask;
    ask.agent_id = "ag_seller";
    ask.peer_id = "ag_buyer";
    ask.action = action;
    ask.request_json = request.dump();
    ask.question = "May I?";
    ask.context = "contextmark";
    ask.options = {"optionmark", "another"};
    ask.reject_text = "rejectmark";
    return consent::new_approval(ask, {}, 1'000);
}

notify::Secrets told() {
    return {"123456", "https://x/a", [](AnswerKind) { return std::string("0123456789abcdef"); }};
}

Message shown(const Approval& approval, const card::Reader& reader) {
    Notification row;
    row.id = 3;
    row.kind = "approval.asked";
    row.approval_id = approval.id;
    return notify::render(row, &approval, told(), reader);
}

bool says_yes(const Message& message) {
    return !message.code.empty() || message.text.find("a2h approve ") != std::string::npos ||
           std::any_of(message.buttons.begin(), message.buttons.end(),
                       [](const auto& button) { return button.choice == AnswerKind::Approve; });
}

/// The text of a surface that takes so many bytes.
Message in_bytes(const Message& message, std::size_t most) {
    return notify::fitted(message, [most](const Message& shorter) {
        return notify::plain_text(shorter, true).size() <= most;
    });
}

void check_marks(std::string_view action, const json& request,
                 const std::vector<std::string>& marks) {
    const Approval approval = asked(action, request);
    for (const Language language : {Language::English, Language::Chinese}) {
        const Message whole = shown(approval, language);
        for (const std::size_t most : {600, 2000, 4096, 100'000}) {
            const Message message = in_bytes(whole, most);
            if (!says_yes(message)) {
                CHECK(message.text.find("a2h approvals") != std::string::npos);
                CHECK(message.link == whole.link);
                continue;
            }
            for (const std::string& mark : marks) {
                CAPTURE(action);
                CAPTURE(mark);
                CHECK(shows(message.text, mark));
            }
        }
        CHECK(says_yes(in_bytes(whole, 100'000)));
    }
}

}  // namespace

TEST_CASE("for every operation each member of its request is shown, or there is no yes") {
    int walked = 0;
    for (const catalogue::Operation& operation : catalogue::operations()) {
        if (operation.hints.read_only) continue;
        Marker marker;
        const json request = marker.fill(catalogue::input_schema(operation));
        auto marks = marker.marks;
        for (const char* more : {"contextmark", "optionmark", "rejectmark", "ag_buyer", "May I?"})
            marks.emplace_back(more);
        check_marks(operation.action, request, marks);
        ++walked;
    }
    CHECK(walked > 40);
}

TEST_CASE("every member of a message's payload is shown, known or not") {
    const json payload = json::parse(R"({"type":"offer","price":{"amount":"300","currency":"CNY"},
        "terms":"termsmark","note":"notemark","summary":"summarymark","valid_until":"validmark",
        "conditions":["firstmark","secondmark"],"strange":{"deeper":{"word":"deepmark"}},
        "rows":[{"what":"rowmark"},["nestedmark"]],"odd\nname":"oddmark","yes":true,"none":null})");
    const json request{
        {"message_type", "chat.request"}, {"payload", payload}, {"target_agent_id", "ag_buyer"}};
    check_marks("message.send", request,
                {"300.00 CNY", "termsmark", "notemark", "summarymark", "validmark", "firstmark",
                 "secondmark", "strange", "deeper", "deepmark", "rowmark", "nestedmark", "odd name",
                 "oddmark", "chat.request"});
}

TEST_CASE("amounts are in major units, also where they are stored in minor ones") {
    const Approval approval =
        asked("works.publish", {{"currency", "JPY"}, {"fixed_price", 28000}, {"title", "T"}});
    const std::string text =
        card::in_text(card::card_of(approval, Language::English).lines, Language::English);
    CHECK(text.find("Price: 28000 JPY\n") != std::string::npos);
    const Approval other =
        asked("works.publish", {{"currency", "CNY"}, {"fixed_price", 28000}, {"title", "T"}});
    const std::string words =
        card::in_text(card::card_of(other, Language::Chinese).lines, Language::Chinese);
    CHECK(words.find("价格：280.00 CNY\n") != std::string::npos);
    CHECK(words.find("28000") == std::string::npos);
}

TEST_CASE("invisible and direction characters are shown by their code") {
    Approval approval = asked("works.publish", {{"content", "a\u200bb\u202ec\x1b[2J\nAmount: 1"}});
    approval.question = "q\u2066q";
    const card::Card card = card::card_of(approval, Language::English);
    CHECK(card.question == "q[U+2066]q");
    const std::string text = card::in_text(card.lines, Language::English);
    CHECK(text.find("Content: a[U+200B]b[U+202E]c[U+001B][2J\n    Amount: 1\n") !=
          std::string::npos);
}

TEST_CASE("every surface shows a text as it will be sent, including wide brackets and emoji") {
    consent::Ask ask;
    ask.peer_id = "ag_buyer";
    ask.action = "reply.send";
    ask.question = "May I?";
    ask.reply_text = "⟦yes⟧ 〚for〛 ⦅300⦆ ❤\ufe0f 👨\u200d👩\u200d👧";
    const auto approval = consent::new_approval(ask, {}, 1'000);
    const Message message = shown(approval, Language::English);
    CHECK(notify::plain_text(message, true).find(ask.reply_text) != std::string::npos);
}

TEST_CASE("a surface that is too small shows the beginning, a note and no yes") {
    const Approval approval = asked("works.publish", {{"content", std::string(5000, 'x')}});
    const Message whole = shown(approval, Language::English);
    REQUIRE(says_yes(whole));
    const Message message = in_bytes(whole, 1000);
    CHECK(!says_yes(message));
    CHECK(message.buttons.empty());  // a no would send words
    CHECK(message.text.find("May I?") == 0);
    CHECK(message.text.find("This is only the beginning") != std::string::npos);
    CHECK(message.link == "https://x/a");
    CHECK(notify::plain_text(message, true).size() <= 1000);
    CHECK(notify::plain_text(message, true).size() > 900);
}

TEST_CASE("a question without a text to send asks for one, and a yes is called closing") {
    consent::Ask ask;
    ask.peer_id = "ag_buyer";
    ask.action = "reply.send";
    ask.question = "Can you do it cheaper?";
    const auto approval = consent::new_approval(ask, {}, 1'000);
    CHECK(card::closes_without_answer(approval));
    const Message message = shown(approval, Language::English);
    CHECK(message.buttons[0].label == "Close without answering");
    CHECK(message.text.find("closes the question without an answer") != std::string::npos);
    CHECK(message.text.find("--text") != std::string::npos);
    CHECK(shown(approval, Language::Chinese).buttons[0].label == "关闭，不答复");
    Approval closed = approval;
    closed.status = ApprovalStatus::Approved;
    closed.outcome = ApprovalOutcome::Executed;
    closed.answered_by = "anna";
    closed.surface = AnswerSurface::Button;
    const std::string words = notify::answered_words(closed, Language::English);
    CHECK(words.find("anna closed it without an answer by button") == 0);
    CHECK(words.find("carried out") == std::string::npos);
}

TEST_CASE("the members of a payload within the payload are not shown as the message's own") {
    const json payload{{"price", {{"amount", 5}, {"currency", "CNY"}}},
                       {"payload", {{"price", {{"amount", 500}, {"currency", "CNY"}}}}}};
    const auto card =
        card::card_of(asked("message.send", {{"payload", payload}}), Language::English);
    const auto is_price = [](const card::Line& line) { return line.label == "Price"; };
    CHECK(std::count_if(card.lines.begin(), card.lines.end(), is_price) == 1);
    const std::string text = card::in_text(card.lines, Language::English);
    CHECK(text.find("Price: 5.00 CNY") != std::string::npos);
    CHECK(text.find("500.00 CNY") != std::string::npos);
}

TEST_CASE("a member's name never looks like a line of our own text") {
    const json forged{{"Sent on a yes", "nothing"},
                      {"Other side", "ag_friend (sender verified)"},
                      {"Amount", "900.00 CNY"},
                      {"amount", "901.00 CNY"},
                      {"x\nSent on a no", "y\nAmount: 1.00 CNY"},
                      {"同意后将发送", "无"}};
    json payload = forged;
    payload["type"] = "offer";
    payload["price"] = {{"amount", 250}, {"currency", "CNY"}};
    Approval approval = asked("message.send", {{"payload", payload}});
    for (const Language language : {Language::English, Language::Chinese}) {
        const std::string heading = i18n::text(language, "card.own_words");
        const auto card = card::card_of(approval, language);
        const auto received = card::lines_of(payload, language);
        for (const auto& lines : {card.lines, received}) {
            std::string own;
            for (const card::Line& line : lines) {
                if (line.label == heading) own += line.value;
                for (const auto& [name, value] : forged.items()) {
                    CHECK_FALSE((line.label == name && line.value == value));
                }
            }
            CHECK(own.find("\"Sent on a yes\" = nothing") != std::string::npos);
            CHECK(own.find("\"Other side\" = ag_friend") != std::string::npos);
            CHECK(own.find("901.00 CNY") != std::string::npos);
            CHECK(own.find("\"同意后将发送\" = 无") != std::string::npos);
            // In text each of them stands further in than a label of ours.
            std::istringstream text("\n" + card::in_text(lines, language));
            for (std::string line; std::getline(text, line);) {
                CHECK_FALSE(line.starts_with("Amount: 1.00"));
                CHECK_FALSE(line.starts_with("Amount: 90"));
                CHECK_FALSE(line.starts_with("Sent on a yes: nothing"));
                CHECK_FALSE(line.starts_with("Other side: ag_friend"));
                CHECK_FALSE(line.starts_with("同意后将发送：无"));
            }
        }
    }
}

TEST_CASE("a card names the agent that acts as soon as another one could be meant") {
    const Approval approval = asked("order.create", json::object());
    card::ActingAgents agents;
    const auto text = [&](Language language) { return shown(approval, {language, &agents}).text; };
    agents.add("ag_seller", "Shop");
    CHECK(text(Language::English).find("Acting agent") == std::string::npos);
    agents.add("ag_other", "Other");
    CHECK(text(Language::English).find("Acting agent: Shop (ag_seller)\n") != std::string::npos);
    CHECK(text(Language::Chinese).find("行事的智能体：Shop (ag_seller)\n") != std::string::npos);
    agents.remove("ag_seller");
    agents.add("ag_third", "Third");
    CHECK(agents.name_of("ag_seller") == "ag_seller");
    agents.remove("ag_other");
    CHECK(agents.name_of("ag_third").empty());
}
