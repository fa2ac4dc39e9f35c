#include "daemon/web/link_page_view.h"

#include <algorithm>

#include "core/base/fence.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/domain/message.h"
#include "core/web/html.h"
#include "daemon/card/assistants_words.h"
#include "daemon/card/card.h"
#include "daemon/card/options.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/limits.h"
#include "daemon/consent/votes.h"

namespace a2h::web {
namespace {

using i18n::Language;
using Kind = card::Line::Kind;

std::string words(const View& view, std::string_view key, i18n::Arguments arguments = {}) {
    return escape(i18n::text(view.reader.language, key, arguments));
}

std::string said(std::string_view text) {
    return "<p class=\"said\" dir=\"auto\">" + escape(text) + "</p>\n";
}

std::string fact(const std::string& name, const std::string& html) {
    return "<dt>" + name + "</dt><dd>" + html + "</dd>\n";
}

std::string time_html(UnixMs time_ms) {
    return "<time datetime=\"" + to_utc_time(time_ms) + "\">" + to_local_time(time_ms) + "</time>";
}

std::string badge(const View& view) {
    const auto provenance = parse_provenance(view.approval.provenance);
    if (!provenance) return {};
    const auto span = [](std::string_view style, const std::string& text) {
        return " <span class=\"badge " + std::string(style) + "\">" + text + "</span>";
    };
    switch (*provenance) {
        case Provenance::Verified:
            return span("sure", words(view, "page.verified"));
        case Provenance::Vouched:
            return span("sure", words(view, "page.vouched"));
        case Provenance::Unverified:
            return span("unsure", words(view, "page.unverified"));
        case Provenance::Forged:
            return span("unsure", words(view, "page.forged"));
    }
    return {};
}

/// Returns the name of what the assistant called, in words if it is the action itself.
std::string tool_in_words(const View& view, std::string_view tool) {
    for (const card::Line& line : card::card_of(view.approval, view.reader).lines)
        if (line.kind == Kind::Action) return line.value;
    return std::string(tool);
}

std::string asked_by(const View& view) {
    const std::string_view by = view.approval.requested_by;
    if (by.starts_with("rule:")) return words(view, "page.by_rule", {{"rule", by.substr(5)}});
    if (by.starts_with(kTerminalCause)) return words(view, "page.by_terminal");
    if (by.starts_with("tool:"))
        return words(view, "page.by_tool", {{"tool", tool_in_words(view, by.substr(5))}});
    if (by.starts_with("approval:")) return words(view, "page.by_instruction");
    return escape(by);
}

/// All whom a yes tells something, if there are several.
std::string peers(const View& view) {
    for (const card::Line& line : card::card_of(view.approval, view.reader).lines) {
        if (line.kind != Kind::Peer) continue;
        return fact(words(view, "page.peer"),
                    "<bdi class=\"value\">" + escape(line.value) + "</bdi>");
    }
    return {};
}

std::string facts(const View& view) {
    const Approval& approval = view.approval;
    std::string out = "<section><dl>\n";
    if (approval.amount_minor) {
        const std::string amount = to_text(Money{*approval.amount_minor, approval.currency});
        out += fact(words(view, "page.amount"),
                    "<span class=\"amount\">" + escape(amount) + "</span>");
    }
    if (!approval.peer_id.empty()) {
        out += fact(words(view, "page.peer"),
                    "<bdi>" + escape(approval.peer_id) + "</bdi>" + badge(view));
    } else {
        out += peers(view);
    }
    if (!approval.requested_by.empty()) out += fact(words(view, "page.asked_by"), asked_by(view));
    out += fact(words(view, "page.asked_at"), time_html(approval.created_at_ms));
    if (approval.status == ApprovalStatus::Pending) {
        out += fact(words(view, "page.answer_by"), time_html(approval.answer_by_ms));
    }
    return out + "</dl></section>\n";
}

/// The text of these lines among all that a yes covers; empty if there are none.
std::string covered(const View& view, std::initializer_list<Kind> kinds) {
    std::string out;
    for (const card::Line& line : card::card_of(view.approval, view.reader).lines) {
        if (std::find(kinds.begin(), kinds.end(), line.kind) == kinds.end()) continue;
        out += fact("<bdi>" + escape(line.label) + "</bdi>",
                    "<span class=\"value\" dir=\"auto\">" + escape(line.value) + "</span>");
    }
    return out.empty() ? out : "<dl>\n" + out + "</dl>\n";
}

/// The conversation, or an assistant's explanation of the question. What the action itself says is
/// not repeated.
std::string context(const View& view) {
    const bool is_conversation = !view.approval.requested_by.starts_with("tool:");
    for (const card::Line& line : card::card_of(view.approval, view.reader).lines) {
        if (line.kind != Kind::Context) continue;
        return "<section><h2>" + words(view, is_conversation ? "page.context" : "page.background") +
               "</h2>\n" + said(line.value) + "</section>\n";
    }
    return {};
}

/// All parameters of a platform action, because the yes covers them.
std::string request_list(const View& view) {
    std::string action = view.approval.action;
    for (const card::Line& line : card::card_of(view.approval, view.reader).lines) {
        if (line.kind == Kind::Action) action = line.value;
    }
    return "<p>" + words(view, "page.will_do", {{"action", action}}) + "</p>\n" +
           covered(view, {Kind::Text, Kind::Member});
}

std::string hidden(std::string_view name, std::string_view value) {
    return "<input type=\"hidden\" name=\"" + std::string(name) + "\" value=\"" + escape(value) +
           "\">\n";
}

std::string form_start(const View& view) {
    return "<form method=\"post\" action=\"/a/" + escape(view.approval.id) + "/answer\">\n" +
           hidden("p", view.person) + hidden("t", view.token) +
           hidden("digest", view.approval.digest) +
           hidden("lang", i18n::language_tag(view.reader.language));
}

bool has_voted(const View& view) {
    return std::find(view.votes.begin(), view.votes.end(), view.person) != view.votes.end();
}

/// `text` as the content of a field. A tab stays one: the field may be sent back.
std::string with_tabs(std::string_view text) {
    std::string html;
    for (std::size_t tab = 0; (tab = text.find('\t')) != std::string_view::npos;) {
        html += escape(text.substr(0, tab)) + "&#9;";
        text.remove_prefix(tab + 1);
    }
    return html + escape(text);
}

/// Line breaks as a browser sends them back, or CR LF, as LF.
std::string with_lf(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r') {
            if (i + 1 >= text.size() || text[i + 1] != '\n') out += '\n';
        } else {
            out += text[i];
        }
    }
    return out;
}

