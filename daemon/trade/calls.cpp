#include "daemon/trade/calls.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/platform/requests.h"
#include "core/wire/json_member.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/door.h"
#include "daemon/trade/uploads.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

json as_object(json data) {
    if (data.is_object()) return data;
    if (data.is_null()) return json::object();
    return json{{data.is_array() ? "items" : "value", std::move(data)}};
}

/// `extendInfo` is sent as an object or as its text; tools always return the object.
void open_info(json& post) {
    if (!post.is_object()) return;
    const auto info = post.find("extendInfo");
    if (info == post.end() || !info->is_string()) return;
    json parsed = json::parse(info->get<std::string>(), nullptr, false);
    if (parsed.is_object()) *info = std::move(parsed);
}

json with_open_info(json data, const CallContext&) {
    open_info(data);
    for (const char* name : {"result", "items", "list"}) {
        const auto rows = data.find(name);
        if (rows == data.end() || !rows->is_array()) continue;
        for (json& row : *rows)
            open_info(row);
    }
    return data;
}

/// The market lists the discussions of all agents at the path of our own posts.
json own_posts(json data, const CallContext& call) {
    const auto rows = data.find("items");
    if (rows != data.end() && rows->is_array()) {
        std::erase_if(rows->get_ref<json::array_t&>(), [&](const json& row) {
            const json& owner = member(row, "agentId");
            return owner.is_string() && owner != call.market.agent_id();
        });
    }
    return with_open_info(std::move(data), call);
}

std::string routing(const std::string& currency, bool has_code, bool has_paypal) {
    if (currency.empty()) return "CNY is paid with a payment code, USD through a link";
    if (currency == "CNY") {
        return has_code ? "send the payment code with a2h_send (payment_qr, payment_qr_type)"
                        : "the profile has no payment code: a2h_profile_upload_qrcode adds one";
    }
    if (currency == "USD") {
        return has_paypal ? "make a link with a2h_payment_create_link and send it to the buyer"
                          : "the profile has no PayPal address: the human must enter one there";
    }
    return "neither payment codes nor links accept " + currency + "; ask the human how to be paid";
}

json code_method(const json& profile, const char* type) {
    const std::string url = text_member(profile, platform::qr_member(type));
    return {{"type", type}, {"currency", "CNY"}, {"ready", !url.empty()}, {"payment_qr", url}};
}

