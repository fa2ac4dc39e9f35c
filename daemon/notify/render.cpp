#include <nlohmann/json.hpp>

#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/domain/message.h"
#include "daemon/notify/notifier.h"

namespace a2h::notify {
namespace {

using i18n::Language;
using nlohmann::json;

std::string member(const json& body, const char* name) {
    const auto found = body.find(name);
    if (found == body.end() || !found->is_string()) return {};
    return printable(found->get<std::string>());
}

std::string local_time_of(const std::string& time) {
    const auto parsed = parse_time(time);
    return parsed ? to_local_time(*parsed) : time;
}

std::string how_sure(std::string_view provenance, Language language) {
    const auto parsed = parse_provenance(provenance);
    if (!parsed) return {};
    switch (*parsed) {
        case Provenance::Verified:
            return i18n::text(language, "notify.provenance_verified");
        case Provenance::Vouched:
            return i18n::text(language, "notify.provenance_vouched");
        case Provenance::Unverified:
            return i18n::text(language, "notify.provenance_unverified");
        case Provenance::Forged:
            return i18n::text(language, "notify.provenance_forged");
    }
    return {};
}

std::string peer_line(const Approval& approval, Language language) {
    if (approval.peer_id.empty()) return {};
    const std::string sure = how_sure(approval.provenance, language);
    return i18n::text(language, sure.empty() ? "notify.peer" : "notify.peer_sure",
                      {{"peer", approval.peer_id}, {"sure", sure}}) +
           "\n";
}

std::string amount_line(const Approval& approval, Language language) {
    if (!approval.amount_minor) return {};
    return i18n::text(language, "notify.amount",
                      {{"amount", to_text(Money{*approval.amount_minor, approval.currency})}}) +
           "\n";
}

std::string asked_text(const Approval& approval, Language language) {
    std::string text = printable(approval.question) + "\n";
    text += peer_line(approval, language) + amount_line(approval, language);
    if (!approval.reply_text.empty()) {
        text += i18n::text(language, "notify.on_yes", {{"text", printable(approval.reply_text)}}) +
                "\n";
    }
    text +=
        i18n::text(language, "notify.answer_by", {{"time", to_local_time(approval.answer_by_ms)}}) +
        "\n";
    return text + i18n::text(language, "notify.command", {{"id", approval.id}});
}

struct Words {
    std::string title;
    std::string text;
};

Words words_of(const Notification& row, const Approval* approval, const json& body,
               Language language) {
    const std::string about = approval != nullptr ? preview(printable(approval->question)) : "";
    if (row.kind == "approval.asked" && approval != nullptr) {
        return {i18n::text(language, "notify.asked_title"), asked_text(*approval, language)};
    }
    if (row.kind == "approval.expired") {
        const bool used = approval != nullptr && approval->status == ApprovalStatus::Approved;
        return {i18n::text(language, "notify.expired_title"),
                i18n::text(language, used ? "notify.expired_unused" : "notify.expired_unanswered",
                           {{"question", about}})};
    }
    if (row.kind == "approval.code_void") {
        return {i18n::text(language, "notify.code_void_title"),
                i18n::text(language, "notify.code_void",
                           {{"question", about}, {"id", row.approval_id}})};
    }
    if (row.kind == "pin.locked") {
        return {i18n::text(language, "notify.pin_locked_title"),
                i18n::text(language, "notify.pin_locked",
                           {{"until", local_time_of(member(body, "until"))}})};
    }
    if (row.kind == "key.changed") {
        return {i18n::text(language, "notify.key_changed_title"),
                i18n::text(language, "notify.key_changed", {{"peer", member(body, "peer_id")}})};
    }
    if (row.kind == "outbox.dead") {
        return {i18n::text(language, "notify.outbox_dead_title"),
                i18n::text(language, "notify.outbox_dead",
                           {{"peer", member(body, "target_id")}, {"why", member(body, "error")}})};
    }
    return {i18n::text(language, "notify.news_title"), member(body, "text")};
}

}  // namespace

Message render(const Notification& notification, const Approval* approval, std::string_view code,
               std::string_view link, Language language) {
    const json body = json::parse(notification.body_json, nullptr, false);
    Words words =
        words_of(notification, approval, body.is_object() ? body : json::object(), language);
    Message message;
    message.language = language;
    message.id = notification.id;
    message.kind = notification.kind;
    message.title = std::move(words.title);
    message.text = std::move(words.text);
    message.approval_id = notification.approval_id;
    if (notification.kind == "approval.asked") {
        message.code = code;
        message.link = link;
    }
    return message;
}

}  // namespace a2h::notify
