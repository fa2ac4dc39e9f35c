#include "core/control/server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/guarded.h"
#include "core/base/log.h"
#include "core/control/framing.h"
#include "core/control/socket_io.h"

namespace a2h::control {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
constexpr int kListenBacklog = 64;
/// How long accepting rests when the process has no descriptor left for another client.
constexpr int kAcceptPauseMs = 100;

using ClientId = std::uint64_t;

/// Answers on their way from any thread to the server's. Outlives the server when a `Respond` does.
struct Mailbox {
    struct Item {
        ClientId client = 0;
        std::optional<std::string> line;  ///< nullopt: the request's ticket is gone
    };
    struct State {
        std::vector<Item> items;
        bool stop = false;
    };

    Guarded<State> state;
    Fd wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};

    void put(Item item) {
        state.with([&](State& now) { now.items.push_back(std::move(item)); });
        signal();
    }
    void signal() const {
        // Fails only when the counter is full, and then the server wakes all the same.
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t ignored = ::write(wake.get(), &one, sizeof one);
    }
};

/// Held by one `Respond` and its copies: when the last is gone, the request no longer counts.
struct Ticket {
    std::shared_ptr<Mailbox> mailbox;
    ClientId client;

    Ticket(std::shared_ptr<Mailbox> box, ClientId id) : mailbox(std::move(box)), client(id) {}
    ~Ticket() { mailbox->put({client, std::nullopt}); }
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
};

struct ConnectedClient {
    Fd fd;
    LineSplitter splitter{Server::kLineBytesMax};
    std::string out;
    std::size_t sent = 0;  ///< of `out`
    std::size_t pending = 0;
    bool broken = false;    ///< to be disconnected now
    bool finished = false;  ///< sends no more; disconnected when everything is answered
};

bool is_served(int fd) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    return peer.uid == ::geteuid() || peer.uid == 0;
}

void flush(ConnectedClient& client) {
    while (client.sent < client.out.size()) {
        const ssize_t written =
            ::send(client.fd.get(), client.out.data() + client.sent,
                   client.out.size() - client.sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (written < 0) {
            if (errno == EINTR) continue;
            client.broken = errno != EAGAIN;
            return;
        }
        client.sent += static_cast<std::size_t>(written);
    }
    client.out.clear();
    client.sent = 0;
}

/// Only a socket is ever removed, and only when nobody listens on it.
Result<void> remove_stale_socket(const std::filesystem::path& path) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0) return {};
    if (!S_ISSOCK(found.st_mode)) {
        return fail(ErrorCode::Unavailable, path.string() + " is in the way: not a socket");
    }
    if (connect_unix(path)) {
        return fail(ErrorCode::Conflict, path.string() + ": another a2hd is running");
    }
    ::unlink(path.c_str());
    return {};
}

}  // namespace

struct Server::Impl {
    std::filesystem::path path;
    OnLine on_line;
    Fd listener;
    struct stat socket_file {};
    std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>();
    std::map<ClientId, ConnectedClient> clients;
    ClientId last_client = 0;
    bool accept_paused = false;
    std::thread thread;

    void run();
    bool take_answers();
    void accept_clients();
    void read_from(ConnectedClient& client);
    void deliver(ClientId id, ConnectedClient& client);
};

void Server::Impl::run() {
    std::vector<pollfd> waiting;
    std::vector<ClientId> ids;
    while (true) {
        waiting.assign(
            {{mailbox->wake.get(), POLLIN, 0}, {accept_paused ? -1 : listener.get(), POLLIN, 0}});
        ids.clear();
        for (auto& [id, client] : clients) {
            const bool reading = !client.finished && client.pending < kPendingMax;
            const int events = (reading ? POLLIN : 0) | (client.out.empty() ? 0 : POLLOUT);
            waiting.push_back({client.fd.get(), static_cast<short>(events), 0});
            ids.push_back(id);
        }
        if (::poll(waiting.data(), waiting.size(), accept_paused ? kAcceptPauseMs : -1) < 0 &&
            errno != EINTR) {
            log::error("Control socket stops", {{"error", errno_text()}});
            return;
        }
        accept_paused = false;
        if ((waiting[0].revents & POLLIN) != 0 && !take_answers()) {
            // The answer to "stop" is among them.
            for (auto& [id, client] : clients)
                flush(client);
            return;
        }
        for (std::size_t i = 0; i < ids.size(); ++i) {
            ConnectedClient& client = clients.at(ids[i]);
            const short events = waiting[i + 2].revents;
            if ((events & (POLLERR | POLLNVAL)) != 0) client.broken = true;
            if ((events & (POLLIN | POLLHUP)) != 0 && !client.finished) read_from(client);
            if ((events & POLLHUP) != 0 && client.finished) client.broken = true;
            deliver(ids[i], client);
            if (!client.broken) flush(client);
        }
        std::erase_if(clients, [](const auto& entry) {
            const ConnectedClient& client = entry.second;
            return client.broken || (client.finished && client.pending == 0 && client.out.empty());
        });
        if ((waiting[1].revents & POLLIN) != 0) accept_clients();
    }
}

