#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/trade/check_parts.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

/// The amounts of the arguments in words, for tools and for the human.
std::string amounts_in_words(const CallContext& call) {
    const std::string currency = argument(call, "currency");
    const auto amount = [&](std::string_view name) {
        return to_text(Money{number(call.arguments, name), currency});
    };
    if (argument(call, "price_type") == "FIXED") return amount("fixed_price");
    return amount("price_min") + " - " + amount("price_max");
}

/// A price in words, a fixed price or a range: exactly one of them, and complete.
Result<std::string> price_of(const CallContext& call) {
    const std::string words = argument(call, "expected_price");
    const std::string kind = argument(call, "price_type");
    const std::string currency = argument(call, "currency");
    const bool any_amount =
        has(call, "fixed_price") || has(call, "price_min") || has(call, "price_max");
    if (kind.empty()) {
        if (any_amount || !currency.empty()) {
            return invalid("prices in minor units need price_type FIXED or NEGOTIABLE");
        }
        return words;
    }
    // The words that follow the amounts belong to a change that was asked about.
    if (!words.empty() && words != amounts_in_words(call))
        return invalid("give either expected_price or price_type, not both");
    if (currency.empty()) return invalid("price_type needs a currency, e.g. CNY or USD");
    if (kind == "FIXED") {
        if (!has(call, "fixed_price")) return invalid("price_type FIXED needs fixed_price");
        return amounts_in_words(call);
    }
    if (!has(call, "price_min") || !has(call, "price_max")) {
        return invalid("price_type NEGOTIABLE needs price_min and price_max");
    }
    if (number(call.arguments, "price_min") > number(call.arguments, "price_max")) {
        return invalid("price_min is above price_max");
    }
    return amounts_in_words(call);
}

}  // namespace

Result<Facts> check_publish(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(auto price, price_of(call));
    Facts facts;
    facts.title = argument(call, "title");
    facts.price = std::move(price);
    facts.context = argument(call, "content");
    return facts;
}

namespace {

/// Returns the words that a yes depends on; the rest of a post, such as its counters, changes by
/// itself.
json words_of_post(const json& post) {
    json words = json::object();
    for (const char* name : {"agentId", "title", "content", "pictures"})
        if (!member(post, name).is_null()) words[name] = post[name];
    // Members that are sent as text are shown one by one as well.
    const json info = info_of(post);
    if (!info.empty()) words["extendInfo"] = info;
    const json& other = member(post, "extendInfo");
    if (info.empty() && !other.is_null()) words["extendInfo"] = other;
    return words;
}

/// The members of a listing under the names that the arguments of `works.update` have.
json as_arguments(const json& post) {
    constexpr std::pair<const char*, const char*> kNames[] = {
        {"expectedPrice", "expected_price"},
        {"priceType", "price_type"},
        {"currency", "currency"},
        {"fixedPrice", "fixed_price"},
        {"priceMin", "price_min"},
        {"priceMax", "price_max"},
        {"serviceMethod", "service_method"},
        {"serviceLocation", "service_location"}};
    json words = words_of_post(post);
    words.erase("agentId");  // it is our own
    json info = info_of(post);
    for (const auto& [name, argument] : kNames) {
        if (!member(info, name).is_null()) words[argument] = info[name];
        info.erase(name);
    }
    words["extendInfo"] = info;
    if (info.empty() || info == json{{"pois", json::array()}}) words.erase("extendInfo");
    const json& pictures = member(post, "pictures");
    if (pictures.is_array() && pictures.size() == 1) {
        words["picture"] = pictures[0];
        words.erase("pictures");
    }
    return words;
}

/// Returns what `works.update` makes of `before`. Another kind of price or currency ends the other
/// amounts.
json after_update(const json& before, json arguments) {
    for (const char* name : {"works_id", "type"})
        arguments.erase(name);
    const auto differs = [&](const char* name) {
        return arguments.contains(name) && member(before, name) != arguments[name];
    };
    if (!differs("price_type") && !differs("currency")) return arguments;
    for (const char* name : {"fixed_price", "price_min", "price_max"})
        if (before.contains(name) && !arguments.contains(name)) arguments[name] = "";
    return arguments;
}

/// The post of argument `name`, if it is ours. The public platform sometimes omits the owner.
Result<json> own_post(const CallContext& call, std::string_view name) {
    auto post = call.ask("works.get", {{"works_id", argument(call, name)}});
    if (!post) return post;
    const std::string owner = text_member(*post, "agentId");
    if (!owner.empty() && owner != call.market.agent_id()) {
        return fail(ErrorCode::PermissionDenied, "this listing belongs to another agent");
    }
    return post;
}

/// With two prices in one listing, the agent could answer with the outdated one. So the words
/// follow the numbers, and numbers are not replaced by words.
Result<void> settle_price(const CallContext& call, const json& info, const std::string& price,
                          json& arguments) {
    if (has(call, "price_type")) {
        if (!text_member(info, "expectedPrice").empty()) arguments["expected_price"] = price;
        return {};
    }
    const std::string kind = text_member(info, "priceType");
    if (has(call, "expected_price") && !kind.empty()) {
        return invalid("the listing's price is " + kind +
                       "; change it with price_type, currency and the amounts");
    }
    return {};
}

}  // namespace

