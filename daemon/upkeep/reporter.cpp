#include "daemon/upkeep/reporter.h"

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/setting_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"

namespace a2h::upkeep {
namespace {

using nlohmann::json;

std::string key_of(const Person& person) {
    return "report." + person.name;
}

std::string to_text(const store::MailCursor& cursor) {
    return json{{"inbox", cursor.inbox_id}, {"outbox", cursor.outbox_id}}.dump();
}

std::optional<store::MailCursor> parse_cursor(const std::string& text) {
    const json stored = json::parse(text, nullptr, false);
    const json& inbox = wire::member(stored, "inbox");
    const json& outbox = wire::member(stored, "outbox");
    if (!inbox.is_number_integer() || !outbox.is_number_integer()) return std::nullopt;
    return store::MailCursor{inbox.get<std::int64_t>(), outbox.get<std::int64_t>()};
}

std::string line_of(const store::MailLine& line, const wire::PayloadView& payload,
                    i18n::Language language) {
    std::string words = preview(printable(payload.text));
    if (!payload.attachment_url.empty()) {
        words += (words.empty() ? "" : " ") + preview(printable(payload.attachment_name)) + " " +
                 preview(printable(payload.attachment_url));
    }
    if (words.empty()) words = i18n::text(language, "daemon.line_other");
    return i18n::text(language, line.incoming ? "notify.report_in" : "notify.report_out",
                      {{"peer", printable(line.peer_id)}, {"text", words}});
}

json attachment_of(const store::MailLine& line, const wire::PayloadView& payload) {
    return {{"agent_id", line.agent_id},
            {"url", payload.attachment_url},
            {"name", preview(printable(payload.attachment_name))}};
}

}  // namespace

std::string report_body(const Person& person, const store::Mail& mail, i18n::Language language) {
    json lines = json::array();
    json attachments = json::array();
    const bool all = person.reports == "all";
    for (const store::MailLine& line : mail.newest_received) {
        // A forged message is never shown under the name that it claims.
        if (!all || line.provenance == Provenance::Forged) continue;
        const wire::PayloadView payload = wire::view_payload(line.payload_json);
        lines.push_back(line_of(line, payload, language));
        if (!payload.attachment_url.empty()) attachments.push_back(attachment_of(line, payload));
    }
    for (const store::MailLine& line : mail.newest_replied)
        lines.push_back(line_of(line, wire::view_payload(line.payload_json), language));
    return wire::canonical_json({{"received", all ? mail.received : 0},
                                 {"replied", mail.replied},
                                 {"lines", std::move(lines)},
                                 {"attachments", std::move(attachments)}});
}

Reporter::Reporter(const kernel::Kernel& kernel, const Current<Config>& config,
                   const outcome::Commits& commits)
    : kernel_(kernel), config_(config), commits_(commits) {}

void Reporter::start() {
    check();
    kernel_.loop.call_after(kCheckEvery, [this] { start(); });
}

void Reporter::check() {
    const auto now = kernel_.clock.steady_now();
    const auto policy = policy_of(config_);
    for (const Person& person : policy->people) {
        if (person.reports == "none" || next_[person.name] > now) continue;
        report(person);
    }
}

void Reporter::report(const Person& person) {
    const auto stored = store::get_setting(kernel_.reader, "", key_of(person));
    if (!stored) return;
    const auto cursor = *stored ? parse_cursor(**stored) : std::nullopt;
    const auto mail =
        store::mail_after(kernel_.reader, cursor.value_or(store::MailCursor{}), kLinesMax);
    if (!mail) {
        log::warning("Messages could not be read for a report; trying again later",
                     {{"error", mail.error().message}});
        return;
    }
    // The first report does not cover the years before reports were enabled.
    if (!cursor) return write(person, *mail, false);
    if (mail->replied == 0 && (person.reports != "all" || mail->received == 0)) return;
    next_[person.name] = kernel_.clock.steady_now() + kInterval;
    write(person, *mail, true);
}

void Reporter::write(const Person& person, const store::Mail& mail, bool notifies) {
    const i18n::Language language =
        person.language.empty() ? config_->language : i18n::language_of(person.language);
    Notification news;
    news.person = person.name;
    news.kind = "report";
    news.priority = Priority::Low;
    news.body_json = report_body(person, mail, language);
    const UnixMs now_ms = kernel_.clock.now_ms();
    kernel_.write(
        store::Writer::Priority::Background,
        [this, news, notifies, key = key_of(person), end = to_text(mail.end),
         now_ms](store::Database& db) -> Result<void> {
            A2H_TRY(store::put_setting(db, "", key, end));
            if (!notifies) return {};
            return consent::notify_person(db, news, config_->approval, now_ms);
        },
        [this](const Result<void>&) { commits_.rows_written(); });
}

}  // namespace a2h::upkeep
