#include "daemon/web/link_page.h"

#include <optional>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/web/html.h"
#include "core/wire/crypto.h"
#include "daemon/card/card.h"
#include "daemon/web/link_page_view.h"

namespace a2h::web {
namespace {

using consent::Answer;
using i18n::Language;

constexpr std::string_view kRoot = "/a/";
constexpr std::string_view kAnswer = "/answer";

Language language_wanted(std::string_view wanted, Language otherwise) {
    if (wanted.starts_with("zh")) return Language::Chinese;
    if (wanted == "en") return Language::English;
    return otherwise;
}

http::Response plain_page(int status, Language language, std::string_view title_key,
                          std::string_view text_key) {
    const std::string title = i18n::text(language, title_key);
    return html_page(status, language, title,
                     "<header><strong>A2H</strong></header><main><h1>" + escape(title) +
                         "</h1><p>" + escape(i18n::text(language, text_key)) + "</p></main>\n");
}

http::Response not_found(Language language) {
    return plain_page(404, language, "page.not_found_title", "page.not_found");
}

http::Response broken(Language language) {
    return plain_page(400, language, "page.bad_request_title", "page.bad_request");
}

http::Response failed(Language language, const Error& error) {
    if (error.code == ErrorCode::NotFound) return not_found(language);
    return plain_page(503, language, "page.unavailable_title", "page.unavailable");
}

std::string_view field(const http::Fields& fields, std::string_view name) {
    for (const auto& [key, value] : fields) {
        if (key == name) return value;
    }
    return {};
}

bool has_field(const http::Fields& fields, std::string_view name) {
    for (const auto& [key, value] : fields) {
        if (key == name) return true;
    }
    return false;
}

/// The person whose link is used, and its token.
struct Holder {
    std::string person;
    std::string token;
};

Holder holder_of(std::string_view person, std::string_view token) {
    return {std::string(person.empty() ? kOwner : person), std::string(token)};
}

/// The path on which the holder of `approval`'s link answers the question that replaces it; empty
/// if there is none.
std::string path_of_standing(const Callbacks& callbacks, const Approval& approval,
                             const Holder& holder, Language language) {
    if (approval.next_id.empty() || !approval.closed_by) return {};
    const auto next = callbacks.standing(approval.next_id);
    if (!next || next->status != ApprovalStatus::Pending) return {};
    const std::string token = callbacks.link_token(*next, holder.person);
    return token.empty() ? std::string() : approval_path(next->id, holder.person, token, language);
}

http::Response show(const Callbacks& callbacks, const Approval& approval, const Holder& holder,
                    Language language, int status = 200, std::string notice = {}) {
    View view{approval,
              holder.person,
              holder.token,
              {language, callbacks.acting_agents},
              std::move(notice)};
    view.next_path = path_of_standing(callbacks, approval, holder, language);
    if (consent::needs_votes(approval) && approval.status == ApprovalStatus::Pending) {
        auto votes = callbacks.votes(approval);
        if (!votes) return failed(language, votes.error());
        view.votes = std::move(*votes);
    }
    return html_page(status, language, preview(approval.question), approval_body(view));
}

bool opens(const Callbacks& callbacks, const Approval& approval, const Holder& holder) {
    const std::string expected = callbacks.link_token(approval, holder.person);
    return !expected.empty() && wire::equal_constant_time(expected, holder.token);
}

/// The approval of `id` for a caller with its link.
Result<Approval> open_with(const Callbacks& callbacks, std::string_view id, const Holder& holder) {
    auto approval = callbacks.load(std::string(id));
    if (!approval) return approval;
    if (!opens(callbacks, *approval, holder))
        return fail(ErrorCode::NotFound, "there is no such page");
    return approval;
}

/// The answer in the form; nullopt if the page could not have sent it.
std::optional<Answer> read_answer(const http::Fields& fields, const Approval& approval,
                                  const Holder& holder) {
    Answer answer;
    answer.approval_id = approval.id;
    answer.surface = AnswerSurface::Page;
    answer.person = holder.person;
    answer.proof = holder.token;
    answer.digest_seen = field(fields, "digest");
    const std::string_view choice = field(fields, "choice");
    if (has_field(fields, "option")) {
        answer.words = field(fields, "option");
        answer.kind = consent::understand_answer(approval, answer.words);
        if (!has_button(approval, answer.words)) return std::nullopt;
    } else if (choice == "approve") {
        answer.kind = AnswerKind::Approve;
        answer.words = "approve";
        const std::string_view sent = field(fields, "reply_text");
        if (!is_untouched(sent, approval)) answer.edited_reply_text = text_of_field(sent);
    } else if (choice == "close" && card::closes_without_answer(approval)) {
        answer.kind = AnswerKind::Approve;
        answer.words = "approve";
    } else if (choice == "reject") {
        answer.kind = AnswerKind::Reject;
        answer.words = "reject";
    } else if (choice == "withdraw") {
        answer.kind = AnswerKind::Withdraw;
        answer.words = choice;
    } else if (choice == "instruct") {
        answer.words = text_of_field(field(fields, "text"));
        answer.kind = consent::understand_answer(approval, answer.words);
    } else {
        return std::nullopt;
    }
    return answer.digest_seen.empty() ? std::nullopt : std::optional(answer);
}

/// An emptied text box must not send the text that was in it.
bool is_emptied(const http::Fields& fields, const Approval& approval) {
    return field(fields, "choice") == "approve" && text_is_editable(approval) &&
           !approval.reply_text.empty() && trim(field(fields, "reply_text")).empty();
}

/// To send an answer it must be written; closing without one is another button.
bool lacks_text(const http::Fields& fields, const Approval& approval) {
    return field(fields, "choice") == "approve" && card::closes_without_answer(approval) &&
           trim(field(fields, "reply_text")).empty();
}

http::Response redirect(const std::string& path) {
    http::Response response;
    response.status = 303;
    response.headers = {
        {"Location", path}, {"Cache-Control", "no-store"}, {"Referrer-Policy", "no-referrer"}};
    return response;
}

/// Why an answer to the question `now` was refused as a conflict. If the question is still open and
/// as it was shown, the answer was neither late nor to something else.
std::string conflict_in_words(const Approval& before, const Approval& now, Language language,
                              const Error& error) {
    const bool is_as_shown = now.status == ApprovalStatus::Pending && now.digest == before.digest;
    if (!is_as_shown) return i18n::text(language, "page.too_late");
    return i18n::text(language, "page.not_accepted", {{"why", error.message}});
}

http::Response after_refusal(const Callbacks& callbacks, const Approval& before,
                             const Holder& holder, Language language, const Error& error,
                             const std::optional<Hidden>& unseen) {
    if (error.code == ErrorCode::InvalidArgument) {
        return show(callbacks, before, holder, language, 400,
                    unseen ? i18n::text(language, "page.unseen",
                                        {{"code", code_of(*unseen)},
                                         {"position", std::to_string(unseen->position)}})
                           : i18n::text(language, "page.bad_words"));
    }
    if (error.code == ErrorCode::PermissionDenied) {
        return show(callbacks, before, holder, language, 403,
                    i18n::text(language, "page.not_yours"));
    }
    if (error.code != ErrorCode::Conflict) return failed(language, error);
    auto now = open_with(callbacks, before.id, holder);
    if (!now) return failed(language, now.error());
    return show(callbacks, *now, holder, language, 409,
                conflict_in_words(before, *now, language, error));
}

http::Response take_answer(const Callbacks& callbacks, const http::Request& request,
                           std::string_view id) {
    const auto fields = http::parse_form(request.body);
    if (!fields ||
        !request.header("content-type").starts_with("application/x-www-form-urlencoded")) {
        return broken(callbacks.language_of({}));
    }
    const Holder holder = holder_of(field(*fields, "p"), field(*fields, "t"));
    auto approval = open_with(callbacks, id, holder);
    const std::string_view lang = field(*fields, "lang");
    if (!approval)
        return failed(language_wanted(lang, callbacks.language_of({})), approval.error());
    const Language language = language_wanted(lang, callbacks.language_of(holder.person));
    auto answer = read_answer(*fields, *approval, holder);
    if (!answer) return broken(language);
    if (is_emptied(*fields, *approval)) {
        return show(callbacks, *approval, holder, language, 400,
                    i18n::text(language, "page.emptied"));
    }
    if (lacks_text(*fields, *approval)) {
        return show(callbacks, *approval, holder, language, 400,
                    i18n::text(language, "page.lacks_text"));
    }
    const auto unseen = consent::unseen_in(*answer);
    auto answered = callbacks.answer(std::move(*answer));
    if (!answered) {
        return after_refusal(callbacks, *approval, holder, language, answered.error(), unseen);
    }
    const Approval& see = answered->next ? *answered->next : answered->approval;
    return redirect(
        approval_path(see.id, holder.person, callbacks.link_token(see, holder.person), language));
}

http::Response show_approval(const Callbacks& callbacks, const http::Request& request,
                             std::string_view id) {
    const Holder holder = holder_of(request.query_value("p"), request.query_value("t"));
    auto approval = open_with(callbacks, id, holder);
    const std::string_view lang = request.query_value("lang");
    if (!approval)
        return failed(language_wanted(lang, callbacks.language_of({})), approval.error());
    const Language language = language_wanted(lang, callbacks.language_of(holder.person));
    return show(callbacks, *approval, holder, language);
}

}  // namespace

http::Response serve(const Callbacks& callbacks, const http::Request& request) {
    std::string_view path = request.path;
    if (!path.starts_with(kRoot)) return not_found(callbacks.language_of({}));
    path.remove_prefix(kRoot.size());
    if (request.method == "POST" && path.ends_with(kAnswer)) {
        path.remove_suffix(kAnswer.size());
        return take_answer(callbacks, request, path);
    }
    if (request.method != "GET" && request.method != "HEAD")
        return not_found(callbacks.language_of({}));
    return show_approval(callbacks, request, path);
}

}  // namespace a2h::web
