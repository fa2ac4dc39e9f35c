#include "cli/demo/stage.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/daemon_call.h"
#include "cli/init.h"
#include "core/base/text.h"
#include "core/control/client.h"
#include "core/http/client.h"

namespace a2h::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::seconds kStartTimeout{20};
constexpr std::string_view kMarketReady = "listening on ";

/// A port that was free a moment ago; mosquitto cannot choose one itself.
Result<std::uint16_t> free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    const bool bound =
        fd >= 0 && ::bind(fd, generic, length) == 0 && ::getsockname(fd, generic, &length) == 0;
    if (fd >= 0) ::close(fd);
    if (!bound) return fail(ErrorCode::Unavailable, "no free port on 127.0.0.1");
    return ntohs(address.sin_port);
}

bool accepts_connections(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool open =
        fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    if (fd >= 0) ::close(fd);
    return open;
}

/// Debian installs it outside of a user's PATH.
fs::path find_mosquitto() {
    fs::path found = control::find_program("mosquitto");
    for (const char* folder : {"/usr/sbin", "/usr/local/sbin"}) {
        const fs::path candidate = fs::path(folder) / "mosquitto";
        if (found.empty() && ::access(candidate.c_str(), X_OK) == 0) found = candidate;
    }
    return found;
}

/// What follows `begin` on the first line of `file` that starts with it.
std::optional<std::string> line_after(const fs::path& file, std::string_view begin) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(begin) && !in.eof()) return line.substr(begin.size());
    }
    return std::nullopt;
}

/// The end of a log, for when the folder it is in goes away.
std::string last_lines(const fs::path& file) {
    constexpr std::size_t kLines = 5;
    std::ifstream in(file);
    std::deque<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(printable(line));
        if (lines.size() > kLines) lines.pop_front();
    }
    std::string text;
    for (const auto& line : lines)
        text += "\n    " + line;
    return text;
}

Result<void> write_file(const fs::path& file, const std::string& content) {
    std::ofstream out(file);
    out << content;
    out.close();
    if (!out) return fail(ErrorCode::Unavailable, "cannot write " + file.string());
    return {};
}

}  // namespace

Stage::Stage(const Invocation& invocation, Supervisor& supervisor)
    : supervisor_(supervisor), language_(invocation.language), seller_(invocation) {
    seller_.json = false;
    seller_.home_given = true;
    seller_.values.clear();
    buyer_ = seller_;
}

