#include "daemon/approvals/proof.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/base/time_text.h"
#include "core/store/approval_store.h"
#include "core/store/setting_store.h"
#include "core/wire/crypto.h"
#include "daemon/approvals/action.h"

namespace a2h::approvals {
namespace {

// Of the whole daemon: one human, one PIN.
constexpr std::string_view kNoAgent;
constexpr std::string_view kFailuresKey = "pin.failures";
constexpr std::string_view kLockedUntilKey = "pin.locked_until_ms";

using Verdict = Result<std::optional<Error>>;

Verdict holds() {
    return std::optional<Error>();
}
Verdict not_proven(ErrorCode code, std::string message) {
    return std::optional(Error{code, std::move(message)});
}

Result<std::int64_t> number_setting(store::Database& db, std::string_view key) {
    auto text = store::get_setting(db, kNoAgent, key);
    if (!text) return fail(text.error());
    std::int64_t number = 0;
    if (*text) std::from_chars((*text)->data(), (*text)->data() + (*text)->size(), number);
    return number;
}

Result<void> put_number(store::Database& db, std::string_view key, std::int64_t number) {
    return store::put_setting(db, kNoAgent, key, std::to_string(number));
}

Result<void> tell(store::Database& db, const PinUse& about, std::string_view kind,
                  std::string body_json, const Policy& policy, UnixMs now_ms) {
    Notification news;
    news.agent_id = about.agent_id;
    news.approval_id = about.approval_id;
    news.kind = kind;
    news.priority = Priority::High;
    news.body_json = std::move(body_json);
    return notify_human(db, news, policy, now_ms);
}

Verdict locked(UnixMs until_ms) {
    return not_proven(ErrorCode::PermissionDenied,
                      "the PIN is locked until " + to_utc_time(until_ms) +
                          " after too many wrong ones; use the link in the notification, or wait");
}

Verdict count_wrong_pin(store::Database& db, const PinUse& use, const Policy& policy,
                        UnixMs now_ms) {
    auto failures = number_setting(db, kFailuresKey);
    if (!failures) return fail(failures.error());
    A2H_TRY(store::append_audit(db, use.approval_id, "pin.wrong", "{}", now_ms));
    const std::int64_t count = *failures + 1;
    if (count < kPinFailuresMax) {
        A2H_TRY(put_number(db, kFailuresKey, count));
        return not_proven(ErrorCode::Unauthenticated,
                          "wrong PIN; " + std::to_string(kPinFailuresMax - count) +
                              " more wrong ones lock it for 15 minutes");
    }
    const UnixMs until = now_ms + std::chrono::milliseconds(kPinLock).count();
    A2H_TRY(put_number(db, kFailuresKey, 0));
    A2H_TRY(put_number(db, kLockedUntilKey, until));
    A2H_TRY(store::append_audit(db, use.approval_id, "pin.locked",
                                text_object({{"until", to_utc_time(until)}}), now_ms));
    A2H_TRY(
        tell(db, use, "pin.locked", text_object({{"until", to_utc_time(until)}}), policy, now_ms));
    return locked(until);
}

Verdict check_code(store::Database& db, const Answer& answer, const Approval& approval,
                   const HumanSecrets& secrets, const Policy& policy, UnixMs now_ms) {
    constexpr std::string_view kVoid =
        "the code of this approval is void after three wrong ones; the human can use the link in "
        "the notification or 'a2h approve'";
    if (approval.code_failures >= kCodeFailuresMax) {
        return not_proven(ErrorCode::PermissionDenied, std::string(kVoid));
    }
    const std::string code = approval_code(secrets, approval, answer.person);
    if (!code.empty() && wire::equal_constant_time(code, answer.proof)) return holds();
    auto failures = store::count_code_failure(db, approval.id);
    if (!failures) return fail(failures.error());
    A2H_TRY(store::append_audit(db, approval.id, "code.wrong", "{}", now_ms));
    if (*failures < kCodeFailuresMax) {
        return not_proven(ErrorCode::Unauthenticated,
                          "wrong code; " + std::to_string(kCodeFailuresMax - *failures) +
                              " more wrong ones void it");
    }
    A2H_TRY(tell(db, {approval.agent_id, approval.id}, "approval.code_void", "{}", policy, now_ms));
    return not_proven(ErrorCode::Unauthenticated, std::string(kVoid));
}

/// `token`: what the surface must have handed over.
Verdict check_token(const Answer& answer, std::string_view token) {
    if (!token.empty() && wire::equal_constant_time(token, answer.proof)) return holds();
    return not_proven(ErrorCode::Unauthenticated, "this link is not, or no longer, valid");
}

}  // namespace

Result<std::optional<UnixMs>> pin_locked_until(store::Database& db, UnixMs now_ms) {
    auto until = number_setting(db, kLockedUntilKey);
    if (!until) return fail(until.error());
    if (*until <= now_ms) return std::optional<UnixMs>();
    const UnixMs latest = now_ms + std::chrono::milliseconds(kPinLock).count();
    return std::optional<UnixMs>(std::min(*until, latest));
}

Result<std::optional<Error>> check_proof(store::Database& db, const Answer& answer,
                                         const Approval& approval, const HumanSecrets& secrets,
                                         const Policy& policy, UnixMs now_ms) {
    switch (answer.surface) {
        case AnswerSurface::Page:
            return check_token(answer, approval_link_token(secrets, approval, answer.person));
        case AnswerSurface::Button:
            return check_token(
                answer, approval_button_token(secrets, approval, answer.person, answer.kind));
        case AnswerSurface::Terminal:
            return check_pin_proof(db, answer.pin, {approval.agent_id, approval.id}, secrets,
                                   policy, now_ms);
        case AnswerSurface::Code:
            return check_code(db, answer, approval, secrets, policy, now_ms);
        case AnswerSurface::Relayed:
            return holds();
        case AnswerSurface::Mandate:
        case AnswerSurface::Clock:
        case AnswerSurface::System:
            break;
    }
    return not_proven(ErrorCode::PermissionDenied, "only people answer approvals");
}

Result<std::optional<Error>> check_pin_proof(store::Database& db, ProofState pin, const PinUse& use,
                                             const HumanSecrets& secrets, const Policy& policy,
                                             UnixMs now_ms) {
    if (secrets.pin_hash.empty()) {
        return not_proven(ErrorCode::PermissionDenied,
                          "no PIN is set, so the terminal cannot answer; use the link in the "
                          "notification, or set a PIN with 'a2h init'");
    }
    auto until = pin_locked_until(db, now_ms);
    if (!until) return fail(until.error());
    if (*until) {
        // Written again: a wall clock that was set back must not stretch the lock.
        A2H_TRY(put_number(db, kLockedUntilKey, **until));
        return locked(**until);
    }
    if (pin != ProofState::Valid) return count_wrong_pin(db, use, policy, now_ms);
    A2H_TRY(put_number(db, kFailuresKey, 0));
    return holds();
}

}  // namespace a2h::approvals
