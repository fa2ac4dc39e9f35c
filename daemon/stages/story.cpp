#include "daemon/stages/story.h"

#include "daemon/agents/tasks.h"

namespace a2h::stages {

Result<std::vector<store::OutboxPlace>> write_with_story(store::Database& db,
                                                         outcome::Effects& effects,
                                                         const consent::Policy& policy) {
    if (effects.stage_case)
        A2H_TRY(agents::add_stages_to_history(db, *effects.stage_case, effects.stage_messages));
    return outcome::write_effects(db, effects, policy);
}

}  // namespace a2h::stages