Stage::~Stage() {
    supervisor_.stop_all();
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string Stage::text(std::string_view key) const {
    return i18n::text(language_, key);
}

Result<void> Stage::wait(const std::function<bool()>& condition, std::string_view what,
                         std::chrono::milliseconds timeout) {
    switch (supervisor_.wait(condition, timeout)) {
        case Supervisor::Wake::Done:
            return {};
        case Supervisor::Wake::Interrupted:
            interrupted_ = true;
            return fail(ErrorCode::Unavailable, text("demo.interrupted"));
        case Supervisor::Wake::ChildEnded:
            return fail(ErrorCode::Unavailable,
                        i18n::text(language_, "demo.child_ended",
                                   {{"program", supervisor_.ended_child()->name},
                                    {"log", last_lines(supervisor_.ended_child()->log)}}));
        case Supervisor::Wake::TimedOut:
            break;
    }
    return fail(ErrorCode::Timeout, i18n::text(language_, "demo.timed_out", {{"what", what}}));
}

Result<void> Stage::set_up() {
    std::error_code failure;
    std::string pattern = (fs::temp_directory_path(failure) / "a2h-demo-XXXXXX").string();
    if (failure || ::mkdtemp(pattern.data()) == nullptr) {
        return fail(ErrorCode::Unavailable, text("demo.no_folder"));
    }
    folder_ = pattern;
    seller_.home.root = folder_ / "seller";
    buyer_.home.root = folder_ / "buyer";
    phone_secret_ = wire::new_token();
    auto phone = Phone::start(phone_secret_);
    if (!phone) return fail(phone.error());
    phone_ = std::move(*phone);

    A2H_TRY(start_market());
    A2H_TRY(start_broker());
    const auto seller = make_owner(seller_, "demo.seller", true);
    if (!seller) return fail(seller.error());
    seller_id_ = seller->account.agent_id;
    A2H_TRY(publish_listings(*seller));
    const auto buyer = make_owner(buyer_, "demo.buyer", false);
    if (!buyer) return fail(buyer.error());
    buyer_id_ = buyer->account.agent_id;
    A2H_TRY(start_daemon(seller_, "a2hd (seller)"));
    return start_daemon(buyer_, "a2hd (buyer)");
}

Result<void> Stage::start_market() {
    const auto port = free_port();
    if (!port) return fail(port.error());
    broker_port_ = *port;
    const fs::path log = folder_ / "market.log";
    A2H_TRY(supervisor_.start("a2h-market",
                              {control::find_program("a2h-market").string(), "--data",
                               (folder_ / "market").string(), "--listen", "127.0.0.1:0",
                               "--mqtt-url", "mqtt://127.0.0.1:" + std::to_string(broker_port_)},
                              log));
    return wait(
        [&] {
            market_url_ = line_after(log, kMarketReady).value_or("");
            return !market_url_.empty();
        },
        "a2h-market", kStartTimeout);
}

Result<void> Stage::start_broker() {
    const fs::path program = find_mosquitto();
    if (program.empty()) return fail(ErrorCode::NotFound, text("demo.no_mosquitto"));
    const fs::path configuration = folder_ / "mosquitto.conf";
    A2H_TRY(
        supervisor_.run({control::find_program("a2h-market").string(), "broker-config", "--data",
                         (folder_ / "market").string(), "--port", std::to_string(broker_port_)},
                        configuration));
    A2H_TRY(supervisor_.start("mosquitto", {program.string(), "-c", configuration.string()},
                              folder_ / "mosquitto.log"));
    return wait([&] { return accepts_connections(broker_port_); }, "mosquitto", kStartTimeout);
}

Result<platform::AgentIdentity> Stage::make_owner(const Invocation& owner,
                                                  std::string_view name_key, bool notified) {
    auto identity =
        create_identity(owner.home, {.market = market_url_, .name = text(name_key), .ca_file = {}},
                        std::string(kDemoPin));
    if (!identity) return identity;
    std::string settings = std::string("language = \"") +
                           (language_ == i18n::Language::Chinese ? "zh" : "en") +
                           "\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\n";
    settings += notified ? "channels = [\"webhook\"]\nwebhook_url = \"" + phone_->url() +
                               "\"\nwebhook_secret = \"" + phone_secret_ + "\"\n"
                         : "channels = []\n";
    A2H_TRY(write_file(owner.home.config_file(), settings));
    return identity;
}

Result<void> Stage::publish_listings(const platform::AgentIdentity& seller) {
    http::Client http(http::Client::Options{});
    const SystemClock clock;
    platform::Client market(http, clock, seller.account);
    platform::ListingDraft photo;
    photo.title = text("demo.photo_title");
    photo.content = text("demo.photo_content");
    photo.expected_price = text("demo.photo_price");
    photo.service_method = "offline";
    photo.service_location = text("demo.photo_location");
    platform::ListingDraft video;
    video.title = text("demo.video_title");
    video.content = text("demo.video_content");
    video.expected_price = text("demo.video_price");
    video.service_method = "online";
    for (const auto& draft : {photo, video}) {
        const auto receipt = market.submit_listing(draft);
        if (!receipt) return fail(receipt.error().with_context(text("demo.not_published")));
    }
    return {};
}

Result<void> Stage::start_daemon(const Invocation& owner, const std::string& name) {
    A2H_TRY(supervisor_.start(
        name, {control::find_program("a2hd").string(), "--home", owner.home.root.string()},
        owner.home.root.string() + ".log"));
    const auto connected = [&owner] {
        const auto answer = call_daemon(owner, "status", json::object(), nothing_to_show);
        const auto* report = std::get_if<Report>(&answer);
        if (report == nullptr) return false;
        const auto status = json::parse(report->envelope, nullptr, false);
        const json::json_pointer pointer("/data/connection/connected");
        return status.contains(pointer) && status[pointer] == true;
    };
    return wait(connected, name, kStartTimeout);
}

}  // namespace a2h::cli
