#include "daemon/consent/actions.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/wire/json_member.h"

namespace a2h::consent {
namespace {

constexpr MandateKind kReply[] = {{mandate_kind(kReplyAction)}};
/// The action that consent itself can ask for and cover: an answer.
constexpr ActionRow kOwnRows[] = {
    {.action = kReplyAction, .mandates = kReply, .sends_words = true, .answers_peer = true},
};

struct Registered {
    std::map<std::string_view, ActionRow> rows;
    std::vector<const MandateKind*> kinds;

    void add(const ActionRow& row) {
        if (!rows.emplace(row.action, row).second) return;
        for (const MandateKind& kind : row.mandates)
            if (find(kind.name) == nullptr) kinds.push_back(&kind);
    }
    const MandateKind* find(std::string_view name) const {
        const auto found = std::find_if(kinds.begin(), kinds.end(),
                                        [&](const auto* kind) { return kind->name == name; });
        return found == kinds.end() ? nullptr : *found;
    }
};

Registered& registered() {
    static Registered all = [] {
        Registered own;
        for (const ActionRow& row : kOwnRows)
            own.add(row);
        return own;
    }();
    return all;
}

}  // namespace

void register_actions(std::span<const ActionRow> rows) {
    for (const ActionRow& row : rows)
        registered().add(row);
}

const ActionRow& row_of(std::string_view action) {
    static const ActionRow kNone{};
    const auto& rows = registered().rows;
    const auto found = rows.find(action);
    return found == rows.end() ? kNone : found->second;
}

OwnMatter own_matter_of(const Approval& approval) {
    const OwnIds& own = row_of(approval.action).own_ids;
    const auto action = nlohmann::json::parse(approval.action_json, nullptr, false);
    const auto& request = wire::member(action, "request");
    OwnMatter matter;
    if (!own.negotiation.empty())
        matter.negotiation_id = wire::text_member(request, own.negotiation);
    for (const std::string_view name : own.at_market) {
        std::string id = wire::text_member(request, name);
        if (!id.empty()) matter.market_ids.push_back(std::move(id));
    }
    return matter;
}

std::string_view hidden_failure(const Approval& approval) {
    const auto hidden = row_of(approval.action).hidden_failure;
    return hidden == nullptr ? std::string_view() : hidden(approval);
}

std::vector<std::string_view> registered_actions() {
    std::vector<std::string_view> actions;
    for (const auto& [action, row] : registered().rows)
        actions.push_back(action);
    return actions;
}

bool has_own_way(const Approval& approval, std::string_view rule_id,
                 std::string_view payload_json) {
    const ActionRow& row = row_of(approval.action);
    if (row.has_own_way == nullptr) return false;
    const auto action = nlohmann::json::parse(approval.action_json, nullptr, false);
    return row.has_own_way(wire::member(action, "request"), rule_id, payload_json);
}

const MandateKind* find_mandate_kind(std::string_view name) {
    return registered().find(name);
}

std::span<const MandateKind* const> mandate_kinds() {
    return registered().kinds;
}

std::vector<std::string> accepting_types() {
    std::vector<std::string> types;
    for (const MandateKind* kind : mandate_kinds())
        if (kind->accepts_offer && !kind->payload_type.empty())
            types.emplace_back(kind->payload_type);
    return types;
}

namespace {

/// Whether `payload_type` is that of a kind with this member.
bool is_type_of(std::string_view payload_type, bool MandateKind::*member) {
    const auto kinds = mandate_kinds();
    return !payload_type.empty() &&
           std::any_of(kinds.begin(), kinds.end(), [&](const MandateKind* kind) {
               return kind->*member && kind->payload_type == payload_type;
           });
}

}  // namespace

bool is_accepting(std::string_view payload_type) {
    return is_type_of(payload_type, &MandateKind::accepts_offer);
}

bool is_offering(std::string_view payload_type) {
    return is_type_of(payload_type, &MandateKind::makes_offer);
}

const MandateKind* mandate_kind_of(const Approval& approval) {
    const ActionRow& row = row_of(approval.action);
    if (row.mandates.empty()) return nullptr;
    if (row.mandate_of == nullptr) return &row.mandates.front();
    const auto action = nlohmann::json::parse(approval.action_json, nullptr, false);
    return find_mandate_kind(row.mandate_of(wire::member(action, "request")));
}

Result<std::optional<Approval>> end_without_yes(store::Database& db, const Approval& approval,
                                                const Ending& ending, const Policy& policy,
                                                UnixMs now_ms) {
    const ActionRow& row = row_of(approval.action);
    if (row.end == nullptr) return std::optional<Approval>();
    return row.end(db, approval, ending, policy, now_ms);
}

}  // namespace a2h::consent
