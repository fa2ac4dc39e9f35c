#include "mcp/resources.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "core/catalogue/schema.h"
#include "core/i18n/messages.h"
#include "core/wire/json_member.h"
#include "mcp/peer_text.h"
#include "mcp/playbooks.h"
#include "mcp/tools.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using wire::text_member;

constexpr std::string_view kScheme = "a2h://";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kMarkdown = "text/markdown";
constexpr int kPlaybookFreshMs = 3'600'000;
constexpr int kConversationsListed = 1000;
constexpr int kApprovalsListed = 100;
/// Fewer messages are read for a conversation of long messages.
constexpr std::array kHistoryLimits = {20, 5, 1};
/// Members of the status that change by themselves.
constexpr std::array kRestlessMembers = {"store", "last_self_test"};
/// The error code of a2hd.
constexpr std::string_view kNotFoundCode = "PLATFORM_410";

/// One kind of resource. `variable` is empty if there is only one such resource.
struct Kind {
    std::string_view name;      ///< first part of the URI
    std::string_view variable;  ///< in the template
    std::string_view action;    ///< operation that reads it; empty: a playbook
    std::string_view argument;  ///< argument of the action for the variable
    std::string_view title;     ///< message keys
    std::string_view description;
};
constexpr Kind kKinds[] = {
    {"status", {}, "status", {}, "mcp.resource_status", "mcp.resource_status_about"},
    {"inbox", "peer", "inbox.history", "peer_id", "mcp.resource_inbox", "mcp.resource_inbox_about"},
    {"approvals", "id", "approval.list", "approval_id", "mcp.resource_approval",
     "mcp.resource_approval_about"},
    {"orders", "id", "order.get", "order_id", "mcp.resource_order", "mcp.resource_order_about"},
    {"playbooks", "name", {}, {}, "mcp.resource_playbook", "mcp.resource_playbook_about"},
};

std::string in_words(std::string_view key, i18n::Arguments arguments = {}) {
    return i18n::text(i18n::language_of_environment(), key, arguments);
}

/// The parts of a URI.
struct Address {
    const Kind* kind = nullptr;
    std::string_view variable;
};

std::optional<Address> address_of(std::string_view uri) {
    if (!uri.starts_with(kScheme)) return std::nullopt;
    uri.remove_prefix(kScheme.size());
    const auto slash = uri.find('/');
    const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& each) {
        return each.name == uri.substr(0, slash);
    });
    if (kind == std::end(kKinds)) return std::nullopt;
    Address address{kind, slash == std::string_view::npos ? "" : uri.substr(slash + 1)};
    if (kind->variable.empty() != (slash == std::string_view::npos)) return std::nullopt;
    if (kind->variable.empty()) return address;
    if (kind->action.empty()) {
        return find_playbook(address.variable) == nullptr ? std::nullopt : std::optional(address);
    }
    const auto* operation = catalogue::find_action(kind->action);
    const json arguments = {{kind->argument, address.variable}};
    const bool valid =
        !address.variable.empty() &&
        address.variable.find_first_of("/?#%") == std::string_view::npos &&
        catalogue::validate(catalogue::input_schema(*operation), arguments).has_value();
    return valid ? std::optional(address) : std::nullopt;
}

/// `description` may be empty, because a title is sufficient for one of many.
ordered_json entry(const Kind& kind, std::string_view variable, std::string title,
                   std::string description = {}) {
    std::string name(kind.name);
    if (!variable.empty()) name.append("/").append(variable);
    ordered_json row = {
        {"uri", std::string(kScheme) + name}, {"name", name}, {"title", std::move(title)}};
    if (!description.empty()) row["description"] = std::move(description);
    row["mimeType"] = kind.action.empty() ? kMarkdown : kJson;
    return row;
}

const Kind& kind_named(std::string_view name) {
    return *std::find_if(std::begin(kKinds), std::end(kKinds),
                         [&](const Kind& kind) { return kind.name == name; });
}

/// `data` of an envelope, or its error.
Result<ordered_json> data_of(const Result<std::string>& answered) {
    if (!answered) return fail(answered.error());
    auto envelope = ordered_json::parse(*answered, nullptr, false);
    if (envelope.is_object() && envelope.contains("data") && envelope["data"].is_object()) {
        return std::move(envelope["data"]);
    }
    const json error =
        envelope.is_object() ? json(envelope.value("error", ordered_json())) : json();
    const bool missing = text_member(error, "code") == kNotFoundCode;
    const std::string words = text_member(error, "message");
    return fail(missing ? ErrorCode::NotFound : ErrorCode::Unavailable,
                words.empty() ? "a2hd answered in a form that is not known" : words);
}

