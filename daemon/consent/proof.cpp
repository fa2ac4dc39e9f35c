#include "daemon/consent/proof.h"

#include <string>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "core/store/approval_store.h"
#include "core/store/notification_store.h"
#include "core/store/setting_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "daemon/consent/action.h"
#include "daemon/consent/code_lock.h"
#include "daemon/consent/limits.h"
#include "daemon/consent/pin_lock.h"
#include "daemon/notify/channel_options.h"

namespace a2h::consent {
namespace {

constexpr std::string_view kNoAgent;  // settings of people belong to no single agent
constexpr std::string_view kOfferNonceKey = "pin.offer";
constexpr std::string_view kOfferMadeKey = "pin.offer_made_ms";

constexpr std::string_view kVoidCode =
    "the code of this approval is void after three wrong ones; the human can use the link in the "
    "notification or 'a2h approve'";

using Verdict = Result<std::optional<Error>>;

Verdict holds() {
    return std::optional<Error>();
}
Verdict not_proven(ErrorCode code, std::string message) {
    return std::optional(Error{code, std::move(message)});
}

Result<void> notify(store::Database& db, const PinUse& about, std::string_view kind,
                    std::string body_json, const Policy& policy, UnixMs now_ms) {
    Notification news;
    news.agent_id = about.agent_id;
    news.approval_id = about.approval_id;
    news.kind = kind;
    news.priority = Priority::High;
    news.body_json = std::move(body_json);
    return notify_human(db, news, policy, now_ms);
}

bool is_owner(const PinUse& use, const Policy& policy) {
    return use.person == owner_of(policy.people);
}

Verdict locked(const PinUse& use, const Policy& policy, UnixMs until_ms) {
    return not_proven(
        ErrorCode::PermissionDenied,
        (is_owner(use, policy) ? std::string("the PIN") : "the PIN of " + use.person) +
            " is locked until " + to_utc_time(until_ms) +
            " after too many wrong ones; use the link in the notification, or wait");
}

Verdict judge_wrong_pin(store::Database& db, const PinUse& use, std::string_view what,
                        const Policy& policy, UnixMs now_ms) {
    A2H_TRY(store::append_audit(db, use.approval_id, "pin.wrong",
                                wire::text_object({{"person", use.person}}), now_ms));
    A2H_ASSIGN_OR_RETURN(const auto wrong, count_wrong_pin(db, use.person, now_ms));
    if (!wrong.locked_until) {
        return not_proven(ErrorCode::Unauthenticated,
                          "wrong " + std::string(what) + "; " + std::to_string(wrong.left) +
                              " more wrong ones lock the PIN for 15 minutes");
    }
    const std::string until = to_utc_time(*wrong.locked_until);
    const std::string of_person = wire::text_object({{"person", use.person}, {"until", until}});
    const std::string news =
        is_owner(use, policy) ? wire::text_object({{"until", until}}) : of_person;
    A2H_TRY(store::append_audit(db, use.approval_id, "pin.locked", of_person, now_ms));
    A2H_TRY(notify(db, use, "pin.locked", news, policy, now_ms));
    return locked(use, policy, *wrong.locked_until);
}

/// Refuses unknown people, and everybody while their PIN is locked.
Verdict may_prove(store::Database& db, const PinUse& use, const Policy& policy, UnixMs now_ms) {
    if (!is_person(policy.people, use.person) && !is_owner(use, policy)) {
        return not_proven(ErrorCode::PermissionDenied,
                          "there is no person \"" + use.person + "\" in config.toml");
    }
    A2H_ASSIGN_OR_RETURN(const auto until, keep_pin_lock(db, use.person, now_ms));
    return until ? locked(use, policy, *until) : holds();
}

bool carries_codes(std::string_view channel) {
    const notify::BuiltInChannel* built_in = notify::built_in_channel(channel);
    return built_in == nullptr || built_in->carries_codes;
}

bool has_own_channel(const Person& person, const Policy& policy) {
    for (const auto& step : person.high)
        for (const std::string& channel : step)
            if (carries_codes(channel) && is_private_channel(policy.people, person.name, channel))
                return true;
    return false;
}

std::string no_pin(const PinUse& use, const Policy& policy) {
    if (is_owner(use, policy)) {
        return "no PIN is set, so the terminal cannot answer; use the link in the notification, or "
               "set a PIN with 'a2h init'";
    }
    return use.person + " has set no PIN; 'a2h pin --person " + use.person +
           "' sends a code with which " + use.person + " sets one";
}

Verdict codes_locked(UnixMs until_ms) {
    return not_proven(ErrorCode::PermissionDenied,
                      "all codes are locked until " + to_utc_time(until_ms) +
                          " after too many wrong ones; the human can use the link in the "
                          "notification or 'a2h approve'");
}

/// Counts the failure for all codes of all people. Returns the refusal if this locked them.
Verdict count_for_lock(store::Database& db, const PinUse& use, const Policy& policy,
                       UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto until, count_wrong_code(db, now_ms));
    if (!until) return holds();
    const std::string news = wire::text_object({{"until", to_utc_time(*until)}});
    A2H_TRY(store::append_audit(db, use.approval_id, "code.locked", news, now_ms));
    A2H_TRY(notify(db, use, "code.locked", news, policy, now_ms));
    return codes_locked(*until);
}

/// Refuses while all codes are locked.
Verdict may_guess(store::Database& db, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto until, codes_locked_until(db, now_ms));
    return until ? codes_locked(*until) : holds();
}

