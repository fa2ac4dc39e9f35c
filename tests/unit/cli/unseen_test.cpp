// A terminal shows every code point of Unicode that people cannot see by its code.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/approval_text.h"
#include "cli/events.h"
#include "cli/mail_text.h"
#include "cli/mandate_text.h"
#include "cli/notifications.h"
#include "cli/status.h"
#include "tests/support/unseen.h"

using namespace a2h;
using nlohmann::json;
using test::UnseenText;

namespace {

using Renderer = std::string (*)(const cli::Invocation&, const json&);

std::string shown_by(Renderer renderer, const json& data) {
    return renderer(cli::Invocation(), data);
}

void check_unseen(const std::string& where, const std::string& shown) {
    if (const std::string raw = test::first_unseen(shown); !raw.empty())
        FAIL_CHECK(where << " contains " << raw);
}

void check_shown(const std::string& where, const std::string& shown, const UnseenText& hidden) {
    check_unseen(where, shown);
    if (const std::string code = test::first_missing(shown, hidden); !code.empty())
        FAIL_CHECK(where << " does not show " << code);
}

/// A row in which each member that any renderer shows is `hidden`.
json row_of(const std::string& hidden) {
    json row;
    for (const char* name :
         {"approval_id", "question",   "status",    "outcome",       "action",         "peer_id",
          "amount",      "currency",   "text",      "direction",     "provenance",     "state",
          "message_id",  "reply_text", "answer_by", "last_at",       "kind",           "subject",
          "at",          "detail",     "code",      "message",       "next",           "name",
          "agent_id",    "mandate_id", "works_id",  "listing_title", "until",          "last_error",
          "target_id",   "channel",    "person",    "error",         "outcome_detail", "id"})
        row[name] = hidden;
    row["payload"] = {{hidden, hidden}};
    row["covers"] = json::array({{{"label", hidden}, {"value", hidden}},
                                 {{"member", hidden}, {"value", hidden + "\n" + hidden}}});
    return row;
}

}  // namespace

TEST_CASE("a terminal shows every unseen code point of a question by its code") {
    for (const UnseenText& hidden : test::unseen_texts()) {
        json approval{{"approval_id", "apr_1"}, {"status", "pending"}, {"question", "May I?"}};
        approval["covers"] = json::array({{{"label", "Text"}, {"value", hidden.text}}});
        const std::string covered =
            shown_by(cli::render_approvals, {{"approvals", json::array({approval})}});
        check_shown("what a yes covers", covered, hidden);
        approval["covers"] = json::array({{{"member", hidden.text}, {"value", "x"}}});
        approval["question"] = hidden.text;
        const json list{{"approvals", json::array({approval})}};
        check_shown("a question", shown_by(cli::render_approvals, list), hidden);
        check_shown("a question", shown_by(cli::render_approval, list), hidden);
    }
}

TEST_CASE("a terminal shows messages and everything else without unseen code points") {
    const std::pair<const char*, Renderer> renderers[] = {
        {"status", cli::render_status},
        {"conversations", cli::render_conversations},
        {"history", cli::render_history},
        {"sent", cli::render_sent},
        {"approvals", cli::render_approvals},
        {"answered", cli::render_answered},
        {"answered many", cli::render_answered_many},
        {"mandates", cli::render_mandates},
        {"outbox", cli::render_outbox},
        {"channels", cli::render_channels},
        {"notifications", cli::render_notifications},
        {"events", cli::render_events}};
    for (const UnseenText* one : {&test::assigned_unseen_text(), &test::unseen_texts().back()}) {
        const UnseenText& hidden = *one;
        json data = row_of(hidden.text);
        for (const char* list :
             {"conversations", "items", "approvals", "results", "mandates", "messages", "channels",
              "notifications", "events", "problems", "agents", "uses", "entries", "outbox"})
            data[list] = json::array({row_of(hidden.text)});
        data["connection"] = {{"connected", false}, {"last_error", hidden.text}};
        for (const auto& [name, renderer] : renderers)
            check_unseen(name, shown_by(renderer, data));
    }
}

TEST_CASE("a terminal shows every unseen code point of a peer's message by its code") {
    for (const UnseenText& hidden : test::unseen_texts()) {
        const json said{{"direction", "in"}, {"at", "2026-11-21T10:00:00Z"}, {"text", hidden.text}};
        check_shown(
            "a history",
            shown_by(cli::render_history, {{"peer_id", "ag_bob"}, {"items", json::array({said})}}),
            hidden);
    }
}
