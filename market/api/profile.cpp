// The caller's profile, and changes of it.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/api/upload.h"
#include "market/store/profile_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

/// The data of a change. `nickname` is the agent's name, which is stored in its own row.
struct Change {
    const ApiParts& parts;
    const Call& call;
    db::Transaction& transaction;
    Profile profile;
    std::string nickname;
};

struct Key {
    std::string_view name;
    Result<void> (*apply)(Change& change, const Key& key, const json& value);
    std::string Profile::*text = nullptr;
    std::string_view method{};  ///< method of payment whose picture this key is
    std::size_t code_points_max = 0;
};

Result<void> set_text(Change& change, const Key& key, const json& value) {
    if (!value.is_string()) return invalid("value must be a text");
    const auto text = value.get<std::string>();
    if (code_point_count(text) > key.code_points_max) {
        return fail(ErrorCode::InvalidArgument,
                    "value has more than " + std::to_string(key.code_points_max) + " characters");
    }
    change.profile.*key.text = text;
    return {};
}

Result<void> set_nickname(Change& change, const Key& key, const json& value) {
    if (!value.is_string() || trim(value.get<std::string>()).empty()) {
        return invalid("value must be a name");
    }
    change.nickname = value.get<std::string>();
    if (code_point_count(change.nickname) > key.code_points_max) {
        return invalid("value has more than 64 characters");
    }
    return {};
}

Result<void> set_abilities(Change& change, const Key&, const json& value) {
    constexpr std::size_t kCodePointsMax = 100;
    if (!value.is_array()) return invalid("value must be a list of {text}");
    json texts = json::array();
    for (const json& ability : value) {
        const json text = ability.is_object() ? ability.value("text", json()) : ability;
        if (!text.is_string() || trim(text.get<std::string>()).empty() ||
            code_point_count(text.get<std::string>()) > kCodePointsMax) {
            return invalid("each ability must be {text} of 1 to 100 characters");
        }
        texts.push_back(text);
    }
    change.profile.abilities_json = texts.dump();
    return {};
}

Result<void> set_email(Change& change, const Key& key, const json& value) {
    if (!value.is_string()) return invalid("value must be an e-mail address");
    const auto text = value.get<std::string>();
    const auto at = text.find('@');
    const bool shaped = at != std::string::npos && at > 0 && text.find('@', at + 1) == text.npos &&
                        text.find('.', at + 2) != text.npos && !text.ends_with('.');
    if (!text.empty() && (!shaped || text.find_first_of(" \t\r\n<>\"',;") != text.npos)) {
        return invalid("value must be an e-mail address");
    }
    return set_text(change, key, value);
}

Result<void> set_picture(Change& change, const Key& key, const json& value);
Result<void> set_default_method(Change& change, const Key& key, const json& value);

/// The order of the payment methods decides which one becomes the default.
constexpr std::array kKeys{
    Key{"alipayQrcodeUrl", set_picture, &Profile::alipay_qrcode_url, "alipay"},
    Key{"wechatPayQrcodeUrl", set_picture, &Profile::wechat_pay_qrcode_url, "wechat_pay"},
    Key{"paymentQrcodeUrl", set_picture, &Profile::payment_qrcode_url, "qrcode"},
    Key{"avatarUrl", set_picture, &Profile::avatar_url},
    Key{"defaultPaymentMethod", set_default_method, &Profile::default_payment_method},
    Key{"bio", set_text, &Profile::bio, "", 500},
    Key{"paypalEmail", set_email, &Profile::paypal_email, "", 254},
    Key{"abilities", set_abilities},
    Key{"nickname", set_nickname, nullptr, "", 64},
};

/// The first method that has a picture; empty if there is none.
std::string first_method(const Profile& profile) {
    for (const Key& key : kKeys) {
        if (!key.method.empty() && !(profile.*key.text).empty()) return std::string(key.method);
    }
    return {};
}

Result<void> set_picture(Change& change, const Key& key, const json& value) {
    if (!value.is_string()) return invalid("value must be an address, or empty to remove it");
    const auto url = value.get<std::string>();
    if (!url.empty()) {
        A2H_TRY(find_profile_picture(change.parts, change.transaction, change.call.request, url,
                                     change.call.caller.agent_id));
    }
    Profile& profile = change.profile;
    profile.*key.text = url;
    // A default without a picture could not be paid to.
    if (url.empty() && !key.method.empty() && profile.default_payment_method == key.method) {
        profile.default_payment_method = first_method(profile);
    }
    return {};
}

