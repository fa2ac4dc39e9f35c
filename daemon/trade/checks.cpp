#include "daemon/trade/checks.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "daemon/trade/check_parts.h"
#include "daemon/trade/uploads.h"

namespace a2h::trade {

using nlohmann::json;
using wire::member;
using wire::text_member;

std::string argument(const CallContext& call, std::string_view name) {
    return text_member(call.arguments, name);
}

bool has(const CallContext& call, std::string_view name) {
    return !member(call.arguments, name).is_null();
}

std::int64_t number(const json& object, std::string_view name) {
    const json& found = member(object, name);
    return found.is_number_integer() ? found.get<std::int64_t>() : 0;
}

std::vector<std::string> others_in(const CallContext& call, const json& rows, const char* name) {
    std::set<std::string> ids;
    for (const json& row : rows) {
        const std::string id = text_member(row, name);
        if (is_agent_id(id) && id != call.market.agent_id()) ids.insert(id);
    }
    return {ids.begin(), ids.end()};
}

json info_of(const json& post) {
    const json& info = member(post, "extendInfo");
    json parsed = info.is_string() ? json::parse(info.get<std::string>(), nullptr, false) : info;
    return parsed.is_object() ? parsed : json::object();
}

bool is_published(const json& wanted, const json& published) {
    if (!published.is_array()) return wanted.empty();
    const auto domains_of = [](const json& entry) {
        const json& domains = member(entry, "domains");
        return domains.is_array() ? domains : json::array();
    };
    return std::equal(wanted.begin(), wanted.end(), published.begin(), published.end(),
                      [&](const json& one, const json& known) {
                          return text_member(one, "type") == text_member(known, "type") &&
                                 domains_of(one) == domains_of(known);
                      });
}

namespace {

/// The request names the file by its real path, its size and its hash, so that what is uploaded
/// after the yes is the file about which the human was asked.
Result<Facts> check_upload(const CallContext& call) {
    const bool is_code = call.action == "profile.upload_qrcode";
    A2H_ASSIGN_OR_RETURN(const auto file,
                         check_file(argument(call, "file"), call.upload_folders, is_code));
    Facts facts;
    facts.title = is_code ? call.arguments.value("type", "qrcode") : "";
    facts.needs_yes = !file.in_upload_folder;
    const std::string approved_hash = argument(call, "sha256");
    if (!is_code && !facts.needs_yes && approved_hash.empty()) return facts;
    A2H_ASSIGN_OR_RETURN(const auto hash, wire::sha256_hex_of_file(file.path));
    if (!approved_hash.empty() && approved_hash != hash) {
        return fail(ErrorCode::Conflict, "the file has changed since it was approved");
    }
    json request = call.arguments;
    request["file"] = file.path.string();
    request["size_bytes"] = file.size_bytes;
    request["sha256"] = hash;
    facts.request_json = wire::canonical_json(request);
    return facts;
}

Result<Facts> check_session(const CallContext& call) {
    if (argument(call, "agent_id") == call.market.agent_id()) {
        return invalid("agent_id is the agent itself");
    }
    Facts facts;
    facts.peer_id = argument(call, "agent_id");
    facts.peer = facts.peer_id;
    // The human reads what the session is about, because the peer may have written it.
    const std::string rfp_id = argument(call, "rfp_id");
    if (!rfp_id.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto rfp, call.ask("rfp.get", {{"rfp_id", rfp_id}}));
        facts.seen.emplace_back("trade.seen_rfp", rfp.dump());
    }
    const std::string proposal_id = argument(call, "proposal_id");
    if (!proposal_id.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto proposal,
                             call.ask("proposal.get", {{"proposal_id", proposal_id}}));
        facts.seen.emplace_back("trade.seen_proposal", proposal.dump());
    }
    return facts;
}

/// The whole list is public, and a single word may answer a peer; so may a word that is removed, or
/// another order. The card shows the list that is replaced.
Result<Facts> check_capabilities(const CallContext& call) {
    const json& wanted = member(call.arguments, "capabilities");
    const auto self = call.ask("agent.get", {{"agent_id", call.market.agent_id()}});
    if (!self) return fail(self.error());
    const json& published = member(*self, "capabilities");
    Facts facts;
    facts.needs_yes = !is_published(wanted, published);
    const json now{{"capabilities", published.is_array() ? published : json::array()}};
    facts.seen.emplace_back("trade.seen_capabilities", now.dump());
    return facts;
}

struct CheckRow {
    std::string_view action;
    bool needs_yes;
    Result<Facts> (*check)(const CallContext&);
};

constexpr CheckRow kCheckRows[] = {
    {"works.publish", true, check_publish},
    {"works.update", true, check_update},
    {"works.delete", true, check_delete},
    {"order.create", true, check_order},
    {"order.action", true, check_order_action},
    {"discussion.publish", true, check_discussion},
    {"discussion.reply", true, check_discussion},
    {"profile.upload_qrcode", true, check_upload},
    {"file.upload", false, check_upload},
    {"profile.delete_qrcode", true, check_payment_code},
    {"profile.set_default_payment", true, check_payment_code},
    {"payment.create_link", true, check_payment_link},
    {"rfp.create", true, check_rfp},
    {"rfp.update", true, check_rfp_update},
    {"proposal.submit", true, check_proposal},
    {"proposal.update", true, check_proposal_update},
    {"session.create", false, check_session},
    {"capability.set", false, check_capabilities},
};

const CheckRow* find_row(std::string_view action) {
    const auto found = std::find_if(std::begin(kCheckRows), std::end(kCheckRows),
                                    [&](const CheckRow& row) { return row.action == action; });
    return found == std::end(kCheckRows) ? nullptr : &*found;
}

}  // namespace

Result<json> CallContext::ask(std::string_view called, const json& with) const {
    auto answer = market.read(called, with);
    if (answer && answers != nullptr) answers->push_back(*answer);
    return answer;
}

bool needs_yes(std::string_view action, const json& arguments) {
    const CheckRow* row = find_row(action);
    if (row == nullptr || !row->needs_yes) return false;
    // Rejecting and withdrawing commit nobody (R12).
    return action != "proposal.update" || member(arguments, "status") == "accepted";
}

Result<Facts> check_call(const CallContext& call) {
    const CheckRow* row = find_row(call.action);
    Facts facts;
    if (row != nullptr && row->check != nullptr) {
        A2H_ASSIGN_OR_RETURN(auto checked, row->check(call));
        facts = std::move(checked);
    }
    return facts;
}

}  // namespace a2h::trade
