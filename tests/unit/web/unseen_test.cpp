// The page and the page of a link show every code point of Unicode that people cannot see by its
// code, wherever it comes from.
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/wire/payload.h"
#include "daemon/web/link_page_view.h"
#include "tests/support/unseen_question.h"
#include "tests/unit/web/place.h"

using namespace a2h;
using nlohmann::json;
using test::UnseenText;

namespace {

void check_shown(const std::string& where, const std::string& shown, const UnseenText& hidden) {
    if (const std::string raw = test::first_unseen(shown); !raw.empty())
        FAIL_CHECK(where << " contains " << raw);
    if (const std::string code = test::first_missing(shown, hidden); !code.empty())
        FAIL_CHECK(where << " does not show " << code);
}

/// Each text of `value`, and each name, is without unseen characters.
void check_seen(const std::string& where, const json& value) {
    if (value.is_string()) {
        if (const std::string raw = test::first_unseen(value.get_ref<const std::string&>());
            !raw.empty())
            FAIL_CHECK(where << " contains " << raw);
    }
    for (auto item = value.begin(); value.is_structured() && item != value.end(); ++item) {
        if (value.is_object()) check_seen(where, item.key());
        check_seen(where + (value.is_object() ? "/" + item.key().substr(0, 30) : ""), *item);
    }
}

InboxMessage written(const std::string& id, const std::string& hidden) {
    InboxMessage message;
    message.agent_id = "ag_seller";
    message.sender_id = "ag_buyer";
    message.message_id = id;
    message.message_type = "chat.request" + hidden;
    message.trace_id = "trace_1760000000000_0badf00d";
    message.payload_json = json{
        {"text", hidden},
        {"order_id", hidden},
        {"attachment_name", hidden},
        {hidden, hidden}}.dump();
    message.payload_hash = id;
    message.envelope_json = "{}";
    message.provenance = Provenance::Verified;
    message.received_at_ms = test::kNow;
    return message;
}

std::string page_of_link(const Approval& approval) {
    return web::approval_body({.approval = approval,
                               .person = "human",
                               .token = "token",
                               .reader = i18n::Language::English,
                               .notice = {}});
}

}  // namespace

TEST_CASE("the page of a link shows every unseen code point of a question by its code") {
    const UnseenText& assigned = test::assigned_unseen_text();
    const Approval asked = test::question_of(assigned.text);
    check_shown("a question", page_of_link(asked), assigned);
    check_shown("an answer", page_of_link(test::answered(asked, assigned.text)), assigned);
    for (const UnseenText& hidden : test::unseen_texts())
        check_shown("a reply", page_of_link(test::short_question_of(hidden.text)), hidden);
}

TEST_CASE("the page shows every unseen code point of a question by its code") {
    test::Place place;
    place.enter();
    const UnseenText& assigned = test::assigned_unseen_text();
    Approval whole = test::question_of(assigned.text);
    whole.id = "apr_whole";
    whole.peer_id = "ag_buyer";
    REQUIRE(store::insert_approval(*place.database, whole));
    const json full = place.get("/api/approvals/apr_whole");
    check_seen("/api/approvals/", full);
    for (const char* name : {"question", "text", "reject_text", "context"})
        check_shown(name, full.value(name, ""), assigned);
    int number = 0;
    for (const UnseenText& hidden : test::unseen_texts()) {
        Approval approval = test::short_question_of(hidden.text);
        approval.id = "apr_" + std::to_string(++number);
        REQUIRE(store::insert_approval(*place.database, approval));
        const json shown = place.get("/api/approvals/" + approval.id);
        check_seen("/api/approvals/", shown);
        check_shown("text", shown.value("text", ""), hidden);
        bool is_covered = false;
        for (const json& line : shown["covers"])
            is_covered |= test::first_missing(line.value("value", ""), hidden).empty();
        CHECK(is_covered);
    }
    CHECK(number > 400);
}

TEST_CASE("the page shows every unseen code point of a peer's message by its code") {
    test::Place place;
    place.enter();
    int number = 0;
    for (const UnseenText& hidden : test::unseen_texts()) {
        const InboxMessage message = written("msg_" + std::to_string(++number), hidden.text);
        REQUIRE(store::insert_inbox(*place.database, message));
        const json said = place.get("/api/messages?agent=ag_seller&peer=ag_buyer&limit=1");
        REQUIRE(said["messages"].size() == 1);
        check_seen("/api/messages", said);
        check_shown("text", said["messages"][0].value("text", ""), hidden);
        if (number % 50 == 1)
            check_seen("/api/conversations",
                       place.get("/api/conversations?agent=ag_seller&limit=100"));
    }
    CHECK(number > 400);
}
