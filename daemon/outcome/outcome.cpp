#include "daemon/outcome/outcome.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/store/job_store.h"
#include "core/wire/canonical.h"
#include "daemon/consent/deal_acts.h"
#include "daemon/consent/door.h"
#include "daemon/consent/flood.h"
#include "daemon/consent/renewal.h"
#include "daemon/effects/message_audit.h"
#include "daemon/kernel/fault_point.h"

namespace a2h::outcome {
namespace {

/// True if the audit row of the decision is written later: with the reply, when that was sent, so
/// that the peer does not wait for it; or when the feature says so.
bool is_audited_later(const Effects& effects) {
    const std::string reply_key = job_effect_key(effects.job->id);
    return (effects.own && effects.own->is_audited_later(*effects.job)) ||
           std::any_of(effects.outbox.begin(), effects.outbox.end(),
                       [&](const OutboxMessage& each) { return each.effect_key == reply_key; });
}

/// Removes the holding reply and what a feature writes for it; other messages are still sent.
void drop_holding(Effects& effects) {
    if (!effects.own || effects.own->is_holding()) {
        effects.outbox.clear();
        effects.own.reset();
        return;
    }
    std::erase_if(effects.outbox, [](const OutboxMessage& message) {
        return message.effect_key.ends_with(":hold");
    });
}

/// The step of a mandate replaces the question, which is not asked.
void follow(Effects& effects, consent::Taken taken) {
    effects.approval.reset();
    if (taken.approval) effects.approval.emplace(std::move(*taken.approval));
    drop_holding(effects);
    for (OutboxMessage& message : taken.outbox)
        effects.outbox.push_back(std::move(message));
    if (taken.news) effects.news = std::move(taken.news);
    if (effects.approval) return;
    for (Event& event : effects.events) {
        nlohmann::json detail = nlohmann::json::parse(event.detail_json, nullptr, false);
        if (detail.is_object() && detail.erase("approval_id") > 0) {
            event.detail_json = wire::canonical_json(detail);
        }
    }
}

/// Closes the questions that the message makes out of date. A question whose draft took longer than
/// that of a later message is closed itself.
Result<void> close_old_questions(store::Database& db, Effects& effects,
                                 const consent::Policy& policy) {
    if (effects.later) {
        consent::Later later = *effects.later;
        if (effects.approval) later.next_id = effects.approval->id;
        const UnixMs now_ms = effects.job->updated_at_ms;
        if (later.what == ClosedBy::UnreadMessage) {
            A2H_TRY(consent::leave_unread(db, later, policy, now_ms));
        } else {
            A2H_TRY(consent::close_older(db, later, policy, now_ms));
        }
    }
    if (!effects.market_news.empty()) {
        A2H_TRY(consent::close_void(db, effects.job->agent_id, effects.market_news, policy,
                                    effects.job->updated_at_ms));
    }
    if (!effects.approval) return {};
    A2H_ASSIGN_OR_RETURN(const auto next, consent::question_after(db, *effects.approval));
    if (next.empty()) return {};
    return consent::close_question(db, *effects.approval, ClosedBy::NewerMessage, next, policy,
                                   effects.approval->created_at_ms);
}

Result<void> record_acts(store::Database& db, Effects& effects) {
    if (!effects.job || effects.acts.empty()) return {};
    A2H_TRY(consent::disarm_unproved(db, effects.named, effects.acts));
    int number = 0;
    for (Act& act : effects.acts)
        act.source = deals::source_of_inbox(effects.job->inbox_id, number++);
    const auto recorded =
        deals::record(db, effects.named, effects.acts, effects.job->updated_at_ms);
    return recorded ? Result<void>() : fail(recorded.error());
}

}  // namespace

std::string job_effect_key(std::int64_t job_id) {
    return "task:" + std::to_string(job_id);
}

void set_job_id(Effects& effects, std::int64_t job_id) {
    const std::string key = job_effect_key(effects.job->id);
    for (OutboxMessage& message : effects.outbox) {
        if (message.effect_key == key) message.effect_key = job_effect_key(job_id);
    }
    effects.job->id = job_id;
    effects.job->inbox_id = job_id;
    if (effects.later) effects.later->job_id = job_id;
}

Result<std::vector<store::OutboxPlace>> write_effects(store::Database& db, Effects& effects,
                                                      const consent::Policy& policy) {
    A2H_FAULT_POINT("effects.1");
    std::vector<store::OutboxPlace> places;
    if (effects.job) A2H_TRY(store::update_job(db, *effects.job));
    A2H_TRY(record_acts(db, effects));
    std::optional<consent::Taken> taken;
    if (effects.approval && effects.step) {
        A2H_ASSIGN_OR_RETURN(auto tried, effects.step->take(db, *effects.approval, policy,
                                                            effects.approval->created_at_ms));
        taken = std::move(tried);
    }
    if (taken) {
        follow(effects, std::move(*taken));
    } else if (effects.approval) {
        // A question is sent together with a holding reply; one for each waiting peer is enough.
        if (!effects.outbox.empty()) {
            A2H_ASSIGN_OR_RETURN(const auto waits,
                                 store::has_earlier_question(db, *effects.approval));
            if (waits) drop_holding(effects);
        }
        A2H_ASSIGN_OR_RETURN(auto opened, consent::open_approval(db, *effects.approval, policy,
                                                                 effects.approval->created_at_ms));
        effects.approval.emplace(std::move(opened));
        if (effects.approval->status == ApprovalStatus::Approved) drop_holding(effects);
    }
    A2H_TRY(close_old_questions(db, effects, policy));
    if (effects.job) {
        A2H_ASSIGN_OR_RETURN(const auto renewed, consent::renew_older(db, effects.job->id, policy,
                                                                      effects.job->updated_at_ms));
        effects.has_renewed = renewed > 0;
    }
    if (effects.own) A2H_TRY(effects.own->write(db, effects));
    for (const auto& message : effects.outbox) {
        A2H_ASSIGN_OR_RETURN(const auto place, consent::put_in_outbox(db, message));
        places.push_back(place);
    }
    if (effects.job && (taken || !is_audited_later(effects))) {
        A2H_TRY(effects::audit_decision(db, *effects.job,
                                        effects.approval ? effects.approval->id : "",
                                        effects.job->updated_at_ms));
    }
    if (effects.news) {
        A2H_TRY(consent::notify_human(db, *effects.news, policy, effects.news->created_at_ms));
    }
    for (const auto& event : effects.events) {
        A2H_TRY(store::insert_event(db, event));
    }
    A2H_FAULT_POINT("effects.2");
    return places;
}

}  // namespace a2h::outcome
