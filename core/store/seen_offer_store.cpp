#include "core/store/seen_offer_store.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "core/store/inbox_store.h"
#include "core/store/open_matter_store.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

using nlohmann::json;

/// The beginning of the row that stands for rows beyond the limits.
constexpr const char* kMore = "more:";

/// The market's news name orders, proposals and messages only.
bool is_in_news(const SeenOffer& offer) {
    return offer.words.empty();
}

/// Words are distinguished by their author, because an answer may leave the author out.
std::string thing_of(const SeenOffer& offer) {
    const std::string thing = offer.name + ":" + offer.id;
    return is_in_news(offer) ? thing : thing + "@" + offer.peer_id;
}

/// The recorded state of one item.
struct Known {
    json words;
    json shown;
};

json object_in(const std::string& text) {
    json object = json::parse(text, nullptr, false);
    return object.is_object() ? std::move(object) : json::object();
}

Result<std::optional<Known>> known_of(Database& db, std::string_view agent_id,
                                      const std::string& thing) {
    static constexpr const char* kSql =
        "select words_json, shown from seen_offer where agent_id = ? and thing = ?";
    return db.statement(kSql).first(
        [](Row& row) {
            return Known{object_in(row.text(0)), object_in(row.text(1))};
        },
        agent_id, thing);
}

bool has_words(const json& value) {
    if (!value.is_string()) return !value.empty() && value.is_structured();
    const auto& text = value.get_ref<const std::string&>();
    return !text.empty() && !is_wordless_id(text) && !parse_time(text);
}

/// Adds the members of `offer` to `shown`, which lacks some if it was made from a list: a list
/// shows only a part of each item. True if a new member contains words.
bool merge_shown(const SeenOffer& offer, json& shown) {
    bool has_more = false;
    const json now = object_in(offer.shown);
    for (const auto& [member, value] : now.items())
        has_more = has_more || (has_words(value) && !has_words(shown.value(member, json())));
    shown.update(now);
    return has_more;
}

/// Adds the digests of `offer` to `words`. True if words are new or others.
bool merge_words(const SeenOffer& offer, json& words) {
    bool is_changed = false;
    for (const auto& [member, digest] : offer.words) {
        json& present = words[member];
        if (present != digest && !(present.is_null() && digest.empty())) is_changed = true;
        present = digest;
    }
    return is_changed;
}

/// True if `offer` says something that `known` does not. Adds it to `known`.
bool merge(const SeenOffer& offer, Known& known) {
    const bool has_more = merge_shown(offer, known.shown);
    return is_in_news(offer) ? has_more : merge_words(offer, known.words);
}

/// When the market's news first reported `offer`; nullopt if they have not.
Result<std::optional<UnixMs>> reported_at(Database& db, std::string_view agent_id,
                                          const SeenOffer& offer) {
    static constexpr const char* kSql =
        "select min(received_at_ms) from (select received_at_ms, payload_json from inbox "
        "indexed by inbox_platform where source = 'platform' and agent_id = ?1 "
        "order by id desc limit ?3) where instr(payload_json, ?2) > 0 "
        "having min(received_at_ms) is not null";
    if (!is_in_news(offer)) return std::optional<UnixMs>();
    const std::string member = "\"" + offer.name + "\":" + json(offer.id).dump();
    return db.statement(kSql).first(sql::kFirstNumber, agent_id, member, kMarketMessagesMax);
}

Result<void> note(Database& db, std::string_view agent_id, const SeenOffer& offer, UnixMs now_ms) {
    static constexpr const char* kPut =
        "insert into seen_offer (agent_id, peer_id, thing, seen_at_ms, words_json, shown) "
        "values (?, ?, ?, ?, ?, ?) on conflict (agent_id, thing) do update set "
        "seen_at_ms = excluded.seen_at_ms, words_json = excluded.words_json, "
        "shown = excluded.shown";
    const std::string thing = thing_of(offer);
    A2H_ASSIGN_OR_RETURN(auto known, known_of(db, agent_id, thing));
    if (known) {
        if (!merge(offer, *known)) return {};
        const std::string shown = is_in_news(offer) ? known->shown.dump() : offer.shown;
        return db.statement(kPut).run(agent_id, offer.peer_id, thing, now_ms, known->words.dump(),
                                      shown);
    }
    A2H_ASSIGN_OR_RETURN(const auto reported_ms, reported_at(db, agent_id, offer));
    json words = json::object();
    merge_words(offer, words);
    return db.statement(kPut).run(agent_id, offer.peer_id, thing, reported_ms.value_or(now_ms),
                                  words.dump(), offer.shown);
}