Result<void> set_default_method(Change& change, const Key&, const json& value) {
    if (!value.is_string()) return invalid("value must be alipay, wechat_pay, qrcode or empty");
    const auto method = value.get<std::string>();
    if (method.empty()) {
        change.profile.default_payment_method.clear();
        return {};
    }
    for (const Key& key : kKeys) {
        if (key.method != method) continue;
        if ((change.profile.*key.text).empty()) {
            return fail(ErrorCode::Conflict,
                        method + " has no QR code yet; set " + std::string(key.name) + " first");
        }
        change.profile.default_payment_method = method;
        return {};
    }
    return invalid("value must be alipay, wechat_pay, qrcode or empty");
}

Result<void> apply(Change& change) {
    const auto name = text_or(change.call.body, "key");
    for (const Key& key : kKeys) {
        if (key.name == name) return key.apply(change, key, change.call.body.at("value"));
    }
    return invalid("key is not known");
}

Result<void> save(Change& change) {
    const Agent& caller = change.call.caller;
    if (change.nickname != caller.name) {
        A2H_TRY(store::rename_agent(change.transaction, caller.agent_id, change.nickname));
    }
    return store::save_profile(change.transaction, caller.agent_id, change.profile,
                               change.parts.clock.now_ms());
}

Result<json> change_profile(ApiParts& parts, const Call& call) {
    const auto changed = parts.database.write([&](db::Transaction& transaction) -> Result<void> {
        A2H_ASSIGN_OR_RETURN(auto profile, store::find_profile(transaction, call.caller.agent_id));
        Change change{parts, call, transaction, std::move(profile), call.caller.name};
        A2H_TRY(apply(change));
        return save(change);
    });
    if (!changed) return fail(changed.error());
    parts.agents.forget(call.caller.agent_id);
    return json{{"changeRequestId", "CR" + random_hex(16)}, {"status", "APPROVED"}};
}

json abilities(const Profile& profile) {
    json list = json::array();
    for (const json& text : json::parse(profile.abilities_json))
        list.push_back({{"text", text}});
    return list;
}

Result<json> show_profile(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto profile,
                         parts.database.read_with(store::find_profile, call.caller.agent_id));
    return json{{"userId", call.caller.agent_id},
                {"nickname", call.caller.name},
                {"avatarUrl", profile.avatar_url},
                {"bio", profile.bio},
                {"abilities", abilities(profile)},
                {"realnameStatus", 0},
                {"paymentQrcodeUrl", profile.payment_qrcode_url},
                {"alipayQrcodeUrl", profile.alipay_qrcode_url},
                {"wechatPayQrcodeUrl", profile.wechat_pay_qrcode_url},
                {"paypalEmail", profile.paypal_email},
                {"defaultPaymentMethod", profile.default_payment_method}};
}

constexpr std::array kProfileRoutes{
    Route{.method = "GET",
          .path = "/findu-user/api/v1/user/profile/public",
          .summary = "Returns the caller's profile.",
          .data_schema = R"({"type":"object","required":["userId","nickname","avatarUrl","bio",
            "abilities","realnameStatus","paymentQrcodeUrl","alipayQrcodeUrl","wechatPayQrcodeUrl",
            "paypalEmail","defaultPaymentMethod"],"properties":{
            "userId":{"type":"string"},"nickname":{"type":"string"},
            "avatarUrl":{"type":"string"},"bio":{"type":"string"},
            "abilities":{"type":"array","items":{"type":"object","required":["text"],
                "properties":{"text":{"type":"string"}}}},
            "realnameStatus":{"type":"integer","description":"0: this market checks no names"},
            "paymentQrcodeUrl":{"type":"string"},"alipayQrcodeUrl":{"type":"string"},
            "wechatPayQrcodeUrl":{"type":"string"},"paypalEmail":{"type":"string"},
            "defaultPaymentMethod":{"type":"string",
                "enum":["","alipay","wechat_pay","qrcode"]}},"additionalProperties":false})",
          .handler = show_profile},
    Route{.method = "POST",
          .path = "/findu-user/api/v1/user/profile/change-requests",
          .summary = "Changes one field of the caller's profile. Pictures must be files that the "
                     "caller uploaded as \"profile\"; an empty value removes the present one.",
          .body_schema = R"({"type":"object","required":["key","value"],"properties":{
            "key":{"type":"string","enum":["paymentQrcodeUrl","alipayQrcodeUrl",
                "wechatPayQrcodeUrl","defaultPaymentMethod","nickname","bio","abilities",
                "avatarUrl","paypalEmail"]},
            "value":{"type":["string","array"],"maxLength":2048,"maxItems":20}}})",
          .data_schema = R"({"type":"object","required":["changeRequestId","status"],
            "properties":{"changeRequestId":{"type":"string"},
            "status":{"type":"string","enum":["APPROVED"]}}})",
          .handler = change_profile},
};

}  // namespace

Resource profile_resource() {
    return {"profile", kProfileRoutes};
}

}  // namespace a2h::market
