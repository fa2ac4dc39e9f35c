#include "core/wire/crypto.h"

#include <doctest/doctest.h>

#include <string>

using namespace a2h::wire;

TEST_CASE("SHA-256 gives the vectors of FIPS 180") {
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("HMAC-SHA256 gives the vectors of RFC 4231, with short and long keys") {
    CHECK(hmac_sha256_hex("Jefe", "what do ya want for nothing?") ==
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(hmac_sha256_hex(std::string(131, '\xaa'),
                          "Test Using Larger Than Block-Size Key - Hash Key First") ==
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_CASE("constant-time comparison compares") {
    CHECK(equal_constant_time("", ""));
    CHECK(equal_constant_time("abc", "abc"));
    CHECK(!equal_constant_time("abc", "abd"));
    CHECK(!equal_constant_time("abc", "ab"));
}

TEST_CASE("base64url has no padding and uses - and _") {
    CHECK(base64url_encode("") == "");
    CHECK(base64url_encode("f") == "Zg");
    CHECK(base64url_encode("\xfb\xff") == "-_8");
    CHECK(base64url_decode("-_8").value() == "\xfb\xff");
    CHECK(base64url_decode("").value() == "");
    const std::string bytes("\0\1\2\xff", 4);
    CHECK(base64url_decode(base64url_encode(bytes)).value() == bytes);
}

TEST_CASE("base64url with padding, other letters, spaces or stray bits is refused") {
    for (const char* text : {"Zg==", "+/8", "Z", "Zh", "Z g", "Zg\n", "\xc3\xa4"}) {
        CAPTURE(text);
        REQUIRE(!base64url_decode(text));
        CHECK(base64url_decode(text).error().code == a2h::ErrorCode::InvalidArgument);
    }
}

TEST_CASE("Ed25519 gives the second vector of RFC 8032") {
    const auto bytes = [](std::string_view hex) {
        std::string out;
        for (std::size_t i = 0; i < hex.size(); i += 2) {
            out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
        }
        return out;
    };
    const std::string public_bytes =
        bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    const std::string seed =
        bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    const std::string signature = ed25519_sign(base64url_encode(seed + public_bytes), "r").value();
    CHECK(base64url_decode(signature).value() ==
          bytes("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"));
    CHECK(ed25519_verify(base64url_encode(public_bytes), "r", signature));
}

TEST_CASE("a signature holds for its message and key only") {
    const KeyPair ours = new_key_pair();
    const KeyPair other = new_key_pair();
    const std::string signature = ed25519_sign(ours.secret_key, "message").value();
    CHECK(ed25519_verify(ours.public_key, "message", signature));
    CHECK(!ed25519_verify(ours.public_key, "messagf", signature));
    CHECK(!ed25519_verify(other.public_key, "message", signature));
    std::string changed = signature;
    changed[10] = changed[10] == 'A' ? 'B' : 'A';
    CHECK(!ed25519_verify(ours.public_key, "message", changed));
}

TEST_CASE("malformed keys and signatures never verify and never sign") {
    const KeyPair pair = new_key_pair();
    const std::string signature = ed25519_sign(pair.secret_key, "m").value();
    for (const std::string& bad : {std::string(), std::string("AAAA"), std::string("!"),
                                   pair.public_key + "AA", pair.public_key.substr(1)}) {
        CHECK(!ed25519_verify(bad, "m", signature));
        CHECK(!ed25519_verify(pair.public_key, "m", bad));
        REQUIRE(!ed25519_sign(bad, "m"));
        CHECK(ed25519_sign(bad, "m").error().code == a2h::ErrorCode::InvalidArgument);
        CHECK(!key_id_of(bad));
    }
    // With the neutral point as the key, any signature would verify.
    const std::string neutral = base64url_encode(std::string("\1", 1) + std::string(31, '\0'));
    CHECK(!ed25519_verify(neutral, "m", base64url_encode(std::string(64, '\0'))));
}

TEST_CASE("a key id is 16 characters and belongs to the public key") {
    const KeyPair pair = new_key_pair();
    CHECK(pair.key_id.size() == 16);
    CHECK(key_id_of(pair.public_key).value() == pair.key_id);
    CHECK(new_key_pair().key_id != pair.key_id);
}

TEST_CASE("a PIN is kept as Argon2id with a salt of its own") {
    const std::string hash = hash_pin("4711");
    CHECK(hash.starts_with("$argon2id$"));
    CHECK(hash.find("m=16384,t=4") != std::string::npos);
    CHECK(verify_pin(hash, "4711"));
    CHECK(!verify_pin(hash, "4712"));
    CHECK(!verify_pin(hash, ""));
    CHECK(hash_pin("4711") != hash);
}

TEST_CASE("a PIN hash that is none matches nothing") {
    CHECK(!verify_pin("", ""));
    CHECK(!verify_pin("4711", "4711"));
    CHECK(!verify_pin(std::string(500, '$'), "4711"));
}

TEST_CASE("tokens have 32 bytes, and they differ") {
    CHECK(base64url_decode(new_token()).value().size() == 32);
    CHECK(new_token() != new_token());
}
