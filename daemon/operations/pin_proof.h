#pragma once

#include "daemon/answers/answers.h"
#include "daemon/config/current.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

/// Proves a person by the PIN, which is checked, counted and locked as when a question is answered
/// at the terminal.
///
/// Thread:  the loop.
class PinProof final : public OwnerProof {
  public:
    PinProof(answers::Answers& answers, const Current<Config>& config)
        : answers_(answers), config_(config) {}

    void check_pin(const std::string& agent_id, const std::string& person, const std::string& pin,
                   std::function<void(Result<std::string>)> done) const override;

  private:
    answers::Answers& answers_;
    const Current<Config>& config_;
};

}  // namespace a2h::operations
