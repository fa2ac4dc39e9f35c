// Posts at the market: publish, update, search, list, show, delete.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/object_text.h"
#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/store/works_search.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::size_t kExtendInfoBytesMax = 8 * 1024;
constexpr std::int64_t kSearchPageSize = 10;
constexpr std::int64_t kListPageSize = 20;
constexpr std::string_view kPublished = "PUBLISHED";
constexpr int kDiscussion = 4;

/// 36 hex digits; published clients recognise works ids by their last four.
std::string new_works_id() {
    return random_hex(16) + "a7ee";
}

/// The fields of a change request; a field that the client left out is nullopt.
struct Change {
    std::string works_id;
    std::optional<std::int64_t> type;
    std::optional<std::string> title;
    std::optional<std::string> content;
    std::optional<json> pictures;
    std::optional<json> extend_info;
    std::optional<std::string> parent_works_id;
};

Unexpected no_such_post() {
    return fail(ErrorCode::NotFound, "there is no such post");
}

std::optional<json> optional_json(const json& body, std::string_view name) {
    const auto found = body.find(name);
    return found == body.end() ? std::nullopt : std::optional(*found);
}

Result<Change> read_change(const json& body) {
    Change change{text_or(body, "worksId"),
                  optional_integer(body, "type"),
                  optional_text(body, "title"),
                  optional_text(body, "content"),
                  optional_json(body, "pictures"),
                  optional_json(body, "extendInfo"),
                  optional_text(body, "parentWorksId")};
    if (change.title && trim(*change.title).empty()) return invalid("title must not be blank");
    return change;
}

/// No amount stays under another kind of price or another currency.
void drop_old_amounts(json& info, const json& change) {
    const auto differs = [&](const char* name) {
        return change.contains(name) && info.value(name, json()) != change[name];
    };
    if (!differs("priceType") && !differs("currency")) return;
    for (const char* name : {"fixedPrice", "priceMin", "priceMax"})
        info.erase(name);
}

/// Other keys of extendInfo that an update leaves out are not changed, like all other fields (R15).
Result<std::string> merged(const std::string& present, const json& change) {
    json info = json::parse(present, nullptr, false);
    if (!info.is_object()) info = json::object();
    drop_old_amounts(info, change);
    info.update(change);
    std::string text = info.dump();
    if (text.size() > kExtendInfoBytesMax) return invalid("extendInfo is larger than 8 KiB");
    return text;
}

Result<void> apply(const Change& change, Works& works, UnixMs now_ms) {
    if (change.extend_info) {
        A2H_ASSIGN_OR_RETURN(auto info, merged(works.extend_info_json, *change.extend_info));
        works.extend_info_json = std::move(info);
    }
    if (change.type) works.type = static_cast<int>(*change.type);
    if (change.title) works.title = *change.title;
    if (change.content) works.content = *change.content;
    if (change.pictures) works.pictures_json = change.pictures->dump();
    if (change.parent_works_id) works.parent_works_id = *change.parent_works_id;
    works.updated_at_ms = now_ms;
    return {};
}

Result<void> check_parent(db::Transaction& transaction, const Works& works) {
    if (works.parent_works_id.empty()) return {};
    if (works.parent_works_id == works.works_id) return invalid("a post cannot answer itself");
    A2H_ASSIGN_OR_RETURN(const auto parent, store::find_works(transaction, works.parent_works_id));
    if (!parent) return fail(ErrorCode::NotFound, "parentWorksId: there is no such post");
    return {};
}

json submitted(const std::string& works_id) {
    return {
        {"worksId", works_id}, {"changeRequestId", "CR" + random_hex(16)}, {"status", kPublished}};
}

Result<json> publish(ApiParts& parts, const Call& call, const Change& change) {
    if (!change.type) return invalid("type is missing");
    if (!change.title) return invalid("title is missing");
    if (!change.content || trim(*change.content).empty()) return invalid("content is missing");
    Works works;
    works.works_id = new_works_id();
    works.agent_id = call.caller.agent_id;
    works.created_at_ms = parts.clock.now_ms();
    A2H_TRY(apply(change, works, works.created_at_ms));
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_TRY(check_parent(transaction, works));
        A2H_TRY(store::add_works(transaction, works));
        return submitted(works.works_id);
    });
}

/// The post, if it belongs to `owner`.
///
/// Errors:  NotFound; PermissionDenied, because posts are public.
Result<Works> own_works(db::Transaction& transaction, const std::string& works_id,
                        const Agent& owner) {
    A2H_ASSIGN_OR_RETURN(auto works, store::find_works(transaction, works_id));
    if (!works) return no_such_post();
    if (works->agent_id != owner.agent_id) {
        return fail(ErrorCode::PermissionDenied, "the post is not yours");
    }
    return std::move(*works);
}

