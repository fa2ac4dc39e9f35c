#include "market/commands.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "core/base/file.h"
#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/base/progress_bar.h"
#include "core/i18n/messages.h"
#include "core/systemd/notify.h"
#include "market/api/route_table.h"
#include "market/api/serve.h"
#include "market/api/upload.h"
#include "market/exchange/timer.h"
#include "market/relay/own_agent.h"
#include "market/relay/relay.h"
#include "market/store/works_search.h"
#include "market/sweep.h"

namespace a2h::market {
namespace {

constexpr std::size_t kSecretKeyBytes = 32;
/// Limit of bytes of one offline agent's mail on the broker, in addition to the number of messages,
/// which is not limited.
constexpr long kQueuedBytesMax = 256L * 1024 * 1024;
/// The longest wait between two checks of the watchdog, and the number of checks in the manager's
/// watchdog period.
constexpr std::chrono::microseconds kWaitMax{1'000'000};
constexpr int kChecksPerPeriod = 4;
/// Larger than the payload limit, which the plug-in checks, so that a slightly too large message is
/// refused, and only a far too large one ends the connection before it fills memory.
constexpr long kPacketBytesMax = 128L * 1024;

Result<void> prepare(const std::filesystem::path& dir) {
    // Database and keys are only for this user, whatever the folder allows.
    ::umask(0077);
    std::error_code error;
    std::filesystem::create_directories(dir, error);
    if (error) {
        return fail(ErrorCode::Unavailable, "cannot use " + dir.string() + ": " + error.message());
    }
    return {};
}

/// Shows long steps of a start to an operator at a terminal.
ProgressBar start_progress() {
    return ProgressBar(stderr, [](std::string_view what) {
        return i18n::text(i18n::language_of_environment(), what);
    });
}

Result<std::unique_ptr<db::Database>> open_database(const Place& place, Progress& progress) {
    if (place.database.empty()) return db::open_sqlite(place.data_dir / "market.db", progress);
    return db::open_postgresql(place.database, place.database_connections, progress);
}

/// Created at the first start; several processes on one folder share it.
Result<std::string> secret_key(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
        A2H_TRY(write_file(file, random_hex(kSecretKeyBytes), 0600));
    }
    return read_file(file);
}

Result<ReplayGuard> open_replay_guard(const Place& place, db::Database& database) {
    if (place.database.empty()) return ReplayGuard::open(place.data_dir / "nonce.db");
    return ReplayGuard::in_database(database);
}

std::string own_user_name() {
    const passwd* user = ::getpwuid(::geteuid());
    return user == nullptr ? std::to_string(::geteuid()) : user->pw_name;
}

/// The list is always written from the database, so a damaged file is repaired.
Result<void> write_revoked(db::Database& database, const std::filesystem::path& dir) {
    A2H_ASSIGN_OR_RETURN(const auto agents,
                         database.read_as<std::vector<std::string>>(store::revoked_agents));
    std::string text;
    for (const std::string& agent : agents)
        text += agent + "\n";
    return write_file(dir / "revoked", text, 0644);
}

std::string shown_host(const std::string& address) {
    return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

RelayState state_of(const Relay& relay) {
    const auto status = relay.status();
    return {status.connected, status.announced, status.recorded, status.dropped};
}

/// The signals that end the market. Blocked before any thread begins, so that all threads inherit
/// this and only sigwait receives them.
sigset_t block_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    return signals;
}

http::Server::Options listen_options(const ServeOptions& options, ApiParts& parts) {
    http::Server::Options listen;
    listen.address = options.address;
    listen.port = options.port;
    listen.handler_threads = options.threads;
    listen.io_threads = options.io_threads;
    listen.quick = [&parts](const http::Request& request) { return is_quick(parts, request); };
    listen.refusal = [&parts](const http::Request& request, int status, std::string_view sentence) {
        return refuse_early(parts, request, status, sentence);
    };
    return listen;
}

/// Waits for a signal. Meanwhile pings the service manager whenever a transaction has passed the
/// database's writer, also if it failed.
int wait_for(const sigset_t& signals, db::Database& database) {
    const auto period = systemd::watchdog_period();
    const std::chrono::microseconds pause =
        std::min(period.value_or(kWaitMax * kChecksPerPeriod) / kChecksPerPeriod, kWaitMax);
    const timespec wait{.tv_sec = pause.count() / 1'000'000,
                        .tv_nsec = pause.count() % 1'000'000 * 1'000};
    while (true) {
        const int number = ::sigtimedwait(&signals, nullptr, &wait);
        if (number > 0) return number;
        if (!period) continue;
        const auto answered = database.write([](db::Transaction&) { return Result<void>(); });
        if (!answered)
            log::warning("The database does not answer", {{"error", answered.error().message}});
        systemd::notify_watchdog();
    }
}

void serve_until_signal(const ServeOptions& options, const http::Server& server,
                        const sigset_t& signals, db::Database& database) {
    const std::string place = shown_host(options.address) + ":" + std::to_string(server.port());
    std::cout << "listening on http://" << place << "\n" << std::flush;
    systemd::notify_status("listening on " + place);
    systemd::notify_ready();
    const int number = wait_for(signals, database);
    systemd::notify_stopping();
    log::info("The market is stopping", {{"signal", static_cast<long long>(number)}});
}

}  // namespace

Result<void> serve(const ServeOptions& options) {
    const sigset_t signals = block_signals();
    A2H_TRY(prepare(options.place.data_dir));
    A2H_ASSIGN_OR_RETURN(auto signer, TokenSigner::open(options.place.data_dir));
    A2H_ASSIGN_OR_RETURN(const auto verifier,
                         TokenVerifier::open(options.place.data_dir / "token.pub"));
    auto progress = start_progress();
    A2H_ASSIGN_OR_RETURN(auto database, open_database(options.place, progress));
    A2H_ASSIGN_OR_RETURN(auto replay_guard, open_replay_guard(options.place, *database));
    A2H_TRY(write_revoked(*database, options.place.data_dir));
    A2H_TRY(store::index_missing_works(*database, progress));
    A2H_ASSIGN_OR_RETURN(auto files, FileFolder::open(options.place.data_dir / "files"));
    A2H_ASSIGN_OR_RETURN(auto key, secret_key(options.place.data_dir / "secret.key"));
    const SystemClock clock;
    AgentCache agents(*database, clock);
    A2H_ASSIGN_OR_RETURN(const auto own_agent, open_own_agent(*database, clock));
    const RouteTable routes;
    Watch watch{.metrics = Metrics(routes.names()),
                .agents = RateLimiter(options.agent_rate, options.agent_burst),
                .addresses = RateLimiter(options.address_rate, options.address_burst),
                .behind_proxy = options.behind_proxy,
                .log_requests = options.log_requests};
    SandboxPayments payments;
    ApiParts parts{.database = *database,
                   .agents = agents,
                   .replay_guard = replay_guard,
                   .token_signer = signer,
                   .token_verifier = verifier,
                   .payments = payments,
                   .own_agent = own_agent,
                   .clock = clock,
                   .routes = routes,
                   .watch = watch,
                   .files = files,
                   .secret_key = std::move(key),
                   .public_url = options.public_url,
                   .mqtt_url = options.mqtt_url,
                   .token_lifetime = options.token_lifetime,
                   .history_kept = options.history_kept};
    A2H_ASSIGN_OR_RETURN(const auto relay, Relay::start(*database, clock, signer, own_agent,
                                                        {.mqtt_url = options.mqtt_url,
                                                         .data_dir = options.place.data_dir,
                                                         .ca_file = options.mqtt_ca_file,
                                                         .history_kept = options.history_kept}));
    const ExchangeTimer timer(*database, clock);
    watch.relay_state = [&relay = *relay] { return state_of(relay); };
    A2H_TRY(remove_unknown_files(parts));
    const Sweeper sweeper(parts);
    A2H_ASSIGN_OR_RETURN(
        auto server,
        http::Server::start(
            listen_options(options, parts),
            [&parts](const http::Request& request) { return serve(parts, request); },
            [&parts](const http::Request& request) { return choose_body(parts, request); }));
    serve_until_signal(options, *server, signals, *database);
    return {};
}

Result<std::string> broker_config(const BrokerConfigOptions& options) {
    A2H_TRY(prepare(options.data_dir));
    A2H_TRY(TokenSigner::open(options.data_dir));
    const std::string dir = options.data_dir.string();
    if ((dir + options.address + options.plugin.string()).find_first_of("\n\r") !=
        std::string::npos) {
        return fail(ErrorCode::InvalidArgument, "a path or address contains a line break");
    }
    // If queued messages are not limited and queued bytes are not set, mosquitto limits nothing.
    return "user " + own_user_name() +
           "\n"
           "persistence true\n"
           "persistence_location " +
           dir +
           "/\n"
           "persistence_file broker.db\n"
           // A save writes everything. The plug-in requests one two seconds after mail arrived;
           // this limit of changes is only for bursts.
           "autosave_on_changes true\n"
           "autosave_interval 20000\n"
           "persistent_client_expiration 30d\n"
           // Not 0: mosquitto 2.0.11 would close the connection of a client whose message it
           // refuses, instead of refusing only that message.
           "max_queued_messages 1000000000\n"
           "max_queued_bytes " +
           std::to_string(kQueuedBytesMax) +
           "\n"
           "max_inflight_messages 100\n"
           "max_packet_size " +
           std::to_string(kPacketBytesMax) +
           "\n"
           "retain_available false\n"
           "set_tcp_nodelay true\n"
           "log_dest stderr\n"
           "log_type error\n"
           "log_type warning\n"
           "log_type notice\n"
           "\n"
           "listener " +
           std::to_string(options.port) + " " + options.address +
           "\n"
           "allow_anonymous false\n"
           "plugin " +
           options.plugin.string() +
           "\n"
           "plugin_opt_token_key " +
           dir +
           "/token.pub\n"
           "plugin_opt_revoked_file " +
           dir + "/revoked\n";
}

Result<void> revoke(const RevokeOptions& options) {
    auto progress = start_progress();
    A2H_ASSIGN_OR_RETURN(auto database, open_database(options.place, progress));
    A2H_TRY(database->write([&](db::Transaction& transaction) {
        return store::revoke_agent(transaction, options.agent_id, SystemClock().now_ms());
    }));
    return write_revoked(*database, options.place.data_dir);
}

}  // namespace a2h::market
