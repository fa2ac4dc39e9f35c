// Serves the approval page over HTTP from memory, for tests in a browser: prints its address, then
// one line of JSON for every answer that it gets. Ends when stdin closes.
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/guarded.h"
#include "core/http/server.h"
#include "daemon/consent/approvals.h"
#include "daemon/web/link_page.h"

using namespace a2h;

namespace {

constexpr UnixMs kAsked = 1'760'000'000'000;
using Store = Guarded<std::map<std::string, Approval>>;

Approval make(const std::string& id, const std::string& text) {
    consent::Ask ask;
    ask.agent_id = "ag_seller";
    ask.peer_id = "ag_7Kq2mVxTbuyer";
    ask.job_id = 1;
    ask.action = "reply.send";
    ask.reply_text = text;
    ask.reject_text = "抱歉，450 元已是最低价。";
    ask.amount_minor = 30'000;
    ask.currency = "CNY";
    ask.question = "对方还价 300 元（标价 450 元）做一套 PPT，是否接受？";
    ask.context =
        "对方：PPT 设计 20 页多少钱？\n我方：标价 450 元。\n对方：300 可以吗？<b>急</b> "
        "https://example.org/" +
        std::string(120, 'x');
    ask.options = {"还价到 400"};
    ask.provenance = "verified";
    ask.requested_by = "rule:counter-offer";
    auto approval = consent::new_approval(ask, {}, kAsked);
    approval.id = id;
    return approval;
}

Approval answered(Approval approval, const consent::Answer& answer) {
    approval.status = answer.kind == AnswerKind::Approve  ? ApprovalStatus::Approved
                      : answer.kind == AnswerKind::Reject ? ApprovalStatus::Rejected
                                                          : ApprovalStatus::Instructed;
    if (answer.kind == AnswerKind::Approve) approval.outcome = ApprovalOutcome::Executed;
    if (!answer.edited_reply_text.empty()) approval.reply_text = answer.edited_reply_text;
    approval.answer_text = answer.words;
    approval.surface = AnswerSurface::Page;
    approval.answered_at_ms = kAsked + 60'000;
    return approval;
}

void print(const consent::Answer& answer) {
    const nlohmann::json line{{"approval_id", answer.approval_id},
                              {"kind", to_string(answer.kind)},
                              {"words", answer.words},
                              {"edited", answer.edited_reply_text}};
    std::cout << line.dump() << "\n" << std::flush;
}

web::Callbacks callbacks_of(Store& store, const consent::HumanSecrets& secrets) {
    web::Callbacks callbacks;
    callbacks.load = [&store](const std::string& id) -> Result<Approval> {
        return store.with([&](auto& all) -> Result<Approval> {
            const auto found = all.find(id);
            if (found == all.end()) return fail(ErrorCode::NotFound, "none");
            return found->second;
        });
    };
    callbacks.standing = callbacks.load;
    callbacks.link_token = [&secrets](const Approval& approval, std::string_view person) {
        return consent::approval_link_token(secrets, approval, person);
    };
    callbacks.answer = [&store](const consent::Answer& answer) -> Result<consent::Answered> {
        return store.with([&](auto& all) -> Result<consent::Answered> {
            Approval& approval = all[answer.approval_id];
            if (approval.status != ApprovalStatus::Pending) {
                return fail(ErrorCode::Conflict, "answered before");
            }
            print(answer);
            approval = answered(approval, answer);
            consent::Answered result;
            result.approval = approval;
            if (approval.status == ApprovalStatus::Instructed) {
                result.next = make("apr_draft", "400 元可以。");
                all["apr_draft"] = *result.next;
            }
            return result;
        });
    };
    callbacks.language_of = [](std::string_view) { return i18n::Language::English; };
    return callbacks;
}

}  // namespace

int main() {
    const consent::HumanSecrets secrets{.link_key = std::string(43, 'k')};
    Store store;
    for (const char* id : {"apr_yes", "apr_edit", "apr_no", "apr_instruct", "apr_late"}) {
        store.with([&](auto& all) { all[id] = make(id, "300 元可以，\n三天内交付。"); });
    }
    store.with([&](auto& all) { all["apr_tab"] = make("apr_tab", "\n大\t300\r\n小\u200b\t200"); });
    const web::Callbacks callbacks = callbacks_of(store, secrets);
    auto server = http::Server::start(
        {}, [&](const http::Request& request) { return web::serve(callbacks, request); });
    if (!server) return 1;
    nlohmann::json first{{"url", "http://127.0.0.1:" + std::to_string((*server)->port())}};
    store.with([&](auto& all) {
        for (const auto& [id, approval] : all) {
            first["tokens"][id] = consent::approval_link_token(secrets, approval);
        }
    });
    std::cout << first.dump() << "\n" << std::flush;
    std::string line;
    while (std::getline(std::cin, line)) {
    }
    return 0;
}
