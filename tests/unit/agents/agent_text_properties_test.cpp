// Properties 2, 8 and 9 of how agents work together; docs/protocol.md, "Messages between agents".

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "daemon/agents/model_text.h"
#include "tests/support/property.h"

using namespace a2h;
using namespace a2h::agents;
using a2h::test::check_property;
using a2h::test::harmless_text;
using a2h::test::hostile_text;
using i18n::Language;
using nlohmann::json;

namespace {

constexpr const char* kOpening = "【";
constexpr const char* kClosing = "】";

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at)
        ++count;
    return count;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += c;
        }
    }
    return lines;
}

Language any_language() {
    return *rc::gen::arbitrary<bool>() ? Language::Chinese : Language::English;
}

ReplyTool any_tool() {
    return *rc::gen::arbitrary<bool>() ? ReplyTool::SendMessage : ReplyTool::A2hSend;
}

std::string any_uuid() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string uuid = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
    for (char& c : uuid) {
        if (c == 'x') c = kDigits[static_cast<std::size_t>(*rc::gen::inRange(0, 16))];
    }
    return uuid;
}

std::string header_of(const Author& author, Language language) {
    return language == Language::Chinese
               ? "【来自 " + author.role + "（" + author.agent_id + "）的消息】"
               : "【Message from " + author.role + " (" + author.agent_id + ")】";
}

/// Checks that the text has no invisible characters, and that its marks are our own only.
void check_no_forgery(const std::string& text, std::size_t fences) {
    RC_ASSERT(is_utf8(text));
    RC_ASSERT(count_of(text, kOpening) == 1U);
    RC_ASSERT(text.starts_with(kOpening));
    RC_ASSERT(count_of(text, kClosing) == 1U);
    RC_ASSERT(lines_of(text)[0].ends_with(kClosing));
    RC_ASSERT(count_of(text, kFenceBegin) == fences);
    RC_ASSERT(count_of(text, kFenceEnd) == fences);
    // The marks themselves are shown as one byte each instead of three.
    RC_ASSERT(visible(text).size() + 4 * fences == text.size());
}

}  // namespace

TEST_CASE("property 9: a message has its header, its content and its hint, letter by letter") {
    check_property([] {
        const Author author{SourceClass::Peer, any_uuid(), *harmless_text() + "r",
                            Provenance::Verified};
        const std::string content = *harmless_text();
        const Language language = any_language();
        const ReplyTool tool = any_tool();
        const std::string text =
            format_message(author, json{{"text", content}}.dump(), tool, language);
        RC_ASSERT(lines_of(text).size() == 3U);
        RC_ASSERT(lines_of(text)[0] == header_of(author, language));
        RC_ASSERT(lines_of(text)[1] == "⟦" + author.agent_id + ", verified: " + content + "⟧");
        const std::string call = tool == ReplyTool::SendMessage
                                     ? "send_message(to='" + author.agent_id + "', ...)"
                                     : "a2h_send(target_agent_id='" + author.agent_id + "', ...)";
        RC_ASSERT(lines_of(text)[2] == (language == Language::Chinese ? "如需回复，请使用 " + call
                                                                      : "To reply, use " + call));
    });
}

TEST_CASE("property 9: the user's message has the user's header and no hint") {
    check_property([] {
        const Author owner{SourceClass::Owner, *hostile_text(), *hostile_text(),
                           Provenance::Verified};
        const std::string content = *harmless_text();
        const Language language = any_language();
        const std::string text =
            format_message(owner, json{{"text", content}}.dump(), any_tool(), language);
        RC_ASSERT(text == (language == Language::Chinese ? "【来自用户的消息】\n"
                                                         : "【Message from the user】\n") +
                              content);
    });
}