Verdict count_wrong_code_of(store::Database& db, const Approval& approval, const Policy& policy,
                            UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto failures, store::count_code_failure(db, approval.id));
    A2H_TRY(store::append_audit(db, approval.id, "code.wrong", "{}", now_ms));
    const PinUse about{approval.agent_id, approval.id, {}};
    auto locked_all = count_for_lock(db, about, policy, now_ms);
    if (!locked_all || *locked_all) return locked_all;
    if (failures < kCodeFailuresMax) {
        return not_proven(ErrorCode::Unauthenticated,
                          "wrong code; " + std::to_string(kCodeFailuresMax - failures) +
                              " more wrong codes make it void");
    }
    A2H_TRY(notify(db, about, "approval.code_void", "{}", policy, now_ms));
    return not_proven(ErrorCode::Unauthenticated, std::string(kVoidCode));
}

/// A code proves the person who received it; a code that was never delivered proves nobody.
Verdict check_code(store::Database& db, const Answer& answer, const Approval& approval,
                   const HumanSecrets& secrets, const Policy& policy, UnixMs now_ms) {
    auto refused = may_guess(db, now_ms);
    if (!refused || *refused) return refused;
    if (approval.code_failures >= kCodeFailuresMax)
        return not_proven(ErrorCode::PermissionDenied, std::string(kVoidCode));
    A2H_ASSIGN_OR_RETURN(const auto delivered, store::was_code_delivered(db, approval.id));
    if (!delivered) {
        return not_proven(ErrorCode::PermissionDenied,
                          "no code of this approval has reached anybody yet; the human can use "
                          "the page or 'a2h approve'");
    }
    A2H_ASSIGN_OR_RETURN(const auto reached,
                         store::was_code_delivered(db, approval.id, answer.person));
    const std::string code = approval_code(secrets, approval, answer.person);
    const bool is_right = !code.empty() && wire::equal_constant_time(code, answer.proof);
    return is_right && reached ? holds() : count_wrong_code_of(db, approval, policy, now_ms);
}

/// `token` is what the surface must have sent.
Verdict check_token(const Answer& answer, std::string_view token) {
    if (!token.empty() && wire::equal_constant_time(token, answer.proof)) return holds();
    return not_proven(ErrorCode::Unauthenticated, "this link is not valid, or no longer");
}

}  // namespace

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
            return check_pin_proof(db, answer.pin, {approval.agent_id, approval.id, answer.person},
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
                                             const Policy& policy, UnixMs now_ms) {
    auto refused = may_prove(db, use, policy, now_ms);
    if (!refused || *refused) return refused;
    if (pin == ProofState::NotSet)
        return not_proven(ErrorCode::PermissionDenied, no_pin(use, policy));
    if (pin != ProofState::Valid) return judge_wrong_pin(db, use, "PIN", policy, now_ms);
    A2H_TRY(forget_wrong_pins(db, use.person));
    A2H_TRY(open_code_lock(db, now_ms));
    return holds();
}

