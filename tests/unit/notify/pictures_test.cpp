#include "daemon/notify/pictures.h"

#include <doctest/doctest.h>

using namespace a2h;

TEST_CASE("a picture is recognised by its first bytes, not by its name") {
    using namespace std::string_literals;
    CHECK(notify::picture_type("\x89PNG\r\n\x1a\n...") == "image/png");
    CHECK(notify::picture_type("\xff\xd8\xff\xe0") == "image/jpeg");
    CHECK(notify::picture_type("GIF89a....") == "image/gif");
    CHECK(notify::picture_type("RIFF\x01\x02\x03\x04WEBPVP8 "s) == "image/webp");
    for (const std::string& other :
         {std::string(), "<svg onload=x>"s, "<!doctype html>"s, "RIFF\x01\x02\x03\x04WAVE    "s,
          "\x89PN"s, "%PDF-1.7"s, std::string(100, '\0')}) {
        CHECK(!notify::picture_type(other));
    }
}

TEST_CASE("pictures are fetched from the owner's markets and the hosts the owner named only") {
    const std::vector<std::string> markets{"https://market.example", "http://127.0.0.1:8080/api"};
    const std::vector<std::string> hosts{"files.example.org"};
    const auto may = [&](std::string_view url) {
        return notify::is_picture_source(url, markets, hosts);
    };
    CHECK(may("https://market.example/f/1.png"));
    CHECK(may("http://127.0.0.1:8080/api/f/1.png"));
    CHECK(may("https://files.example.org/a.png?x=1"));
    CHECK(may("https://Files.Example.org/a.png"));
    for (const char* other :
         {"https://market.example.evil.org/1.png", "https://market.example", "",
          "http://files.example.org/a.png", "https://files.example.org:8443/a.png",
          "https://files.example.org.evil.org/a.png", "https://files.example.org@evil.org/a.png",
          "https://evil.org\\@files.example.org/a.png", "https://evil.org/#files.example.org/a",
          "http://127.0.0.1:8080/api/../admin", "http://169.254.169.254/latest/meta-data",
          "https://127.0.0.1/a.png", "https://[::1]/a.png", "file:///etc/passwd",
          "https://files.example.org/ a.png", "ftp://files.example.org/a.png",
          "http://127.0.0.1:8080/other.png"}) {
        CAPTURE(other);
        CHECK(!may(other));
    }
    CHECK(!notify::is_picture_source("/x.png", {""}, {""}));
}