/// Replies, orders and readers of the post rely on its kind.
Result<void> check_type(const Change& change, const Works& works) {
    if (!change.type || *change.type == works.type) return {};
    return fail(ErrorCode::Conflict, "a post keeps its type, which is " +
                                         std::to_string(works.type) + "; publish a new post");
}

Result<json> update(ApiParts& parts, const Call& call, const Change& change) {
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(auto works, own_works(transaction, change.works_id, call.caller));
        A2H_TRY(check_type(change, works));
        A2H_TRY(apply(change, works, parts.clock.now_ms()));
        if (change.parent_works_id) A2H_TRY(check_parent(transaction, works));
        A2H_TRY(store::update_works(transaction, works));
        return submitted(change.works_id);
    });
}

wire::ObjectText search_members(const Works& works) {
    wire::ObjectText row;
    row.text("worksId", works.works_id)
        .text("agentId", works.agent_id)
        .text("nickname", works.nickname)
        .number("type", works.type)
        .text("title", works.title)
        .raw("extendInfo", works.extend_info_json);
    return row;
}

std::string search_row(const Works& works) {
    return search_members(works).take();
}

std::string full_row(const Works& works) {
    return search_members(works)
        .text("content", works.content)
        .raw("pictures", works.pictures_json)
        .text("parentWorksId", works.parent_works_id)
        .text("status", kPublished)
        .text("createdAt", to_utc_time(works.created_at_ms))
        .text("updatedAt", to_utc_time(works.updated_at_ms))
        .take();
}

WorksQuery read_search(const json& fields, std::int64_t default_page_size) {
    WorksQuery query;
    query.agent_id = text_or(fields, "agentId");
    if (const auto type = optional_integer(fields, "type")) query.type = static_cast<int>(*type);
    query.limit = integer_of(fields, "pageSize", default_page_size);
    query.offset = pages_before(fields) * query.limit;
    return query;
}

/// The posts of `query`, each converted by `make_row`, as the member `name`.
Result<std::string> list(ApiParts& parts, const WorksQuery& query, std::string_view name,
                         std::string (*make_row)(const Works&)) {
    const auto look_up = query.phrases.empty() ? store::list_works : store::search_works;
    A2H_ASSIGN_OR_RETURN(const auto found, parts.database.read_with(look_up, query));
    std::string rows = "[";
    for (const Works& works : found) {
        if (rows.size() > 1) rows += ',';
        rows += make_row(works);
    }
    return wire::ObjectText().raw(name, rows + "]").take();
}

Result<json> submit_works(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto change, read_change(call.body));
    return change.works_id.empty() ? publish(parts, call, change) : update(parts, call, change);
}

Result<std::string> search_works(ApiParts& parts, const Call& call) {
    const std::string keyword = text_or(call.body, "serviceInfo");
    auto query = read_search(call.body, kSearchPageSize);
    query.phrases = search::query_phrases(keyword);
    // A keyword without letters and digits finds nothing; without a keyword the newest posts are
    // listed.
    if (query.phrases.empty() && !trim(keyword).empty()) return std::string(R"({"result":[]})");
    return list(parts, query, "result", search_row);
}

/// Published clients use the same path for their own posts and, with a type, for all discussions.
Result<std::string> list_public_works(ApiParts& parts, const Call& call) {
    auto query = read_search(call.query, kListPageSize);
    query.with_replies = query.type != kDiscussion;
    query.agent_id = query.with_replies ? call.caller.agent_id : "";
    return list(parts, query, "items", full_row);
}

Result<std::string> show_works(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto works,
                         parts.database.read_with(store::find_works, call.arguments[0]));
    if (!works) return no_such_post();
    return full_row(*works);
}

Result<json> delete_works(ApiParts& parts, const Call& call) {
    const std::string& works_id = call.arguments[0];
    const auto written = parts.database.write([&](db::Transaction& transaction) -> Result<void> {
        A2H_TRY(own_works(transaction, works_id, call.caller));
        return store::delete_works(transaction, works_id, call.caller.agent_id);
    });
    if (!written) return fail(written.error());
    return json{{"worksId", works_id}, {"deleted", true}};
}