std::string_view proof_of(const Answer& answer) {
    switch (answer.surface) {
        case AnswerSurface::Terminal:
            return "pin";
        case AnswerSurface::Page:
            return answer.in_session ? "session" : "link";
        case AnswerSurface::Button:
            return "button";
        case AnswerSurface::Code:
            return "code";
        case AnswerSurface::Mandate:
            return "mandate";
        case AnswerSurface::Relayed:
            return answer.elicited ? "dialog" : "none";
        case AnswerSurface::Clock:
        case AnswerSurface::System:
            break;
    }
    return "none";
}

std::optional<std::string> holder_of_code(const Approval& approval, std::string_view code,
                                          const HumanSecrets& secrets, const Policy& policy) {
    const auto holds_it = [&](std::string_view person) {
        const std::string own = approval_code(secrets, approval, person);
        return !own.empty() && wire::equal_constant_time(own, code);
    };
    for (const Person& person : policy.people)
        if (holds_it(person.name)) return person.name;
    if (policy.people.empty() && holds_it(kOwner)) return std::string(kOwner);
    return std::nullopt;
}

Result<void> offer_pin(store::Database& db, const PinUse& use, const Policy& policy,
                       UnixMs now_ms) {
    const Person* person = find_person(policy.people, use.person);
    if (person == nullptr) {
        return fail(ErrorCode::NotFound,
                    "there is no person \"" + use.person + "\" in config.toml");
    }
    if (is_owner(use, policy)) {
        return fail(ErrorCode::PermissionDenied,
                    "the owner's PIN can be changed only with the previous PIN: a2h pin");
    }
    if (!has_own_channel(*person, policy)) {
        return fail(ErrorCode::Unavailable, "only " + use.person +
                                                " may see the code, but each of their channels is "
                                                "shared with another person or carries no codes");
    }
    A2H_ASSIGN_OR_RETURN(const auto made_ms,
                         store::get_number(db, kNoAgent, pin_setting(kOfferMadeKey, use.person)));
    if (now_ms - made_ms < std::chrono::milliseconds(kPinOfferEvery).count()) {
        return fail(ErrorCode::Conflict, "a code was sent less than a minute ago");
    }
    const std::string nonce = random_hex(16);
    A2H_TRY(store::put_setting(db, kNoAgent, pin_setting(kOfferNonceKey, use.person), nonce));
    A2H_TRY(store::put_number(db, kNoAgent, pin_setting(kOfferMadeKey, use.person), now_ms));
    A2H_TRY(store::append_audit(db, {}, "pin.offered", wire::text_object({{"person", use.person}}),
                                now_ms));
    Notification news;
    news.agent_id = use.agent_id;
    news.kind = "pin.code";
    news.priority = Priority::High;
    news.person = use.person;
    news.body_json = wire::text_object({{"nonce", nonce}});
    return notify_person(db, news, policy, now_ms);
}

Result<std::optional<Error>> check_pin_code(store::Database& db, const PinUse& use,
                                            std::string_view code, const HumanSecrets& secrets,
                                            const Policy& policy, UnixMs now_ms) {
    auto refused = may_prove(db, use, policy, now_ms);
    if (!refused || *refused) return refused;
    refused = may_guess(db, now_ms);
    if (!refused || *refused) return refused;
    A2H_ASSIGN_OR_RETURN(const auto nonce,
                         store::get_setting(db, kNoAgent, pin_setting(kOfferNonceKey, use.person)));
    A2H_ASSIGN_OR_RETURN(const auto made_ms,
                         store::get_number(db, kNoAgent, pin_setting(kOfferMadeKey, use.person)));
    const bool over = now_ms - made_ms >= std::chrono::milliseconds(kPinOfferLife).count();
    if (!nonce || nonce->empty() || over) {
        return not_proven(ErrorCode::Unauthenticated,
                          "no code of the last 15 minutes is valid; 'a2h pin --person " +
                              use.person + "' sends one");
    }
    const std::string right = pin_code(secrets, *nonce, use.person);
    if (right.empty() || !wire::equal_constant_time(right, code)) {
        refused = count_for_lock(db, use, policy, now_ms);
        if (!refused || *refused) return refused;
        return judge_wrong_pin(db, use, "code", policy, now_ms);
    }
    A2H_TRY(store::put_setting(db, kNoAgent, pin_setting(kOfferNonceKey, use.person), ""));
    A2H_TRY(forget_wrong_pins(db, use.person));
    return holds();
}

}  // namespace a2h::consent
