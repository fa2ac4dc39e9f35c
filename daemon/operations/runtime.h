#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "daemon/context/agent.h"
#include "daemon/context/context.h"
#include "daemon/context/current_rules.h"
#include "daemon/house/house.h"
#include "daemon/mail/answer_desk.h"
#include "daemon/mail/decider.h"
#include "daemon/mail/dispatcher.h"
#include "daemon/mail/executor.h"
#include "daemon/model/language_model.h"
#include "daemon/notify/notifier.h"

namespace a2h::collab {
class Coordinator;
class ProfileSync;
}  // namespace a2h::collab
namespace a2h::doctor {
class Doctor;
}
namespace a2h::log {
class Ring;
}
namespace a2h::operations {
class Reload;
}
namespace a2h::backup {
class Backups;
}  // namespace a2h::backup
namespace a2h::leading {
class Leaders;
}  // namespace a2h::leading

namespace a2h {

/// Where this process is reached over HTTP. Thread: the loop.
struct Served {
    std::string page_url;      ///< empty when the page is not served
    std::string page_problem;  ///< why it is not served, though it should be
    std::string metrics_url;   ///< empty when metrics are not served over HTTP
};

/// What operation handlers and the page work with: the parts of a2hd and what they share. Owned by
/// `App`; whole from the start, and every part of it lives as long as the loop turns.
/// Thread: the loop.
struct Runtime {
    const Context& context;
    Agents& agents;
    mail::Dispatcher& dispatcher;
    mail::AnswerDesk& answers;
    house::House& house;
    collab::Coordinator& coordinator;
    collab::ProfileSync& profiles;
    doctor::Doctor& doctor;
    backup::Backups& backups;
    const leading::Leaders& leaders;
    CurrentRules& current_rules;
    const Current<notify::Channels>& channels;
    operations::Reload& reload;
    const log::Ring& log_ring;
    const model::LanguageModel* model;  ///< null without [model]
    const Served& served;
    std::filesystem::path agents_dir;  ///< where identities are stored
    std::function<void()> on_effects;  ///< call after committing rows that others must act on
    std::function<void()> stop;        ///< begins an orderly shutdown
    /// Where buttons go; may block, so never on the loop.
    notify::AnswerClick press;
    /// Starts an agent whose identity has just been stored.
    std::function<void(const platform::AgentIdentity&)> add_agent;
    /// A one-time link to the page for a person. Errors: Unavailable when it is not served, or not
    /// safely.
    std::function<Result<std::string>(const std::string& person)> make_page_link;
    /// Keeps a person's new PIN. Errors: those of `platform::replace_human`. Thread: the store
    /// writer.
    std::function<Result<void>(const std::string& person, const std::string& hash)> save_pin;
};

}  // namespace a2h
