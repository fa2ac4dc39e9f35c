#include "daemon/pipeline/answer_desk.h"

#include <memory>
#include <optional>
#include <utility>

#include "daemon/approvals/proof.h"

namespace a2h::pipeline {

AnswerDesk::AnswerDesk(const Context& context, Executor& executor, std::function<void()> on_effects)
    : context_(context), executor_(executor), on_effects_(std::move(on_effects)) {}

void AnswerDesk::answer(approvals::Answer answer, const std::string& pin, Done done) {
    if (answer.surface != AnswerSurface::Terminal) {
        apply(std::move(answer), std::move(done));
        return;
    }
    check_pin(pin, [this, answer, done](std::optional<approvals::ProofState> state) mutable {
        if (!state) {
            done(fail(ErrorCode::Unavailable, "too much waits already; try again"));
            return;
        }
        answer.pin = *state;
        apply(std::move(answer), std::move(done));
    });
}

void AnswerDesk::check_pin(const std::string& pin,
                           std::function<void(std::optional<approvals::ProofState>)> done) {
    const auto locked = approvals::pin_locked_until(context_.reader, context_.clock.now_ms());
    if (locked && *locked) {
        done(approvals::ProofState::Wrong);
        return;
    }
    context_.run_blocking<std::optional<approvals::ProofState>>(
        [&secrets = context_.secrets, pin] { return approvals::check_pin(secrets, pin); },
        std::move(done), [] { return std::nullopt; });
}

void AnswerDesk::with_pin(const std::string& agent_id, const std::string& pin,
                          store::Writer::Work work, std::function<void(Result<void>)> done) {
    check_pin(pin, [this, agent_id, work = std::move(work),
                    done = std::move(done)](std::optional<approvals::ProofState> state) {
        if (!state) {
            done(fail(ErrorCode::Unavailable, "too much waits already; try again"));
            return;
        }
        auto refused = std::make_shared<std::optional<Error>>();
        context_.write(
            store::Writer::Priority::Urgent,
            [this, agent_id, work, refused, pin = *state](store::Database& db) -> Result<void> {
                auto verdict =
                    approvals::check_pin_proof(db, pin, {agent_id, ""}, context_.secrets,
                                               context_.config.approval, context_.clock.now_ms());
                if (!verdict) return fail(verdict.error());
                *refused = std::move(*verdict);
                return *refused ? Result<void>() : work(db);  // failures are counted by the commit
            },
            [this, refused, done](const Result<void>& written) {
                on_effects_();
                done(written && *refused ? fail(**refused) : written);
            });
    });
}

void AnswerDesk::apply(approvals::Answer answer, Done done) {
    auto outcome = std::make_shared<approvals::AnswerOutcome>();
    context_.write(
        store::Writer::Priority::Urgent,
        [this, outcome, answer = std::move(answer)](store::Database& db) -> Result<void> {
            auto applied = approvals::apply_answer(
                db, answer, context_.secrets, context_.config.approval, context_.clock.now_ms());
            if (!applied) return fail(applied.error());
            *outcome = std::move(*applied);
            return {};
        },
        [this, outcome, done = std::move(done)](const Result<void>& written) {
            if (!written) {
                done(fail(written.error()));
                return;
            }
            on_effects_();
            if (outcome->refused) {
                done(fail(*outcome->refused));
                return;
            }
            if (outcome->answered->needs_execution) executor_.execute(outcome->answered->approval);
            done(std::move(*outcome->answered));
        });
}

void AnswerDesk::start_clocks() {
    context_.loop.call_after(kClockInterval, [this] { tick(); });
}

void AnswerDesk::tick() {
    context_.write(
        store::Writer::Priority::Grouped,
        [this](store::Database& db) -> Result<void> {
            const auto expired =
                approvals::expire_overdue(db, context_.config.approval, context_.clock.now_ms());
            return expired ? Result<void>() : fail(expired.error());
        },
        [this](const Result<void>&) {
            on_effects_();
            start_clocks();
        });
}

}  // namespace a2h::pipeline
