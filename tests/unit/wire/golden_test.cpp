// tests/golden/wire: envelopes as other programs write them, and beside each what we make of it.
// A2H_ACCEPT=1 rewrites the expectations; read the difference before committing it. The inputs were
// signed by an independent implementation with the agent key and the Ed25519 key below.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/wire/envelope.h"
#include "core/wire/payload.h"

using namespace a2h;
using namespace a2h::wire;
namespace fs = std::filesystem;

namespace {

constexpr const char* kAgentKey = "test-key-0001";
constexpr const char* kKeyId = "OfcT0KZEJT8EUpQh";
constexpr const char* kPublicKey = "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw";

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> inputs(const char* folder) {
    std::vector<fs::path> files;
    const fs::path root = fs::path(A2H_SOURCE_DIR) / "tests/golden/wire" / folder;
    for (const auto& entry : fs::directory_iterator(root)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string to_text(SignatureCheck check) {
    switch (check) {
        case SignatureCheck::Absent:
            return "absent";
        case SignatureCheck::Valid:
            return "valid";
        case SignatureCheck::Invalid:
            return "invalid";
        case SignatureCheck::UnknownKey:
            return "unknown key";
    }
    return {};
}

nlohmann::ordered_json describe(const ParsedEnvelope& parsed) {
    const PayloadView view = view_payload(parsed.envelope.payload_json);
    return {{"message_type", parsed.envelope.message_type},
            {"payload", parsed.envelope.payload_json},
            {"signed_form", parsed.signed_part.form},
            {"go_spelling_differs", !parsed.hmac_forms_go.empty()},
            {"hmac_valid", check_hmac(parsed, kAgentKey)},
            {"sender_signature", to_text(check_sender_signature(parsed, kKeyId, kPublicKey))},
            {"wants_receipt", parsed.envelope.wants_receipt},
            {"sent_at_ms", parsed.sent_at_ms},
            {"text", view.text},
            {"order_id", view.order_id},
            {"works_id", view.works_id},
            {"payment_qr", view.payment_qr},
            {"attachment", view.attachment_url},
            {"offer", view.offer_amount + " " + view.offer_currency}};
}

/// The refusal; a wrong signature of the pinned key is the first reason that lies past parsing.
nlohmann::ordered_json describe_refusal(const ParseOutcome& outcome) {
    if (outcome.refused) {
        return {{"reason", a2h::to_string(outcome.refused->reason)},
                {"detail", outcome.refused->detail},
                {"claimed_sender", outcome.refused->claimed_sender}};
    }
    REQUIRE(check_sender_signature(*outcome.parsed, kKeyId, kPublicKey) == SignatureCheck::Invalid);
    return {{"reason", a2h::to_string(Refusal::BadSignature)}};
}

void compare(fs::path file, const nlohmann::ordered_json& description) {
    const std::string text = description.dump(1) + "\n";
    file.replace_extension(".expected");
    if (std::getenv("A2H_ACCEPT") != nullptr) std::ofstream(file, std::ios::binary) << text;
    CHECK_MESSAGE(read(file) == text, file.string());
}

}  // namespace

TEST_CASE("good envelopes are read as their expectations say") {
    REQUIRE(!inputs("good").empty());
    for (const fs::path& file : inputs("good")) {
        CAPTURE(file.string());
        const ParseOutcome outcome = parse_envelope(read(file), "ag_buyer");
        REQUIRE(outcome.parsed);
        compare(file, describe(*outcome.parsed));
    }
}

TEST_CASE("bad envelopes are refused for the reason that their name says") {
    std::set<std::string> reasons;
    for (const fs::path& file : inputs("bad")) {
        CAPTURE(file.string());
        const auto description = describe_refusal(parse_envelope(read(file), "ag_buyer"));
        const auto reason = description.at("reason").get<std::string>();
        CHECK(file.stem().string().starts_with(reason));
        reasons.insert(reason);
        compare(file, description);
    }
    for (int i = 0; i <= static_cast<int>(Refusal::BadSignature); ++i) {
        CHECK_MESSAGE(reasons.contains(std::string(a2h::to_string(static_cast<Refusal>(i)))),
                      a2h::to_string(static_cast<Refusal>(i)));
    }
}
