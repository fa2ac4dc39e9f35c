#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/http/transfers.h"
#include "daemon/config/changes.h"
#include "daemon/config/config.h"
#include "daemon/context/agent.h"
#include "daemon/context/current_rules.h"
#include "daemon/kernel/kernel.h"
#include "daemon/notify/listeners.h"
#include "daemon/notify/notification_queue.h"
#include "daemon/outcome/commits.h"

namespace a2h::operations {

/// Reads config.toml again while a2hd is running. A file with an error changes nothing. In both
/// cases the owner's agents get an event, and people are notified of settings that are not used.
///
/// Thread:  the loop; the file is read on a worker.
class Reload {
  public:
    /// Receives the changes, or why there are none.
    using Done = std::function<void(const Result<config::Changes>&)>;

    struct Parts {
        const kernel::Kernel& kernel;
        const Agents& agents;
        Current<Config>& config;              ///< replaced by a reload
        Current<notify::Audience>& audience;  ///< replaced by a reload
        CurrentRules& rules;                  ///< selects the trades whose words are read
        config::Origins origins;              ///< origins of `config`
        std::filesystem::path file;
        http::Transfers& transfers;  ///< for calls of new channels
        /// Restarted with the new channels; null if no channel listens.
        notify::ChannelListeners* listeners;
        const outcome::Commits& commits;
    };
    explicit Reload(Parts parts) : parts_(std::move(parts)) {}

    /// For SIGHUP: reports begin and end to the service manager.
    void start_for_manager();
    /// One reload answers all calls that arrived before it began.
    ///
    /// Errors:  those of `config::load`, `notify::make_channels` and `config::take_over`.
    void start(Done done);

    const std::filesystem::path& file() const { return parts_.file; }
    /// The origin of each option of the current configuration.
    const config::Origins& origins() const { return parts_.origins; }

  private:
    struct Fresh {
        config::Loaded loaded;
        notify::Channels channels;
    };
    Result<Fresh> load() const;
    void read_again();
    Result<config::Changes> take(Fresh& fresh);
    void report(const Result<config::Changes>& result) const;
    std::vector<std::string> own_ids() const;

    Parts parts_;
    std::vector<Done> waiting_;
    bool is_reading_ = false;
};

/// Registers how a notification about a refused configuration is worded. Call before other threads
/// start.
void register_news();

}  // namespace a2h::operations
