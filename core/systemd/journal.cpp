#include "core/systemd/journal.h"

#include <endian.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/systemd/environment.h"

namespace a2h::systemd {
namespace {

/// One line; a value with several lines is preceded by its length.
void add_field(std::string& datagram, std::string_view key, std::string_view value) {
    datagram += key;
    if (value.find('\n') == std::string_view::npos) {
        datagram += '=';
    } else {
        const std::uint64_t size = htole64(value.size());
        datagram += '\n';
        datagram.append(reinterpret_cast<const char*>(&size), sizeof size);
    }
    datagram += value;
    datagram += '\n';
}

/// Field names consist of capital letters, digits and underscores.
std::string field_name(std::string_view key) {
    std::string name = "A2H_";
    for (const char c : key) {
        if (c >= 'a' && c <= 'z') {
            name += static_cast<char>(c - 'a' + 'A');
        } else {
            const bool fits = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            name += fits ? c : '_';
        }
    }
    return name;
}

}  // namespace

std::string journal_datagram(const log::Event& event) {
    std::string datagram;
    add_field(datagram, "MESSAGE", event.text());
    add_field(datagram, "PRIORITY", std::to_string(static_cast<int>(event.level)));
    add_field(datagram, "SYSLOG_IDENTIFIER", "a2hd");
    for (const log::Field& field : event.fields)
        add_field(datagram, field_name(field.key), field.value);
    return datagram;
}

Journal::Journal(std::string socket_path)
    : socket_path_(std::move(socket_path)),
      socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}

/// Sent to the address each time, so that a restarted journal is found again.
bool Journal::take(const log::Event& event) {
    sockaddr_un address{};
    if (!socket_ || socket_path_.size() >= sizeof address.sun_path) return false;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_path_.data(), socket_path_.size());
    const auto size =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_path_.size() + 1);
    const std::string datagram = journal_datagram(event);
    return ::sendto(socket_.get(), datagram.data(), datagram.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                    reinterpret_cast<const sockaddr*>(&address), size) >= 0;
}

std::shared_ptr<log::Sink> journal_of_stderr() {
    struct stat stream {};
    if (::fstat(STDERR_FILENO, &stream) != 0) return nullptr;
    const std::string here = std::to_string(stream.st_dev) + ":" + std::to_string(stream.st_ino);
    if (variable("JOURNAL_STREAM") != here) return nullptr;
    const std::string_view other = variable("A2H_JOURNAL_SOCKET");
    return std::make_shared<Journal>(std::string(other.empty() ? kJournalSocket : other));
}

}  // namespace a2h::systemd
