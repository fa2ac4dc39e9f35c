#include "tests/support/raw_mqtt.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/process.h"

namespace a2h::test {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{kSlowdown * 10'000};

void put_number(std::string& out, std::size_t number) {
    out += static_cast<char>(number >> 8 & 0xff);
    out += static_cast<char>(number & 0xff);
}

void put_text(std::string& out, std::string_view text) {
    put_number(out, text.size());
    out += text;
}

std::uint16_t number_at(std::string_view bytes, std::size_t at) {
    return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[at]) << 8 |
                                      static_cast<unsigned char>(bytes[at + 1]));
}

std::string packet(PacketType type, unsigned flags, std::string_view body) {
    std::string result(1, static_cast<char>(static_cast<unsigned>(type) << 4 | flags));
    std::size_t left = body.size();
    do {
        const auto digit = static_cast<unsigned>(left & 0x7f);
        left >>= 7;
        result += static_cast<char>(left > 0 ? digit | 0x80 : digit);
    } while (left > 0);
    result += body;
    return result;
}

/// Where the body of the packet at the front of `bytes` begins and ends; nullopt: read more.
struct Extent {
    std::size_t body = 0;
    std::size_t end = 0;
};
std::optional<Extent> first_packet(std::string_view bytes) {
    std::size_t length = 0;
    for (std::size_t i = 1; i < 5 && i < bytes.size(); ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        length |= static_cast<std::size_t>(byte & 0x7f) << (7 * (i - 1));
        if ((byte & 0x80) != 0) continue;
        if (bytes.size() < 1 + i + length) return std::nullopt;
        return Extent{1 + i, 1 + i + length};
    }
    return std::nullopt;
}

PacketType type_of(std::string_view whole) {
    return static_cast<PacketType>(static_cast<unsigned char>(whole[0]) >> 4);
}

}  // namespace

RawMqtt::RawMqtt(std::uint16_t port, const Login& login)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), expiry_(login.expiry) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

    const bool with_login = !login.username.empty();
    std::string body;
    put_text(body, "MQTT");
    body += expiry_ > 0 ? '\x05' : '\x04';
    body += static_cast<char>(with_login ? 0xc2 : 0x02);
    put_number(body, 0);              // no keep-alive
    if (expiry_ > 0) body += '\x00';  // no properties
    put_text(body, login.client_id);
    if (with_login) {
        put_text(body, login.username);
        put_text(body, login.password);
    }
    out_ += packet(PacketType::Connect, 0, body);
    const auto answer = wait_for(PacketType::Connack);
    connected_ = answer && answer->size() >= 4 && (*answer)[3] == 0;
}

RawMqtt::~RawMqtt() {
    ::close(fd_);
}

bool RawMqtt::subscribe(std::string_view topic) {
    std::string body;
    put_number(body, ++last_id_);
    put_text(body, topic);
    body += '\x01';
    out_ += packet(PacketType::Subscribe, 2, body);
    const auto answer = wait_for(PacketType::Suback);
    return answer && answer->back() == '\x01';
}

std::uint16_t RawMqtt::publish(std::string_view topic, std::string_view payload) {
    if (++last_id_ == 0) last_id_ = 1;
    std::string body;
    put_text(body, topic);
    put_number(body, last_id_);
    if (expiry_ > 0) {
        body += "\x05\x02";  // five bytes of properties: the message's expiry
        put_number(body, expiry_ >> 16);
        put_number(body, expiry_ & 0xffff);
    }
    body += payload;
    out_ += packet(PacketType::Publish, 2, body);
    return last_id_;
}

void RawMqtt::flush() {
    std::size_t sent = 0;
    while (sent < out_.size()) {
        const ssize_t n = ::send(fd_, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
        if (n <= 0) break;
        sent += static_cast<std::size_t>(n);
    }
    out_.clear();
}

std::optional<std::string> RawMqtt::next_packet(milliseconds timeout) {
    while (true) {
        const auto front = std::string_view(in_).substr(used_);
        if (const auto extent = first_packet(front)) {
            std::string whole(front.substr(0, extent->end));
            used_ += extent->end;
            return whole;
        }
        in_.erase(0, used_);
        used_ = 0;
        flush();
        pollfd waiting{fd_, POLLIN, 0};
        if (::poll(&waiting, 1, static_cast<int>(timeout.count())) <= 0) return std::nullopt;
        char chunk[65536];
        const ssize_t got = ::recv(fd_, chunk, sizeof chunk, 0);
        alive_ = got > 0;
        if (!alive_) return std::nullopt;
        in_.append(chunk, static_cast<std::size_t>(got));
    }
}

std::optional<std::string> RawMqtt::wait_for(PacketType type) {
    while (auto whole = next_packet(kPatience)) {
        if (type_of(*whole) == type) return whole;
    }
    return std::nullopt;
}

std::optional<RawMqtt::Event> RawMqtt::read(milliseconds timeout) {
    while (auto whole = next_packet(timeout)) {
        const auto body = std::string_view(*whole).substr(first_packet(*whole)->body);
        Event event;
        event.type = type_of(*whole);
        if (event.type == PacketType::Puback) {
            event.packet_id = number_at(body, 0);
            return event;
        }
        if (event.type != PacketType::Publish) continue;
        const std::size_t topic_length = number_at(body, 0);
        event.topic = body.substr(2, topic_length);
        std::size_t at = 2 + topic_length;
        if ((static_cast<unsigned char>((*whole)[0]) & 0x06) != 0) {
            event.packet_id = number_at(body, at);
            at += 2;
            std::string acknowledgement;
            put_number(acknowledgement, event.packet_id);
            out_ += packet(PacketType::Puback, 0, acknowledgement);
        }
        event.payload = body.substr(at);
        return event;
    }
    return std::nullopt;
}

bool RawMqtt::publish_and_wait(std::string_view topic, std::string_view payload) {
    const auto id = publish(topic, payload);
    while (const auto event = read(kPatience)) {
        if (event->type == PacketType::Puback && event->packet_id == id) return true;
    }
    return false;
}

}  // namespace a2h::test
