#include "daemon/decide/labelled.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"
#include "daemon/reading/toml_file.h"

namespace a2h::decide {
namespace {

using nlohmann::json;

constexpr std::size_t kJsonBytesMax = 16 * 1024 * 1024;

Unexpected wrong(std::string_view field, std::string_view should) {
    return fail(ErrorCode::InvalidArgument, std::string(field) + " must be " + std::string(should));
}

Result<void> check_names(const json& object, std::span<const std::string_view> known,
                         std::string_view what) {
    for (const auto& [name, value] : object.items()) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        return fail(ErrorCode::InvalidArgument, "unknown " + std::string(what) + " " + name +
                                                    reading::did_you_mean(name, known));
    }
    return {};
}

/// The members of one object. Remembers the first one that has the wrong type.
class Members {
  public:
    explicit Members(const json& object) : object_(object) {}

    void read(const char* name, std::string& text) {
        const auto found = object_.find(name);
        if (found == object_.end()) return;
        if (!found->is_string()) return refuse(name, "text");
        text = found->get<std::string>();
    }

    void read(const char* name, int& count) {
        const auto found = object_.find(name);
        if (found == object_.end()) return;
        if (!found->is_number_unsigned() || *found > 1'000'000) return refuse(name, "a count");
        count = found->get<int>();
    }

    /// Text that `parse` accepts.
    template <typename Value, typename Parse>
    void read(const char* name, Value& value, Parse parse) {
        std::string text;
        read(name, text);
        if (text.empty()) return;
        const auto parsed = parse(text);
        if (!parsed) return refuse(name, "a known name");
        value = *parsed;
    }

    bool is_true(const char* name) {
        const auto found = object_.find(name);
        if (found == object_.end()) return false;
        if (!found->is_boolean()) refuse(name, "true or false");
        return found->is_boolean() && found->get<bool>();
    }

    const json* find(const char* name) const {
        const auto found = object_.find(name);
        return found == object_.end() ? nullptr : &*found;
    }

    void refuse(std::string_view name, std::string_view should) {
        if (wrong_.empty()) wrong_ = std::string(name) + " must be " + std::string(should);
    }

    Result<void> done() const {
        return wrong_.empty() ? Result<void>() : fail(ErrorCode::InvalidArgument, wrong_);
    }

  private:
    const json& object_;
    std::string wrong_;
};

Result<Listing> listing_of(const json& object) {
    constexpr std::array<std::string_view, 8> kNames = {
        "works_id",         "type",  "title", "content", "expected_price", "service_method",
        "service_location", "status"};
    if (!object.is_object()) return wrong("a listing", "an object");
    A2H_TRY(check_names(object, kNames, "field of a listing"));
    Listing listing;
    Members members(object);
    int type = static_cast<int>(listing.type);
    members.read("works_id", listing.works_id);
    members.read("type", type);
    members.read("title", listing.title);
    members.read("content", listing.content);
    members.read("expected_price", listing.expected_price);
    members.read("service_method", listing.service_method);
    members.read("service_location", listing.service_location);
    members.read("status", listing.status);
    if (type < 2 || type > 4) members.refuse("type", "2, 3 or 4");
    A2H_TRY(members.done());
    listing.type = static_cast<ListingType>(type);
    return listing;
}

Result<std::vector<Listing>> listings_of(const json& list) {
    if (!list.is_array()) return wrong("listings", "a list of listings");
    std::vector<Listing> listings;
    for (const json& entry : list) {
        A2H_ASSIGN_OR_RETURN(auto listing, listing_of(entry));
        listings.push_back(std::move(listing));
    }
    return listings;
}

HistoryEntry entry_with(bool incoming, const json& payload) {
    HistoryEntry entry;
    entry.incoming = incoming;
    entry.payload_json = payload.dump();
    return entry;
}

/// The conversation: in short form as the text that we sent last, or in full, newest first.
Result<void> read_recent(const Members& members, Input& input) {
    if (const json* sent = members.find("last_sent")) {
        if (!sent->is_string()) return wrong("last_sent", "text");
        input.recent.push_back(entry_with(false, json::object({{"text", *sent}})));
    }
    if (const json* works_id = members.find("recent_works_id")) {
        input.recent.push_back(
            entry_with(true, json::object({{"text", "hi"}, {"worksId", *works_id}})));
    }
    const json* recent = members.find("recent");
    if (recent == nullptr) return {};
    if (!recent->is_array()) return wrong("recent", "a list");
    for (const json& entry : *recent) {
        const bool is_entry = entry.is_object() && entry.value("incoming", json()).is_boolean() &&
                              entry.value("payload", json()).is_object();
        if (!is_entry) return wrong("recent", "a list of {incoming, payload}");
        input.recent.push_back(entry_with(entry["incoming"].get<bool>(), entry["payload"]));
    }
    return {};
}

/// The payload in full, or in short form as the values that rules use.
Result<void> read_payload(Members& members, wire::PayloadView& payload) {
    if (const json* full = members.find("payload")) {
        if (!full->is_object()) return wrong("payload", "an object");
        payload = wire::view_payload(full->dump());
        return {};
    }
    payload.type = "text";
    members.read("text", payload.text);
    members.read("payment_qr", payload.payment_qr);
    members.read("order_id", payload.order_id);
    members.read("works_id", payload.works_id);
    members.read("attachment", payload.attachment_url);
    members.read("payload_type", payload.type);
    const json* offer = members.find("offer");
    if (offer == nullptr) return {};
    const bool is_offer = offer->is_array() && offer->size() == 2 && (*offer)[0].is_string() &&
                          (*offer)[1].is_string();
    if (!is_offer) return wrong("offer", "an amount and a currency");
    payload.type = "offer";
    payload.offer_amount = (*offer)[0].get<std::string>();
    payload.offer_currency = (*offer)[1].get<std::string>();
    return {};
}

void read_message(Members& members, Input& input) {
    InboxMessage& message = input.message;
    message.agent_id = "ag_seller";
    message.sender_id = "ag_buyer";
    message.message_type = "chat.request";
    message.provenance = Provenance::Verified;
    input.messages_last_minute = 1;
    members.read("message_type", message.message_type);
    members.read("provenance", message.provenance, parse_provenance);
    members.read("source", message.source, parse_source_class);
    members.read("contact", input.contact, parse_contact_state);
    members.read("repeated", input.same_payload_count);
    members.read("answers", input.answers_last_day);
    members.read("per_minute", input.messages_last_minute);
    if (members.is_true("own_echo")) message.sender_id = message.agent_id;
}

Result<void> read_listings(const Members& members, const NamedListings& named, Input& input) {
    const json* given = members.find("listings");
    if (given != nullptr && given->is_array()) {
        A2H_ASSIGN_OR_RETURN(auto listings, listings_of(*given));
        input.listings = std::move(listings);
        return {};
    }
    if (given != nullptr && !given->is_string()) return wrong("listings", "a name or a list");
    const std::string name = given == nullptr ? std::string() : given->get<std::string>();
    const auto found = named.find(name);
    if (found != named.end()) {
        input.listings = found->second;
    } else if (given != nullptr) {
        return fail(ErrorCode::InvalidArgument, "there are no listings named " + name);
    }
    return {};
}

}  // namespace

