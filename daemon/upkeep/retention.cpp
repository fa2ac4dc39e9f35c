#include "daemon/upkeep/retention.h"

#include <iterator>
#include <memory>

#include "core/store/case_store.h"
#include "core/store/retention.h"

namespace a2h::upkeep {
namespace {

constexpr store::Forgettable kKinds[] = {store::Forgettable::Incoming, store::Forgettable::Outgoing,
                                         store::Forgettable::Deals, store::Forgettable::Events,
                                         store::Forgettable::Notifications};
constexpr UnixMs kDayMs = 24LL * 60 * 60 * 1000;

}  // namespace

void Retention::start() {
    check();
    kernel_.loop.call_after(kCasesEvery, [this] { forget_cases(); });
}

/// What does not fit is removed the next time.
void Retention::forget_cases() {
    kernel_.write(
        store::Writer::Priority::Background,
        [now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
            const auto forgotten = store::forget_cases(db, now_ms - kCasesKeptFor.count(),
                                                       kCaseBytesMax, kCasesAtOnce);
            return forgotten ? Result<void>() : fail(forgotten.error());
        },
        [this](const Result<void>&) {
            kernel_.loop.call_after(kCasesEvery, [this] { forget_cases(); });
        });
}

/// Starts a pass if it is due and `[keep]` requires it.
void Retention::check() {
    const auto now = kernel_.clock.steady_now();
    const bool wished = config_->keep_messages_days > 0 || config_->keep_events_days > 0;
    if (wished && now >= next_pass_) {
        next_pass_ = now + kPassEvery;
        kind_ = 0;
        after_id_ = 0;
        step();
    } else {
        kernel_.loop.call_after(kCheckEvery, [this] { check(); });
    }
}

int Retention::days_of_kind() const {
    const bool words = kKinds[kind_] == store::Forgettable::Incoming ||
                       kKinds[kind_] == store::Forgettable::Outgoing ||
                       kKinds[kind_] == store::Forgettable::Deals;
    return words ? config_->keep_messages_days : config_->keep_events_days;
}

void Retention::step() {
    while (kind_ < std::size(kKinds) && days_of_kind() == 0)
        ++kind_;
    if (kind_ == std::size(kKinds)) {
        kernel_.loop.call_after(kCheckEvery, [this] { check(); });
        return;
    }
    auto done = std::make_shared<store::ForgetStep>();
    kernel_.write(
        store::Writer::Priority::Background,
        [done, kind = kKinds[kind_], after_id = after_id_,
         before_ms = kernel_.clock.now_ms() -
                     days_of_kind() * kDayMs](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto forgotten,
                                 store::forget_some(db, kind, after_id, before_ms, kRowsAStep));
            *done = forgotten;
            return {};
        },
        [this, done](const Result<void>& written) {
            if (written) {
                after_id_ = done->is_last ? 0 : done->last_id;
                if (done->is_last) ++kind_;
            }
            kernel_.loop.call_after(kStepPause, [this] { step(); });
        });
}

}  // namespace a2h::upkeep
