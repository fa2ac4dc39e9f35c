#include "daemon/consent/news.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/i18n/messages.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/way_steps.h"
#include "daemon/notify/kinds.h"

namespace a2h::consent {
namespace {

using Form = notify::BodyArgument::Form;

std::string_view how_expired(const notify::News& news) {
    const bool used = news.approval != nullptr && news.approval->status == ApprovalStatus::Approved;
    return used ? "notify.expired_unused" : "notify.expired_unanswered";
}

std::string_view whose_pin(const notify::News& news) {
    return wire::text_member(news.body, "person").empty() ? "notify.pin_locked"
                                                          : "notify.pin_locked_of";
}

constexpr notify::KindRow kNews[] = {
    {.kind = "approval.expired", .key = "notify.expired", .text_key = how_expired},
    {.kind = "approval.code_void", .key = "notify.code_void"},
    {.kind = "code.locked",
     .key = "notify.code_locked",
     .arguments = {{{"until", "until", Form::Time}}}},
    {.kind = "pin.locked",
     .key = "notify.pin_locked",
     .arguments = {{{"until", "until", Form::Time}, {"person", "person"}}},
     .text_key = whose_pin},
    {.kind = "pin.code", .key = "notify.pin_code", .code_key = "notify.pin_code_line"},
};

}  // namespace

Result<void> way::notify_not_done(store::Database& db, const Approval& approval,
                                  ApprovalOutcome outcome, std::string_view detail,
                                  const Policy& policy, UnixMs now_ms) {
    const std::string text =
        outcome == ApprovalOutcome::Failed
            ? i18n::text(policy.language, "trade.failed",
                         {{"question", approval.question}, {"why", preview(detail)}})
            : i18n::text(policy.language, "trade.unknown", {{"question", approval.question}});
    Notification news;
    news.agent_id = approval.agent_id;
    news.kind = "approval." + std::string(to_string(outcome));
    news.body_json = wire::canonical_json(nlohmann::json{{"text", text}});
    return notify_human(db, news, policy, now_ms);
}

void register_news() {
    notify::register_kinds(kNews);
}

}  // namespace a2h::consent