/// Rows of a field that shows all of `text` on a phone, where a row holds about 40 bytes.
std::size_t rows_of(std::string_view text) {
    constexpr std::size_t kBytesInRow = 40;
    constexpr std::size_t kLeast = 4;
    const auto breaks = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    return std::max(kLeast, text.size() / kBytesInRow + breaks + 1);
}

bool may_approve(const View& view) {
    return consent::check_voter(view.approval, view.person).has_value();
}

std::string on_yes(const View& view) {
    const Approval& approval = view.approval;
    const bool closes = card::closes_without_answer(approval);
    const bool may_edit = may_approve(view) && !has_voted(view);
    if (text_is_editable(approval)) {
        const std::string label =
            closes ? words(view, "page.write_reply") : words(view, "page.on_yes");
        // A browser drops the first line break inside a textarea.
        return "<label for=\"reply_text\">" + label +
               "</label>\n<textarea id=\"reply_text\" name=\"reply_text\" dir=\"auto\" "
               "rows=\"" +
               std::to_string(rows_of(approval.reply_text)) + "\" maxlength=\"" +
               std::to_string(consent::kAnswerTextMax) + "\"" +
               (may_edit ? " aria-describedby=\"reply_hint\"" : " readonly") + ">\n" +
               with_tabs(text_in_form(approval)) + "</textarea>\n" +
               (may_edit ? "<p class=\"dim\" id=\"reply_hint\">" +
                               words(view, closes ? "page.write_hint" : "page.edit_hint") + "</p>\n"
                         : "") +
               covered(view, {Kind::Member});
    }
    if (!consent::row_of(approval.action).answers_peer) return request_list(view);
    return "<p>" + words(view, "page.yes_sends_nothing") + "</p>\n";
}

std::string on_no(const View& view) {
    if (view.approval.reject_text.empty()) {
        return "<p class=\"dim\">" + words(view, "page.no_sends_nothing") + "</p>\n";
    }
    return "<h2>" + words(view, "page.on_no") + "</h2>\n" +
           said(shown_whole(view.approval.reject_text));
}

std::string option_buttons(const View& view) {
    std::string buttons;
    std::string heading = words(view, "page.options");
    for (const card::Line& line : card::card_of(view.approval, view.reader).lines) {
        if (line.kind == Kind::Options) heading = escape(line.label);
    }
    for (const auto& [option, kind] : options_with_buttons(view.approval)) {
        // Options that stand for own words have the form below.
        if (kind == OptionKind::Counter || kind == OptionKind::Answer) continue;
        buttons += "<button name=\"option\" value=\"" + escape(option) + "\">" +
                   escape(card::with_marked_breaks(option)) + "</button>\n";
    }
    if (buttons.empty()) return {};
    return form_start(view) + "<h2>" + heading + "</h2>\n<div class=\"buttons\">\n" + buttons +
           "</div></form>\n";
}

