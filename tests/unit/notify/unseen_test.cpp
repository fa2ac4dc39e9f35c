// Notifications and cards show every code point of Unicode that people cannot see by its code.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/wire/json_member.h"
#include "daemon/card/card.h"
#include "daemon/notify/kinds.h"
#include "daemon/notify/render.h"
#include "tests/support/unseen_question.h"

using namespace a2h;
using i18n::Language;
using nlohmann::json;
using test::UnseenText;

namespace {

void check_unseen(const std::string& where, const std::string& shown) {
    if (const std::string raw = test::first_unseen(shown); !raw.empty())
        FAIL_CHECK(where << " contains " << raw);
}

void check_shown(const std::string& where, const std::string& shown, const UnseenText& hidden) {
    check_unseen(where, shown);
    if (const std::string code = test::first_missing(shown, hidden); !code.empty())
        FAIL_CHECK(where << " does not show " << code);
}

Notification row_of(const std::string& kind, const std::string& approval_id, const json& body) {
    Notification row;
    row.id = 3;
    row.kind = kind;
    row.agent_id = "ag_seller";
    row.approval_id = approval_id;
    row.body_json = body.dump();
    return row;
}

/// A body in which each member that a kind of news reads is `hidden`.
json body_of(const std::string& kind, const std::string& hidden) {
    json body{{"text", hidden}, {"instead_of", hidden}, {"name", hidden}, {"title", hidden}};
    for (const notify::BodyArgument& argument : notify::kind_row(kind).arguments) {
        if (!argument.member.empty()) body[std::string(argument.member)] = hidden;
    }
    return body;
}

}  // namespace

TEST_CASE("a notification of a question shows every unseen code point by its code") {
    const UnseenText& assigned = test::assigned_unseen_text();
    const Approval whole = test::question_of(assigned.text);
    const Notification row =
        row_of("approval.asked", whole.id, body_of("approval.asked", assigned.text));
    check_shown("a notification", notify::render(row, &whole, {}, Language::English).text,
                assigned);
    check_unseen("a line of a group",
                 notify::group_line(row, &whole, {}, 1, Language::Chinese).words);
    const Approval over = test::answered(whole, assigned.text);
    check_unseen("a card that is over", notify::render_final(row, over, Language::English).text);
    check_unseen("a line that is over",
                 notify::group_line(row, &over, {}, 1, Language::English).words);
    for (const UnseenText& hidden : test::unseen_texts()) {
        const Approval asked = test::short_question_of(hidden.text);
        const notify::Message message = notify::render(
            row_of("approval.asked", asked.id, json::object()), &asked, {}, Language::English);
        check_shown("a notification", message.text, hidden);
    }
}

TEST_CASE("each line of a card shows every unseen code point of its member by its code") {
    for (const UnseenText* one : {&test::assigned_unseen_text(), &test::unseen_texts().back()}) {
        const UnseenText& hidden = *one;
        const Approval asked = test::question_of(hidden.text);
        const card::Card card = card::card_of(asked, Language::English);
        check_shown("the question", card.question, hidden);
        int whole = 0;
        for (const card::Line& line : card.lines) {
            check_unseen("a label", line.label);
            check_unseen(line.label, line.value);
            whole += test::first_missing(line.value, hidden).empty() ? 1 : 0;
        }
        // Since, also, the peer, the text that a no sends, options, context, the text, the listing,
        // and the receiver, the list and the members with names of their own of the message.
        CHECK(whole >= 10);
        check_shown(
            "a message in words",
            card::message_in_words(json{{hidden.text, hidden.text}}.dump(), Language::English),
            hidden);
        check_shown("a text in words",
                    card::message_in_words(json{{"text", hidden.text}}.dump(), Language::English),
                    hidden);
    }
}

TEST_CASE("news of every kind show what they quote without unseen code points") {
    int kinds = 0;
    for (const char* kind :
         {"approval.expired", "approval.code_void", "code.locked", "config.refused", "key.changed",
          "listening.deaf", "listening.healed", "listening.session_lost", "outbox.dead", "pin.code",
          "pin.locked", "report", "some.other.kind"}) {
        ++kinds;
        {
            const UnseenText& hidden = test::assigned_unseen_text();
            const Approval over = test::answered(test::question_of(hidden.text), hidden.text);
            const notify::Message message = notify::render(
                row_of(kind, over.id, body_of(kind, hidden.text)), &over, {}, Language::English);
            check_unseen(kind, message.title);
            check_unseen(kind, message.text);
        }
    }
    CHECK(kinds == 13);
}