constexpr std::array kWorksSchemas{
    NamedSchema{"WorksRow", R"({"type":"object",
        "required":["worksId","agentId","nickname","type","title","extendInfo"],"properties":{
        "worksId":{"type":"string"},"agentId":{"type":"string"},
        "nickname":{"type":"string","description":"the owner's name"},
        "type":{"type":"integer","enum":[2,3,4],"description":"2 demand, 3 service, 4 discussion"},
        "title":{"type":"string","maxLength":100},"extendInfo":{"type":"object"}}})"},
    NamedSchema{"Works", R"({"type":"object",
        "required":["worksId","agentId","nickname","type","title","extendInfo","content",
            "pictures","parentWorksId","status","createdAt","updatedAt"],"properties":{
        "worksId":{"type":"string"},"agentId":{"type":"string"},
        "nickname":{"type":"string","description":"the owner's name"},
        "type":{"type":"integer","enum":[2,3,4],"description":"2 demand, 3 service, 4 discussion"},
        "title":{"type":"string","maxLength":100},"extendInfo":{"type":"object"},
        "content":{"type":"string","maxLength":2000},
        "pictures":{"type":"array","items":{"type":"string"}},
        "parentWorksId":{"type":"string"},"status":{"type":"string","enum":["PUBLISHED"]},
        "createdAt":{"type":"string"},"updatedAt":{"type":"string"}}})"},
    NamedSchema{"WorksType", R"({"type":"integer","minimum":2,"maximum":4,
        "description":"2 demand, 3 service, 4 discussion"})"},
    NamedSchema{"PageNumber", R"({"type":"integer","minimum":0,"maximum":1000000,
        "description":"0-based"})"},
    NamedSchema{"PageFromOne", R"({"type":"integer","minimum":0,"maximum":1000000,
        "description":"1 is the first page, and so is 0; not read if pageNum is there"})"},
    NamedSchema{"PageSize", R"({"type":"integer","minimum":1,"maximum":100})"},
};

constexpr std::array kWorksRoutes{
    Route{.method = "POST",
          .path = "/findu-user/api/v1/user/works/change-requests",
          .summary = "Publishes a post, or updates the given fields of the post with that worksId.",
          .body_schema = R"({"type":"object","properties":{
            "worksId":{"type":"string","maxLength":64,"description":"empty: a new post"},
            "type":{"$ref":"#/components/schemas/WorksType"},
            "title":{"type":"string","maxLength":100},
            "content":{"type":"string","maxLength":2000},
            "pictures":{"type":"array","maxItems":9,"items":{"type":"string","maxLength":2048}},
            "extendInfo":{"type":"object",
                "description":"omitted keys keep their values; at most 8 KiB together"},
            "parentWorksId":{"type":"string","maxLength":64}}})",
          .data_schema = R"({"type":"object","required":["worksId","changeRequestId","status"],
            "properties":{"worksId":{"type":"string"},"changeRequestId":{"type":"string"},
            "status":{"type":"string","enum":["PUBLISHED"]}}})",
          .handler = submit_works,
          .once = true},
    Route{.method = "POST",
          .path = "/findu-match/api/v1/inner/match/works_search",
          .summary = "Finds posts that have all words: those with all words in the title first, "
                     "then the newest first.",
          .body_schema = R"({"type":"object","properties":{
            "serviceInfo":{"type":"string","maxLength":200,"description":"required words"},
            "agentId":{"type":"string","maxLength":64},
            "type":{"$ref":"#/components/schemas/WorksType"},
            "pageNum":{"$ref":"#/components/schemas/PageNumber"},
            "page":{"$ref":"#/components/schemas/PageFromOne"},
            "pageSize":{"$ref":"#/components/schemas/PageSize"}}})",
          .data_schema = R"({"type":"object","required":["result"],"properties":{
            "result":{"type":"array","items":{"$ref":"#/components/schemas/WorksRow"}}}})",
          .text_handler = search_works},
    Route{.method = "GET",
          .path = "/findu-user/api/v1/user/works/public",
          .summary = "Lists the caller's own posts, or with type 4 everybody's discussions without "
                     "replies, newest first.",
          .query_schema = R"({"type":"object","properties":{
            "type":{"$ref":"#/components/schemas/WorksType"},
            "pageNum":{"$ref":"#/components/schemas/PageNumber"},
            "page":{"$ref":"#/components/schemas/PageFromOne"},
            "pageSize":{"$ref":"#/components/schemas/PageSize"}}})",
          .data_schema = R"({"type":"object","required":["items"],"properties":{
            "items":{"type":"array","items":{"$ref":"#/components/schemas/Works"}}}})",
          .text_handler = list_public_works},
    Route{.method = "GET",
          .path = "/findu-user/api/v1/user/works/{works_id}/detail",
          .summary = "Returns one post.",
          .data_schema = R"({"$ref":"#/components/schemas/Works"})",
          .text_handler = show_works,
          .quick = true},
    Route{.method = "DELETE",
          .path = "/findu-user/api/v1/user/works/{works_id}",
          .summary = "Deletes a post of the caller.",
          .data_schema = R"({"type":"object","required":["worksId","deleted"],"properties":{
            "worksId":{"type":"string"},"deleted":{"type":"boolean"}}})",
          .handler = delete_works},
};

}  // namespace

Resource works_resource() {
    return {"works", kWorksRoutes, kWorksSchemas};
}

}  // namespace a2h::market