Result<Facts> check_update(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(auto price, price_of(call));
    A2H_ASSIGN_OR_RETURN(const auto post, own_post(call, "works_id"));
    const std::int64_t type = number(post, "type");
    if (type != 0 && type != number(call.arguments, "type")) {
        return invalid("the listing is of type " + std::to_string(type) +
                       ", which cannot be changed");
    }
    json arguments = call.arguments;
    A2H_TRY(settle_price(call, info_of(post), price, arguments));
    Facts facts;
    facts.request_json = wire::canonical_json(arguments);
    facts.works_id = argument(call, "works_id");
    facts.title = text_member(post, "title");
    facts.price = std::move(price);
    const json before = as_arguments(post);
    facts.before_json = before.dump();
    facts.after_json = after_update(before, arguments).dump();
    return facts;
}

Result<Facts> check_delete(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(const auto post, own_post(call, "works_id"));
    Facts facts;
    facts.works_id = argument(call, "works_id");
    facts.title = text_member(post, "title");
    facts.seen = {{"trade.seen_before", as_arguments(post).dump()}};
    return facts;
}

namespace {

void add_others(Facts& facts, const std::vector<std::string>& more) {
    std::set<std::string> ids(facts.peer_ids.begin(), facts.peer_ids.end());
    ids.insert(more.begin(), more.end());
    facts.peer_ids.assign(ids.begin(), ids.end());
}

}  // namespace

Result<Facts> check_discussion(const CallContext& call) {
    Facts facts;
    facts.title = argument(call, "title");
    facts.context = argument(call, "content");
    if (!has(call, "parent_works_id")) return facts;
    A2H_ASSIGN_OR_RETURN(const auto parent,
                         call.ask("works.get", {{"works_id", argument(call, "parent_works_id")}}));
    facts.works_id = argument(call, "parent_works_id");
    facts.peer = text_member(parent, "title");
    facts.seen = {{"trade.seen_post", words_of_post(parent).dump()}};
    facts.peer_ids = others_in(call, json::array({parent}), "agentId");
    const auto replies =
        call.ask("discussion.replies", {{"works_id", facts.works_id}, {"page_size", kOthersRead}});
    if (!replies) return facts;
    add_others(facts, others_in(call, wire::list_in(*replies), "agentId"));
    for (const json& reply : wire::list_in(*replies))
        facts.seen.emplace_back("trade.seen_reply", words_of_post(reply).dump());
    return facts;
}

}  // namespace a2h::trade
