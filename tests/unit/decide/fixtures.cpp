#include "tests/unit/decide/fixtures.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

namespace a2h::decide {
namespace {

std::string golden_path(std::string_view file) {
    return std::string(A2H_SOURCE_DIR) + "/tests/golden/decide/" + std::string(file);
}

/// The listings that labelled messages name.
const NamedListings& golden_listings() {
    static const NamedListings named = [] {
        std::ifstream in(golden_path("listings.json"));
        std::stringstream text;
        text << in.rdbuf();
        auto parsed = parse_listings(text.str());
        REQUIRE_MESSAGE(parsed.has_value(), (parsed.has_value() ? "" : parsed.error().message));
        return std::move(*parsed);
    }();
    return named;
}

}  // namespace

std::vector<Listing> listings_named(std::string_view name) {
    const auto found = golden_listings().find(name);
    REQUIRE(found != golden_listings().end());
    return found->second;
}

HistoryEntry sent_text(const std::string& text) {
    HistoryEntry entry;
    entry.incoming = false;
    entry.payload_json = nlohmann::json{{"text", text}}.dump();
    return entry;
}

Input input_with(std::string_view text, std::string_view listings) {
    Input input;
    input.message.agent_id = "ag_seller";
    input.message.sender_id = "ag_buyer";
    input.message.message_type = "chat.request";
    input.message.provenance = Provenance::Verified;
    input.payload.type = "text";
    input.payload.text = std::string(text);
    input.listings = listings_named(listings);
    input.messages_last_minute = 1;
    return input;
}

Input input_of(const nlohmann::json& line) {
    auto labelled = parse_labelled(line.dump(), golden_listings());
    REQUIRE_MESSAGE(labelled.has_value(), (labelled.has_value() ? "" : labelled.error().message));
    return std::move(labelled->input);
}

std::vector<nlohmann::json> golden_lines(std::string_view file) {
    const std::string path = golden_path(file);
    std::ifstream in(path);
    REQUIRE_MESSAGE(in.good(), path);
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    REQUIRE_FALSE(lines.empty());
    return lines;
}

}  // namespace a2h::decide
