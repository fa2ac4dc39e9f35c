#include "daemon/pipeline/answer_desk.h"

#include <memory>
#include <optional>
#include <utility>

namespace a2h::pipeline {

AnswerDesk::AnswerDesk(const Context& context, Executor& executor, std::function<void()> on_effects)
    : context_(context), executor_(executor), on_effects_(std::move(on_effects)) {}

void AnswerDesk::answer(approvals::Answer answer, const std::string& pin, Done done) {
    if (answer.surface != AnswerSurface::Terminal) {
        apply(std::move(answer), std::move(done));
        return;
    }
    // A locked PIN is not checked at all: the lock also spares the workers.
    const auto locked = approvals::pin_locked_until(context_.reader, context_.clock.now_ms());
    if (locked && *locked) {
        answer.pin = approvals::ProofState::Wrong;
        apply(std::move(answer), std::move(done));
        return;
    }
    context_.run_blocking<std::optional<approvals::ProofState>>(
        [&secrets = context_.secrets, pin] { return approvals::check_pin(secrets, pin); },
        [this, answer, done](std::optional<approvals::ProofState> state) mutable {
            if (!state) {
                done(fail(ErrorCode::Unavailable, "too much waits already; try again"));
                return;
            }
            answer.pin = *state;
            apply(std::move(answer), std::move(done));
        },
        [] { return std::nullopt; });
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
