// The plug-in with which a mosquitto listener follows the market's rules: it checks the signed
// tokens that the market issues, binds client ids to agents, and limits each agent to its own
// topic. It stores no state of an agent, so a renewed token does not affect an open session.
//
// Options (plugin_opt_…): `token_key`, the market's public key; `revoked_file`, one agent id on
// each line. mosquitto is C and single-threaded: all callbacks run on its one thread, and no
// exception may reach it.

#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <unordered_set>

#include "core/base/ids.h"
#include "market/broker/access.h"
#include "market/broker/token.h"

namespace a2h::market {
namespace {

/// mosquitto writes its whole database when it saves, so it cannot do that for every message; and
/// on a quiet broker its own counter of changes never reaches the limit. So it is told to save this
/// long after mail arrived, which limits by time what a killed broker can lose.
constexpr std::time_t kSaveDelay_s = 2;

/// Identifies one version of a file that is replaced by renaming.
struct FileVersion {
    ino_t inode = 0;
    off_t size = -1;
    std::int64_t modified_ns = 0;

    bool operator==(const FileVersion&) const = default;
};

FileVersion version_of(const std::string& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return {};
    return {status.st_ino, status.st_size,
            status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
}

class Plugin {
  public:
    Plugin(TokenVerifier verifier, std::string revoked_file)
        : verifier_(std::move(verifier)), revoked_file_(std::move(revoked_file)) {
        read_revoked();
    }

    int authenticate(const mosquitto_evt_basic_auth& event) const {
        const char* client_id = mosquitto_client_id(event.client);
        if (client_id == nullptr || event.username == nullptr || event.password == nullptr) {
            return MOSQ_ERR_AUTH;
        }
        const auto claims = verifier_.verify(event.password, std::time(nullptr));
        if (!claims) {
            mosquitto_log_printf(MOSQ_LOG_NOTICE, "a2h: login refused: %s.",
                                 claims.error().message.c_str());
            return MOSQ_ERR_AUTH;
        }
        // The user name must be the agent as well, because sessions are ended by user name.
        const auto agent = claims->role == BrokerRole::Recorder ? agent_of_recorder(client_id)
                                                                : agent_of_client_id(client_id);
        const bool bound = agent && *agent == claims->agent_id && claims->client_id == client_id &&
                           claims->agent_id == event.username;
        return bound && !revoked_.contains(claims->agent_id) ? MOSQ_ERR_SUCCESS : MOSQ_ERR_AUTH;
    }

    /// The client id was bound to the agent at login and, unlike the user name, is also known for
    /// sessions that were restored from disk.
    int check_access(const mosquitto_evt_acl_check& event) {
        const char* client_id = mosquitto_client_id(event.client);
        const auto recorder = agent_of_recorder(client_id == nullptr ? "" : client_id);
        const auto agent =
            recorder ? recorder : agent_of_client_id(client_id == nullptr ? "" : client_id);
        if (!agent || event.topic == nullptr || revoked_.contains(std::string(*agent))) {
            return MOSQ_ERR_ACL_DENIED;
        }
        bool allowed = false;
        if (event.access == MOSQ_ACL_WRITE) {
            allowed = may_publish(event.topic, event.payloadlen, event.retain);
            unsaved_mail_ = unsaved_mail_ || allowed;
        } else if (event.access == MOSQ_ACL_READ || event.access == MOSQ_ACL_SUBSCRIBE ||
                   event.access == MOSQ_ACL_UNSUBSCRIBE) {
            allowed = recorder ? may_record(event.topic) : may_receive(*agent, event.topic);
            unsaved_recorder_ =
                unsaved_recorder_ || (recorder && allowed && event.access == MOSQ_ACL_SUBSCRIBE);
        }
        return allowed ? MOSQ_ERR_SUCCESS : MOSQ_ERR_ACL_DENIED;
    }

    void tick() {
        const std::time_t now = std::time(nullptr);
        if (unsaved_recorder_) {
            unsaved_recorder_ = false;
            save(now);
        }
        if (now == last_tick_s_) return;
        last_tick_s_ = now;
        read_revoked();
        if (unsaved_mail_ && (now - last_save_s_ >= kSaveDelay_s || now < last_save_s_)) {
            save(now);
        }
    }

  private:
    void save(std::time_t now) {
        unsaved_mail_ = false;
        last_save_s_ = now;
        ::kill(::getpid(), SIGUSR1);  // the signal that makes mosquitto save
    }

    /// A list that cannot be read changes nothing, so it never readmits a revoked agent.
    void read_revoked() {
        const FileVersion version = version_of(revoked_file_);
        if (version == revoked_version_) return;
        std::ifstream in(revoked_file_);
        std::unordered_set<std::string> revoked;
        for (std::string line; std::getline(in, line);) {
            if (is_agent_id(line)) revoked.insert(line);
        }
        if (!in.eof()) return;
        revoked_version_ = version;
        revoked_.swap(revoked);
        for (const std::string& agent : revoked_) {
            if (!revoked.contains(agent)) mosquitto_kick_client_by_username(agent.c_str(), false);
        }
    }

    TokenVerifier verifier_;
    std::string revoked_file_;
    FileVersion revoked_version_;
    std::unordered_set<std::string> revoked_;
    std::time_t last_tick_s_ = 0;
    std::time_t last_save_s_ = 0;
    bool unsaved_mail_ = false;
    /// The market has subscribed: from then on the broker keeps mail for the history, also of
    /// agents that have never connected, and must know that after a crash.
    bool unsaved_recorder_ = false;
};

/// Runs `work`; after an exception returns `otherwise`.
template <typename Work>
int guarded(int otherwise, Work work) noexcept {
    try {
        return work();
    } catch (const std::exception& e) {
        mosquitto_log_printf(MOSQ_LOG_ERR, "a2h: %s.", e.what());
    } catch (...) {
        mosquitto_log_printf(MOSQ_LOG_ERR, "a2h: unknown exception.");
    }
    return otherwise;
}

int on_basic_auth(int, void* event, void* plugin) {
    return guarded(MOSQ_ERR_AUTH, [&] {
        return static_cast<Plugin*>(plugin)->authenticate(
            *static_cast<mosquitto_evt_basic_auth*>(event));
    });
}

int on_acl_check(int, void* event, void* plugin) {
    return guarded(MOSQ_ERR_ACL_DENIED, [&] {
        return static_cast<Plugin*>(plugin)->check_access(
            *static_cast<mosquitto_evt_acl_check*>(event));
    });
}

int on_tick(int, void*, void* plugin) {
    return guarded(MOSQ_ERR_SUCCESS, [&] {
        static_cast<Plugin*>(plugin)->tick();
        return MOSQ_ERR_SUCCESS;
    });
}

std::string option(const mosquitto_opt* options, int count, std::string_view key) {
    for (int i = 0; i < count; ++i) {
        if (options[i].key == key && options[i].value != nullptr) return options[i].value;
    }
    return {};
}

int start(mosquitto_plugin_id_t* identifier, void** plugin, const mosquitto_opt* options,
          int option_count) {
    auto verifier = TokenVerifier::open(option(options, option_count, "token_key"));
    if (!verifier) {
        mosquitto_log_printf(MOSQ_LOG_ERR, "a2h: plugin_opt_token_key: %s.",
                             verifier.error().message.c_str());
        return MOSQ_ERR_INVAL;
    }
    auto made = std::make_unique<Plugin>(std::move(*verifier),
                                         option(options, option_count, "revoked_file"));
    for (const auto& [event, callback] :
         {std::pair(MOSQ_EVT_BASIC_AUTH, &on_basic_auth),
          std::pair(MOSQ_EVT_ACL_CHECK, &on_acl_check), std::pair(MOSQ_EVT_TICK, &on_tick)}) {
        const int code =
            mosquitto_callback_register(identifier, event, callback, nullptr, made.get());
        if (code != MOSQ_ERR_SUCCESS) return code;
    }
    *plugin = made.release();
    return MOSQ_ERR_SUCCESS;
}

}  // namespace
}  // namespace a2h::market

extern "C" {

int mosquitto_plugin_version(int supported_version_count, const int* supported_versions) {
    for (int i = 0; i < supported_version_count; ++i) {
        if (supported_versions[i] == MOSQ_PLUGIN_VERSION) return MOSQ_PLUGIN_VERSION;
    }
    return -1;
}

int mosquitto_plugin_init(mosquitto_plugin_id_t* identifier, void** user_data,
                          mosquitto_opt* options, int option_count) {
    return a2h::market::guarded(MOSQ_ERR_UNKNOWN, [&] {
        return a2h::market::start(identifier, user_data, options, option_count);
    });
}

int mosquitto_plugin_cleanup(void* user_data, mosquitto_opt*, int) {
    // When it unloads a plug-in, mosquitto 2.0 frees its callbacks itself.
    delete static_cast<a2h::market::Plugin*>(user_data);
    return MOSQ_ERR_SUCCESS;
}

}  // extern "C"