/// How many must agree, and who has.
std::string votes(const View& view) {
    if (view.approval.voters.empty()) return {};
    std::string names;
    for (const std::string& name : view.votes)
        names += (names.empty() ? "" : ", ") +
                 (name == kOwner ? words(view, "card.owner") : escape(name));
    const std::string given = std::to_string(view.votes.size());
    const std::string needed = std::to_string(view.approval.votes_needed);
    std::string out = "<section>";
    for (const card::Line& line : card::card_of(view.approval, view.reader).lines)
        if (line.kind == Kind::Votes) out += "<p>" + escape(line.value) + "</p>\n";
    out += "<p class=\"state\">" +
           words(view, "page.votes", {{"given", given}, {"needed", needed}}) + "</p>\n";
    if (!names.empty()) out += "<p dir=\"auto\">" + names + "</p>\n";
    if (has_voted(view)) out += "<p>" + words(view, "page.voted") + "</p>\n";
    if (!may_approve(view)) out += "<p>" + words(view, "notify.others_decide") + "</p>\n";
    return out + "</section>\n";
}

std::string instruct_form(const View& view) {
    return form_start(view) + "<label for=\"text\">" + words(view, "page.instruct_label") +
           "</label>\n<textarea class=\"short\" id=\"text\" name=\"text\" dir=\"auto\" "
           "required maxlength=\"" +
           std::to_string(consent::kAnswerTextMax) +
           "\" aria-describedby=\"text_hint\"></textarea>\n<p class=\"dim\" id=\"text_hint\">" +
           words(view, "page.instruct_hint") +
           "</p>\n<div class=\"buttons\"><button name=\"choice\" value=\"instruct\">" +
           words(view, "page.instruct") + "</button></div></form>\n";
}

std::string forms(const View& view) {
    const bool voted = has_voted(view);
    std::string out = form_start(view) + on_yes(view) + on_no(view);
    const bool closes = card::closes_without_answer(view.approval);
    const bool may_write = text_is_editable(view.approval);
    const auto button = [&](std::string_view style, std::string_view choice, std::string_view key) {
        return "<button class=\"" + std::string(style) + "\" name=\"choice\" value=\"" +
               std::string(choice) + "\">" + words(view, key) + "</button>\n";
    };
    out += "<div class=\"buttons\">\n";
    if (voted) out += button("", "withdraw", "page.withdraw");
    if (!voted && may_approve(view)) {
        if (!closes) out += button("yes", "approve", "page.approve");
        if (closes && may_write) out += button("yes", "approve", "page.send_answer");
        if (closes) out += button("", "close", "page.close");
    }
    out += "<button class=\"no\" name=\"choice\" value=\"reject\">" + words(view, "page.reject") +
           "</button>\n</div></form>\n";
    out += option_buttons(view);
    return consent::takes_words(view.approval) ? out + instruct_form(view) : out;
}

std::string_view status_key(const Approval& approval) {
    switch (approval.status) {
        case ApprovalStatus::Approved:
            return card::closes_without_answer(approval) ? "page.closed" : "page.approved";
        case ApprovalStatus::Rejected:
            return "page.rejected";
        case ApprovalStatus::Instructed:
            return "page.instructed";
        case ApprovalStatus::Expired:
            return "page.expired";
        case ApprovalStatus::Pending:
        case ApprovalStatus::Cancelled:
            break;
    }
    return "page.cancelled";
}

std::string_view outcome_key(const Approval& approval) {
    switch (approval.outcome) {
        case ApprovalOutcome::None:
            return "page.outcome_none";
        case ApprovalOutcome::Executing:
            return "page.outcome_executing";
        case ApprovalOutcome::Executed:
            if (!consent::row_of(approval.action).answers_peer)
                return waits_to_be_sent(approval) ? "page.outcome_released"
                                                  : "page.outcome_executed";
            if (card::closes_without_answer(approval)) return "page.outcome_nothing";
            return waits_to_be_sent(approval) ? "page.outcome_released" : "page.outcome_sent";
        case ApprovalOutcome::Failed:
            return "page.outcome_failed";
        case ApprovalOutcome::Unknown:
            return "page.outcome_unknown";
        case ApprovalOutcome::Expired:
            break;
    }
    return "page.outcome_expired";
}

