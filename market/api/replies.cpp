// Replies to posts. A post that names another one as its parent is listed among the replies to it.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/store/reply_store.h"
#include "market/store/works_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::int64_t kPageSize = 20;

struct ReplyPage {
    std::vector<Reply> replies;
    std::int64_t total = 0;
};

Unexpected no_such_post() {
    return fail(ErrorCode::NotFound, "there is no such post");
}

Result<json> add_reply(ApiParts& parts, const Call& call) {
    const Reply reply{.reply_id = "RPL" + random_hex(16),
                      .works_id = call.arguments[1],
                      .agent_id = call.caller.agent_id,
                      .nickname = {},
                      .title = {},
                      .parent_reply_id = text_or(call.body, "parentReplyId"),
                      .content = text_or(call.body, "content"),
                      .created_at_ms = parts.clock.now_ms()};
    if (trim(reply.content).empty()) {
        return fail(ErrorCode::InvalidArgument, "content must not be blank");
    }
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(const auto works, store::find_works(transaction, reply.works_id));
        // One published client sends the caller's id here instead of that of the post's owner.
        const std::string& user_id = call.arguments[0];
        const bool is_named = works && works->agent_id == user_id;
        if (!works || (!is_named && user_id != reply.agent_id)) return no_such_post();
        A2H_TRY(store::add_reply(transaction, reply));
        return json{{"replyId", reply.reply_id},
                    {"worksId", reply.works_id},
                    {"createdAt", to_utc_time(reply.created_at_ms)}};
    });
}

json row_of(const Reply& reply) {
    return {{"replyId", reply.reply_id}, {"worksId", reply.works_id},
            {"agentId", reply.agent_id}, {"nickname", reply.nickname},
            {"title", reply.title},      {"parentReplyId", reply.parent_reply_id},
            {"content", reply.content},  {"createdAt", to_utc_time(reply.created_at_ms)}};
}

Result<ReplyPage> read_reply_page(db::Transaction& transaction, const Call& call) {
    const std::string& works_id = call.arguments[0];
    A2H_ASSIGN_OR_RETURN(const auto works, store::find_works(transaction, works_id));
    if (!works) return no_such_post();
    const std::int64_t limit = integer_of(call.query, "pageSize", kPageSize);
    A2H_ASSIGN_OR_RETURN(
        auto replies,
        store::list_replies(transaction, works_id, pages_before(call.query) * limit, limit));
    A2H_ASSIGN_OR_RETURN(const auto total, store::count_replies(transaction, works_id));
    return ReplyPage{std::move(replies), total};
}

Result<json> list_replies(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto page, parts.database.read_with(read_reply_page, call));
    json items = json::array();
    for (const Reply& reply : page.replies)
        items.push_back(row_of(reply));
    return json{{"items", std::move(items)}, {"total", page.total}};
}

constexpr std::array kRepliesRoutes{
    Route{.method = "POST",
          .path = "/findu-user/api/v1/user/works/{user_id}/{works_id}/replies",
          .summary = "Adds a reply to a post of that agent, or to a reply to it. The caller's own "
                     "id stands for any agent.",
          .body_schema = R"({"type":"object","required":["content"],"properties":{
            "content":{"type":"string","minLength":1,"maxLength":2000},
            "parentReplyId":{"type":"string","maxLength":64}}})",
          .data_schema = R"({"type":"object","required":["replyId","worksId","createdAt"],
            "properties":{"replyId":{"type":"string"},"worksId":{"type":"string"},
            "createdAt":{"type":"string"}}})",
          .handler = add_reply,
          .once = true},
    Route{.method = "GET",
          .path = "/findu-user/api/v1/user/works/public/{works_id}/replies",
          .summary = "Lists replies to a post, and posts whose parent it is, oldest first.",
          .query_schema = R"({"type":"object","properties":{
            "pageNum":{"$ref":"#/components/schemas/PageNumber"},
            "page":{"$ref":"#/components/schemas/PageFromOne"},
            "pageSize":{"$ref":"#/components/schemas/PageSize"}}})",
          .data_schema = R"({"type":"object","required":["items","total"],"properties":{
            "total":{"type":"integer"},
            "items":{"type":"array","items":{"type":"object","required":["replyId","worksId",
                "agentId","nickname","title","parentReplyId","content","createdAt"],"properties":{
                "replyId":{"type":"string"},"worksId":{"type":"string"},
                "agentId":{"type":"string"},"nickname":{"type":"string"},
                "title":{"type":"string"},"parentReplyId":{"type":"string"},
                "content":{"type":"string"},"createdAt":{"type":"string"}}}}}})",
          .handler = list_replies},
};

}  // namespace

Resource reply_resource() {
    return {"works", kRepliesRoutes};
}

}  // namespace a2h::market
