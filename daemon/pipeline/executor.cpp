#include "daemon/pipeline/executor.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "daemon/pipeline/effects.h"
#include "daemon/pipeline/requests.h"

namespace a2h::pipeline {
namespace {

std::string receipt_json(const std::string& works_id, const std::string& change_request_id,
                         const std::string& status) {
    return wire::canonical_json(nlohmann::json{
        {"worksId", works_id}, {"changeRequestId", change_request_id}, {"status", status}});
}

Result<void> record_outcome(store::Database& db, const Approval& approval, ApprovalOutcome outcome,
                            std::string_view detail, UnixMs now_ms) {
    A2H_TRY(store::finish_approval(db, approval.id, outcome, detail, now_ms));
    const std::string json =
        wire::canonical_json(nlohmann::json{{"outcome", to_string(outcome)}, {"detail", detail}});
    A2H_TRY(store::append_audit(db, approval.id, to_string(outcome), json, now_ms));
    const auto event = store::insert_event(
        db, new_event(approval.agent_id, "approval.executed", approval.id, json, now_ms));
    return event ? Result<void>() : fail(event.error());
}

/// Consumption and the outbox row in one transaction: the text leaves once, or not at all.
Result<void> consume_and_queue(store::Database& db, const Approval& approval, UnixMs now_ms) {
    A2H_TRY(store::consume_approval(db, approval.id, now_ms));
    auto message = message_of_request(approval, now_ms);
    if (!message)
        return record_outcome(db, approval, ApprovalOutcome::Failed, message.error().message,
                              now_ms);
    const auto queued = store::insert_outbox(db, *message);
    if (!queued) return fail(queued.error());
    return record_outcome(db, approval, ApprovalOutcome::Executed, message->message_id, now_ms);
}

}  // namespace

Executor::Executor(const Context& context, Agents& agents, ListingSync& listings,
                   std::function<void()> on_effects)
    : context_(context), agents_(agents), listings_(listings), on_effects_(std::move(on_effects)) {}

void Executor::execute(const Approval& approval) {
    if (!agents_.contains(approval.agent_id)) return;
    if (approval.action == kSendAction) {
        send_message(approval);
        return;
    }
    context_.write(
        store::Writer::Priority::Grouped,
        [approval, now_ms = context_.clock.now_ms()](store::Database& db) {
            return store::consume_approval(db, approval.id, now_ms);
        },
        [this, approval](const Result<void>& consumed) {
            if (consumed) run_publish(approval, false);
        });
}

void Executor::send_message(const Approval& approval) {
    context_.write(
        store::Writer::Priority::Grouped,
        [approval, now_ms = context_.clock.now_ms()](store::Database& db) {
            return consume_and_queue(db, approval, now_ms);
        },
        [this](const Result<void>&) { on_effects_(); });
}

void Executor::resume() {
    if (const auto unused = store::unused_approvals(context_.reader)) {
        for (const Approval& approval : *unused)
            execute(approval);
    }
    if (const auto interrupted = store::executing_approvals(context_.reader)) {
        for (const Approval& approval : *interrupted) {
            if (agents_.contains(approval.agent_id)) run_publish(approval, true);
        }
    }
}

Executor::Outcome Executor::publish(platform::Client& market, const Approval& approval) {
    const auto draft = listing_of_request(approval);
    if (!draft) return {ApprovalOutcome::Failed, draft.error().message};
    const auto receipt = market.submit_listing(*draft);
    if (receipt) {
        return {ApprovalOutcome::Executed,
                receipt_json(receipt->works_id, receipt->change_request_id, receipt->status)};
    }
    if (receipt.error().code == ErrorCode::Timeout) return read_back(market, approval);
    return {ApprovalOutcome::Failed, receipt.error().message};
}

Executor::Outcome Executor::read_back(platform::Client& market, const Approval& approval) {
    const auto draft = listing_of_request(approval);
    if (!draft) return {ApprovalOutcome::Failed, draft.error().message};
    const auto own = market.own_listings(draft->type, 1, 100);
    if (own) {
        for (const Listing& listing : *own) {
            if (listing.title == draft->title && listing.content == draft->content) {
                return {ApprovalOutcome::Executed,
                        receipt_json(listing.works_id, "", listing.status)};
            }
        }
    }
    return {ApprovalOutcome::Unknown,
            "the market's answer was lost; look whether the listing is there before trying again"};
}

void Executor::run_publish(const Approval& approval, bool resumed) {
    platform::Client* market = agents_.at(approval.agent_id)->platform.get();
    context_.run_blocking<Outcome>(
        [market, approval, resumed] {
            return resumed ? read_back(*market, approval) : publish(*market, approval);
        },
        [this, approval](const Outcome& outcome) { finish(approval, outcome); },
        [] {
            return Outcome{ApprovalOutcome::Failed, "too many requests are waiting; try again"};
        });
}

void Executor::finish(const Approval& approval, const Outcome& outcome) {
    context_.write(
        store::Writer::Priority::Grouped,
        [approval, outcome, now_ms = context_.clock.now_ms()](store::Database& db) {
            return record_outcome(db, approval, outcome.outcome, outcome.detail, now_ms);
        },
        [this, approval, outcome](const Result<void>& recorded) {
            if (!recorded && recorded.error().code != ErrorCode::Conflict &&
                recorded.error().code != ErrorCode::NotFound) {
                context_.loop.call_after(std::chrono::seconds(1),
                                         [this, approval, outcome] { finish(approval, outcome); });
                return;
            }
            listings_.refresh(*agents_.at(approval.agent_id));
            on_effects_();
        });
}

}  // namespace a2h::pipeline