std::string surface_words(const View& view) {
    switch (view.approval.surface.value_or(AnswerSurface::System)) {
        case AnswerSurface::Page:
            return words(view, "page.on_page");
        case AnswerSurface::Terminal:
            return words(view, "page.on_terminal");
        case AnswerSurface::Code:
            return words(view, "page.on_code");
        case AnswerSurface::Button:
            return words(view, "page.on_button");
        case AnswerSurface::Mandate:
            return words(view, "page.on_mandate");
        case AnswerSurface::Relayed:
            return words(view, "page.on_relayed");
        case AnswerSurface::Clock:
        case AnswerSurface::System:
            break;
    }
    return {};
}

std::string final_state(const View& view) {
    const Approval& approval = view.approval;
    std::string out = "<section role=\"status\"><p class=\"state\">" +
                      words(view, status_key(approval)) + "</p>\n";
    if (approval.closed_by)
        out += "<p>" + escape(card::closed_in_words(approval, view.reader.language)) + "</p>\n";
    if (!view.next_path.empty()) {
        out += "<p><a href=\"" + escape(view.next_path) + "\">" + words(view, "page.next") +
               "</a></p>\n";
    }
    const std::string surface = surface_words(view);
    if (approval.answered_at_ms != 0) {
        out += "<p class=\"dim\">" + time_html(approval.answered_at_ms) +
               (surface.empty() ? "" : " · " + surface) + "</p>\n";
    }
    if (approval.status == ApprovalStatus::Approved) {
        out += "<p>" + words(view, outcome_key(approval)) + "</p>\n";
        if (!approval.reply_text.empty()) out += said(shown_whole(approval.reply_text));
        if (!consent::row_of(approval.action).answers_peer) out += request_list(view);
        if (!approval.outcome_detail.empty()) {
            out += "<p class=\"dim\">" + escape(approval.outcome_detail) + "</p>\n";
        }
    }
    const bool own_words = approval.status == ApprovalStatus::Instructed ||
                           approval.status == ApprovalStatus::Rejected;
    if (own_words && !approval.answer_text.empty()) {
        out += "<h2>" + words(view, "page.your_words") + "</h2>\n" + said(approval.answer_text);
    }
    return out + "</section>\n";
}

std::string header(const View& view) {
    const Language other =
        view.reader.language == Language::Chinese ? Language::English : Language::Chinese;
    const std::string tag(i18n::language_tag(other));
    return "<header><strong>A2H</strong><a lang=\"" + tag + "\" hreflang=\"" + tag + "\" href=\"" +
           escape(approval_path(view.approval.id, view.person, view.token, other)) + "\">" +
           (other == Language::Chinese ? "中文" : "English") + "</a></header>\n";
}

}  // namespace

bool has_button(const Approval& approval, std::string_view words) {
    if (consent::understand_answer(approval, words) == AnswerKind::Option) return true;
    return card::kind_of_option(approval, words) == OptionKind::Close &&
           !approval.reject_text.empty();
}

std::vector<AnswerOption> options_with_buttons(const Approval& approval) {
    std::vector<AnswerOption> options = card::further_options(approval);
    std::erase_if(options,
                  [&](const AnswerOption& option) { return !has_button(approval, option.label); });
    return options;
}

bool text_is_editable(const Approval& approval) {
    return consent::row_of(approval.action).answers_peer && !approval.peer_id.empty();
}

std::string text_in_form(const Approval& approval) {
    return with_lf(shown_whole(approval.reply_text));
}

std::string text_of_field(std::string_view sent) {
    return with_lf(sent);
}

bool is_untouched(std::string_view sent, const Approval& approval) {
    return with_lf(sent) == text_in_form(approval);
}

std::string approval_path(std::string_view id, std::string_view person, std::string_view token,
                          Language language) {
    return "/a/" + percent_encode(id) + "?t=" + percent_encode(token) +
           (person == kOwner ? "" : "&p=" + percent_encode(person)) +
           "&lang=" + std::string(language == Language::Chinese ? "zh" : "en");
}

std::string approval_body(const View& view) {
    std::string out = header(view) + "<main>\n";
    if (!view.notice.empty()) {
        out += "<section class=\"notice\" role=\"alert\">" + escape(view.notice) + "</section>\n";
    }
    out += "<h1 dir=\"auto\">" + escape(shown_whole(view.approval.question)) + "</h1>\n";
    const bool open = view.approval.status == ApprovalStatus::Pending;
    if (!open) out += final_state(view);
    const std::string since = open ? covered(view, {Kind::Since}) : std::string();
    if (!since.empty()) out += "<section class=\"notice\">\n" + since + "</section>\n";
    out += facts(view) + context(view);
    if (open) out += votes(view);
    if (open) out += forms(view);
    return out + "</main>\n";
}

}  // namespace a2h::web
