#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/config/changes.h"
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

namespace a2h::demand {
class Coordinator;
class ProfileSync;
}  // namespace a2h::demand
namespace a2h::doctor {
class Doctor;
}
namespace a2h::log {
class Ring;
}
namespace a2h::service {
class Backups;
class Leaders;
}  // namespace a2h::service

namespace a2h {

/// Gets what a reload has changed, or why nothing has. Thread: the loop.
using ReloadDone = std::function<void(const Result<config::Changes>&)>;

/// What operation handlers and the page work with: the stages and the state they share. Owned by
/// `App`. Thread: the loop.
struct Runtime {
    const Context& context;
    Agents& agents;
    pipeline::Decider& decider;
    pipeline::Dispatcher& dispatcher;
    pipeline::AnswerDesk& answers;
    std::function<void()> on_effects;  ///< call after committing rows that others must act on
    std::function<void()> stop;        ///< begins an orderly shutdown
    /// Starts an agent whose identity has just been stored.
    std::function<void(const platform::AgentIdentity&)> add_agent;
    /// A one-time link to the page for a person. Errors: Unavailable when it is not served, or not
    /// safely.
    std::function<Result<std::string>(const std::string& person)> make_page_link;
    /// Keeps a person's new PIN. Errors: those of `platform::replace_human`. Thread: the store
    /// writer.
    std::function<Result<void>(const std::string& person, const std::string& hash)> save_pin;
    std::filesystem::path agents_dir;  ///< where identities are stored
    std::string web_url;               ///< empty when the page is not served
    std::string metrics_url;           ///< empty when metrics are not served over HTTP
    /// All channels; lives until the daemon ends. A reload replaces what is in it, see `Context`.
    const Current<notify::Channels>* channels = nullptr;
    notify::AnswerClick press;              ///< where buttons go; may block, so never on the loop
    CurrentRules* current_rules = nullptr;  ///< lives until the daemon ends
    const model::LanguageModel* model = nullptr;  ///< absent without [model]
    agents::House* house = nullptr;               ///< of all agents; lives until the daemon ends
    doctor::Doctor* doctor = nullptr;             ///< lives until the daemon ends
    service::Backups* backups = nullptr;          ///< these two as well
    const service::Leaders* leaders = nullptr;
    demand::Coordinator* coordinator = nullptr;  ///< lives until the daemon ends
    demand::ProfileSync* profiles = nullptr;     ///< this one as well
    std::string web_problem = {};         ///< why the page is not served, though it should be
    const log::Ring* log_ring = nullptr;  ///< this one as well
    std::filesystem::path config_file = {};
    const config::Origins* origins = nullptr;  ///< of the configuration; a reload replaces them
    /// Reads the configuration again; an error changes nothing, and is told as an event and a
    /// notification. Errors: those of `config::load`, `notify::make_channels` and
    /// `config::take_over`.
    std::function<void(ReloadDone done)> reload = {};
};

}  // namespace a2h
