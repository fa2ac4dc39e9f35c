#include "daemon/agents/removal.h"

#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "core/store/event_store.h"
#include "core/store/login_store.h"
#include "daemon/agents/stops.h"
#include "daemon/context/own_agents.h"
#include "daemon/effects/rows.h"

namespace a2h::agents {
namespace {

/// The keys are kept under a name that no start reads.
Result<void> put_aside(const std::filesystem::path& agents_dir, const std::string& agent_id) {
    const std::filesystem::path file = agents_dir / (agent_id + ".json");
    std::error_code failure;
    std::filesystem::rename(file, file.string() + ".removed", failure);
    if (!failure) return {};
    if (failure == std::errc::no_such_file_or_directory) {
        return fail(ErrorCode::Conflict, agent_id +
                                             " was brought by the service manager "
                                             "(LoadCredential=); remove it there");
    }
    return fail(ErrorCode::Unavailable,
                "cannot rename " + file.string() + ": " + failure.message());
}

}  // namespace

Removal::Removal(const kernel::Kernel& kernel, const Current<Config>& config, const Agents& agents,
                 std::filesystem::path agents_dir, Residents& residents, MailboxKeeper& mailboxes,
                 const outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      agents_(agents),
      agents_dir_(std::move(agents_dir)),
      residents_(residents),
      mailboxes_(mailboxes),
      commits_(commits) {}

Result<Removal::Steps> Removal::steps_for(const std::string& agent_id) {
    if (residents_.find(agent_id) != nullptr) {
        return fail(ErrorCode::InvalidArgument,
                    agent_id + " was created here; stop it with `a2h agent stop`");
    }
    if (!residents_.is_own(agent_id))
        return fail(ErrorCode::NotFound, "there is no agent " + agent_id + " in this home");
    if (default_agent(agents_)->identity.account.agent_id == agent_id) {
        return fail(ErrorCode::Conflict,
                    agent_id + " is the default agent of this home and cannot be removed");
    }
    const auto stopped = std::make_shared<std::vector<std::string>>();
    Steps steps;
    steps.write = [stopped, agent_id, dir = agents_dir_, policy = policy_of(config_),
                   now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
        A2H_ASSIGN_OR_RETURN(*stopped,
                             write_stops(db, agent_id, StoppedBy::Human, *policy, now_ms));
        A2H_TRY(end_work(db, agent_id, StoppedBy::Human, *policy, now_ms));
        A2H_TRY(store::remove_own_agent(db, agent_id));
        A2H_TRY(store::insert_event(
            db, effects::new_event(agent_id, "agent.removed", agent_id, "{}", now_ms)));
        return put_aside(dir, agent_id);
    };
    steps.finish = [this, stopped, agent_id] {
        for (const std::string& id : *stopped) {
            residents_.stop(id, kernel_.clock.now_ms());
            mailboxes_.stop_local(id);
        }
        mailboxes_.stop_local(agent_id);
        commits_.rows_written();
    };
    return steps;
}

}  // namespace a2h::agents
