#pragma once

#include <vector>

#include "core/domain/message.h"
#include "core/store/outbox_store.h"
#include "daemon/kernel/metrics.h"
#include "daemon/outcome/outcome.h"

namespace a2h::outcome {

/// A part that acts on what others have committed. Each member does nothing unless it is
/// overridden. Thread: the loop.
class CommitListener {
  public:
    /// `effects` are on their way to the disk.
    virtual void writing(const Effects& effects);
    /// `effects` were written, and their outbox rows are at `places`.
    virtual void written(const Effects& effects, const std::vector<store::OutboxPlace>& places);
    /// Rows were written that nobody hands over: the database holds them.
    virtual void look();
    /// A message was delivered within the house and has to be decided.
    virtual void delivered(const InboxMessage& message);

  protected:
    ~CommitListener() = default;
};

/// Where rooms say what they have committed, so that other parts go on with it: messages leave,
/// people are notified, what is approved is carried out. When this process does not serve, all of
/// that waits in the database.
///
/// Listeners are told in the order in which they were added, and live as long as the loop turns.
/// Thread: the loop.
class Commits {
  public:
    Commits(kernel::Metrics& metrics, bool serves) : metrics_(metrics), serves_(serves) {}
    Commits(const Commits&) = delete;
    Commits& operator=(const Commits&) = delete;

    /// Before the loop turns.
    void add(CommitListener& listener) { listeners_.push_back(&listener); }

    void writing(const Effects& effects) const;
    void written(const Effects& effects, const std::vector<store::OutboxPlace>& places) const;
    void look() const;
    void delivered(const InboxMessage& message) const;

  private:
    kernel::Metrics& metrics_;
    const bool serves_;
    std::vector<CommitListener*> listeners_;
};

}  // namespace a2h::outcome
