#pragma once

#include <filesystem>
#include <string>

#include "core/base/check.h"
#include "daemon/operations/meter.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/page_links.h"
#include "daemon/operations/sender.h"

namespace a2h {
class CurrentRules;
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

/// A part of the daemon, which must outlive the table. a2hd has all of them; a test has those that
/// its operations use, and to use another one is a bug.
template <typename T>
class Part {
  public:
    Part() = default;
    Part(T& part) : part_(&part) {}
    operator T&() const {
        A2H_CHECK(part_ != nullptr);
        return *part_;
    }

  private:
    T* part_ = nullptr;
};

/// The parts of the daemon that operations work with. Each file takes out of them what its own
/// operations need; a handler has no others.
struct AllParts {
    Part<const kernel::Kernel> kernel;
    Part<const Current<Config>> config;
    Part<const Agents> agents;
    Part<const agents::Residents> residents;
    Part<const outcome::Commits> commits;
    Part<answers::Answers> answers;
    Part<const Sender> sender;
    Part<agents::LocalAgents> local_agents;
    Part<agents::Logins> logins;
    Part<agents::Removal> removal;
    Part<collab::Coordinator> coordinator;
    Part<collab::ProfileSource> profiles;
    Part<CurrentRules> rules;
    Part<const consent::HumanSecrets> secrets;
    Part<consent::Pins> pins;
    std::filesystem::path human_file;
    Part<const Current<notify::Audience>> audience;
    Part<const leading::Leaders> leaders;
    const model::LanguageModel* model;  ///< null without [model]
    PageLinks* page_links;              ///< null if the page is not served
    Part<const Served> served;
    Part<const Meter> meter;
    std::string metrics_url;  ///< empty if no metrics are served
    Part<const log::Ring> log_ring;
    Part<backup::Backups> backups;
    Part<doctor::Doctor> doctor;
    Part<Reload> reload;
};

/// Adds the operations of all files of this folder to the table.
void add_all(Table& table, const AllParts& all);

}  // namespace a2h::operations

#include "generated/operation_files.h"
