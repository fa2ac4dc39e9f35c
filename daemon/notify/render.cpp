#include "daemon/notify/render.h"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/json_member.h"
#include "daemon/card/card.h"
#include "daemon/notify/kinds.h"

namespace a2h::notify {
namespace {

using i18n::Language;
using nlohmann::json;
using Kind = card::Line::Kind;

/// A final card repeats the beginning of the question, but not what a yes covered.
constexpr std::size_t kFinalQuestionMax = 600;

std::vector<card::Line> lines_of(const Approval& approval, Language language,
                                 std::initializer_list<Kind> kinds) {
    auto lines = card::card_of(approval, language).lines;
    std::erase_if(lines, [&](const card::Line& line) {
        return std::find(kinds.begin(), kinds.end(), line.kind) == kinds.end();
    });
    return lines;
}

/// The question and everything that a yes covers.
std::string covered_text(const Approval& approval, const card::Reader& reader) {
    const card::Card card = card::card_of(approval, reader);
    return card.question + "\n" + card::in_text(card.lines, reader.language);
}

std::string answer_by(const Approval& approval, Language language) {
    return i18n::text(language, "notify.answer_by",
                      {{"time", to_local_time(approval.answer_by_ms)}}) +
           "\n";
}

/// How to say yes, or that this person cannot.
std::string command_line(const Approval& approval, const Secrets& secrets, Language language) {
    if (!secrets.may_approve) return i18n::text(language, "notify.others_decide");
    const bool closes = card::closes_without_answer(approval);
    const std::string option =
        secrets.person_option.empty() ? "" : " --person " + secrets.person_option;
    return i18n::text(language, closes ? "notify.command_text" : "notify.command",
                      {{"id", approval.id + option}});
}

/// Whether `i18n::text` shows `words` as they are: 5" long is not 5' long.
bool is_unchanged_in_quotation(const std::string& words) {
    return with_single_quotes(words) == words;
}

struct ShortAsked {
    std::string text;
    bool whole = true;  ///< it contains everything that a yes covers
};

/// On one line.
ShortAsked short_asked(const Approval& approval, const card::Reader& reader) {
    const Language language = reader.language;
    const card::Card card = card::card_of(approval, reader);
    std::string amount;
    std::string rest;
    bool whole = true;
    for (const card::Line& line : card.lines) {
        if (line.kind == Kind::Text) {
            rest += " · " + i18n::text(language, "notify.group_on_yes", {{"text", line.value}});
            whole = whole && is_unchanged_in_quotation(line.value);
        } else if (line.kind == Kind::Peer) {
            rest += " · " + line.value;
        } else if (line.kind == Kind::Amount) {
            amount = " · " + line.value;
        } else {
            whole = whole && line.kind == Kind::NothingSent;
        }
    }
    const std::string all = card.question + amount + rest;
    whole = whole && code_point_count(all) <= kGroupLineMax && all.find('\n') == std::string::npos;
    if (whole) return {all, true};
    return {preview(card.question) + amount + " · " + i18n::text(language, "notify.group_partly"),
            false};
}

/// Everything that a yes covers, and until when it can be given.
Words question_words(const Approval& approval, const json& body, const Secrets& secrets,
                     const card::Reader& reader) {
    const Language language = reader.language;
    const std::string other = printable(wire::text_member(body, "instead_of"));
    const std::string why =
        other.empty() ? "" : i18n::text(language, "notify.instead_of", {{"person", other}}) + "\n";
    return {i18n::text(language, "notify.asked_title"),
            why + covered_text(approval, reader) + answer_by(approval, language) +
                command_line(approval, secrets, language)};
}

/// Whether the row shows a question. `approval` is the one that the row is about.
bool is_open_question(const Notification& row, const Approval* approval) {
    return row.kind == kAskedKind && approval != nullptr;
}

Words all_words(const Notification& row, const Approval* approval, const Secrets& secrets,
                const card::Reader& reader) {
    json body = json::parse(row.body_json, nullptr, false);
    if (!body.is_object()) body = json::object();
    if (is_open_question(row, approval)) return question_words(*approval, body, secrets, reader);
    return words_of({row, approval, body, reader.language});
}

std::string_view where_key(AnswerSurface surface) {
    switch (surface) {
        case AnswerSurface::Page:
            return "notify.on_page";
        case AnswerSurface::Terminal:
            return "notify.on_terminal";
        case AnswerSurface::Code:
            return "notify.on_code";
        case AnswerSurface::Button:
            return "notify.on_button";
        case AnswerSurface::Mandate:
            return "notify.on_mandate";
        case AnswerSurface::Relayed:
            return "notify.on_relayed";
        case AnswerSurface::Clock:
        case AnswerSurface::System:
            break;
    }
    return "notify.on_clock";
}

std::string_view status_key(ApprovalStatus status) {
    switch (status) {
        case ApprovalStatus::Pending:
            return "notify.final_pending";
        case ApprovalStatus::Approved:
            return "notify.final_approved";
        case ApprovalStatus::Rejected:
            return "notify.final_rejected";
        case ApprovalStatus::Instructed:
            return "notify.final_instructed";
        case ApprovalStatus::Expired:
            return "notify.final_expired";
        case ApprovalStatus::Cancelled:
            break;
    }
    return "notify.final_cancelled";
}

/// Somebody has said yes to a question without a text, so that nothing was sent or done.
bool is_closed_without_answer(const Approval& approval) {
    return approval.status == ApprovalStatus::Approved && card::closes_without_answer(approval);
}

/// Empty if there is nothing to report.
std::string outcome_words(const Approval& approval, Language language) {
    switch (approval.outcome) {
        case ApprovalOutcome::None:
            return {};
        case ApprovalOutcome::Executing:
            return i18n::text(language, "notify.outcome_executing");
        case ApprovalOutcome::Executed:
            return i18n::text(language, waits_to_be_sent(approval) ? "notify.outcome_queued"
                                                                   : "notify.outcome_executed");
        case ApprovalOutcome::Failed:
            return i18n::text(language, "notify.outcome_failed",
                              {{"why", preview(printable(approval.outcome_detail))}});
        case ApprovalOutcome::Unknown:
            return i18n::text(language, "notify.outcome_unknown");
        case ApprovalOutcome::Expired:
            return i18n::text(language, "notify.outcome_expired");
    }
    return {};
}

bool sends_words_on_no(const Approval& approval) {
    return !approval.reject_text.empty();
}

/// Whether a message about `approval` that shows the whole card, or only a part, offers a no.
bool offers_no(const Approval& approval, bool whole) {
    return whole || !sends_words_on_no(approval);
}

std::vector<Button> buttons_of(std::int64_t row, const Approval& approval, const Secrets& secrets,
                               bool whole, Language language) {
    std::vector<Button> buttons;
    const auto add = [&](AnswerKind choice, std::string_view label) {
        const std::string token = secrets.button_token ? secrets.button_token(choice) : "";
        if (token.empty()) return;
        buttons.push_back({choice, i18n::text(language, label), button_id(row, choice, token)});
    };
    const bool closes = card::closes_without_answer(approval);
    if (whole && secrets.may_approve)
        add(AnswerKind::Approve, closes ? "notify.button_close" : "notify.button_approve");
    if (offers_no(approval, whole)) add(AnswerKind::Reject, "notify.button_reject");
    return buttons;
}

}  // namespace

Message render(const Notification& notification, const Approval* approval, const Secrets& secrets,
               const card::Reader& reader) {
    const Language language = reader.language;
    Words words = all_words(notification, approval, secrets, reader);
    Message message;
    message.language = language;
    message.id = notification.id;
    message.kind = notification.kind;
    message.priority = notification.priority;
    message.title = std::move(words.title);
    message.text = std::move(words.text);
    message.approval_id = notification.approval_id;
    if (!kind_row(notification.kind).code_key.empty()) message.code = secrets.code;
    if (is_open_question(notification, approval)) {
        if (secrets.may_approve) message.code = secrets.code;
        message.link = secrets.link;
        message.buttons = buttons_of(notification.id, *approval, secrets, true, language);
        message.no_sends_words = sends_words_on_no(*approval);
        message.cut_ending =
            i18n::text(language, "notify.too_long") + "\n" + answer_by(*approval, language);
        message.covered_bytes = message.text.size() - answer_by(*approval, language).size() -
                                command_line(*approval, secrets, language).size();
    }
    return message;
}

std::string code_line(const Message& message) {
    const std::string_view own = kind_row(message.kind).code_key;
    return i18n::text(message.language, own.empty() ? "notify.code_line" : own,
                      {{"code", message.code}});
}

std::string answered_words(const Approval& approval, Language language) {
    if (approval.closed_by) return card::closed_in_words(approval, language);
    const AnswerSurface surface = approval.surface.value_or(AnswerSurface::System);
    const bool closed = is_closed_without_answer(approval);
    std::string text =
        i18n::text(language, closed ? "notify.final_closed" : status_key(approval.status),
                   {{"who", printable(approval.answered_by)},
                    {"where", i18n::text(language, where_key(surface))},
                    {"time", to_local_time(approval.answered_at_ms)}});
    const std::string outcome = closed ? std::string() : outcome_words(approval, language);
    return outcome.empty() ? text : text + "\n" + outcome;
}

Message render_final(const Notification& notification, const Approval& approval,
                     Language language) {
    Message message;
    message.language = language;
    message.id = notification.id;
    message.kind = "approval.answered";
    message.priority = Priority::Low;
    message.title =
        i18n::text(language, approval.status == ApprovalStatus::Expired ? "notify.expired_title"
                                                                        : "notify.final_title");
    message.text =
        std::string(truncate(shown_whole(approval.question), kFinalQuestionMax)) + "\n" +
        card::in_text(lines_of(approval, language, {Kind::Peer, Kind::Amount}), language) +
        answered_words(approval, language);
    message.approval_id = approval.id;
    return message;
}

GroupLine group_line(const Notification& notification, const Approval* approval,
                     const Secrets& secrets, int number, const card::Reader& reader) {
    const Language language = reader.language;
    if (!is_open_question(notification, approval))
        return {notification, preview(all_words(notification, approval, secrets, reader).text)};
    if (approval->status != ApprovalStatus::Pending) {
        return {notification, preview(printable(approval->question)) + " — " +
                                  preview(answered_words(*approval, language))};
    }
    const ShortAsked asked = short_asked(*approval, reader);
    GroupLine line{notification, asked.text + " (" + approval->id + ")"};
    if (!secrets.may_approve) {
        const bool with_no = offers_no(*approval, asked.whole);
        line.words += " · " + i18n::text(language, with_no ? "notify.others_decide"
                                                           : "notify.yes_does_not_count");
    }
    line.buttons = buttons_of(notification.id, *approval, secrets, asked.whole, language);
    for (Button& button : line.buttons) {
        button.number = number;
        button.label = std::to_string(number) + " " + button.label;
    }
    line.link = secrets.link;
    return line;
}

Message render_group(const std::vector<GroupLine>& shown, std::int64_t count,
                     const std::string& page_url, Language language) {
    Message message;
    message.language = language;
    message.kind = "group";
    message.title = i18n::text(language, "notify.group_title", {{"count", std::to_string(count)}});
    std::string after;
    bool links = false;
    for (const GroupLine& line : shown) {
        if (message.id == 0) message.id = line.row.id;
        message.priority = std::max(message.priority, line.row.priority);
        const std::string words =
            std::to_string(&line - shown.data() + 1) + ". " + line.words + "\n";
        message.text += words;
        message.linked_text += words + (line.link.empty() ? "" : line.link + "\n");
        message.buttons.insert(message.buttons.end(), line.buttons.begin(), line.buttons.end());
        links = links || !line.link.empty();
    }
    const std::int64_t rest = count - static_cast<std::int64_t>(shown.size());
    if (rest > 0) {
        after = i18n::text(language, "notify.group_rest", {{"count", std::to_string(rest)}}) + "\n";
    }
    after += i18n::text(language, "notify.group_command");
    message.text += after;
    message.linked_text = links ? message.linked_text + after : std::string();
    message.link = page_url;
    return message;
}

Message fitted(Message message, const std::function<bool(const Message&)>& fits) {
    if (fits(message)) return message;
    std::erase_if(message.buttons, [&](const Button& button) {
        return button.choice == AnswerKind::Approve || message.no_sends_words;
    });
    const bool is_question = !message.cut_ending.empty();
    if (is_question) message.code.clear();
    const std::string text =
        is_question ? message.text.substr(0, message.covered_bytes) : message.text;
    const std::string linked = message.linked_text;
    const std::string ending = is_question ? "…\n" + message.cut_ending : "…";
    std::size_t least = 0;
    std::size_t most = std::max(code_point_count(text), code_point_count(linked));
    const auto cut_to = [&](std::size_t points) {
        message.text = std::string(truncate(text, points)) + ending;
        if (!linked.empty()) message.linked_text = std::string(truncate(linked, points)) + ending;
    };
    while (least < most) {
        const std::size_t middle = least + (most - least + 1) / 2;
        cut_to(middle);
        if (fits(message)) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    cut_to(least);
    return message;
}

std::string button_id(std::int64_t row, AnswerKind choice, std::string_view token) {
    const char letter = choice == AnswerKind::Approve ? 'y' : 'n';
    return std::to_string(row) + "." + letter + "." + std::string(token);
}

std::optional<PressedButton> parse_button(std::string_view id) {
    PressedButton pressed;
    const char* end = id.data() + id.size();
    const auto [after, error] = std::from_chars(id.data(), end, pressed.row);
    if (error != std::errc() || pressed.row <= 0 || end - after < 4) return std::nullopt;
    const std::string_view rest(after, static_cast<std::size_t>(end - after));
    if (rest[0] != '.' || rest[2] != '.' || rest.size() > 68) return std::nullopt;
    if (rest[1] != 'y' && rest[1] != 'n') return std::nullopt;
    pressed.choice = rest[1] == 'y' ? AnswerKind::Approve : AnswerKind::Reject;
    pressed.token = rest.substr(3);
    return pressed;
}

std::string text_with_code(const Message& message, bool with_links) {
    const bool linked = with_links && !message.linked_text.empty();
    std::string text = linked ? message.linked_text : message.text;
    if (!message.code.empty()) {
        text += "\n" + code_line(message);
    }
    return text;
}

std::string plain_text(const Message& message, bool with_links) {
    std::string link;
    if (!message.link.empty()) {
        link = "\n" + i18n::text(message.language, "notify.link_line", {{"link", message.link}});
    }
    return message.title + "\n" + text_with_code(message, with_links) + link;
}

}  // namespace a2h::notify
