#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "daemon/operations/ask.h"
#include "daemon/pipeline/requests.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
using Listings = Result<std::vector<Listing>>;

constexpr int kSearchPageSize = 10;
constexpr int kListPageSize = 20;

json to_json(const Listing& listing) {
    json extend = json::object();
    const auto put = [&](const char* member, const std::string& value) {
        if (!value.empty()) extend[member] = value;
    };
    put("expectedPrice", listing.expected_price);
    put("serviceMethod", listing.service_method);
    put("serviceLocation", listing.service_location);
    return {{"worksId", listing.works_id},
            {"agentId", listing.agent_id},
            {"type", static_cast<int>(listing.type)},
            {"title", listing.title},
            {"content", listing.content},
            {"status", listing.status},
            {"pictures", listing.pictures},
            {"extendInfo", std::move(extend)}};
}

std::optional<ListingType> type_argument(const Call& call) {
    const int type = call.number("type", 0);
    return type == 0 ? std::nullopt : std::optional(static_cast<ListingType>(type));
}

/// Runs one request to the market on a worker and answers with its listings under `member`.
void answer_with(Runtime& runtime, const Call& call, const Reply& reply, const char* member,
                 std::function<Listings()> request) {
    runtime.context.run_blocking<Listings>(
        std::move(request),
        [action = call.action, member, reply](const Listings& listings) {
            if (!listings) {
                reply(error_result(action, listings.error()));
                return;
            }
            json items = json::array();
            for (const Listing& listing : *listings)
                items.push_back(to_json(listing));
            reply(ok_result(action, {{member, std::move(items)}}));
        },
        [] { return fail(ErrorCode::ResourceExhausted, "too many requests are waiting"); });
}

}  // namespace

void handle_works_search(Runtime& runtime, const Call& call, const Reply& reply) {
    const platform::SearchQuery query{.keyword = call.text("keyword"),
                                      .agent_id = call.text("agent_id"),
                                      .type = type_argument(call),
                                      .page = call.number("page", 1),
                                      .page_size = call.number("page_size", kSearchPageSize)};
    answer_with(runtime, call, reply, "result", [market = call.agent.platform.get(), query] {
        return market->search_listings(query);
    });
}

void handle_works_list(Runtime& runtime, const Call& call, const Reply& reply) {
    answer_with(runtime, call, reply, "items",
                [market = call.agent.platform.get(), type = type_argument(call),
                 page = call.number("page", 1), size = call.number("page_size", kListPageSize)] {
                    return market->own_listings(type, page, size);
                });
}

void handle_works_publish(Runtime& runtime, const Call& call, const Reply& reply) {
    const i18n::Language language = runtime.context.config.language;
    const std::string price = call.text("expected_price");
    approvals::Ask ask;
    ask.agent_id = call.agent_id();
    ask.action = pipeline::kPublishAction;
    ask.request_json = wire::canonical_json(call.arguments);
    ask.question = i18n::text(
        language, "daemon.question_publish",
        {{"title", preview(call.text("title"))},
         {"price", price.empty() ? i18n::text(language, "daemon.no_price") : preview(price)}});
    ask.context = call.text("content");
    ask.requested_by = "tool:works.publish";
    ask_human(runtime, call, ask, reply);
}

}  // namespace a2h::operations
