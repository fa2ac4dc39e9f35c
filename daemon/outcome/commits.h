#pragma once

#include <vector>

#include "core/domain/message.h"
#include "core/store/outbox_store.h"
#include "daemon/kernel/metrics.h"
#include "daemon/outcome/outcome.h"

namespace a2h::outcome {

/// A part that acts on what others have committed. Each function does nothing unless it is
/// overridden.
///
/// Thread:  the loop.
class CommitListener {
  public:
    /// `effects` are being written to the disk.
    virtual void writing(const Effects& effects);
    /// `effects` were written, and their outbox rows are at `places`.
    virtual void written(const Effects& effects, const std::vector<store::OutboxPlace>& places);
    /// Rows were written that are not passed on; they have to be read from the database.
    virtual void rows_written();
    /// A message was delivered within this home and has to be decided.
    virtual void delivered(const InboxMessage& message);

  protected:
    ~CommitListener() = default;
};

/// Parts report here what they have committed, so that others continue: messages are sent, people
/// are notified, approved actions are carried out. If this process does not serve, all of that
/// waits in the database.
///
/// Listeners are called in the order in which they were added, and must live as long as the loop
/// runs.
///
/// Thread:  the loop.
class Commits {
  public:
    Commits(kernel::Metrics& metrics, bool serves) : metrics_(metrics), serves_(serves) {}
    Commits(const Commits&) = delete;
    Commits& operator=(const Commits&) = delete;

    /// Call before the loop runs.
    void add(CommitListener& listener) { listeners_.push_back(&listener); }

    void writing(const Effects& effects) const;
    void written(const Effects& effects, const std::vector<store::OutboxPlace>& places) const;
    void rows_written() const;
    void delivered(const InboxMessage& message) const;

  private:
    kernel::Metrics& metrics_;
    const bool serves_;
    std::vector<CommitListener*> listeners_;
};

}  // namespace a2h::outcome
