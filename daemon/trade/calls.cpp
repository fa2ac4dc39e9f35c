#include "daemon/trade/calls.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/platform/requests.h"
#include "core/wire/json_member.h"

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

/// `extendInfo` travels as an object or as its text; tools always hand on the object.
void open_info(json& post) {
    if (!post.is_object()) return;
    const auto info = post.find("extendInfo");
    if (info == post.end() || !info->is_string()) return;
    json parsed = json::parse(info->get<std::string>(), nullptr, false);
    if (parsed.is_object()) *info = std::move(parsed);
}

json with_open_info(json data, const Look&) {
    open_info(data);
    for (const char* name : {"result", "items", "list"}) {
        const auto rows = data.find(name);
        if (rows == data.end() || !rows->is_array()) continue;
        for (json& row : *rows)
            open_info(row);
    }
    return data;
}

std::string routing(const std::string& currency, bool has_code, bool has_paypal) {
    if (currency.empty()) return "CNY is paid to a payment code, USD through a link";
    if (currency == "CNY") {
        return has_code ? "send the payment code with a2h_send (payment_qr, payment_qr_type)"
                        : "no payment code is in the profile: a2h_profile_upload_qrcode adds one";
    }
    if (currency == "USD") {
        return has_paypal ? "make a link with a2h_payment_create_link and send it to the buyer"
                          : "the profile has no PayPal address: the human must enter one there";
    }
    return "neither payment codes nor links take " + currency + "; ask the human how to be paid";
}

json code_method(const json& profile, const char* type) {
    const std::string url = text_member(profile, platform::qr_member(type));
    return {{"type", type}, {"currency", "CNY"}, {"ready", !url.empty()}, {"payment_qr", url}};
}

/// The ways to be paid that are in a profile.
json payment_methods(json profile, const Look& look) {
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
    std::string currency = text_member(look.arguments, "order_currency");
    std::transform(currency.begin(), currency.end(), currency.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return {{"default_method", text_member(profile, "defaultPaymentMethod")},
            {"methods", std::move(methods)},
            {"routing", routing(currency, has_code, !paypal.empty())}};
}

/// A default whose code is gone passes to the first remaining one. The code is removed whether
/// that works or not, so it fails nothing.
json after_removed_code(json data, const Look& look) {
    const auto profile = look.market.call("profile.get", json::object());
    const std::string removed = look.arguments.value("type", "qrcode");
    if (!profile || text_member(*profile, "defaultPaymentMethod") != removed) return data;
    std::string next;
    for (const char* type : {"alipay", "wechat_pay", "qrcode"}) {
        if (next.empty() && type != removed &&
            !text_member(*profile, platform::qr_member(type)).empty()) {
            next = type;
        }
    }
    const auto changed = look.market.call("profile.set_default_payment", {{"type", next}});
    if (changed) data["defaultPaymentMethod"] = next;
    return data;
}

struct Row {
    std::string_view action;
    json (*finish)(json data, const Look&);
};

constexpr Row kFinishers[] = {
    {"works.search", with_open_info},     {"works.get", with_open_info},
    {"works.list", with_open_info},       {"discussion.list", with_open_info},
    {"payment.methods", payment_methods}, {"profile.delete_qrcode", after_removed_code},
};

/// Replies to a post are another call than posts.
std::string_view call_of(const Look& look) {
    const bool replies =
        look.action == "discussion.list" && !member(look.arguments, "works_id").is_null();
    return replies ? "discussion.replies" : look.action;
}

}  // namespace

Result<json> make_call(const Look& look, const Facts& facts) {
    auto data = look.market.call(call_of(look), json::parse(facts.arguments_json));
    if (!data) return data;
    json object = as_object(std::move(*data));
    const auto row = std::find_if(std::begin(kFinishers), std::end(kFinishers),
                                  [&](const Row& entry) { return entry.action == look.action; });
    return row == std::end(kFinishers) ? object : row->finish(std::move(object), look);
}

}  // namespace a2h::trade
