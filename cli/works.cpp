#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/number.h"
#include "cli/rows.h"
#include "cli/trade_text.h"
#include "cli/with_yes.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/domain/listing.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr std::string_view kDefaultCurrency = "CNY";

struct ListingWord {
    std::string_view word;
    ListingType type;
};
constexpr ListingWord kListingWords[] = {{"service", ListingType::Service},
                                         {"demand", ListingType::Demand},
                                         {"discussion", ListingType::Discussion}};
constexpr std::string_view kListingTypes = "service|demand|discussion";
constexpr std::string_view kPublishedTypes = "service|demand";

Failure wrong_value(const Invocation& invocation, std::string_view option, std::string_view all) {
    return {std::string(kUsageCode),
            invocation.text("negotiate.not_one_of",
                            {{"name", option}, {"value", invocation.value(option)}, {"all", all}}),
            {},
            {}};
}

/// Puts the type that --type names.
std::optional<Failure> put_type(const Invocation& invocation, std::string_view all, json& params) {
    if (!invocation.has("--type")) return std::nullopt;
    const std::string word = invocation.value("--type");
    for (const ListingWord& known : kListingWords) {
        if (known.word != word || all.find(word) == std::string_view::npos) continue;
        params["type"] = static_cast<int>(known.type);
        return std::nullopt;
    }
    return wrong_value(invocation, "--type", all);
}

std::optional<Failure> put_page(const Invocation& invocation, json& params) {
    if (!invocation.has("--page")) return std::nullopt;
    const auto page = number_of(invocation, "--page");
    if (const auto* wrong = std::get_if<Failure>(&page)) return *wrong;
    params["page"] = std::get<0>(page);
    return std::nullopt;
}

Outcome run_search(const Invocation& invocation) {
    json params{{"keyword", invocation.value("WORDS")}};
    if (auto wrong = put_type(invocation, kListingTypes, params)) return *wrong;
    if (auto wrong = put_page(invocation, params)) return *wrong;
    return call_daemon(invocation, "works.search", std::move(params), render_found_listings);
}

Outcome run_works(const Invocation& invocation) {
    if (invocation.has("ID")) {
        return call_daemon(invocation, "works.get", {{"works_id", invocation.value("ID")}},
                           render_listing);
    }
    json params = json::object();
    if (auto wrong = put_page(invocation, params)) return *wrong;
    return call_daemon(invocation, "works.list", std::move(params), render_own_listings);
}

/// 280 is one price; 100-200 is a range to negotiate in.
std::optional<Failure> put_listing_price(const Invocation& invocation, json& params) {
    if (!invocation.has("--price")) return std::nullopt;
    const std::string given = invocation.value("--price");
    const std::string currency = invocation.has("--currency") ? invocation.value("--currency")
                                                              : std::string(kDefaultCurrency);
    const std::size_t dash = given.find('-');
    const auto low = parse_money(trim(std::string_view(given).substr(0, dash)), currency);
    const auto high = dash == std::string::npos
                          ? low
                          : parse_money(trim(std::string_view(given).substr(dash + 1)), currency);
    if (!low || !high) {
        return Failure{
            std::string(kUsageCode),
            invocation.text("cli.not_an_amount", {{"name", "--price"}, {"value", given}}),
            {},
            {}};
    }
    params["currency"] = currency;
    params["price_type"] = dash == std::string::npos ? "FIXED" : "NEGOTIABLE";
    if (dash == std::string::npos) {
        params["fixed_price"] = low->minor;
    } else {
        params["price_min"] = low->minor;
        params["price_max"] = high->minor;
    }
    return std::nullopt;
}

constexpr std::pair<std::string_view, const char*> kListingTexts[] = {
    {"--title", "title"},
    {"--content", "content"},
    {"--method", "service_method"},
    {"--location", "service_location"}};

/// The listing in --file, with what the other options say.
std::variant<json, Failure> listing_given(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("--file")) {
        auto file = json_file(invocation, "--file");
        if (auto* wrong = std::get_if<Failure>(&file)) return std::move(*wrong);
        params = std::get<json>(std::move(file));
    }
    for (const auto& [option, member] : kListingTexts) {
        if (invocation.has(option)) params[member] = invocation.value(option);
    }
    if (auto wrong = put_type(invocation, kPublishedTypes, params)) return std::move(*wrong);
    if (!params.contains("type")) params["type"] = static_cast<int>(ListingType::Service);
    if (auto wrong = put_listing_price(invocation, params)) return std::move(*wrong);
    for (const auto& [option, member] : {kListingTexts[0], kListingTexts[1]}) {
        if (params.contains(member)) continue;
        return Failure{std::string(kUsageCode),
                       invocation.text("cli.missing_argument", {{"word", option}}),
                       help_of(*invocation.command, invocation.language),
                       {}};
    }
    return params;
}

Outcome run_publish(const Invocation& invocation) {
    auto params = listing_given(invocation);
    if (auto* wrong = std::get_if<Failure>(&params)) return std::move(*wrong);
    return call_daemon_with_yes(invocation, "works.publish", std::get<json>(std::move(params)),
                                render_carried_out);
}

}  // namespace

std::vector<Command> works_rows() {
    using enum ParameterKind;
    constexpr Parameter kPage = {"--page", Value, "cli.option_page", "N"};
    return {
        {"search",
         "works.search",
         "cli.search",
         {{"WORDS", Words, "cli.argument_words"},
          {"--type", Value, "cli.option_listing_type", kListingTypes},
          kPage,
          kAgentOption},
         run_search},
        {"works",
         "works.list",
         "cli.works",
         {{"ID", Optional, "cli.argument_listing"}, kPage, kAgentOption},
         run_works},
        {"publish",
         "works.publish",
         "cli.publish",
         {{"--title", Value, "cli.option_title", "TEXT"},
          {"--content", Value, "cli.option_content", "TEXT"},
          {"--price", Value, "cli.option_listing_price", "AMOUNT"},
          {"--currency", Value, "negotiate.option_currency", "CODE"},
          {"--type", Value, "cli.option_published_type", kPublishedTypes},
          {"--method", Value, "cli.option_method", "online|offline"},
          {"--location", Value, "cli.option_location", "TEXT"},
          {"--file", Value, "cli.option_listing_file", "FILE"},
          kPersonOption,
          kPinStdin,
          kNoWait,
          kAgentOption},
         run_publish},
    };
}

}  // namespace a2h::cli
