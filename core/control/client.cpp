#include "core/control/client.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/control/framing.h"
#include "core/control/socket_io.h"

namespace a2h::control {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kAnswerBytes = 64 * 1024;

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
    return fail(ErrorCode::Internal, "a2hd sent an answer with neither result nor error");
}

/// Sends all of `text` or fails. The socket is blocking, so poll does the waiting.
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

/// One of the callers that wait for an answer reads the socket for all of them, so a single caller
/// never waits for another thread.
struct Client::Impl {
    /// One call, on its caller's stack.
    struct Call {
        std::optional<std::string> line;  ///< the answer
        std::condition_variable_any changed;
    };

    Fd fd;
    Fd wake;                 ///< eventfd: the call of the reading thread was stopped
    std::mutex write_mutex;  ///< held while one whole line is written
    std::mutex mutex;
    std::map<std::uint64_t, Call*> waiting;  ///< keyed by id
    std::uint64_t last_id = 0;
    bool reading = false;  ///< one of the callers is reading, without the mutex
    bool ended = false;
    LineSplitter splitter{kLineBytesMax};  ///< used by the reading thread

    bool read_some(int timeout_ms, std::vector<std::string>& lines);
    bool receive(int flags, std::vector<std::string>& lines);
    void wait(Call& call, steady_clock::time_point deadline, const std::stop_token& stop);
    void take(std::vector<std::string> lines);
    void end();
};

/// Appends the received lines to `lines`. False at the end of the connection.
bool Client::Impl::receive(int flags, std::vector<std::string>& lines) {
    char bytes[kAnswerBytes];
    const ssize_t got = ::recv(fd.get(), bytes, sizeof bytes, flags);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    if (got == 0) return false;
    splitter.append({bytes, static_cast<std::size_t>(got)});
    while (auto line = splitter.next()) {
        if (line->too_long) return false;
        lines.push_back(std::move(line->text));
    }
    return true;
}

/// Waits for data, `wake` or the timeout; otherwise like `receive`.
bool Client::Impl::read_some(int timeout_ms, std::vector<std::string>& lines) {
    pollfd either[] = {{fd.get(), POLLIN, 0}, {wake.get(), POLLIN, 0}};
    if (::poll(either, 2, timeout_ms) <= 0) return true;
    std::uint64_t count = 0;
    if (either[1].revents != 0) std::ignore = ::read(wake.get(), &count, sizeof count);
    return either[0].revents == 0 || receive(0, lines);
}

/// Gives answers to their callers. The caller holds the mutex.
void Client::Impl::take(std::vector<std::string> lines) {
    for (std::string& line : lines) {
        const auto id_text = raw_member(line, "id");
        std::uint64_t id = 0;
        for (const char digit : id_text.value_or(std::string_view()))
            id = digit < '0' || digit > '9' ? 0 : id * 10 + static_cast<std::uint64_t>(digit - '0');
        const auto found = waiting.find(id);
        if (found == waiting.end()) continue;  // its caller has given up
        found->second->line = std::move(line);
        found->second->changed.notify_one();
    }
}

/// The caller holds the mutex.
void Client::Impl::end() {
    ended = true;
    for (const auto& [id, call] : waiting)
        call->changed.notify_one();
}

void Client::Impl::wait(Call& call, steady_clock::time_point deadline,
                        const std::stop_token& stop) {
    const std::stop_callback wake_reader(stop, [this] {
        const std::uint64_t one = 1;
        std::ignore = ::write(wake.get(), &one, sizeof one);
    });
    std::unique_lock lock(mutex);
    while (!call.line && !ended && !stop.stop_requested()) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
        if (left.count() <= 0) return;
        if (reading) {
            call.changed.wait_until(lock, stop, deadline,
                                    [&] { return call.line || ended || !reading; });
            continue;
        }
        reading = true;
        lock.unlock();
        std::vector<std::string> lines;
        const bool open = read_some(static_cast<int>(left.count()), lines);
        lock.lock();
        reading = false;
        take(std::move(lines));
        if (!open) end();
    }
}

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Client>> Client::connect(const std::filesystem::path& socket_file) {
    A2H_ASSIGN_OR_RETURN(auto fd, connect_unix(socket_file));
    auto impl = std::make_unique<Impl>();
    impl->fd = std::move(fd);
    impl->wake = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (impl->wake.get() < 0)
        return fail(ErrorCode::ResourceExhausted, "no file descriptor is left");
    return std::unique_ptr<Client>(new Client(std::move(impl)));
}

Client::~Client() = default;

bool Client::connected() const {
    const std::lock_guard lock(impl_->mutex);
    // While no call waits for an answer, the end of the connection is not noticed either.
    while (!impl_->ended && !impl_->reading) {
        std::vector<std::string> lines;
        pollfd readable{impl_->fd.get(), POLLIN, 0};
        if (::poll(&readable, 1, 0) <= 0) break;
        if (!impl_->receive(MSG_DONTWAIT, lines)) impl_->end();
        impl_->take(std::move(lines));
    }
    return !impl_->ended;
}

Result<std::string> Client::call(std::string_view method, std::string_view params_json,
                                 std::chrono::milliseconds timeout, std::stop_token stop) {
    A2H_CHECK(params_json.find('\n') == std::string_view::npos);
    const auto deadline = steady_clock::now() + timeout;
    std::uint64_t id = 0;
    Impl::Call own;
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->ended) return connection_ended();
        id = ++impl_->last_id;
        impl_->waiting[id] = &own;
    }
    std::string line = R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")";
    line.append(method).append(R"(","params":)").append(params_json).append("}\n");
    const Result<void> sent = [&] {
        const std::lock_guard lock(impl_->write_mutex);
        auto result = send_all(impl_->fd.get(), line, deadline);
        // Part of a line may have been sent, so nothing after it could be understood.
        if (!result) ::shutdown(impl_->fd.get(), SHUT_RDWR);
        return result;
    }();

    if (sent) impl_->wait(own, deadline, stop);
    bool ended = false;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->waiting.erase(id);
        ended = impl_->ended;
        // Another caller continues to read.
        if (!impl_->reading && !impl_->waiting.empty()) {
            impl_->waiting.begin()->second->changed.notify_one();
        }
    }
    if (own.line) return outcome_of(*own.line);
    if (!sent) return fail(sent.error());
    return ended ? connection_ended() : not_in_time();
}

}  // namespace a2h::control