Result<NamedListings> parse_listings(std::string_view text) {
    A2H_ASSIGN_OR_RETURN(const auto root,
                         wire::parse_json(text, {.bytes_max = kJsonBytesMax, .depth_max = 8}));
    NamedListings named;
    const json by_name = root.is_array() ? json::object({{"", root}}) : root;
    if (!by_name.is_object()) return wrong("the file", "a list of listings or an object of lists");
    for (const auto& [name, list] : by_name.items()) {
        auto listings = listings_of(list);
        if (!listings) return fail(std::move(listings).error().with_context(name));
        named.emplace(name, std::move(*listings));
    }
    return named;
}

Result<Labelled> parse_labelled(std::string_view line, const NamedListings& named) {
    // `language` to `lacks` are for people; rules do not read them.
    constexpr std::array<std::string_view, 31> kNames = {"id",
                                                         "kind",
                                                         "rule",
                                                         "language",
                                                         "category",
                                                         "approval",
                                                         "why",
                                                         "facts",
                                                         "amount",
                                                         "has",
                                                         "lacks",
                                                         "text",
                                                         "listings",
                                                         "payment_qr",
                                                         "order_id",
                                                         "works_id",
                                                         "attachment",
                                                         "payload_type",
                                                         "offer",
                                                         "payload",
                                                         "message_type",
                                                         "provenance",
                                                         "source",
                                                         "contact",
                                                         "repeated",
                                                         "answers",
                                                         "per_minute",
                                                         "own_echo",
                                                         "last_sent",
                                                         "recent",
                                                         "recent_works_id"};
    A2H_ASSIGN_OR_RETURN(const auto object,
                         wire::parse_json(line, {.bytes_max = kJsonBytesMax, .depth_max = 16}));
    if (!object.is_object()) return wrong("a labelled message", "an object");
    A2H_TRY(check_names(object, kNames, "field"));
    Labelled labelled;
    Members members(object);
    members.read("id", labelled.id);
    members.read("kind", labelled.kind);
    members.read("rule", labelled.rule);
    read_message(members, labelled.input);
    A2H_TRY(read_payload(members, labelled.input.payload));
    A2H_TRY(read_recent(members, labelled.input));
    A2H_TRY(read_listings(members, named, labelled.input));
    A2H_TRY(members.done());
    constexpr std::array<std::string_view, 3> kKinds = {"silent", "answer", "ask"};
    const bool is_known = labelled.kind.empty() ||
                          std::find(kKinds.begin(), kKinds.end(), labelled.kind) != kKinds.end();
    if (!is_known) return wrong("kind", "silent, answer or ask");
    return labelled;
}

json labelled_json(const Input& input) {
    json recent = json::array();
    for (const HistoryEntry& entry : input.recent) {
        json payload = json::parse(entry.payload_json, nullptr, false);
        if (!payload.is_object()) payload = json::object();
        recent.push_back({{"incoming", entry.incoming}, {"payload", std::move(payload)}});
    }
    json listings = json::array();
    for (const Listing& listing : input.listings) {
        listings.push_back({{"works_id", listing.works_id},
                            {"type", static_cast<int>(listing.type)},
                            {"title", listing.title},
                            {"content", listing.content},
                            {"expected_price", listing.expected_price},
                            {"service_method", listing.service_method},
                            {"service_location", listing.service_location},
                            {"status", listing.status}});
    }
    json payload = json::parse(input.message.payload_json, nullptr, false);
    if (!payload.is_object()) payload = json::object();
    return {{"payload", std::move(payload)},
            {"message_type", input.message.message_type},
            {"provenance", to_string(input.message.provenance)},
            {"source", to_string(input.message.source)},
            {"contact", to_string(input.contact)},
            {"repeated", input.same_payload_count},
            {"answers", input.answers_last_day},
            {"per_minute", input.messages_last_minute},
            {"own_echo", input.message.sender_id == input.message.agent_id},
            {"recent", std::move(recent)},
            {"listings", std::move(listings)}};
}

std::string_view kind_without_drafter(const Decision& decision) {
    return to_string(decision.kind == Kind::NeedsDraft ? Kind::Ask : decision.kind);
}

}  // namespace a2h::decide
