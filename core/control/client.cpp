#include "core/control/client.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/check.h"
#include "core/control/framing.h"
#include "core/control/socket_io.h"

namespace a2h::control {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kReadBytes = 64 * 1024;

Unexpected connection_ended() {
    return fail(ErrorCode::Unavailable, "the connection to a2hd ended");
}

Unexpected not_in_time() {
    return fail(ErrorCode::Timeout, "a2hd did not answer in time");
}

/// `result` of a response line, or its error.
Result<std::string> outcome_of(std::string_view line) {
    if (const auto result = raw_member(line, "result")) return std::string(*result);
    const auto answer = nlohmann::json::parse(line, nullptr, false);
    const auto pointer = nlohmann::json::json_pointer("/error/message");
    if (answer.is_object() && answer.contains(pointer) && answer[pointer].is_string()) {
        return fail(ErrorCode::InvalidArgument, answer[pointer].get<std::string>());
    }
    return fail(ErrorCode::Internal, "a2hd sent an answer without result and error");
}

/// Sends all of `text` or fails; the socket is blocking, so waiting is done by poll.
Result<void> send_all(int fd, std::string_view text, steady_clock::time_point deadline) {
    while (!text.empty()) {
        const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            text.remove_prefix(static_cast<std::size_t>(sent));
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN) return connection_ended();
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
        pollfd writable{fd, POLLOUT, 0};
        if (left.count() <= 0 || ::poll(&writable, 1, static_cast<int>(left.count())) == 0) {
            return not_in_time();
        }
    }
    return {};
}

}  // namespace

struct Client::Impl {
    Fd fd;
    std::mutex write_mutex;  ///< held for one whole line
    mutable std::mutex mutex;
    std::condition_variable_any answered;
    std::map<std::uint64_t, std::optional<std::string>> waiting;  ///< by id: the answer's line
    std::uint64_t last_id = 0;
    bool ended = false;
    std::thread reader;

    void read_answers();
    void take(std::string line);
    void end();
};

void Client::Impl::read_answers() {
    LineSplitter splitter(kLineBytesMax);
    char bytes[kReadBytes];
    while (true) {
        const ssize_t got = ::recv(fd.get(), bytes, sizeof bytes, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return end();
        splitter.append({bytes, static_cast<std::size_t>(got)});
        while (auto line = splitter.next()) {
            if (line->too_long) return end();
            take(std::move(line->text));
        }
    }
}

void Client::Impl::take(std::string line) {
    const auto id_text = raw_member(line, "id");
    std::uint64_t id = 0;
    for (const char digit : id_text.value_or(std::string_view())) {
        if (digit < '0' || digit > '9') return;
        id = id * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    {
        const std::lock_guard lock(mutex);
        const auto found = waiting.find(id);
        if (found == waiting.end()) return;  // its caller has given up
        found->second = std::move(line);
    }
    answered.notify_all();
}

void Client::Impl::end() {
    {
        const std::lock_guard lock(mutex);
        ended = true;
    }
    answered.notify_all();
}

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Client>> Client::connect(const std::filesystem::path& socket_file) {
    auto fd = connect_unix(socket_file);
    if (!fd) return fail(std::move(fd).error());
    auto impl = std::make_unique<Impl>();
    impl->fd = std::move(*fd);
    impl->reader = std::thread([state = impl.get()] { state->read_answers(); });
    return std::unique_ptr<Client>(new Client(std::move(impl)));
}

Client::~Client() {
    ::shutdown(impl_->fd.get(), SHUT_RDWR);
    impl_->reader.join();
}

bool Client::connected() const {
    const std::lock_guard lock(impl_->mutex);
    return !impl_->ended;
}

Result<std::string> Client::call(std::string_view method, std::string_view params_json,
                                 std::chrono::milliseconds timeout, std::stop_token stop) {
    A2H_CHECK(params_json.find('\n') == std::string_view::npos);
    const auto deadline = steady_clock::now() + timeout;
    std::uint64_t id = 0;
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->ended) return connection_ended();
        id = ++impl_->last_id;
        impl_->waiting[id];
    }
    std::string line = R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")";
    line.append(method).append(R"(","params":)").append(params_json).append("}\n");
    const Result<void> sent = [&] {
        const std::lock_guard lock(impl_->write_mutex);
        auto result = send_all(impl_->fd.get(), line, deadline);
        // Part of a line may be out: nothing that follows it could be understood.
        if (!result) ::shutdown(impl_->fd.get(), SHUT_RDWR);
        return result;
    }();

    std::unique_lock lock(impl_->mutex);
    std::optional<std::string>& answer = impl_->waiting[id];
    if (sent) {
        impl_->answered.wait_until(lock, stop, deadline,
                                   [&] { return answer.has_value() || impl_->ended; });
    }
    const std::optional<std::string> got = std::move(answer);
    const bool ended = impl_->ended;
    impl_->waiting.erase(id);
    lock.unlock();
    if (got) return outcome_of(*got);
    if (!sent) return fail(sent.error());
    return ended ? connection_ended() : not_in_time();
}

}  // namespace a2h::control