/// A row that is removed because of the limits.
struct Oldest {
    std::int64_t id = 0;
    std::string peer_id;
    UnixMs seen_at_ms = 0;
};

Oldest read_oldest(Row& row) {
    return {row.integer(0), row.text(1), row.integer(2)};
}

Result<void> remove(Database& db, const std::vector<Oldest>& rows) {
    static constexpr const char* kSql = "delete from seen_offer where id = ?";
    for (const Oldest& row : rows)
        A2H_TRY(db.statement(kSql).run(row.id));
    return {};
}

/// Records that more of `peer_id` was read, the newest at `seen_at_ms`.
Result<void> note_more(Database& db, std::string_view agent_id, const std::string& peer_id,
                       UnixMs seen_at_ms) {
    static constexpr const char* kSql =
        "insert into seen_offer (agent_id, peer_id, thing, seen_at_ms) values (?, ?, ?, ?) "
        "on conflict (agent_id, thing) do update set "
        "seen_at_ms = max(seen_at_ms, excluded.seen_at_ms)";
    return db.statement(kSql).run(agent_id, peer_id, kMore + peer_id, seen_at_ms);
}

/// A flood of one peer only removes rows of its own.
Result<void> limit_peer(Database& db, std::string_view agent_id, const std::string& peer_id) {
    static constexpr const char* kSql =
        "select id, peer_id, seen_at_ms from seen_offer indexed by seen_offer_peer "
        "where agent_id = ?1 and peer_id = ?2 and thing <> 'more:' || ?2 "
        "order by seen_at_ms desc, id desc limit -1 offset ?3";
    A2H_ASSIGN_OR_RETURN(const auto rows, db.statement(kSql).all(read_oldest, agent_id, peer_id,
                                                                 kSeenOffersOfPeerMax));
    if (rows.empty()) return {};
    A2H_TRY(note_more(db, agent_id, peer_id, rows.front().seen_at_ms));
    return remove(db, rows);
}

/// Rows of peers to whom a human's yes has sent something since need not be kept; for the others,
/// everybody counts as read.
Result<void> limit_all(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select id, peer_id, seen_at_ms from seen_offer indexed by seen_offer_peer "
        "where agent_id = ?1 and thing <> 'more:' order by seen_at_ms desc, id desc "
        "limit -1 offset ?2";
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         db.statement(kSql).all(read_oldest, agent_id, kSeenOffersMax));
    std::optional<UnixMs> open_since_ms;
    for (const Oldest& row : rows) {
        A2H_ASSIGN_OR_RETURN(const auto released, was_released_since(db, agent_id, row.peer_id,
                                                                     row.seen_at_ms, Yes::ToText));
        if (!released) open_since_ms = std::max(open_since_ms.value_or(0), row.seen_at_ms);
    }
    if (open_since_ms) A2H_TRY(note_more(db, agent_id, {}, *open_since_ms));
    return remove(db, rows);
}

}  // namespace

Result<bool> is_known_offer(Database& db, std::string_view agent_id, const SeenOffer& offer) {
    A2H_ASSIGN_OR_RETURN(auto known, known_of(db, agent_id, thing_of(offer)));
    return known && !merge(offer, *known);
}

Result<void> note_seen_offers(Database& db, std::string_view agent_id,
                              std::span<const SeenOffer> offers, UnixMs now_ms) {
    std::set<std::string> peers;
    for (const SeenOffer& offer : offers) {
        A2H_TRY(note(db, agent_id, offer, now_ms));
        peers.insert(offer.peer_id);
    }
    for (const std::string& peer_id : peers)
        A2H_TRY(limit_peer(db, agent_id, peer_id));
    return limit_all(db, agent_id);
}

}  // namespace a2h::store
