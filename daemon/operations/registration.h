#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "daemon/operations/metrics.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/sender.h"

namespace a2h {
class CurrentRules;
}
namespace a2h::decide {
class RuleSet;
}
namespace a2h::collab {
class Coordinator;
class ProfileSource;
}  // namespace a2h::collab
namespace a2h::doctor {
class Doctor;
}
namespace a2h::agents {
class LocalAgents;
class Logins;
class Removal;
}  // namespace a2h::agents
namespace a2h::log {
class Ring;
}
namespace a2h::notify {
struct Audience;
}
namespace a2h::backup {
class Backups;
}  // namespace a2h::backup
namespace a2h::leading {
class Leaders;
}  // namespace a2h::leading

namespace a2h::operations {

class Reload;

/// The address of the page in this process.
struct Served {
    std::string page_url;      ///< empty if the page is not served
    std::string page_problem;  ///< why the page is not served although it should be
};

/// Creates links to the page.
///
/// Thread:  the loop.
class PageLinks {
  public:
    /// A one-time link for a person.
    ///
    /// Errors:  Unavailable if sessions would cross a network unencrypted; NotFound for an unknown
    ///          person.
    virtual Result<std::string> make_link(const std::string& person) = 0;

  protected:
    ~PageLinks() = default;
};

// Each file of this folder adds its operations to the table with one of these functions. All
// arguments must outlive the table.

void add_agents(Table& table, const Sender& sender, agents::LocalAgents& local_agents,
                agents::Removal& removal);
void add_approvals(Table& table, const Sender& sender);
void add_assignments(Table& table, const Sender& sender);
void add_audit(Table& table, const kernel::Services& kernel);
void add_auth(Table& table, const Asker& asker, agents::Logins& logins);
void add_backup(Table& table, backup::Backups& backups, const Current<Config>& config);
void add_config(Table& table, const kernel::Services& kernel, const Current<Config>& config,
                Reload& reload);
void add_contacts(Table& table, const kernel::Services& kernel, const Agents& agents,
                  const agents::Residents& residents);
void add_daemon(Table& table, const kernel::Services& kernel);
void add_deals(Table& table, const kernel::Services& kernel);
void add_demands(Table& table, const Sender& sender, collab::Coordinator& coordinator);
void add_doctor(Table& table, const Current<Config>& config, doctor::Doctor& doctor);
void add_explain(Table& table, const kernel::Services& kernel, const Current<Config>& config,
                 const decide::RuleSet& rules);
void add_follow(Table& table, const Asker& asker);
void add_inbox(Table& table, const kernel::Services& kernel);
void add_introductions(Table& table, const Sender& sender);
void add_invitations(Table& table, const Sender& sender);
void add_learn(Table& table, const Asker& asker);
void add_logs(Table& table, const kernel::Services& kernel, const log::Ring& log_ring);
void add_mandates(Table& table, const Asker& asker);
void add_market(Table& table, const Sender& sender);
void add_metrics(Table& table, const Meter& meter, std::string url);
void add_notify(Table& table, const kernel::Services& kernel, const Current<Config>& config,
                const Current<notify::Audience>& audience);
void add_outbox(Table& table, const kernel::Services& kernel, const outcome::Commits& commits);
void add_page(Table& table, const kernel::Services& kernel, const Current<Config>& config,
              answers::Answers& answers, PageLinks* links);
void add_pin(Table& table, const kernel::Services& kernel, const Current<Config>& config,
             const consent::HumanSecrets& secrets, consent::Pins& pins,
             std::filesystem::path human_file, answers::Answers& answers,
             const outcome::Commits& commits);
void add_plans(Table& table, const kernel::Services& kernel, const Agents& agents);
void add_playbook(Table& table, CurrentRules& current_rules);
void add_profiles(Table& table, const kernel::Services& kernel, const Agents& agents,
                  collab::ProfileSource& profiles);
void add_send(Table& table, const Sender& sender);
void add_status(Table& table, const kernel::Services& kernel, const Agents& agents,
                CurrentRules& current_rules, const leading::Leaders& leaders,
                const model::LanguageModel* model, const Served& served);
void add_why(Table& table, const kernel::Services& kernel, const Current<Config>& config);
}  // namespace a2h::operations
