// Posts on the market: publish, update, search, list, show, delete.

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/i18n/normalize.h"
#include "market/api/answer.h"
#include "market/api/body.h"
#include "market/api/service.h"

namespace a2h::market {
namespace {

using nlohmann::json;

// R14; the others are ours.
constexpr std::size_t kTitleCodePointsMax = 100;
constexpr std::size_t kContentCodePointsMax = 2000;
constexpr std::size_t kKeywordCodePointsMax = 200;
constexpr std::size_t kPicturesMax = 9;
constexpr std::size_t kPictureBytesMax = 2048;
constexpr std::size_t kExtendInfoBytesMax = 8 * 1024;
constexpr std::size_t kIdCharactersMax = 64;
constexpr int kTypeMin = 2;  // 2 demand, 3 service, 4 discussion
constexpr int kTypeMax = 4;
constexpr std::int64_t kPageMax = 1'000'000;
constexpr std::int64_t kPageSizeMax = 100;
constexpr std::int64_t kSearchPageSize = 10;
constexpr std::int64_t kListPageSize = 20;
constexpr std::string_view kPublished = "PUBLISHED";

/// 36 hex digits; published clients know works ids by their last four.
std::string new_works_id() {
    return random_hex(16) + "a7ee";
}

/// The fields of a change request; what the client left out is nullopt.
struct Change {
    std::string works_id;
    std::optional<std::int64_t> type;
    std::optional<std::string> title;
    std::optional<std::string> content;
    std::optional<json> pictures;
    std::optional<json> extend_info;
    std::optional<std::string> parent_works_id;
};

Unexpected invalid(std::string message) {
    return fail(ErrorCode::InvalidArgument, std::move(message));
}

Result<std::optional<json>> read_pictures(const json& body) {
    const auto found = body.find("pictures");
    if (found == body.end() || found->is_null()) return std::optional<json>();
    if (!found->is_array() || found->size() > kPicturesMax) {
        return invalid("pictures must be a list of at most " + std::to_string(kPicturesMax));
    }
    for (const json& picture : *found) {
        if (!picture.is_string() || picture.get_ref<const std::string&>().size() > kPictureBytesMax)
            return invalid("pictures must hold addresses of at most 2048 bytes");
    }
    return std::optional(*found);
}

Result<std::optional<json>> read_extend_info(const json& body) {
    const auto found = body.find("extendInfo");
    if (found == body.end() || found->is_null()) return std::optional<json>();
    if (!found->is_object()) return invalid("extendInfo must be an object");
    return std::optional(*found);
}

Result<Change> read_change(const json& body) {
    Change change;
    auto works_id = optional_text(body, "worksId", kIdCharactersMax);
    auto type = optional_integer(body, "type", kTypeMin, kTypeMax);
    auto title = optional_text(body, "title", kTitleCodePointsMax);
    auto content = optional_text(body, "content", kContentCodePointsMax);
    auto pictures = read_pictures(body);
    auto extend_info = read_extend_info(body);
    auto parent = optional_text(body, "parentWorksId", kIdCharactersMax);
    if (!works_id) return fail(works_id.error());
    if (!type) return fail(type.error());
    if (!title) return fail(title.error());
    if (*title && trim(**title).empty()) return invalid("title must not be empty");
    if (!content) return fail(content.error());
    if (!pictures) return fail(pictures.error());
    if (!extend_info) return fail(extend_info.error());
    if (!parent) return fail(parent.error());
    return Change{works_id->value_or(""), *type,
                  std::move(*title),      std::move(*content),
                  std::move(*pictures),   std::move(*extend_info),
                  std::move(*parent)};
}

/// Keys of extendInfo that an update leaves out stay as they are, like all else (R15).
Result<std::string> merged(const std::string& present, const json& change) {
    json info = json::parse(present, nullptr, false);
    if (!info.is_object()) info = json::object();
    info.update(change);
    std::string text = info.dump();
    if (text.size() > kExtendInfoBytesMax) return invalid("extendInfo is over 8 KiB");
    return text;
}

Result<void> apply(Change& change, Works& works, UnixMs now_ms) {
    if (change.extend_info) {
        auto info = merged(works.extend_info_json, *change.extend_info);
        if (!info) return fail(info.error());
        works.extend_info_json = std::move(*info);
    }
    if (change.type) works.type = static_cast<int>(*change.type);
    if (change.title) works.title = std::move(*change.title);
    if (change.content) works.content = std::move(*change.content);
    if (change.pictures) works.pictures_json = change.pictures->dump();
    if (change.parent_works_id) works.parent_works_id = std::move(*change.parent_works_id);
    works.updated_at_ms = now_ms;
    return {};
}

Result<std::string> publish(Service& service, const Agent& owner, Change change) {
    if (!change.type) return invalid("type is missing");
    if (!change.title) return invalid("title is missing");
    if (!change.content || trim(*change.content).empty()) return invalid("content is missing");
    Works works;
    works.works_id = new_works_id();
    works.agent_id = owner.agent_id;
    works.created_at_ms = service.clock.now_ms();
    A2H_TRY(apply(change, works, works.created_at_ms));
    A2H_TRY(service.store.add_works(works));
    return works.works_id;
}

Result<std::string> update(Service& service, const Agent& owner, Change change) {
    const auto present = service.store.find_works(change.works_id);
    if (!present) return fail(present.error());
    if (!*present) return fail(ErrorCode::NotFound, "there is no such post");
    if ((*present)->agent_id != owner.agent_id) {
        return fail(ErrorCode::PermissionDenied, "the post is not yours");
    }
    A2H_TRY(service.store.edit_works(change.works_id, owner.agent_id, [&](Works& works) {
        return apply(change, works, service.clock.now_ms());
    }));
    return change.works_id;
}

json extend_info(const Works& works) {
    return json::parse(works.extend_info_json, nullptr, false);
}

json search_row(const Works& works) {
    return {{"worksId", works.works_id},  {"agentId", works.agent_id},
            {"nickname", works.nickname}, {"type", works.type},
            {"title", works.title},       {"extendInfo", extend_info(works)}};
}

json full_row(const Works& works) {
    json row = search_row(works);
    row["content"] = works.content;
    row["pictures"] = json::parse(works.pictures_json, nullptr, false);
    row["parentWorksId"] = works.parent_works_id;
    row["status"] = kPublished;
    row["createdAt"] = to_utc_time(works.created_at_ms);
    row["updatedAt"] = to_utc_time(works.updated_at_ms);
    return row;
}

/// Folding turns every kind of blank into the ASCII space.
std::vector<std::string> split_words(std::string_view text) {
    std::istringstream folded(i18n::fold(text));
    return {std::istream_iterator<std::string>(folded), {}};
}

Result<WorksQuery> read_search(const json& body) {
    const auto keyword = optional_text(body, "serviceInfo", kKeywordCodePointsMax);
    const auto agent_id = optional_text(body, "agentId", kIdCharactersMax);
    const auto type = optional_integer(body, "type", kTypeMin, kTypeMax);
    const auto page = optional_integer(body, "pageNum", 0, kPageMax);
    const auto page_size = optional_integer(body, "pageSize", 1, kPageSizeMax);
    if (!keyword) return fail(keyword.error());
    if (!agent_id) return fail(agent_id.error());
    if (!type) return fail(type.error());
    if (!page) return fail(page.error());
    if (!page_size) return fail(page_size.error());
    WorksQuery query;
    query.words = split_words(keyword->value_or(""));
    query.agent_id = agent_id->value_or("");
    if (*type) query.type = static_cast<int>(**type);
    const std::int64_t limit = page_size->value_or(kSearchPageSize);
    query.limit = static_cast<int>(limit);
    query.offset = page->value_or(0) * limit;
    return query;
}

Result<WorksQuery> read_list(const http::Request& request) {
    // The query's texts pass through the same checks as a body's fields.
    json body = json::object();
    for (const char* name : {"pageNum", "pageSize", "type"}) {
        const auto value = request.query_value(name);
        if (!value.empty()) body[name] = value;
    }
    if (!body.contains("pageSize")) body["pageSize"] = kListPageSize;
    return read_search(body);
}

}  // namespace

http::Response submit_works(Service& service, const Call& call) {
    const auto body = read_body(call.request);
    if (!body) return failure(body.error());
    auto change = read_change(*body);
    if (!change) return failure(change.error());
    const bool is_update = !change->works_id.empty();
    const auto works_id = is_update ? update(service, call.caller, std::move(*change))
                                    : publish(service, call.caller, std::move(*change));
    if (!works_id) return failure(works_id.error());
    return success({{"worksId", *works_id},
                    {"changeRequestId", "CR" + random_hex(16)},
                    {"status", kPublished}});
}

http::Response search_works(Service& service, const Call& call) {
    const auto body = read_body(call.request);
    if (!body) return failure(body.error());
    const auto query = read_search(*body);
    if (!query) return failure(query.error());
    const auto found = service.store.list_works(*query);
    if (!found) return failure(found.error());
    json rows = json::array();
    for (const Works& works : *found)
        rows.push_back(search_row(works));
    return success({{"result", rows}});
}

http::Response list_own_works(Service& service, const Call& call) {
    auto query = read_list(call.request);
    if (!query) return failure(query.error());
    query->agent_id = call.caller.agent_id;
    const auto found = service.store.list_works(*query);
    if (!found) return failure(found.error());
    json rows = json::array();
    for (const Works& works : *found)
        rows.push_back(full_row(works));
    return success({{"items", rows}});
}

http::Response show_works(Service& service, const Call& call) {
    const auto works = service.store.find_works(call.arguments[0]);
    if (!works) return failure(works.error());
    if (!*works) return failure({ErrorCode::NotFound, "there is no such post"});
    return success(full_row(**works));
}

http::Response delete_works(Service& service, const Call& call) {
    const auto works = service.store.find_works(call.arguments[0]);
    if (!works) return failure(works.error());
    if (!*works) return failure({ErrorCode::NotFound, "there is no such post"});
    if ((*works)->agent_id != call.caller.agent_id) {
        return failure({ErrorCode::PermissionDenied, "the post is not yours"});
    }
    const auto removed = service.store.delete_works((*works)->works_id, call.caller.agent_id);
    if (!removed) return failure(removed.error());
    return success({{"worksId", (*works)->works_id}, {"deleted", true}});
}

}  // namespace a2h::market