/// The payment methods in a profile.
json payment_methods(json profile, const CallContext& call) {
    const std::string paypal = text_member(profile, "paypalEmail");
    json methods = json::array();
    bool has_code = false;
    for (const char* type : {"alipay", "wechat_pay", "qrcode"}) {
        methods.push_back(code_method(profile, type));
        has_code = has_code || methods.back()["ready"] == true;
    }
    methods.push_back({{"type", "paypal"},
                       {"currency", "USD"},
                       {"ready", !paypal.empty()},
                       {"paypal_email", paypal}});
    std::string currency = text_member(call.arguments, "order_currency");
    std::transform(currency.begin(), currency.end(), currency.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return {{"default_method", text_member(profile, "defaultPaymentMethod")},
            {"methods", std::move(methods)},
            {"routing", routing(currency, has_code, !paypal.empty())}};
}

/// If the code of the default was removed, the first remaining code becomes the default. The code
/// is removed whether that succeeds or not, so a failure is not an error.
json after_removed_code(json data, const CallContext& call) {
    const auto profile = call.market.read("profile.get", json::object());
    const std::string removed = call.arguments.value("type", "qrcode");
    if (!profile || text_member(*profile, "defaultPaymentMethod") != removed) return data;
    std::string next;
    for (const char* type : {"alipay", "wechat_pay", "qrcode"}) {
        if (next.empty() && type != removed &&
            !text_member(*profile, platform::qr_member(type)).empty()) {
            next = type;
        }
    }
    const auto changed = ask_market(call, "profile.set_default_payment", {{"type", next}});
    if (changed) data["defaultPaymentMethod"] = next;
    return data;
}

Result<json> upload(const CallContext& call) {
    const bool is_code = call.action == "profile.upload_qrcode";
    A2H_ASSIGN_OR_RETURN(const auto file, check_file(text_member(call.arguments, "file"),
                                                     call.upload_folders, is_code));
    const std::string type = is_code ? "profile" : call.arguments.value("upload_type", "chatfile");
    return upload_file(call, file, type);
}

/// The first code becomes the default; a failure is not an error.
bool make_first_default(const CallContext& call, const std::string& type) {
    const auto profile = call.market.read("profile.get", json::object());
    if (!profile || !text_member(*profile, "defaultPaymentMethod").empty()) return false;
    return ask_market(call, "profile.set_default_payment", {{"type", type}}).has_value();
}

Result<json> upload_payment_code(const CallContext& call) {
    A2H_ASSIGN_OR_RETURN(const auto file, upload(call));
    const std::string type = call.arguments.value("type", "qrcode");
    const json change{{"type", type}, {"url", file["url"]}};
    auto changed = ask_market(call, call.action, change);
    // The code is compared here, because the address of the upload is not known later. A market
    // with other rules may examine the code before it shows it, so there a success needs no
    // comparison.
    if (!changed || call.has_our_rules) {
        const auto seen = uploaded_code({call.market, change, 0});
        const bool is_shown = seen && !seen->is_null();
        if (changed && !is_shown)
            return fail(ErrorCode::Timeout, "the market does not show the uploaded payment code");
        if (is_shown && !changed) changed = json::object();
    }
    if (!changed) return changed;
    return json{{"type", type},
                {"qrcodeUrl", file["url"]},
                {"objectKey", file["objectKey"]},
                {"changeRequestId", member(*changed, "changeRequestId")},
                {"changeStatus", member(*changed, "status")},
                {"defaultSet", make_first_default(call, type)}};
}

struct Row {
    std::string_view action;
    json (*finish)(json data, const CallContext&);
};

constexpr Row kFinishers[] = {
    {"works.search", with_open_info},
    {"works.get", with_open_info},
    {"works.list", own_posts},
    {"discussion.list", with_open_info},
    {"payment.methods", payment_methods},
    {"profile.delete_qrcode", after_removed_code},
};

/// Replies to a post are a different call from posts.
std::string_view call_of(const CallContext& call) {
    const bool replies =
        call.action == "discussion.list" && !member(call.arguments, "works_id").is_null();
    return replies ? "discussion.replies" : call.action;
}

/// Whether the answer names what was created or changed. One that does not may have been made by
/// something on the way. The public platform may answer a change without naming it.
bool names_result(const CallContext& call, const json& data) {
    const auto& [member_name, argument] = consent::row_of(call.action).answer_id;
    if (member_name.empty()) return true;
    const std::string id = text_member(data, member_name);
    if (argument.empty()) return !id.empty();
    return id.empty() ? !call.has_our_rules : id == text_member(call.arguments, argument);
}

}  // namespace

Result<json> ask_market(const CallContext& call, std::string_view called, const json& arguments) {
    const std::string& agent_id = call.market.agent_id();
    A2H_ASSIGN_OR_RETURN(auto request, platform::make_request(called, arguments, agent_id));
    if (platform::only_reads(request)) return call.market.read(request);
    A2H_ASSIGN_OR_RETURN(const auto permit,
                         consent::Door::permit(request, called, {agent_id, call.action, call.yes}));
    if (called == call.action) request.idempotency_key = call.idempotency_key;
    return call.market.write(request, permit);
}

Result<json> make_call(const CallContext& call) {
    if (call.action == "file.upload") return upload(call);
    if (call.action == "profile.upload_qrcode") return upload_payment_code(call);
    A2H_ASSIGN_OR_RETURN(auto data, ask_market(call, call_of(call), call.arguments));
    if (!names_result(call, data))
        return fail(ErrorCode::Timeout, "the market's answer does not name what was done");
    json object = as_object(std::move(data));
    const auto row = std::find_if(std::begin(kFinishers), std::end(kFinishers),
                                  [&](const Row& entry) { return entry.action == call.action; });
    return row == std::end(kFinishers) ? object : row->finish(std::move(object), call);
}

}  // namespace a2h::trade
