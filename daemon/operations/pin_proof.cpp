#include "daemon/operations/pin_proof.h"

namespace a2h::operations {

void PinProof::check_pin(const std::string& agent_id, const std::string& person,
                         const std::string& pin,
                         std::function<void(Result<std::string>)> done) const {
    const std::string name = person.empty() ? owner_of(config_->approval.people) : person;
    answers_.with_pin(
        agent_id, name, pin, [](store::Database&) { return Result<void>(); },
        [name, done = std::move(done)](const Result<void>& proved) {
            done(proved ? Result<std::string>(name) : fail(proved.error()));
        });
}

}  // namespace a2h::operations
