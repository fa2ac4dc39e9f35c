#include "daemon/config/stages_options.h"

namespace a2h::stages {

Result<void> check_are_others(const Options& options, const std::vector<std::string>& own_ids) {
    for (const std::string& id : own_ids) {
        if (id == options.context || id == options.agent || id == options.review) {
            return invalid("[stages] of config.toml names " + id +
                           ", which a2hd serves itself; name the agent of another program");
        }
    }
    return {};
}

}  // namespace a2h::stages