/// The ids beginning with `begin` in the member `id` of list `list` of `data`.
std::vector<std::string> ids_in(const Result<ordered_json>& data, const char* list, const char* id,
                                std::initializer_list<std::string_view> begins) {
    std::vector<std::string> ids;
    if (!data || !data->contains(list) || !(*data)[list].is_array()) return ids;
    for (const ordered_json& row : (*data)[list]) {
        const std::string text = text_member(json(row), id);
        const bool has_form =
            std::any_of(begins.begin(), begins.end(),
                        [&](std::string_view begin) { return text.starts_with(begin); });
        if (has_form && is_plain_id(text)) ids.push_back(text);
    }
    return ids;
}

/// An ordinary message contains its text twice, in `text` and in `payload`.
void drop_doubled_texts(ordered_json& history) {
    if (!history.contains("items") || !history["items"].is_array()) return;
    for (ordered_json& item : history["items"]) {
        if (!item.is_object() || !item.contains("payload") || !item.contains("text")) continue;
        if (item["payload"] == ordered_json{{"text", item["text"]}}) item.erase("payload");
    }
}

std::string_view uri_in(const json& params) {
    const auto uri = params.find("uri");
    return uri != params.end() && uri->is_string()
               ? std::string_view(uri->get_ref<const std::string&>())
               : std::string_view();
}

/// The position requested by `params`; nullopt for a cursor that was never issued.
std::optional<std::size_t> page_offset(const json& params) {
    const auto cursor = params.find("cursor");
    if (cursor == params.end()) return 0;
    if (!cursor->is_string()) return std::nullopt;
    const auto& text = cursor->get_ref<const std::string&>();
    std::size_t offset = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
    const bool ours = error == std::errc() && end == text.data() + text.size() && offset > 0 &&
                      offset % Resources::kPageMax == 0;
    return ours ? std::optional(offset) : std::nullopt;
}

}  // namespace

Resources::Resources(CallDaemon call_daemon, std::string agent)
    : call_daemon_(std::move(call_daemon)), agent_(std::move(agent)) {}

bool Resources::is_ours(std::string_view uri) {
    return address_of(uri).has_value();
}

bool Resources::is_remote(std::string_view uri) {
    const auto address = address_of(uri);
    return address && address->kind->name == "orders";
}

bool Resources::is_constant(std::string_view uri) {
    const auto address = address_of(uri);
    return address && address->kind->action.empty();
}

Result<std::string> Resources::call(std::string_view action, json params, bool patient,
                                    std::stop_token cancelled) const {
    if (!agent_.empty()) params["agent"] = agent_;
    return call_daemon_(
        {.method = action, .params_json = params.dump(), .repeatable = true, .patient = patient},
        std::move(cancelled));
}

std::vector<std::string> Resources::peers(std::stop_token cancelled) const {
    // For internal use: a model's face gets no previews of strangers' messages.
    const json params = {{"face", "human"}, {"limit", kConversationsListed}};
    return ids_in(data_of(call("inbox.list", params, false, std::move(cancelled))), "conversations",
                  "peer_id", {"ag_", "market_"});
}

std::vector<std::string> Resources::approvals(bool open_only, std::stop_token cancelled) const {
    json params = {{"face", "assistant"}, {"limit", kApprovalsListed}};
    if (open_only) params["status"] = "pending";
    return ids_in(data_of(call("approval.list", std::move(params), false, std::move(cancelled))),
                  "approvals", "approval_id", {"apr_"});
}

