#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/raw_mqtt.h"

namespace a2h::bench {

/// The counterpart of the program under test: acts as all peers over one broker connection and
/// waits for the replies. Messages are made and signed before a measurement begins, so that it uses
/// as little CPU as the broker's other clients would. Thread: one.
class Load {
  public:
    /// `request_topic`: topic of the program under test. `reply_topics`: topics of its replies to
    /// peer 0, 1, …; a program that does not distinguish peers has one for all.
    Load(std::uint16_t port, std::string request_topic, std::vector<std::string> reply_topics);

    /// The next message of `peer`, in the form in which it travels.
    using Message = std::function<const std::string&(std::size_t peer, std::size_t number)>;

    /// One message in flight: microseconds from publish to reply, for each of `count`.
    std::vector<double> one_in_flight(std::size_t count, const Message& message);
    /// `per_second` messages, evenly, whether replies arrive or not.
    std::vector<double> paced(std::size_t count, double per_second, const Message& message);
    /// One message of each of `peers` in flight; replies a second over `count` messages.
    double sustained(std::size_t peers, std::size_t count, const Message& message);

    /// Receives outstanding replies until nothing has come for `quiet`.
    void drain(std::chrono::milliseconds quiet);

    /// Waits for `count` replies.
    void take_replies(std::size_t count);

    /// Publishes without waiting for replies, 200 in flight.
    void flood(std::size_t count, const Message& message);

  private:
    std::size_t peer_of(const std::string& topic) const;
    a2h::test::RawMqtt::Event next_reply();

    a2h::test::RawMqtt client_;
    std::string request_topic_;
    std::vector<std::string> reply_topics_;
};

}  // namespace a2h::bench
