#include "core/wire/listing_digest.h"

#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/crypto.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 16> kChangeByThemselves = {
    "created_at", "updated_at",   "nickname",   "avatarUrl", "status",      "createdAt",
    "updatedAt",  "createTime",   "updateTime", "gmtCreate", "gmtModified", "viewCount",
    "likeCount",  "commentCount", "replyCount", "score"};

}  // namespace

json listing_terms(const json& post) {
    json terms = post.is_object() ? post : json::object();
    for (const std::string_view name : kChangeByThemselves)
        terms.erase(std::string(name));
    // The public platform sends it as an object or as its text.
    const auto info = terms.find("extendInfo");
    if (info != terms.end() && info->is_string()) {
        json parsed = json::parse(info->get<std::string>(), nullptr, false);
        if (!parsed.is_discarded()) *info = std::move(parsed);
    }
    return terms;
}

std::string listing_digest(const json& post) {
    return sha256_hex(canonical_json(listing_terms(post)));
}

std::string own_listing_hash(const Listing& own) {
    return sha256_hex(text_object({{"type", std::to_string(static_cast<int>(own.type))},
                                   {"title", own.title},
                                   {"content", own.content},
                                   {"price", own.expected_price},
                                   {"method", own.service_method},
                                   {"location", own.service_location}}));
}

}  // namespace a2h::wire
