// The caller's shipping addresses.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/store/address_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr int kAddressesMax = 50;

struct Field {
    std::string_view name;
    std::string ShippingAddress::*text;
    bool required = true;
};

constexpr std::array kFields{
    Field{"receiverName", &ShippingAddress::receiver_name},
    Field{"phoneNumber", &ShippingAddress::phone_number},
    Field{"province", &ShippingAddress::province},
    Field{"city", &ShippingAddress::city},
    Field{"district", &ShippingAddress::district},
    Field{"detailAddress", &ShippingAddress::detail_address},
    Field{"postalCode", &ShippingAddress::postal_code, false},
    Field{"label", &ShippingAddress::label, false},
};

json row_of(const ShippingAddress& address) {
    json row{{"addressId", address.address_id},
             {"isDefault", address.is_default},
             {"createdAt", to_utc_time(address.created_at_ms)}};
    for (const Field& field : kFields)
        row[std::string(field.name)] = address.*field.text;
    return row;
}

Result<json> list_addresses(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto addresses,
                         parts.database.read_with(store::list_addresses, call.caller.agent_id));
    json items = json::array();
    for (const ShippingAddress& address : addresses)
        items.push_back(row_of(address));
    return json{{"items", std::move(items)}};
}

/// Copies the members of `body`; absent ones are unchanged.
///
/// Errors:  InvalidArgument.
Result<void> apply(const json& body, ShippingAddress& address) {
    for (const Field& field : kFields) {
        address.*field.text = text_or(body, field.name, address.*field.text);
        if (field.required && trim(address.*field.text).empty()) {
            return fail(ErrorCode::InvalidArgument, std::string(field.name) + " is blank");
        }
    }
    return {};
}

Result<json> add_address(ApiParts& parts, const Call& call) {
    ShippingAddress address;
    address.address_id = "ADR" + random_hex(16);
    address.created_at_ms = parts.clock.now_ms();
    address.is_default = call.body.value("isDefault", false);
    A2H_TRY(apply(call.body, address));
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(const auto added, store::add_address(transaction, call.caller.agent_id,
                                                                  address, kAddressesMax));
        return row_of(added);
    });
}

Result<json> show_address(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto address,
                         parts.database.read_as<ShippingAddress>([&](db::Transaction& transaction) {
                             return store::find_address(transaction, call.caller.agent_id,
                                                        call.arguments[0]);
                         }));
    return row_of(address);
}

Result<json> update_address(ApiParts& parts, const Call& call) {
    const std::string& caller = call.caller.agent_id;
    const auto updated = parts.database.write_as<ShippingAddress>(
        [&](db::Transaction& transaction) -> Result<ShippingAddress> {
            A2H_ASSIGN_OR_RETURN(auto address,
                                 store::find_address(transaction, caller, call.arguments[0]));
            A2H_TRY(apply(call.body, address));
            A2H_TRY(store::update_address(transaction, caller, address));
            return address;
        });
    if (!updated) return fail(updated.error());
    return row_of(*updated);
}

Result<json> delete_address(ApiParts& parts, const Call& call) {
    A2H_TRY(
        parts.database.write_with(store::delete_address, call.caller.agent_id, call.arguments[0]));
    return json{{"addressId", call.arguments[0]}, {"deleted", true}};
}

Result<json> set_default(ApiParts& parts, const Call& call) {
    A2H_TRY(parts.database.write_with(store::set_default_address, call.caller.agent_id,
                                      call.arguments[0]));
    return json{{"addressId", call.arguments[0]}, {"isDefault", true}};
}

constexpr std::array kAddressesSchemas{
    NamedSchema{"ShippingAddress", R"({"type":"object","required":["addressId","isDefault",
        "createdAt","receiverName","phoneNumber","province","city","district","detailAddress",
        "postalCode","label"],"properties":{
        "addressId":{"type":"string"},"isDefault":{"type":"boolean"},
        "createdAt":{"type":"string"},"receiverName":{"type":"string"},
        "phoneNumber":{"type":"string"},"province":{"type":"string"},"city":{"type":"string"},
        "district":{"type":"string"},"detailAddress":{"type":"string"},
        "postalCode":{"type":"string"},"label":{"type":"string"}}})"},
};

constexpr std::array kAddressesRoutes{
    Route{.method = "GET",
          .path = "/findu-user/api/v1/user/shipping-address",
          .summary = "Lists the caller's addresses, the default first.",
          .data_schema = R"({"type":"object","required":["items"],"properties":{
            "items":{"type":"array","items":{"$ref":"#/components/schemas/ShippingAddress"}}}})",
          .handler = list_addresses},
    Route{.method = "POST",
          .path = "/findu-user/api/v1/user/shipping-address",
          .summary =
              "Adds an address. It becomes the default if it is the first one or sets isDefault.",
          .body_schema = R"({"type":"object","required":["receiverName","phoneNumber","province",
            "city","district","detailAddress"],"properties":{
            "receiverName":{"type":"string","minLength":1,"maxLength":64},
            "phoneNumber":{"type":"string","minLength":1,"maxLength":32},
            "province":{"type":"string","minLength":1,"maxLength":64},
            "city":{"type":"string","minLength":1,"maxLength":64},
            "district":{"type":"string","minLength":1,"maxLength":64},
            "detailAddress":{"type":"string","minLength":1,"maxLength":256},
            "postalCode":{"type":"string","maxLength":16},
            "label":{"type":"string","maxLength":32},
            "isDefault":{"type":"boolean"}}})",
          .data_schema = R"({"$ref":"#/components/schemas/ShippingAddress"})",
          .handler = add_address,
          .once = true},
    Route{.method = "GET",
          .path = "/findu-user/api/v1/user/shipping-address/{address_id}",
          .summary = "Returns one of the caller's addresses.",
          .data_schema = R"({"$ref":"#/components/schemas/ShippingAddress"})",
          .handler = show_address},
    Route{.method = "PUT",
          .path = "/findu-user/api/v1/user/shipping-address/{address_id}",
          .summary = "Changes an address. Omitted fields keep their values.",
          .body_schema = R"({"type":"object","properties":{
            "receiverName":{"type":"string","minLength":1,"maxLength":64},
            "phoneNumber":{"type":"string","minLength":1,"maxLength":32},
            "province":{"type":"string","minLength":1,"maxLength":64},
            "city":{"type":"string","minLength":1,"maxLength":64},
            "district":{"type":"string","minLength":1,"maxLength":64},
            "detailAddress":{"type":"string","minLength":1,"maxLength":256},
            "postalCode":{"type":"string","maxLength":16},
            "label":{"type":"string","maxLength":32}}})",
          .data_schema = R"({"$ref":"#/components/schemas/ShippingAddress"})",
          .handler = update_address},
    Route{.method = "DELETE",
          .path = "/findu-user/api/v1/user/shipping-address/{address_id}",
          .summary = "Deletes an address. If it was the default, the oldest remaining one becomes "
                     "the default.",
          .data_schema = R"({"type":"object","required":["addressId","deleted"],"properties":{
            "addressId":{"type":"string"},"deleted":{"type":"boolean"}}})",
          .handler = delete_address},
    Route{.method = "PUT",
          .path = "/findu-user/api/v1/user/shipping-address/{address_id}/default",
          .summary = "Makes an address the default.",
          .data_schema = R"({"type":"object","required":["addressId","isDefault"],"properties":{
            "addressId":{"type":"string"},"isDefault":{"type":"boolean"}}})",
          .handler = set_default},
};

}  // namespace

Resource address_resource() {
    return {"addresses", kAddressesRoutes, kAddressesSchemas};
}

}  // namespace a2h::market