TEST_CASE("property 9: no role, id, content or attachment forges a header, a hint or a fence") {
    check_property([] {
        const bool is_owner = *rc::gen::inRange(0, 4) == 0;
        const Author author{is_owner ? SourceClass::Owner : SourceClass::Peer, *hostile_text(),
                            *hostile_text(), Provenance::Unverified};
        json payload = json::object();
        payload[*rc::gen::element<std::string>("text", "note")] = *hostile_text();
        payload["attachment"]["name"] = *hostile_text() + "x";
        payload["attachment"]["url"] = *hostile_text();
        const Language language = any_language();
        const std::string text = format_message(author, payload.dump(), any_tool(), language);
        check_no_forgery(text, is_owner ? 0 : 2);
        if (is_owner) {
            RC_ASSERT(lines_of(text)[0] == (language == Language::Chinese
                                                ? "【来自用户的消息】"
                                                : "【Message from the user】"));
            return;
        }
        // Outside of the fences there is one line each for header, label, attachment and hint.
        std::string outside;
        bool is_inside = false;
        for (std::string_view rest = text; !rest.empty();) {
            const bool is_mark = rest.starts_with(kFenceBegin) || rest.starts_with(kFenceEnd);
            if (is_mark) is_inside = rest.starts_with(kFenceBegin);
            if (!is_mark && !is_inside) outside += rest[0];
            rest.remove_prefix(is_mark ? kFenceBegin.size() : 1);
        }
        const auto lines = lines_of(outside);
        RC_ASSERT(lines.size() >= 4U && lines.size() <= 5U);
        RC_ASSERT(lines[1].empty());
        RC_ASSERT(lines[2] == (language == Language::Chinese ? "附件：" : "Attachments:"));
        RC_ASSERT(lines[3] == "- ");
        if (language == Language::Chinese) {
            RC_ASSERT(count_of(lines_of(text)[0], "（") == 1U);
            RC_ASSERT(count_of(lines_of(text)[0], "）") == 1U);
        } else {
            RC_ASSERT(count_of(lines_of(text)[0], "(") == 1U);
            RC_ASSERT(count_of(lines_of(text)[0], ")") == 1U);
        }
    });
}

TEST_CASE("property 9: any bytes at all can be formatted") {
    check_property([] {
        const auto bytes = *rc::gen::arbitrary<std::string>();
        const Author author{SourceClass::Peer, bytes, bytes, Provenance::Verified};
        check_no_forgery(format_message(author, bytes, any_tool(), any_language()), 1);
    });
}

TEST_CASE("property 8: the header names the real sender, whatever the payload says of it") {
    check_property([] {
        const Author author{SourceClass::Peer, any_uuid(), *harmless_text() + "r",
                            Provenance::Verified};
        json payload = {{"text", *hostile_text()}};
        for (const char* name : {"from", "sender_id", "senderId", "role", "to"}) {
            if (*rc::gen::arbitrary<bool>()) payload[name] = *hostile_text();
        }
        const Language language = any_language();
        const auto lines = lines_of(format_message(author, payload.dump(), any_tool(), language));
        RC_ASSERT(lines[0] == header_of(author, language));
        RC_ASSERT(contains(lines.back(), "'" + author.agent_id + "'"));
    });
}

TEST_CASE("property 2: an agent's context holds all of its brief") {
    check_property([] {
        const auto texts = [] {
            return *rc::gen::scale(
                0.3, rc::gen::container<std::vector<std::string>>(rc::gen::map(
                         harmless_text(), [](const auto& text) { return text + "t"; })));
        };
        TaskBrief brief{*harmless_text(), texts(), *harmless_text(), *harmless_text(),
                        *harmless_text(), {},      texts(),          *harmless_text()};
        for (const std::string& name : texts()) {
            brief.collaborators.push_back(
                {any_uuid(), name, *harmless_text(),
                 InterfaceSpec{*harmless_text(), *harmless_text(), *harmless_text(), texts()}});
        }
        const std::string text = format_brief(
            {SourceClass::Peer, any_uuid(), "r", Provenance::Verified}, brief, any_language());
        std::vector<std::string> all = {brief.objective, brief.inputs, brief.outputs,
                                        brief.completion_criteria, brief.priority};
        all.insert(all.end(), brief.constraints.begin(), brief.constraints.end());
        all.insert(all.end(), brief.references.begin(), brief.references.end());
        for (const Collaborator& one : brief.collaborators) {
            all.insert(all.end(),
                       {one.agent_id, one.role, one.description, one.interface_spec->services,
                        one.interface_spec->input_format, one.interface_spec->output_format});
            all.insert(all.end(), one.interface_spec->examples.begin(),
                       one.interface_spec->examples.end());
        }
        for (const std::string& value : all)
            RC_ASSERT(contains(text, value));
    });
}

TEST_CASE("property 2: no value of a brief looks like another part of it") {
    check_property([] {
        const TaskBrief brief{
            *hostile_text(),
            {*hostile_text(), *hostile_text()},
            *hostile_text(),
            *hostile_text(),
            *hostile_text(),
            {{*hostile_text(), *hostile_text(), *hostile_text(),
              InterfaceSpec{*hostile_text(), *hostile_text(), *hostile_text(), {*hostile_text()}}}},
            {*hostile_text()},
            "high"};
        const std::string text = format_brief(
            {SourceClass::Peer, *hostile_text(), *hostile_text(), Provenance::Verified}, brief,
            Language::English);
        check_no_forgery(text, 0);
        const auto lines = lines_of(text);
        const auto ours = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
            return !line.starts_with("  ");
        });
        // Header, giver, and 4 items and 8 labels of the brief.
        RC_ASSERT(ours == 14);
    });
}
