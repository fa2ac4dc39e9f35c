#include "mcp/peer_text.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/text.h"

namespace a2h::mcp {
namespace {

using nlohmann::ordered_json;

/// The author of a text in the words of the fence.
struct Author {
    std::string name;
    std::string provenance;
};

constexpr int kIdWordsMax = 2;

bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit_char(char c) {
    return c >= '0' && c <= '9';
}

/// Members that people fill in; even a single word in them is theirs.
bool holds_free_text(std::string_view name) {
    constexpr std::array kNames = {"text",
                                   "title",
                                   "content",
                                   "name",
                                   "nickname",
                                   "summary",
                                   "question",
                                   "description",
                                   "context",
                                   "message",
                                   "reason",
                                   "note",
                                   "remark",
                                   "comment",
                                   "bio",
                                   "subtitle",
                                   "label",
                                   "outcome_detail",
                                   "display_name",
                                   "responsibility",
                                   "reasoning",
                                   "decline_reason",
                                   "contribution",
                                   "conditions",
                                   "adjustment_request",
                                   "surface_demand",
                                   "raw_input",
                                   "objective",
                                   "rationale",
                                   "user_name",
                                   "profile_summary",
                                   "written_since",
                                   "also_asked"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string member_text(const ordered_json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() && found->is_string()
               ? found->get<std::string>()
               : std::string();
}

void fence_value(ordered_json& value, const Author& author, std::string_view member);

/// Builds the object again, because its names are foreign as well.
void fence_object(ordered_json& object, const Author& author) {
    ordered_json fenced = ordered_json::object();
    for (auto& [name, value] : object.items()) {
        fence_value(value, author, name);
        fenced[is_token(name) ? name : fence(name, author.name, author.provenance)] =
            std::move(value);
    }
    object = std::move(fenced);
}

void fence_value(ordered_json& value, const Author& author, std::string_view member) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text.empty() || (is_token(text) && !holds_free_text(member))) return;
        value = fence(text, author.name, author.provenance);
    } else if (value.is_object()) {
        fence_object(value, author);
    } else if (value.is_array()) {
        for (ordered_json& item : value)
            fence_value(item, author, member);
    }
}

void fence_messages(ordered_json& data, const std::string& peer_id) {
    if (!data.contains("items") || !data["items"].is_array()) return;
    for (ordered_json& item : data["items"]) {
        // Sent messages are the owner's own, or were sent with the owner's yes.
        if (member_text(item, "direction") == "out") continue;
        fence_value(item, {peer_id, member_text(item, "provenance")}, {});
    }
}

void fence_history(ordered_json& data) {
    fence_messages(data, member_text(data, "peer_id"));
}

/// Terms repeat the words of whoever offered them; ids may be the peer's.
void fence_deal(ordered_json& deal) {
    if (!deal.is_object()) return;
    const Author peer{member_text(deal, "peer_id"), {}};
    for (const char* name : {"subject", "their_offer", "our_offer", "agreed", "order"}) {
        const auto found = deal.find(name);
        if (found != deal.end()) fence_value(*found, peer, name);
    }
}

void fence_deals(ordered_json& data) {
    const auto deal = data.find("deal");
    if (deal != data.end()) {
        fence_deal(*deal);
        fence_messages(data, member_text(*deal, "peer_id"));
    } else if (data.contains("items") && data["items"].is_array()) {
        for (ordered_json& item : data["items"])
            fence_deal(item);
    }
}

/// The words of a question often repeat what the peer said.
void fence_approval(ordered_json& approval) {
    if (!approval.is_object()) return;
    const std::string provenance = member_text(approval, "provenance");
    // Without provenance no message caused it: an assistant has asked, possibly with a peer's
    // words.
    const Author author = provenance.empty() ? Author{"assistant", {}}
                                             : Author{member_text(approval, "peer_id"), provenance};
    for (const char* name : {"question", "context", "outcome_detail"}) {
        const auto member = approval.find(name);
        if (member != approval.end()) fence_value(*member, author, name);
    }
    const Author peer{member_text(approval, "peer_id"), provenance};
    for (const char* name : {"written_since", "also_asked"}) {
        const auto member = approval.find(name);
        if (member != approval.end()) fence_value(*member, peer, name);
    }
    const auto covers = approval.find("covers");
    if (covers == approval.end() || !covers->is_array()) return;
    for (ordered_json& line : *covers) {
        for (const char* name : {"member", "value"}) {
            if (line.is_object() && line.contains(name)) fence_value(line[name], author, name);
        }
    }
}

void fence_approvals(ordered_json& data) {
    if (data.contains("approval")) fence_approval(data["approval"]);
    for (const char* list : {"approvals", "changes"}) {
        if (!data.contains(list) || !data[list].is_array()) continue;
        for (ordered_json& row : data[list])
            fence_approval(row.contains("approval") ? row["approval"] : row);
    }
}

void fence_market(ordered_json& data) {
    fence_value(data, {"market", {}}, {});
}

/// Fences each row of `list`, or `data` itself, as words of the agent in the member `author`.
void fence_rows(ordered_json& data, const char* author) {
    const auto fence_row = [&](ordered_json& row) {
        fence_value(row, {member_text(row, author), {}}, {});
    };
    const auto items = data.find("items");
    if (items == data.end()) {
        fence_row(data);
    } else if (items->is_array()) {
        std::for_each(items->begin(), items->end(), fence_row);
    }
}

void fence_contacts(ordered_json& data) {
    if (data.contains("contact") && data["contact"].is_object()) {
        fence_rows(data["contact"], "peer_id");
    } else {
        fence_rows(data, "peer_id");
    }
}

/// The words of a request are fenced with the provenance of its message.
void fence_introductions(ordered_json& data) {
    const auto items = data.find("items");
    if (items == data.end() || !items->is_array()) return fence_rows(data, "peer_id");
    for (ordered_json& item : *items)
        fence_value(item, {member_text(item, "peer_id"), member_text(item, "provenance")}, {});
}

/// Words of a worker or a giver, also of the owner's own agents, are fenced.
void fence_tasks(ordered_json& data) {
    fence_rows(data, "peer_id");
}

/// Each agent writes its own profile.
void fence_profiles(ordered_json& data) {
    fence_rows(data, "agent_id");
}

/// Fences the rows of the member `name` as words of the agent in their `agent_id`.
void fence_agents_rows(ordered_json& data, const char* name) {
    const auto rows = data.find(name);
    if (rows == data.end() || !rows->is_array()) return;
    for (ordered_json& row : *rows)
        fence_value(row, {member_text(row, "agent_id"), {}}, {});
}

/// The demand of a sub-negotiation may contain words of an offer.
void fence_demand_below(ordered_json& negotiation) {
    if (member_text(negotiation, "parent_channel_id").empty()) return;
    for (const char* name : {"surface_demand", "raw_input", "understanding"}) {
        const auto found = negotiation.find(name);
        if (found != negotiation.end()) fence_value(*found, {"negotiation", {}}, name);
    }
}

/// The demand is the owner's own; offers, feedback and everything made from them are others' words.
void fence_negotiation(ordered_json& data) {
    fence_demand_below(data);
    if (const auto items = data.find("items"); items != data.end() && items->is_array()) {
        for (ordered_json& item : *items)
            fence_demand_below(item);
    }
    fence_agents_rows(data, "candidates");
    if (const auto rounds = data.find("rounds"); rounds != data.end() && rounds->is_array()) {
        for (ordered_json& round : *rounds)
            fence_agents_rows(round, "feedback");
    }
    // A plan combines the offers of several agents.
    for (const char* made :
         {"proposals", "gaps", "compromise", "sub_negotiations", "deeds", "events"}) {
        const auto found = data.find(made);
        if (found != data.end()) fence_value(*found, {"negotiation", {}}, {});
    }
}

/// The demand, the plan and their ids are the requester's; what was offered is the owner's own.
void fence_invitations(ordered_json& data) {
    const auto items = data.find("items");
    if (items == data.end() || !items->is_array()) return;
    for (ordered_json& item : *items) {
        const Author author{member_text(item, "requester_id"), {}};
        for (const char* name : {"demand", "filter_reason", "proposal", "besides"}) {
            if (item.contains(name)) fence_value(item[name], author, "text");
        }
        for (const char* id : {"channel_id", "demand_id"}) {
            if (item.contains(id)) fence_value(item[id], author, id);
        }
    }
}

/// The results of a plan repeat words of several agents.
void fence_all_of_many(ordered_json& data) {
    fence_value(data, {"negotiation", {}}, {});
}

/// a2hd has already fenced the texts of each message.
void leave_fenced(ordered_json&) {}

/// The foreign words that the result of an action contains. The names are prefixes, and the first
/// match counts; other actions return only the owner's data.
struct ForeignWords {
    std::string_view actions;
    void (*fence_data)(ordered_json& data);
};
constexpr ForeignWords kForeignWords[] = {
    {"inbox.history", fence_history},
    {"approval.", fence_approvals},
    {"works.search", fence_market},
    {"works.get", fence_market},
    {"order.", fence_market},
    {"discussion.", fence_market},
    {"rfp.", fence_market},
    {"proposal.feedback", fence_approval},
    {"proposal.", fence_market},
    {"session.", fence_market},
    {"deal.", fence_deals},
    {"recorded_deal.", fence_market},
    {"profile.list", fence_profiles},
    {"agent.read", leave_fenced},
    {"agent.get", fence_market},
    {"contact.", fence_contacts},
    {"introduction.", fence_introductions},
    {"task.", fence_tasks},
    {"invitation.", fence_invitations},
    {"negotiation.apply", fence_all_of_many},
    {"negotiation.answer", fence_approval},
    {"negotiation.", fence_negotiation},
    {"demand.", fence_negotiation},
};

}  // namespace

bool is_plain_id(std::string_view text) {
    const auto may_be_in = [](char c) {
        return is_ascii_letter(c) || is_digit_char(c) || c == '_' || c == '-';
    };
    return !text.empty() && text.size() <= kTokenCharsMax &&
           std::all_of(text.begin(), text.end(), may_be_in) && count_words(text) <= kIdWordsMax;
}

bool fence_peer_text(std::string_view action, ordered_json& data) {
    const auto* row =
        std::find_if(std::begin(kForeignWords), std::end(kForeignWords),
                     [&](const ForeignWords& each) { return action.starts_with(each.actions); });
    if (row == std::end(kForeignWords) || !data.is_object()) return false;
    row->fence_data(data);
    return true;
}

}  // namespace a2h::mcp
