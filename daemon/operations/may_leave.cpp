#include "daemon/operations/may_leave.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/store/unanswered_store.h"
#include "core/wire/agent_messages.h"
#include "core/wire/json_member.h"
#include "daemon/decide/conversation_order.h"
#include "daemon/decide/decision.h"
#include "daemon/house/house.h"
#include "daemon/house/mail_words.h"
#include "daemon/operations/sender.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

/// Ids of orders and listings are the market's own, one word without spaces.
bool is_market_id(std::string_view text) {
    constexpr std::size_t kIdMax = 64;
    return text.size() <= kIdMax && std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == ':';
           });
}

/// Members that only say what a message is about and commit to nothing: digits of an id are no
/// amount. Whether anybody knows the id is looked up before.
bool is_reference(std::string_view name, const json& value) {
    if (!value.is_string() || !is_reference_name(name)) return false;
    const auto& id = value.get_ref<const std::string&>();
    return is_named_by_market(name) ? is_market_id(id) : is_wordless_id(id);
}

bool is_harmless(std::string_view name, const json& value) {
    return is_reference(name, value) ||
           (name == "type" && (value == "text" || value == "inquiry" || value == "reject"));
}

bool is_words(std::string_view name, const json& value) {
    return (name == "text" || name == "note" || name == "summary") && value.is_string();
}

/// What no protocol defines is a word of the sender's own.
bool is_own_name(std::string_view name) {
    return !house::is_known_member(name) && !is_reference_name(name);
}

/// What says yes to something, in whichever member.
bool holds_true(const json& value) {
    if (!value.is_structured()) return value == true;
    return std::any_of(value.begin(), value.end(), holds_true);
}

/// Everything that `value` says, members by name, so that a number is read with what it counts.
void collect(const json& value, std::string& words) {
    if (value.is_object()) {
        for (const auto& [name, member] : value.items()) {
            std::string label = name;
            std::replace(label.begin(), label.end(), '_', ' ');
            words += label + ": ";
            collect(member, words);
        }
    } else if (value.is_array()) {
        for (const json& item : value)
            collect(item, words);
    } else if (value.is_string()) {
        words += value.get<std::string>() + "\n";
    } else if (!value.is_null()) {
        words += value.dump() + "\n";
    }
}

/// A sentence without spaces is a sentence; the digits of an agent's id are no amount.
std::string with_spaces(const std::string& words) {
    std::string spaced;
    std::string word;
    for (const char c : words + "\n") {
        if (c != ' ' && c != '\n') {
            word += c;
            continue;
        }
        if (!is_agent_id(word)) std::replace(word.begin(), word.end(), '_', ' ');
        spaced += word + c;
        word.clear();
    }
    return spaced;
}

/// Of so few words that they may say yes to whatever was said before, in any language, without any
/// word that a review knows.
bool may_be_assent(const std::string& words) {
    constexpr std::size_t kShortCodePoints = 16;
    constexpr int kShortWords = 2;
    const std::string_view text = trim(words);
    constexpr std::string_view kWideQuestionMark = "\xef\xbc\x9f";
    if (text.empty() || text.ends_with('?') || text.ends_with(kWideQuestionMark)) return false;
    const auto spaces = std::count(text.begin(), text.end(), ' ');
    const bool is_short = code_point_count(text) <= kShortCodePoints && spaces < kShortWords;
    return is_short && !decide::is_courtesy(text);
}

/// Whether anything in `value` stands there alone with so few words: the one who reads it sees a
/// text or a name of its own, whatever else is beside it. An agent's id is no word.
bool holds_assent(const json& value) {
    if (value.is_string()) {
        const auto& words = value.get_ref<const std::string&>();
        return !is_agent_id(words) && may_be_assent(words);
    }
    if (value.is_array()) return std::any_of(value.begin(), value.end(), holds_assent);
    if (!value.is_object()) return false;
    return std::any_of(value.items().begin(), value.items().end(), [](const auto& member) {
        const bool says = is_own_name(member.key()) && may_be_assent(member.key());
        return says || holds_assent(member.value());
    });
}

bool hears(const Agent& agent) {
    return agent.connected && !agent.history.is_owed && !agent.self_test.failed;
}

/// What somebody says may arrive as long as an agent lives that the market knows.
bool listens(const Agent& agent) {
    return agent.connection && !agent.is_stopped;
}

/// What a message of a peer is about; a sentence may be spelt like an id.
bool is_plain_subject(const std::string& id, const std::vector<Listing>& listings) {
    const auto is_own = [&](const Listing& listing) { return listing.works_id == id; };
    return id.empty() || is_wordless_id(id) || decide::is_order_id(id) ||
           std::any_of(listings.begin(), listings.end(), is_own);
}

/// Whether what a peer has chosen in a message says nothing more than what a rule has answered, or
/// nothing that wants an answer. Silence of a rule is no proof: whether a text was a courtesy or an
/// acceptance depends on what was said before, so only a greeting and thanks leave nothing open.
bool leaves_nothing_open(const store::Heard& heard, const std::vector<Listing>& listings) {
    const bool has_plain_ids = is_wordless_id(heard.message_id) &&
                               (heard.trace_id.empty() || is_wordless_id(heard.trace_id));
    const json payload = json::parse(heard.payload_json, nullptr, false);
    return has_plain_ids && is_plain_subject(wire::text_member(payload, "worksId"), listings) &&
           is_plain_subject(wire::text_member(payload, "orderId"), listings) &&
           (heard.is_answered || heard.is_fixed ||
            decide::is_greeting_or_thanks(wire::text_member(payload, "text")));
}

