// The bare Paho C++ echo: what a round trip costs when nothing is checked, stored or decided.
// One QoS 1 subscription, each message is published to the reply topic, TCP_NODELAY is set.
//
//   baseline_echo URI CLIENT_ID TOPIC REPLY_TOPIC      prints "ready"; ends on SIGTERM or SIGINT

#include <mqtt/async_client.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <cstdio>
#include <string>

namespace {

void set_no_delay() {
    for (int fd = 3; fd < 64; ++fd) {
        const int on = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const std::string topic = argv[3];
    const std::string reply_topic = argv[4];
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    mqtt::create_options create(MQTTVERSION_3_1_1);
    create.set_max_buffered_messages(100'000);
    mqtt::async_client client(argv[1], argv[2], create);
    client.set_message_callback([&](const mqtt::const_message_ptr& message) {
        client.publish(reply_topic, message->get_payload_str(), 1, false);
    });
    mqtt::connect_options connect;
    connect.set_mqtt_version(MQTTVERSION_3_1_1);
    connect.set_clean_session(true);
    client.connect(connect)->wait();
    set_no_delay();
    client.subscribe(topic, 1)->wait();
    std::puts("ready");
    std::fflush(stdout);

    int signal = 0;
    sigwait(&ends, &signal);
    client.disconnect()->wait();
    return 0;
}
