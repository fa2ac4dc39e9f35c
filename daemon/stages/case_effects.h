#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/domain/job.h"
#include "core/domain/stage_case.h"
#include "daemon/outcome/outcome.h"

namespace a2h::stages {

/// A new state of a case, the messages between its stages, and the job of the stage message that
/// caused both. The stages are added to the history of the task that the case serves.
///
/// Errors:  as `outcome::OwnEffects` says.
/// Thread:  `write`: the store writer, inside its transaction.
class CaseEffects final : public outcome::OwnEffects {
  public:
    CaseEffects(StageCase now, std::vector<StageMessage> messages, std::optional<Job> carrier)
        : now_(std::move(now)), messages_(std::move(messages)), carrier_(std::move(carrier)) {}

    bool is_holding() const override { return now_.kind == CaseKind::Holding; }
    bool is_audited_later(const Job& job) const override { return job.state == JobState::InStages; }
    Result<void> write(store::Database& db, outcome::Effects& effects) const override;

  private:
    StageCase now_;
    std::vector<StageMessage> messages_;
    std::optional<Job> carrier_;
};

}  // namespace a2h::stages
