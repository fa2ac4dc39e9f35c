#include "tests/bench/load.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>

namespace a2h::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using a2h::test::PacketType;

constexpr std::chrono::seconds kPatience{30};

double microseconds_since(SteadyClock::time_point begin) {
    return std::chrono::duration<double, std::micro>(SteadyClock::now() - begin).count();
}

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "bench: %s\n", what);
    std::exit(1);
}

}  // namespace

Load::Load(std::uint16_t port, std::string request_topic, std::vector<std::string> reply_topics)
    : client_(port, {.client_id = "load of " + request_topic}),
      request_topic_(std::move(request_topic)),
      reply_topics_(std::move(reply_topics)) {
    if (!client_.connected()) give_up("the broker refused the load generator");
    for (const std::string& topic : reply_topics_) {
        if (!client_.subscribe(topic)) give_up("the broker refused a subscription");
    }
}

a2h::test::RawMqtt::Event Load::next_reply() {
    while (auto event = client_.read(kPatience)) {
        if (event->type == PacketType::Publish) return *event;
    }
    give_up("no reply within 30 s");
}

std::size_t Load::peer_of(const std::string& topic) const {
    const auto found = std::find(reply_topics_.begin(), reply_topics_.end(), topic);
    return static_cast<std::size_t>(found - reply_topics_.begin());
}

std::vector<double> Load::one_in_flight(std::size_t count, const Message& message) {
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& text = message(i % reply_topics_.size(), i);
        const auto begin = SteadyClock::now();
        client_.publish(request_topic_, text);
        next_reply();
        times.push_back(microseconds_since(begin));
    }
    return times;
}

std::vector<double> Load::paced(std::size_t count, double per_second, const Message& message) {
    std::vector<double> times;
    std::deque<SteadyClock::time_point> sent;
    const auto begin = SteadyClock::now();
    const std::chrono::duration<double> interval(1.0 / per_second);
    while (times.size() < count) {
        const std::size_t number = times.size() + sent.size();
        const auto due = begin + std::chrono::duration_cast<SteadyClock::duration>(
                                     interval * static_cast<double>(number));
        const auto now = SteadyClock::now();
        if (number < count && now >= due) {
            client_.publish(request_topic_, message(number % reply_topics_.size(), number));
            client_.flush();
            sent.push_back(now);
            continue;
        }
        auto wait = kPatience + std::chrono::milliseconds(0);
        if (number < count) {
            wait = std::chrono::ceil<std::chrono::milliseconds>(due - now);
        }
        const auto event = client_.read(wait);
        if (!event && number >= count) give_up("no reply within 30 s");
        if (!event || event->type != PacketType::Publish || sent.empty()) continue;
        times.push_back(microseconds_since(sent.front()));
        sent.pop_front();
    }
    return times;
}

double Load::sustained(std::size_t peers, std::size_t count, const Message& message) {
    std::size_t published = 0;
    const auto begin = SteadyClock::now();
    for (; published < std::min(peers, count); ++published)
        client_.publish(request_topic_, message(published % peers, published));
    const bool one_topic = reply_topics_.size() == 1;
    for (std::size_t received = 0; received < count; ++received) {
        const auto reply = next_reply();
        if (published >= count) continue;
        const std::size_t peer = one_topic ? published % peers : peer_of(reply.topic);
        client_.publish(request_topic_, message(peer, published++));
    }
    return static_cast<double>(count) * 1e6 / microseconds_since(begin);
}

void Load::take_replies(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        next_reply();
}

void Load::flood(std::size_t count, const Message& message) {
    constexpr std::size_t kInFlight = 200;
    std::size_t in_flight = 0;
    for (std::size_t i = 0; i < count; ++i) {
        client_.publish(request_topic_, message(i % reply_topics_.size(), i));
        for (++in_flight; in_flight >= kInFlight || (i + 1 == count && in_flight > 0);) {
            const auto event = client_.read(kPatience);
            if (!event) give_up("the broker does not acknowledge");
            if (event->type == PacketType::Puback) --in_flight;
        }
    }
}

void Load::drain(std::chrono::milliseconds quiet) {
    while (client_.read(quiet)) {
    }
}

}  // namespace a2h::bench