Outcome Resources::list(const json& params, std::stop_token cancelled) const {
    const auto offset = page_offset(params);
    if (!offset) return invalid_params("Unknown cursor");
    std::vector<ordered_json> all;
    all.push_back(entry(kind_named("status"), {}, in_words("mcp.resource_status"),
                        in_words("mcp.resource_status_about")));
    for (const Playbook& playbook : playbooks()) {
        all.push_back(entry(kind_named("playbooks"), playbook.name + "." + playbook.language,
                            playbook.title, playbook.summary));
    }
    for (const std::string& id : approvals(true, cancelled)) {
        all.push_back(entry(kind_named("approvals"), id,
                            in_words("mcp.resource_approval_one", {{"id", id}})));
    }
    for (const std::string& peer : peers(std::move(cancelled))) {
        all.push_back(
            entry(kind_named("inbox"), peer, in_words("mcp.resource_inbox_one", {{"peer", peer}})));
    }
    if (*offset > 0 && *offset >= all.size()) return invalid_params("Unknown cursor");
    const std::size_t end = std::min(all.size(), *offset + kPageMax);
    ordered_json result = {{"resources", ordered_json::array()}};
    for (std::size_t i = *offset; i < end; ++i)
        result["resources"].push_back(std::move(all[i]));
    if (end < all.size()) result["nextCursor"] = std::to_string(end);
    result["ttlMs"] = 0;
    result["cacheScope"] = "private";
    return result;
}

Outcome Resources::templates(const json& params) const {
    if (params.contains("cursor")) return invalid_params("Unknown cursor");
    ordered_json rows = ordered_json::array();
    for (const Kind& kind : kKinds) {
        if (kind.variable.empty()) continue;
        const std::string name(kind.name);
        rows.push_back(
            {{"uriTemplate", std::string(kScheme) + name + "/{" + std::string(kind.variable) + "}"},
             {"name", name},
             {"title", in_words(kind.title)},
             {"description", in_words(kind.description)},
             {"mimeType", kind.action.empty() ? kMarkdown : kJson}});
    }
    return ordered_json{{"resourceTemplates", std::move(rows)},
                        {"ttlMs", kPlaybookFreshMs},
                        {"cacheScope", "public"}};
}

Result<Resources::Content> Resources::content(std::string_view uri, bool patient,
                                              std::stop_token cancelled) const {
    const auto address = address_of(uri);
    if (!address) return fail(ErrorCode::NotFound, "there is no such resource");
    const Kind& kind = *address->kind;
    if (kind.action.empty()) {
        return Content{std::string(kMarkdown), find_playbook(address->variable)->text, true, 0};
    }
    json params = {{"face", "assistant"}};
    if (!kind.argument.empty()) params[std::string(kind.argument)] = address->variable;
    for (const int limit : kHistoryLimits) {
        if (kind.name == "inbox") params["limit"] = limit;
        A2H_ASSIGN_OR_RETURN(auto data, data_of(call(kind.action, params, patient, cancelled)));
        if (kind.name == "inbox") drop_doubled_texts(data);
        fence_peer_text(kind.action, data);
        if (kind.name == "approvals") {
            if (!data.contains("approvals") || data["approvals"].size() != 1) {
                return fail(ErrorCode::NotFound, "there is no such approval");
            }
            data = ordered_json(data["approvals"][0]);
        }
        std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
        if (text.size() <= kResultBytesMax) {
            for (const char* restless : kRestlessMembers)
                data.erase(restless);
            const std::size_t digest =
                std::hash<std::string>()(data.dump(-1, ' ', false, json::error_handler_t::replace));
            return Content{std::string(kJson), std::move(text), false, digest};
        }
        if (kind.name != "inbox") break;
    }
    return fail(ErrorCode::ResourceExhausted, "it is too large to be passed on");
}

Outcome Resources::read(const json& params, Version version, std::stop_token cancelled) const {
    const std::string uri(uri_in(params));
    if (uri.empty()) return invalid_params("uri must be a string");
    auto read = content(uri, true, std::move(cancelled));
    if (!read) {
        const json data = {{"uri", uri}};
        const std::string data_json = data.dump(-1, ' ', false, json::error_handler_t::replace);
        if (read.error().code == ErrorCode::NotFound) {
            const RpcCode code =
                is_modern(version) ? RpcCode::InvalidParams : RpcCode::ResourceNotFound;
            return RpcError{code, "Resource not found", data_json};
        }
        return RpcError{RpcCode::InternalError,
                        "The resource could not be read: " + read.error().message, data_json};
    }
    return ordered_json{
        {"contents",
         ordered_json::array(
             {{{"uri", uri}, {"mimeType", read->mime_type}, {"text", std::move(read->text)}}})},
        {"ttlMs", read->constant ? kPlaybookFreshMs : 0},
        {"cacheScope", read->constant ? "public" : "private"}};
}

}  // namespace a2h::mcp
