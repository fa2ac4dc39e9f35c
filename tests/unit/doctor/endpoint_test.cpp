#include "daemon/doctor/endpoint.h"

#include <doctest/doctest.h>

using namespace a2h;
using doctor::endpoint_of;

TEST_CASE("a URL names host, port and whether it is encrypted") {
    const auto https = endpoint_of("https://market.example/api").value();
    CHECK(https.text() == "market.example:443");
    CHECK(https.is_encrypted);
    const auto mqtt = endpoint_of("mqtt://127.0.0.1:1234").value();
    CHECK(mqtt.text() == "127.0.0.1:1234");
    CHECK_FALSE(mqtt.is_encrypted);
    CHECK(mqtt.is_loopback());
    CHECK(endpoint_of("mqtts://[::1]:8884").value().text() == "::1:8884");
    CHECK(endpoint_of("http://user@host.example").value().text() == "host.example:80");
}

TEST_CASE("an invalid URL of a market or broker has no endpoint") {
    for (const char* url : {"", "market.example", "ftp://host", "http://", "http://[::1",
                            "http://host:port", "http://host:99999"}) {
        CHECK_FALSE(endpoint_of(url));
    }
}

TEST_CASE("an unknown host name is distinguished from one that resolves") {
    CHECK(doctor::count_addresses("127.0.0.1").value() >= 1);
    CHECK_FALSE(doctor::count_addresses("no-such-host.invalid"));
}

TEST_CASE("a server that is not there shows no certificate") {
    const auto shown = doctor::read_certificate(
        {.host = "127.0.0.1", .port = 9, .is_encrypted = true}, "", std::chrono::seconds(2));
    REQUIRE_FALSE(shown);
    CHECK(shown.error().code == ErrorCode::Unavailable);
}