Result<bool> may_want_answer(store::Database& db, const Agent& agent, const std::string& agent_id,
                             const std::string& peer_id) {
    A2H_ASSIGN_OR_RETURN(const auto heard, store::heard_since_release(db, agent_id, peer_id));
    return !std::all_of(heard.begin(), heard.end(), [&](const store::Heard& message) {
        return leaves_nothing_open(message, agent.listings);
    });
}

Result<bool> is_anything_open(store::Database& db, const Agent& agent, const std::string& agent_id,
                              const std::string& peer_id, const Invitation* answered) {
    const bool is_its_own = answered != nullptr && answered->agent_id == agent_id;
    const auto asked =
        store::is_asked_or_in_talks(db, agent_id, peer_id, is_its_own ? answered : nullptr);
    if (!asked || *asked) return asked;
    const auto waits = store::has_unanswered_message(db, agent_id, peer_id);
    if (!waits || *waits) return waits;
    return may_want_answer(db, agent, agent_id, peer_id);
}

/// What is open with the peer, or could be without anybody's knowledge.
Result<Hold> hold_of_peer(const Sender& sender, const std::string& peer_id,
                          const Invitation* answered) {
    store::Database& db = sender.kernel.reader;
    Hold hold = Hold::None;
    for (const auto& [agent_id, agent] : sender.agents) {
        A2H_ASSIGN_OR_RETURN(const auto open,
                             is_anything_open(db, *agent, agent_id, peer_id, answered));
        if (open) return Hold::Open;
        if (!listens(*agent) || hears(*agent)) continue;
        A2H_ASSIGN_OR_RETURN(const auto known, store::has_dealt_with(db, agent_id, peer_id));
        if (known) hold = Hold::Deaf;
    }
    return hold;
}

}  // namespace

bool may_say(const std::string& words, const std::vector<Listing>& listings) {
    return !may_be_assent(words) && decide::review_text(with_spaces(words), listings).free;
}

bool may_leave(std::string_view message_type, const std::string& payload_json,
               const std::vector<Listing>& listings) {
    const json payload = json::parse(payload_json, nullptr, false);
    if (!payload.is_object()) return false;
    const auto type = wire::parse_agent_message_type(message_type);
    const bool is_between_agents = type && *type != wire::AgentMessageType::General;
    const bool is_report = type == wire::AgentMessageType::StatusReport;
    std::string words;
    for (const auto& [name, value] : payload.items()) {
        // Whom we know is given away as `[agents] introductions` says, which the caller has asked.
        const bool introduces =
            type == wire::AgentMessageType::IntroductionResponse && name == "introduced";
        if (holds_true(value) && !introduces) return false;
        const bool is_status = is_report && name == "status";
        const bool is_read = is_words(name, value) || (is_between_agents && !is_status);
        if (is_read && !is_reference(name, value) && holds_assent(json{{name, value}})) {
            return false;
        }
        if (is_words(name, value)) {
            words += value.get<std::string>() + "\n";
        } else if (is_status) {
            continue;  // one of the five words that `wire::fault_of` knows
        } else if (is_between_agents && !is_reference(name, value)) {
            collect(value, words);
        } else if (!is_harmless(name, value)) {
            return false;
        }
    }
    return decide::review_text(with_spaces(words), listings).free;
}

bool only_rejects(const std::string& payload_json) {
    const json payload = json::parse(payload_json, nullptr, false);
    if (wire::text_member(payload, "type") != "reject") return false;
    for (const auto& [name, value] : payload.items()) {
        if (name != "type" && !is_reference(name, value)) return false;
    }
    return true;
}

Result<Hold> hold_of(const Sender& sender, const Call& call, const AboutMail& mail) {
    if (sender.residents.is_ours(mail.target_id)) return Hold::None;
    if (!may_leave(mail.message_type, mail.payload_json, call.agent.listings)) return Hold::Words;
    if (only_rejects(mail.payload_json)) return Hold::None;
    return hold_of_peer(sender, mail.target_id, nullptr);
}

Result<Hold> hold_of_words(const Sender& sender, const Call& call, const std::string& words,
                           const std::vector<std::string>& peer_ids, const Invitation* answered) {
    if (!may_say(words, call.agent.listings)) return Hold::Words;
    Hold held = Hold::None;
    for (const std::string& peer_id : peer_ids) {
        if (sender.residents.is_ours(peer_id)) continue;
        const auto hold = hold_of_peer(sender, peer_id, answered);
        if (!hold || *hold == Hold::Open) return hold;
        if (*hold != Hold::None) held = *hold;
    }
    return held;
}

std::string reason_of(Hold hold, i18n::Language language) {
    switch (hold) {
        case Hold::None:
        case Hold::Words:
            return {};
        case Hold::Open:
            return "\n" + i18n::text(language, "daemon.held_open");
        case Hold::Deaf:
            return "\n" + i18n::text(language, "daemon.held_deaf");
    }
    A2H_CHECK(false);
}

}  // namespace a2h::operations
