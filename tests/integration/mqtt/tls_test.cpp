#include <doctest/doctest.h>

#include <fstream>

#include "tests/integration/mqtt/harness.h"

using namespace a2h;
using namespace a2h::mqtt::test;
using a2h::test::Broker;
using a2h::test::eventually;
using a2h::test::TempDir;

namespace {

void openssl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "openssl");
    const auto ran = a2h::test::run(std::move(arguments));
    INFO(ran.err);
    REQUIRE(ran.status == 0);
}

/// A private certificate authority and one certificate of it for `subject_names`.
struct Authority {
    Authority(const std::filesystem::path& dir, const std::string& subject_names)
        : ca(dir / "ca.pem"), certificate(dir / "server.pem"), key(dir / "server.key") {
        std::filesystem::create_directories(dir);
        const auto ca_key = (dir / "ca.key").string();
        const auto request = (dir / "server.csr").string();
        const auto extensions = dir / "extensions";
        std::ofstream(extensions) << "subjectAltName=" << subject_names << "\n";
        openssl({"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-days", "2", "-subj", "/CN=private authority", "-keyout", ca_key, "-out",
                 ca.string()});
        openssl({"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                 "/CN=broker", "-keyout", key.string(), "-out", request});
        openssl({"x509", "-req", "-in", request, "-CA", ca.string(), "-CAkey", ca_key,
                 "-CAcreateserial", "-days", "2", "-extfile", extensions.string(), "-out",
                 certificate.string()});
    }
    std::string broker_lines() const {
        return "certfile " + certificate.string() + "\nkeyfile " + key.string() + "\n";
    }
    std::filesystem::path ca;
    std::filesystem::path certificate;
    std::filesystem::path key;
};

struct World {
    explicit World(const std::string& names)
        : authority(dir.path() / "ca", names),
          broker(dir.path() / "broker", authority.broker_lines()),
          uri("mqtts://127.0.0.1:" + std::to_string(broker.port())) {}
    TempDir dir;
    Authority authority;
    Broker broker;
    std::string uri;
};

void check_refused(const mqtt::Options& options) {
    Client agent(options);
    agent.start();
    REQUIRE(eventually([&] { return agent.states().size() >= 2; }));
    CHECK(agent.connection().state().connects == 0);
    CHECK(agent.connection().state().last_error.find("certificate") != std::string::npos);
}

}  // namespace

TEST_CASE("TLS with a private authority works in both directions") {
    int version = 4;
    SUBCASE("MQTT 3.1.1") {
        version = 4;
    }
    SUBCASE("MQTT 5") {
        version = 5;
    }
    World world("IP:127.0.0.1");
    auto options = quick_options(world.uri, "secret", version);
    options.ca_file = world.authority.ca.string();
    Client agent(options);
    std::atomic<int> calls = 0;
    agent.store = [&](std::string_view) -> Result<void> {
        if (calls++ == 0) return fail(ErrorCode::ResourceExhausted, "disk full");
        return {};
    };
    agent.start();
    REQUIRE(agent.wait_connected());
    Answers answers;
    agent.connection().publish(options.topic, "to myself", answers.expect());
    REQUIRE(agent.wait_received(1));
    CHECK(agent.received() == std::vector<std::string>{"to myself"});
    CHECK(eventually([&] { return agent.connection().state().connects == 2; }));
}

TEST_CASE("a broker whose certificate comes from another authority is refused") {
    World world("IP:127.0.0.1");
    const Authority other(world.dir.path() / "other", "IP:127.0.0.1");
    auto options = quick_options(world.uri, "secret", 4);
    options.ca_file = other.ca.string();
    check_refused(options);
}

TEST_CASE("a private certificate is refused when only the system's authorities are trusted") {
    World world("IP:127.0.0.1");
    check_refused(quick_options(world.uri, "secret", 5));
}

TEST_CASE("a certificate for another host is refused") {
    World world("DNS:somewhere.else");
    auto options = quick_options(world.uri, "secret", 4);
    options.ca_file = world.authority.ca.string();
    check_refused(options);
}
