#include "core/platform/requests.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/money.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"

namespace a2h::platform {
namespace {

using nlohmann::json;

/// The destination of an argument.
enum class Place {
    Query,
    Body,
    Info,  ///< member `extendInfo` of the body
};

/// The conversion of an argument.
enum class As {
    Same,
    PageFromZero,
    OnlyItem,  ///< as the only item of a list
    QrMember,  ///< a kind of payment code, as the name of the profile's member
    Amount,    ///< an object with a currency and decimal major units, checked
};

struct Field {
    std::string_view argument;
    Place place = Place::Body;
    std::string_view name;
    As as = As::Same;
    int fallback = 0;  ///< value if the argument is absent; 0: the field is left out
};

/// One operation. In the path, `{name}` stands for that argument and `{self}` for our own agent id.
struct RequestRow {
    std::string_view action;
    std::string_view method;
    std::string_view path;
    std::span<const Field> fields{};
    std::string_view body = "{}";    ///< fixed content of the body
    std::string_view self_member{};  ///< member of the body that names us; empty: none
};

using enum Place;

constexpr Field page_field(Place place, std::string_view name, As as) {
    return {"page", place, name, as, 1};
}

constexpr Field kSearch[] = {
    {"keyword", Body, "serviceInfo"},
    {"type", Body, "type"},
    {"agent_id", Body, "agentId"},
    page_field(Body, "pageNum", As::PageFromZero),
    {"page_size", Body, "pageSize", As::Same, 10},
};
constexpr Field kPublicPosts[] = {
    {"type", Query, "type"},
    page_field(Query, "pageNum", As::PageFromZero),
    {"page_size", Query, "pageSize", As::Same, 20},
};
constexpr Field kPost[] = {
    {"works_id", Body, "worksId"},
    {"type", Body, "type"},
    {"title", Body, "title"},
    {"content", Body, "content"},
    {"picture", Body, "pictures", As::OnlyItem},
    {"expected_price", Info, "expectedPrice"},
    {"price_type", Info, "priceType"},
    {"currency", Info, "currency"},
    {"fixed_price", Info, "fixedPrice"},
    {"price_min", Info, "priceMin"},
    {"price_max", Info, "priceMax"},
    {"service_method", Info, "serviceMethod"},
    {"service_location", Info, "serviceLocation"},
};
constexpr Field kOrder[] = {
    {"customer_id", Body, "customerId"}, {"title", Body, "title"},
    {"content", Body, "content"},        {"price_cent", Body, "price"},
    {"currency", Body, "currency"},      {"product_id", Body, "productId"},
    {"order_type", Body, "orderType"},
};
// The platform counts the pages of orders from 1.
constexpr Field kOrders[] = {
    {"status", Query, "status"},
    page_field(Query, "page", As::Same),
    {"page_size", Query, "pageSize", As::Same, 20},
};
constexpr Field kDiscussion[] = {
    {"title", Body, "title"},
    {"content", Body, "content"},
    {"pictures", Body, "pictures"},
    {"parent_works_id", Body, "parentWorksId"},
};
constexpr Field kDiscussions[] = {
    page_field(Query, "pageNum", As::PageFromZero),
    {"page_size", Query, "pageSize", As::Same, 20},
};
constexpr Field kQrCode[] = {{"type", Body, "key", As::QrMember}, {"url", Body, "value"}};
constexpr Field kDefaultPayment[] = {{"type", Body, "value"}};
constexpr Field kAddress[] = {
    {"receiverName", Body, "receiverName"}, {"phoneNumber", Body, "phoneNumber"},
    {"province", Body, "province"},         {"city", Body, "city"},
    {"district", Body, "district"},         {"detailAddress", Body, "detailAddress"},
    {"postalCode", Body, "postalCode"},     {"label", Body, "label"},
};
constexpr Field kFile[] = {
    {"upload_type", Body, "upload_type"}, {"upload_subtype", Body, "upload_subtype"},
    {"file_name", Body, "file_name"},     {"file_size", Body, "file_size"},
    {"file_type", Body, "file_type"},
};
constexpr Field kOrderId[] = {{"order_id", Body, "orderId"}};
constexpr Field kRfp[] = {
    {"title", Body, "title"},
    {"description", Body, "description"},
    {"capability_type", Body, "capability_type"},
    {"domain_filters", Body, "domain_filters"},
    {"budget", Body, "budget", As::Amount},
    {"deadline_at", Body, "deadline_at"},
};
constexpr Field kRfps[] = {
    {"role", Query, "role"},
    {"status", Query, "status"},
    {"capability_type", Query, "capability_type"},
    {"creator_id", Query, "creator_id"},
    page_field(Query, "page", As::Same),
    {"page_size", Query, "page_size", As::Same, 20},
};
constexpr Field kRfpChange[] = {{"status", Body, "status"}, {"deadline_at", Body, "deadline_at"}};
constexpr Field kProposal[] = {
    {"price", Body, "price", As::Amount},
    {"delivery_at", Body, "delivery_at"},
    {"content", Body, "content"},
};
constexpr Field kStatus[] = {{"status", Body, "status"}};
constexpr Field kPages[] = {
    page_field(Query, "page", As::Same),
    {"page_size", Query, "page_size", As::Same, 20},
};
constexpr Field kSession[] = {
    {"agent_id", Body, "agent_id"},
    {"rfp_id", Body, "rfp_id"},
    {"proposal_id", Body, "proposal_id"},
};
constexpr Field kMessages[] = {
    {"type", Query, "type"},
    page_field(Query, "page", As::Same),
    {"page_size", Query, "page_size", As::Same, 20},
};
constexpr Field kAgentProfile[] = {
    {"user_name", Body, "user_name"},       {"profile_summary", Body, "profile_summary"},
    {"location", Body, "location"},         {"tags", Body, "tags"},
    {"capabilities", Body, "capabilities"}, {"interests", Body, "interests"},
    {"availability", Body, "availability"}, {"is_active", Body, "is_active"},
};
constexpr Field kCapabilities[] = {{"capabilities", Body, "capabilities"}};

constexpr std::string_view kPostPath = "/findu-user/api/v1/user/works/change-requests";
constexpr std::string_view kSearchPath = "/findu-match/api/v1/inner/match/works_search";
constexpr std::string_view kPublicPostsPath = "/findu-user/api/v1/user/works/public";
constexpr std::string_view kProfileChange = "/findu-user/api/v1/user/profile/change-requests";

constexpr RequestRow kRequestRows[] = {
    {"works.search", "POST", kSearchPath, kSearch},
    {"works.list", "GET", kPublicPostsPath, kPublicPosts},
    {"works.get", "GET", "/findu-user/api/v1/user/works/{works_id}/detail"},
    {"works.publish", "POST", kPostPath, kPost, R"({"extendInfo":{"pois":[]}})"},
    {"works.update", "POST", kPostPath, kPost},
    {"works.delete", "DELETE", "/findu-user/api/v1/user/works/{works_id}"},
    {"order.create", "POST", "/findu-trade/api/v1/orders/create", kOrder, "{}", "providerId"},
    {"order.action", "POST", "/findu-trade/api/v1/orders/{order_id}/{action}"},
    {"order.get", "GET", "/findu-trade/api/v1/orders/{order_id}/detail"},
    {"order.list", "GET", "/findu-trade/api/v1/orders/{role}-orders", kOrders},
    {"discussion.publish", "POST", kPostPath, kDiscussion, R"({"type":4})"},
    {"discussion.reply", "POST", kPostPath, kDiscussion, R"({"type":4})"},
    {"discussion.list", "GET", kPublicPostsPath, kDiscussions},
    {"discussion.replies", "GET", "/findu-user/api/v1/user/works/public/{works_id}/replies",
     kDiscussions},
    {"profile.get", "GET", "/findu-user/api/v1/user/profile/public"},
    {"profile.upload_qrcode", "POST", kProfileChange, kQrCode},
    {"profile.delete_qrcode", "POST", kProfileChange, kQrCode, R"({"value":""})"},
    {"profile.set_default_payment", "POST", kProfileChange, kDefaultPayment,
     R"({"key":"defaultPaymentMethod"})"},
    {"address.list", "GET", "/findu-user/api/v1/user/shipping-address"},
    {"address.create", "POST", "/findu-user/api/v1/user/shipping-address", kAddress},
    {"address.delete", "DELETE", "/findu-user/api/v1/user/shipping-address/{address_id}"},
    {"address.set_default", "PUT", "/findu-user/api/v1/user/shipping-address/{address_id}/default"},
    {"file.sign", "POST", "/findu-oss/api/v1/oss_signurl/upload/sign", kFile},
    {"payment.methods", "GET", "/findu-user/api/v1/user/profile/public"},
    {"payment.create_link", "POST", "/findu-trade/api/v1/payment/paypal/checkout", kOrderId},
    {"payment.status", "GET", "/findu-trade/api/v1/payment/status/{order_id}"},
    {"rfp.create", "POST", "/v1/rfps", kRfp},
    {"rfp.list", "GET", "/v1/rfps", kRfps},
    {"rfp.get", "GET", "/v1/rfps/{rfp_id}"},
    {"rfp.update", "PATCH", "/v1/rfps/{rfp_id}", kRfpChange},
    {"rfp.summary", "GET", "/v1/rfps/{rfp_id}/summary"},
    {"proposal.submit", "POST", "/v1/rfps/{rfp_id}/proposals", kProposal},
    {"proposal.list", "GET", "/v1/rfps/{rfp_id}/proposals", kPages},
    {"proposal.get", "GET", "/v1/proposals/{proposal_id}"},
    {"proposal.update", "PATCH", "/v1/proposals/{proposal_id}", kStatus},
    {"session.create", "POST", "/v1/sessions", kSession},
    {"session.list", "GET", "/v1/sessions", kPages},
    {"session.messages", "GET", "/v1/sessions/{session_id}/messages", kMessages},
    {"session.offers", "GET", "/v1/sessions/{session_id}/offers"},
    {"recorded_deal.list", "GET", "/v1/deals", kPages},
    {"recorded_deal.get", "GET", "/v1/deals/{deal_id}"},
    {"agent.get", "GET", "/v1/agents/{agent_id}"},
    {"capability.set", "PUT", "/v1/agents/{self}/capabilities", kCapabilities},
    {"profile.set", "PUT", "/v1/agents/{self}/profile", kAgentProfile},
};

const RequestRow* find_row(std::string_view action) {
    const auto found = std::find_if(std::begin(kRequestRows), std::end(kRequestRows),
                                    [&](const RequestRow& row) { return row.action == action; });
    return found == std::end(kRequestRows) ? nullptr : &*found;
}

const json& argument_of(const json& arguments, std::string_view name) {
    static const json kNone;
    const auto found = arguments.find(name);
    return found == arguments.end() ? kNone : *found;
}

std::string text_or_json(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// An amount with more decimals than its currency would be a different amount for the other side
/// (R27).
Result<void> check_amount(const Field& field, const json& value) {
    for (const char* member : {"amount", "max"}) {
        const auto found = value.find(member);
        if (found == value.end()) continue;
        const std::string text = found->is_number() ? wire::canonical_json(*found) : "";
        const auto money = parse_money(text, value.value("currency", ""));
        if (!money) {
            return fail(money.error().with_context(std::string(field.argument) + "." + member));
        }
    }
    return {};
}

Result<json> converted(const Field& field, const json& value) {
    switch (field.as) {
        case As::Same:
            return value;
        case As::PageFromZero:
            return json(value.get<std::int64_t>() - 1);
        case As::OnlyItem:
            return json::array({value});
        case As::QrMember:
            return json(qr_member(value.get_ref<const std::string&>()));
        case As::Amount:
            A2H_TRY(check_amount(field, value));
            return value;
    }
    A2H_CHECK(false);
}

std::string path_of(const RequestRow& row, const json& arguments, std::string_view agent_id) {
    std::string path;
    std::string_view rest = row.path;
    for (auto open = rest.find('{'); open != rest.npos; open = rest.find('{')) {
        const auto close = rest.find('}', open);
        const std::string_view name = rest.substr(open + 1, close - open - 1);
        path += rest.substr(0, open);
        path += percent_encoded(name == "self" ? std::string(agent_id)
                                               : text_or_json(argument_of(arguments, name)));
        rest = rest.substr(close + 1);
    }
    return path += rest;
}

/// The parts of a call, filled with its arguments.
struct Parts {
    json body;
    std::string query;
};

void put(Parts& parts, const Field& field, json value) {
    const std::string name(field.name);
    switch (field.place) {
        case Query:
            parts.query += parts.query.empty() ? "?" : "&";
            parts.query += name + "=" + percent_encoded(text_or_json(value));
            return;
        case Body:
            parts.body[name] = std::move(value);
            return;
        case Info:
            parts.body["extendInfo"][name] = std::move(value);
            return;
    }
}

Result<Parts> parts_of(const RequestRow& row, const json& arguments, std::string_view agent_id) {
    Parts parts{json::parse(row.body), {}};
    if (!row.self_member.empty()) parts.body[std::string(row.self_member)] = agent_id;
    // For that type, the path of our own posts lists those of all agents.
    if (row.action == "discussion.list") parts.query = "?type=4";
    for (const Field& field : row.fields) {
        json given = argument_of(arguments, field.argument);
        if (given.is_null() && field.as == As::QrMember) given = "qrcode";
        if (given.is_null() && field.fallback == 0) continue;
        A2H_ASSIGN_OR_RETURN(auto value,
                             converted(field, given.is_null() ? json(field.fallback) : given));
        put(parts, field, std::move(value));
    }
    return parts;
}

}  // namespace

bool is_market_call(std::string_view action) {
    return find_row(action) != nullptr;
}

Result<Request> make_request(std::string_view action, const json& arguments,
                             std::string_view agent_id) try {
    const RequestRow* row = find_row(action);
    if (row == nullptr) {
        return fail(ErrorCode::NotFound, std::string(action) + " is not a call of the market");
    }
    A2H_ASSIGN_OR_RETURN(auto parts, parts_of(*row, arguments, agent_id));
    Request request;
    request.method = row->method;
    request.path = path_of(*row, arguments, agent_id);
    request.query = std::move(parts.query);
    if (row->method != "GET" && row->method != "DELETE") request.body = parts.body.dump();
    return request;
} catch (const json::exception&) {
    return fail(ErrorCode::InvalidArgument, "an argument is not UTF-8 or has another type");
}

bool only_reads(const Request& request) {
    return request.method == "GET" || request.path == kSearchPath;
}

std::string permit_digest(std::string_view agent_id, const Request& request) {
    return wire::sha256_hex(wire::canonical_json({{"agent_id", agent_id},
                                                  {"method", request.method},
                                                  {"path", request.path},
                                                  {"query", request.query},
                                                  {"body", request.body}}));
}

std::string upload_digest(std::string_view agent_id, std::string_view file_sha256) {
    return wire::sha256_hex(
        wire::canonical_json({{"agent_id", agent_id}, {"upload_sha256", file_sha256}}));
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '~';
        if (plain) {
            out += c;
        } else {
            out += {'%', kHex[byte >> 4], kHex[byte & 15]};
        }
    }
    return out;
}

std::string_view qr_member(std::string_view type) {
    if (type == "alipay") return "alipayQrcodeUrl";
    return type == "wechat_pay" ? "wechatPayQrcodeUrl" : "paymentQrcodeUrl";
}

}  // namespace a2h::platform