/// False when the server is to end.
bool Server::Impl::take_answers() {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t ignored = ::read(mailbox->wake.get(), &count, sizeof count);
    const Mailbox::State taken =
        mailbox->state.with([](Mailbox::State& now) { return std::exchange(now, {}); });
    for (const Mailbox::Item& item : taken.items) {
        const auto found = clients.find(item.client);
        if (found == clients.end()) continue;
        ConnectedClient& client = found->second;
        if (!item.line) {
            --client.pending;
            continue;
        }
        if (client.broken) continue;
        client.out += *item.line;
        client.out += '\n';
        if (client.out.size() - client.sent > kWriteBufferBytesMax) {
            log::warning("Control client does not read its answers, disconnecting it");
            client.broken = true;
        }
    }
    return !taken.stop;
}

void Server::Impl::accept_clients() {
    while (true) {
        Fd fd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            accept_paused = errno != EAGAIN;
            if (accept_paused) log::warning("Control client refused", {{"error", errno_text()}});
            return;
        }
        if (!is_served(fd.get())) {
            log::warning("Control client of another user refused");
            continue;
        }
        if (clients.size() >= kClientsMax) {
            log::warning("Control client refused, too many are connected");
            continue;
        }
        clients[++last_client].fd = std::move(fd);
    }
}

void Server::Impl::read_from(ConnectedClient& client) {
    char bytes[kReadBytes];
    const ssize_t got = ::recv(client.fd.get(), bytes, sizeof bytes, 0);
    if (got > 0) {
        client.splitter.append({bytes, static_cast<std::size_t>(got)});
    } else if (got == 0) {
        client.finished = true;
    } else if (errno != EAGAIN && errno != EINTR) {
        client.broken = true;
    }
}

void Server::Impl::deliver(ClientId id, ConnectedClient& client) {
    while (!client.broken && client.pending < kPendingMax) {
        auto line = client.splitter.next();
        if (!line) return;
        if (line->too_long) {
            log::warning("Control client sent a line that is too long, disconnecting it");
            client.broken = true;
            return;
        }
        ++client.pending;
        auto ticket = std::make_shared<Ticket>(mailbox, id);
        on_line(std::move(line->text), [ticket](std::string answer) {
            ticket->mailbox->put({ticket->client, std::move(answer)});
        });
    }
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Server>> Server::start(const std::filesystem::path& path, OnLine on_line) {
    auto address = unix_address(path);
    if (!address) return fail(std::move(address).error());
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    impl->on_line = std::move(on_line);
    impl->listener.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int fd = impl->listener.get();
    // The socket's mode becomes the file's, so the file is never open to others, not even between
    // bind and chmod.
    if (fd < 0 || !impl->mailbox->wake || ::fchmod(fd, 0600) != 0) {
        return fail(ErrorCode::Unavailable, path.string() + ": " + errno_text());
    }
    A2H_TRY(remove_stale_socket(path));
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
        ::listen(fd, kListenBacklog) != 0 || ::lstat(path.c_str(), &impl->socket_file) != 0) {
        return fail(ErrorCode::Unavailable, path.string() + ": " + errno_text());
    }
    impl->thread = std::thread([state = impl.get()] { state->run(); });
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::~Server() {
    impl_->mailbox->state.with([](Mailbox::State& now) { now.stop = true; });
    impl_->mailbox->signal();
    impl_->thread.join();
    struct stat now {};
    if (::lstat(impl_->path.c_str(), &now) == 0 && now.st_ino == impl_->socket_file.st_ino &&
        now.st_dev == impl_->socket_file.st_dev) {
        ::unlink(impl_->path.c_str());
    }
}

}  // namespace a2h::control
