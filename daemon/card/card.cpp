#include "daemon/card/card.h"

#include <algorithm>
#include <array>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/join.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/domain/message.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/card/assistants_words.h"
#include "daemon/card/options.h"

namespace a2h::card {
namespace {

using i18n::Language;
using nlohmann::json;
using Kind = Line::Kind;

/// `text` as a card shows it: a tab, which looks like spaces, by its code as well.
std::string as_shown(std::string_view text) {
    std::string shown;
    for (const char c : shown_whole(text)) {
        if (c == '\t') {
            shown += "[U+0009]";
        } else {
            shown += c;
        }
    }
    return shown;
}

/// The order in which people read the lines. Members in neither list are placed between the two.
constexpr std::array<std::string_view, 21> kFirst = {
    "surface_demand", "responsibility", "title",      "text",      "content",    "description",
    "summary",        "terms",          "conditions", "note",      "price",      "expected_price",
    "price_type",     "fixed_price",    "price_min",  "price_max", "price_cent", "currency",
    "amount",         "valid_until",    "delivery_at"};
constexpr std::array<std::string_view, 15> kLast = {
    "type",       "order_type", "message_type", "kind",       "works_id",
    "worksId",    "product_id", "order_id",     "orderId",    "offer_message_id",
    "channel_id", "rfp_id",     "proposal_id",  "size_bytes", "sha256"};
/// Members of the action that have lines of their own or mean nothing to people.
constexpr std::array<std::string_view, 12> kOwnLines = {
    "action",         "amount_minor", "currency",    "options", "order_id", "peer_id",
    "policy_version", "question",     "reject_text", "request", "text",     "works_id"};
/// Labels of the lines that name the peer, the amount and the consequences.
constexpr std::array<const char*, 13> kOurLabels = {
    "card.acting",        "card.peer",  "card.amount",  "card.action",
    "card.on_yes",        "card.on_no", "card.options", "card.assistants_options",
    "card.context",       "card.since", "card.also",    "card.votes",
    "card.of_peers_offer"};
constexpr std::array<std::string_view, 3> kMinorUnits = {"fixed_price", "price_min", "price_max"};
constexpr std::array<std::string_view, 3> kMajorUnits = {"amount", "max", "min"};

template <std::size_t N>
std::size_t place_in(const std::array<std::string_view, N>& names, std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
    return place_in(names, name) < N;
}

std::vector<std::string_view>& text_members() {
    static std::vector<std::string_view> names{"text"};
    return names;
}

std::size_t rank(std::string_view name) {
    const std::size_t first = place_in(kFirst, name);
    if (first < kFirst.size()) return first;
    const std::size_t last = place_in(kLast, name);
    return kFirst.size() + (last < kLast.size() ? 1 + last : 0);
}

/// The key of the text for a value of a closed set, such as the status of an order; empty if it is
/// not written like one. Different values have different keys.
std::string key_of_value(const std::string& name, const std::string& value) {
    const auto is_all = [&](char first, char last) {
        return std::all_of(value.begin(), value.end(), [&](char c) {
            return (c >= first && c <= last) || c == '_' || c == '-' || c == '.';
        });
    };
    const bool is_big = is_all('A', 'Z');
    if (value.empty() || value.size() > kTokenCharsMax || (!is_big && !is_all('a', 'z'))) return {};
    std::string key = (is_big ? "card.big_" : "card.is_") + name + "_";
    for (const char c : value) {
        if (c == '-' || c == '.') {
            key += c == '-' ? "__" : "___";
        } else {
            key += is_big && c != '_' ? static_cast<char>(c + ('a' - 'A')) : c;
        }
    }
    return key;
}

/// The market writes `orderType` where messages write `order_type`.
std::string snake_case(std::string_view name) {
    std::string written;
    for (const char c : name) {
        const bool is_capital = c >= 'A' && c <= 'Z';
        if (is_capital) written += '_';
        written += is_capital ? static_cast<char>(c + ('a' - 'A')) : c;
    }
    return written;
}

std::vector<std::string> names_of(const json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items())
        names.push_back(name);
    std::stable_sort(names.begin(), names.end(),
                     [](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return names;
}

/// An amount beside the `currency` of the same object; nullopt for every other value.
std::optional<std::string> amount_in(const json& object, std::string_view name, const json& value) {
    const std::string currency = wire::text_member(object, "currency");
    if (!is_currency_code(currency)) return std::nullopt;
    const std::string known = snake_case(name);
    const bool is_minor =
        known.ends_with("_minor") || known.ends_with("_cent") || is_in(kMinorUnits, known);
    if (is_minor && value.is_number_integer())
        return to_text(Money{value.get<std::int64_t>(), currency});
    if (!is_in(kMajorUnits, name)) return std::nullopt;
    const std::string text = value.is_number()   ? wire::canonical_json(value)
                             : value.is_string() ? value.get<std::string>()
                                                 : std::string();
    const auto money = parse_money(text, currency);
    return money ? std::optional(to_text(*money)) : std::nullopt;
}

bool names_an_amount(const json& object) {
    for (const auto& [name, value] : object.items()) {
        if (amount_in(object, name, value)) return true;
    }
    return false;
}

/// Whether an old and a new value can be shown side by side.
bool fits_on_line(const std::string& value) {
    constexpr std::size_t kSideBySideMax = 60;
    return code_point_count(value) <= kSideBySideMax && value.find('\n') == std::string::npos;
}

std::string how_sure(std::string_view provenance, Language language) {
    const std::string key = "notify.provenance_" + std::string(provenance);
    return parse_provenance(provenance) ? i18n::text(language, key) : std::string();
}

/// `payload` of the request, an empty object when there is none.
const json& payload_of(const json& action) {
    static const json kNone = json::object();
    const json& payload = wire::member(wire::member(action, "request"), "payload");
    return payload.is_object() ? payload : kNone;
}

/// The place of a member: the labels above it and its own label.
struct Path {
    std::string label;
    bool is_known = true;
};

class CardWriter {
  public:
    CardWriter(const Approval& approval, const Reader& reader)
        : approval_(approval),
          language_(reader.language),
          acting_agents_(reader.acting_agents),
          action_(json::parse(approval.action_json, nullptr, false)) {}

    Card write() {
        card_.question = as_shown(approval_.question);
        acting();
        since();
        peer();
        if (!approval_.voters.empty()) own(Kind::Votes, "card.votes", votes_in_words());
        if (approval_.amount_minor) {
            own(Kind::Amount, "card.amount",
                to_text(Money{*approval_.amount_minor, approval_.currency}));
        }
        sent_on_yes();
        request();
        references();
        own_words();
        if (!approval_.reject_text.empty())
            own(Kind::RejectText, "card.on_no", as_shown(approval_.reject_text));
        options();
        context();
        return std::move(card_);
    }

    std::vector<Line> write_members(const json& object, std::string_view under) {
        is_sent_ = true;
        if (object.is_object()) members(object, {std::string(under), true});
        own_words();
        return std::move(card_.lines);
    }

  private:
    void acting() {
        if (acting_agents_ == nullptr) return;
        std::string name = acting_agents_->name_of(approval_.agent_id);
        if (!name.empty()) own(Kind::Member, "card.acting", std::move(name));
    }
    /// Adds what was said after and before the message that the question is about.
    void since() {
        for (const auto& [key, text] : {std::pair("card.since", &approval_.since_text),
                                        std::pair("card.also", &approval_.also_text)}) {
            std::string shown = as_shown(*text);
            while (shown.ends_with('\n'))
                shown.pop_back();
            if (!shown.empty()) own(Kind::Since, key, std::move(shown));
        }
    }
    void own(Kind kind, std::string_view key, std::string value) {
        card_.lines.push_back({kind, i18n::text(language_, key), std::move(value)});
    }
    void peer() {
        const std::vector<std::string> peers = peers_of(approval_);
        if (peers.empty()) return;
        const std::string sure = how_sure(approval_.provenance, language_);
        const std::string id = joined_with("\n", peers, as_shown);
        own(Kind::Peer, "card.peer",
            sure.empty() ? id
                         : i18n::text(language_, "card.peer_sure", {{"peer", id}, {"sure", sure}}));
    }
    std::string votes_in_words() const {
        const auto name = [this](const std::string& person) {
            return person == kOwner ? i18n::text(language_, "card.owner") : as_shown(person);
        };
        const auto text = [&](const char* key, int needed, const std::vector<std::string>& people) {
            const std::string names =
                joined_with(i18n::text(language_, "card.between_names"), people, name);
            return i18n::text(language_, key,
                              {{"needed", std::to_string(needed)},
                               {"people", names},
                               {"person", name(approval_.asked_by)}});
        };
        const int needed = approval_.votes_needed;
        if (agrees_by_own_words(approval_))
            return text("card.votes_own_words", needed - 1, approval_.voters);
        const std::vector<std::string> people = people_who_count(approval_);
        const bool is_excluded =
            !approval_.asked_by.empty() &&
            std::find(people.begin(), people.end(), approval_.asked_by) == people.end();
        return text(is_excluded ? "card.votes_worded" : "card.votes_needed", needed, people);
    }
    void sent_on_yes() {
        const bool is_reply = approval_.action == kReplyAction;
        if (!is_reply) own(Kind::Action, "card.action", action_in_words());
        if (closes_without_answer(approval_))
            return own(Kind::NothingSent, "card.on_yes", i18n::text(language_, "card.nothing"));
        const json& payload = payload_of(action_);
        // A `reply_text` that only summarises the payload is left out: the members of the payload
        // are shown below.
        const bool is_words_of_payload =
            !payload.empty() && wire::text_member(payload, "text") != approval_.reply_text;
        if (approval_.reply_text.empty() || is_words_of_payload) return;
        own(Kind::Text, "card.on_yes", as_shown(approval_.reply_text));
        // A yes to a changed text accepts nothing.
        const bool accepts = !wire::text_member(payload, "offer_message_id").empty();
        if (is_reply && accepts && approval_.status == ApprovalStatus::Pending)
            own(Kind::Member, "card.on_other_words", i18n::text(language_, "card.only_words"));
    }
    std::string action_in_words() const {
        std::string key = "card.act_" + approval_.action;
        std::replace(key.begin() + 9, key.end(), '.', '_');
        return i18n::has_key(language_, key) ? i18n::text(language_, key)
                                             : as_shown(approval_.action);
    }
    void request() {
        const json& request = wire::member(action_, "request");
        if (request.is_object()) {
            members(request, {});
        } else if (!request.is_null()) {
            member("request", request, {});
        }
        if (!action_.is_object()) {
            if (!approval_.action_json.empty())
                add(path({}, "action"), as_shown(approval_.action_json));
            return;
        }
        for (const auto& [name, value] : action_.items()) {
            if (!is_in(kOwnLines, name)) member(name, value, {});
        }
    }
    void references() {
        for (const char* name : {"works_id", "order_id"}) {
            const std::string id = as_shown(wire::text_member(action_, name));
            if (!id.empty() && !is_shown(id)) add(path({}, name), id);
        }
    }
    void options() {
        std::vector<std::string> labels;
        for (AnswerOption& option : further_options(approval_)) {
            // Words of one's own are possible on every surface that takes any.
            const bool needs_words =
                option.kind == OptionKind::Counter || option.kind == OptionKind::Answer;
            if (!needs_words) labels.push_back(std::move(option.label));
        }
        const std::string all = options_on_lines(labels);
        const bool is_assistants = is_worded_by_assistant(approval_);
        if (!all.empty())
            own(Kind::Options, is_assistants ? "card.assistants_options" : "card.options", all);
    }
    void context() {
        std::string shown = as_shown(approval_.context);
        while (!shown.empty() && shown.back() == '\n')
            shown.pop_back();
        if (!shown.empty() && !is_shown(shown)) own(Kind::Context, "card.context", shown);
    }
    bool is_shown(std::string_view value) const {
        return std::any_of(card_.lines.begin(), card_.lines.end(),
                           [&](const Line& line) { return line.value == value; });
    }

    void members(const json& object, const Path& before) {
        const bool with_amount = names_an_amount(object);
        for (const std::string& name : names_of(object)) {
            const json& value = object.at(name);
            if (name == "currency" && with_amount) continue;
            if (const auto amount = amount_in(object, name, value)) {
                // "Price: 300.00 CNY" of {"price": {"amount": …}}.
                const bool is_its_own = name == "amount" || name == "amount_minor";
                add(is_its_own && !before.label.empty() ? before : path(before, name), *amount);
            } else if (name == "payload" && !is_sent_ && before.label.empty() &&
                       value.is_object()) {
                is_sent_ = true;
                members(value, {});
                is_sent_ = false;
            } else if (name == "refusal" && before.label.empty() && value.is_object()) {
                is_refusal_ = true;
                members(value, path(before, name));
                is_refusal_ = false;
            } else {
                member(name, value, before);
            }
        }
    }
    /// Whether a member of what a no sends has a line of its own or says nothing.
    bool is_left_out(const json& value) const {
        if (!is_refusal_) return false;
        return value.is_string() ? value == approval_.reject_text || value == "" : value.empty();
    }
    void member(const std::string& name, const json& value, const Path& before) {
        if (is_left_out(value)) return;
        if (value.is_object() && !value.empty()) {
            members(value, path(before, name));
        } else if (value.is_array() && !value.empty()) {
            list(name, value, path(before, name));
        } else if (!value.is_string() || !has_own_line(name, value.get<std::string>())) {
            add(path(before, name), in_words(name, value));
        }
    }
    /// The text to be sent and its receiver have lines of their own.
    bool has_own_line(std::string_view name, const std::string& value) const {
        if (name == "target_agent_id") return value == approval_.peer_id;
        const auto& texts = text_members();
        const bool is_text = std::find(texts.begin(), texts.end(), name) != texts.end();
        return is_text && value == approval_.reply_text && is_shown(as_shown(value));
    }
    void list(const std::string& name, const json& values, const Path& place) {
        std::string plain;
        int number = 0;
        for (const json& one : values) {
            const Path here{place.label + " " + std::to_string(++number), place.is_known};
            if (one.is_object()) {
                members(one, here);
            } else if (one.is_array()) {
                add(here, as_shown(wire::canonical_json(one)));
            } else {
                plain += (plain.empty() ? "" : "\n") + with_marked_breaks(in_words(name, one));
            }
        }
        if (!plain.empty()) add(place, plain);
    }
    std::string in_words(const std::string& name, const json& value) const {
        if (value.is_boolean())
            return i18n::text(language_, value.get<bool>() ? "card.yes" : "card.no");
        if (value.is_null()) return i18n::text(language_, "card.null");
        if (value.is_array()) return i18n::text(language_, "card.empty_list");
        if (value.is_object()) return i18n::text(language_, "card.empty_object");
        if (value.is_string()) {
            const auto& text = value.get_ref<const std::string&>();
            if (text.empty()) return i18n::text(language_, "card.empty");
            const std::string known = key_of_value(snake_case(name), text);
            if (i18n::has_key(language_, known)) return i18n::text(language_, known);
            return looks_like_another(text) ? "\"" + as_shown(text) + "\"" : as_shown(text);
        }
        if (name.ends_with("_ms") && value.is_number_integer())
            return to_local_time(value.get<std::int64_t>());
        const std::string number = wire::canonical_json(value);
        const std::string key = "card.is_" + snake_case(name) + "_" + number;
        if (!i18n::has_key(language_, key)) return number;
        return i18n::text(language_, "card.number_means",
                          {{"number", number}, {"word", i18n::text(language_, key)}});
    }

    /// Whether a text is written like a number, or like our word for another value. Quoted it is
    /// told from that; so is a text that brings quotation marks of its own.
    bool looks_like_another(const std::string& text) const {
        constexpr std::array<const char*, 6> kOurWords = {"card.yes",        "card.no",
                                                          "card.empty",      "card.null",
                                                          "card.empty_list", "card.empty_object"};
        const bool is_quoted = text.size() > 1 && text.starts_with('"') && text.ends_with('"');
        return is_quoted || json::parse(text, nullptr, false).is_number() ||
               std::any_of(kOurWords.begin(), kOurWords.end(), [&](const char* key) {
                   return i18n::text(language_, key) == trim(text);
               });
    }

    /// A name that somebody chose could equal one of our labels, so it is never used as a label.
    void add(const Path& place, std::string value) {
        if (place.is_known && !(is_sent_ && is_label_of_ours(place.label))) {
            const bool is_there = std::any_of(
                card_.lines.begin(), card_.lines.end(),
                [&](const Line& line) { return line.label == place.label && line.value == value; });
            if (!is_there) card_.lines.push_back({Kind::Member, place.label, std::move(value)});
            return;
        }
        std::string entry = json(place.label).dump() + " = " + std::move(value);
        for (std::size_t at = entry.find('\n'); at != std::string::npos;
             at = entry.find('\n', at + 1))
            entry.insert(at + 1, "    ");
        own_words_ += (own_words_.empty() ? "" : "\n") + entry;
    }
    void own_words() {
        if (!own_words_.empty()) own(Kind::Member, "card.own_words", std::move(own_words_));
        own_words_.clear();
    }
    bool is_label_of_ours(const std::string& label) const {
        return std::any_of(kOurLabels.begin(), kOurLabels.end(),
                           [&](const char* key) { return i18n::text(language_, key) == label; });
    }
    Path path(const Path& before, const std::string& name) const {
        const std::string key = key_of(name);
        std::string label = key.empty() ? as_shown(name) : i18n::text(language_, key);
        // A name is kept to one line; otherwise it could look like several lines.
        std::replace(label.begin(), label.end(), '\n', ' ');
        // "Order / Number" of {"order": {"order_id": …}}.
        if (label == before.label && snake_case(name).ends_with("_id"))
            label = i18n::text(language_, "card.number");
        if (!before.label.empty()) label = before.label + " / " + label;
        return {std::move(label), before.is_known && !key.empty()};
    }
    /// The key of the text that names `name`; empty if there is none.
    std::string key_of(std::string_view name) const {
        const std::string known = snake_case(name);
        for (const char* area : {"card.of_", "agents.mail."}) {
            const std::string key = area + known;
            if (i18n::has_key(language_, key)) return key;
        }
        return {};
    }

    const Approval& approval_;
    Language language_;
    const ActingAgents* acting_agents_;
    json action_;
    bool is_refusal_ = false;  ///< what a no sends besides its words is read
    bool is_sent_ = false;  ///< the members of a message are read, and its author chose their names
    std::string own_words_;  ///< members without a name in the catalogue, and their values
    Card card_;
};

}  // namespace

std::string_view to_string(Line::Kind value) {
    switch (value) {
        case Kind::Since:
            return "since";
        case Kind::Peer:
            return "peer";
        case Kind::Votes:
            return "votes";
        case Kind::Amount:
            return "amount";
        case Kind::Action:
            return "action";
        case Kind::Text:
            return "text";
        case Kind::NothingSent:
            return "nothing_sent";
        case Kind::Member:
            return "member";
        case Kind::RejectText:
            return "reject_text";
        case Kind::Options:
            return "options";
        case Kind::Context:
            return "context";
    }
    return "member";
}

void register_text_member(std::string_view name) {
    auto& texts = text_members();
    if (std::find(texts.begin(), texts.end(), name) == texts.end()) texts.push_back(name);
}

Card card_of(const Approval& approval, const Reader& reader) {
    return CardWriter(approval, reader).write();
}

std::vector<Line> lines_of(const json& payload, Language language, std::string_view under) {
    const Approval none;
    return CardWriter(none, language).write_members(payload, under);
}

std::string received_in_words(const json& payload, Language language, std::string_view under) {
    std::vector<Line> lines = lines_of(payload, language, under);
    for (const char* key : {"card.empty", "card.null", "card.empty_list", "card.empty_object"}) {
        const std::string empty = i18n::text(language, key);
        std::erase_if(lines, [&](const Line& line) { return line.value == empty; });
    }
    return in_text(lines, language);
}

std::string changes_in_words(const json& before, const json& after, Language language,
                             std::string_view under) {
    const std::vector<Line> later = lines_of(after, language, under);
    const std::vector<Line> earlier = lines_of(before, language, under);
    const std::string arrow = i18n::text(language, "card.arrow");
    const auto named = [](const std::vector<Line>& lines, const std::string& label) {
        return std::find_if(lines.begin(), lines.end(),
                            [&](const Line& line) { return line.label == label; });
    };
    std::vector<Line> shown;
    for (Line line : earlier) {
        const auto now = named(later, line.label);
        if (now == later.end() || now->value == line.value) {
            line.value = i18n::text(language, "card.stays", {{"value", line.value}});
        } else if (fits_on_line(line.value) && fits_on_line(now->value)) {
            line.value += arrow + now->value;
        } else {
            line.label = i18n::text(language, "card.until_now", {{"label", line.label}});
        }
        shown.push_back(std::move(line));
    }
    const std::string empty = i18n::text(language, "card.empty");
    for (const Line& line : later) {
        if (named(earlier, line.label) == earlier.end() && fits_on_line(line.value))
            shown.push_back({line.kind, line.label, empty + arrow + line.value});
    }
    return in_text(shown, language);
}

std::string message_in_words(std::string_view payload_json, Language language) {
    const json payload = json::parse(payload_json, nullptr, false);
    const std::string said = wire::text_member(payload, "text");
    const bool is_words = payload.is_object() && payload.size() == 1 && !said.empty();
    std::string text = is_words ? said : in_text(lines_of(payload, language), language);
    while (text.ends_with('\n'))
        text.pop_back();
    if (text.empty()) text = i18n::text(language, "card.empty");
    std::string line;
    for (const char c : as_shown(text)) {
        line += c == '\n' && is_words ? ' ' : c;
        if (c == '\n' && !is_words) line += "    ";
    }
    return line;
}

std::string closed_in_words(const Approval& approval, Language language) {
    if (!approval.closed_by) return {};
    const std::string key = "notify.closed_" + std::string(a2h::to_string(*approval.closed_by));
    const std::string text = i18n::text(language, key);
    if (approval.next_id.empty()) return text;
    return text + " " + i18n::text(language, "notify.closed_next", {{"id", approval.next_id}});
}

std::string in_text(const std::vector<Line>& lines, Language language) {
    const std::string colon = i18n::text(language, "card.colon");
    std::string text;
    for (const Line& line : lines) {
        text += line.label + colon;
        for (const char c : line.value) {
            text += c;
            if (c == '\n') text += "    ";
        }
        text += '\n';
    }
    return text;
}

json to_json(const std::vector<Line>& lines) {
    json list = json::array();
    for (const Line& line : lines) {
        list.push_back(
            {{"kind", to_string(line.kind)}, {"label", line.label}, {"value", line.value}});
    }
    return list;
}

bool closes_without_answer(const Approval& approval) {
    if (approval.action != kReplyAction) return false;
    return approval.reply_text.empty() || approval.peer_id.empty();
}

}  // namespace a2h::card
