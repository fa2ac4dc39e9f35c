#include "daemon/consent/said.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/contact_store.h"
#include "core/store/listing_store.h"
#include "core/store/open_matter_store.h"
#include "core/wire/json_member.h"
#include "daemon/card/card.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/open_matters.h"
#include "daemon/consent/open_rows.h"
#include "daemon/consent/renewal.h"

namespace a2h::consent {
namespace {

using nlohmann::json;
using From = store::Said::From;

constexpr std::string_view kMark = "• ";
/// What is older than so many entries of one kind is not examined.
constexpr int kReadMax = store::kOpenReadMax;
/// The row that stands for what was read and is not kept.
constexpr std::string_view kMoreRead = "more:";

/// Something that was said, by whom and to whom.
struct Entry {
    std::string peer_id;
    std::string agent_id;
    store::Said said;
};

std::string all_of(const store::Said& said) {
    return all_said(said.message_type, said.id, said.trace_id, said.payload_json);
}

std::string refused_in_words(std::string_view reason, i18n::Language language) {
    const bool is_known_id = reason == to_string(Refusal::ConflictingDuplicate);
    return i18n::text(language, is_known_id ? "card.said_refused" : "card.said_unreadable");
}

std::string words_of(const store::Said& said, i18n::Language language) {
    if (said.from == From::Mail) return card::message_in_words(all_of(said), language);
    if (said.from == From::Refused) return refused_in_words(said.id, language);
    if (said.id.starts_with(kMoreRead)) return i18n::text(language, "card.said_not_kept");
    const char* key = said.from == From::News ? "card.said_news" : "card.said_read";
    return i18n::text(language, key) + " " + row_in_words(said, language);
}

std::string in_words(const Entry& entry, const Approval& approval, i18n::Language language) {
    std::string words = words_of(entry.said, language);
    if (entry.agent_id != approval.agent_id)
        words = i18n::text(language, "card.said_to", {{"agent", entry.agent_id}}) + " " + words;
    if (!approval.peer_id.empty()) return words;
    return i18n::text(language, "card.said_by", {{"peer", entry.peer_id}}) + " " + words;
}

/// The newest entries that fit, oldest first.
Said written(std::vector<Entry> entries, bool has_more, const Approval& approval,
             i18n::Language language) {
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::pair(a.said.at_ms, a.said.inbox_id) > std::pair(b.said.at_ms, b.said.inbox_id);
    });
    Said all;
    all.has_more = has_more;
    for (const Entry& entry : entries) {
        std::string text = entry_of(in_words(entry, approval, language));
        if (all.count == kSaidMax || all.text.size() + text.size() > kSaidBytesMax) {
            all.has_more = true;
            break;
        }
        all.text.insert(0, text);
        ++all.count;
    }
    return all;
}

Result<std::vector<Entry>> entries_after(store::Database& db, const std::string& agent_id,
                                         const std::string& peer_id,
                                         const store::SaidAfter& after) {
    A2H_ASSIGN_OR_RETURN(auto said, all_said_after(db, agent_id, peer_id, after, kReadMax));
    std::vector<Entry> entries;
    for (store::Said& one : said)
        entries.push_back({peer_id, agent_id, std::move(one)});
    return entries;
}

/// Whether the peer's messages can be distinguished from messages that others send in its name,
/// because one of `agents` has pinned its key (R49).
Result<bool> is_pinned(store::Database& db, const std::vector<std::string>& agents,
                       const std::string& peer_id) {
    for (const std::string& agent_id : agents) {
        A2H_ASSIGN_OR_RETURN(const auto contact, store::get_contact(db, agent_id, peer_id));
        if (contact && !contact->public_key.empty()) return true;
    }
    return false;
}

bool is_unverified(const store::Said& said) {
    return said.provenance == to_string(Provenance::Unverified);
}

bool is_cut(const std::vector<Entry>& entries) {
    return std::ssize(entries) >= kReadMax;
}

/// True for a text without further members that leaves nothing open.
bool is_settled(const store::Said& said, const std::vector<Listing>& listings) {
    if (said.from != From::Mail || said.decision.empty() || !said.is_chat) return false;
    const json payload = json::parse(said.payload_json, nullptr, false);
    if (!payload.is_object()) return false;
    constexpr std::array<std::string_view, 4> kPlain{"text", "type", "worksId", "orderId"};
    for (const auto& [name, value] : payload.items()) {
        const bool is_plain = std::ranges::find(kPlain, name) != kPlain.end() && value.is_string();
        if (!is_plain || (name == "type" && value != "text" && value != "inquiry")) return false;
    }
    return !leaves_open(
        {said.id, said.trace_id, said.payload_json, said.decision == "answer", said.is_fixed},
        listings);
}

bool is_about(const store::Said& said, const std::vector<std::string>& ids) {
    return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
        return said.from == From::News
                   ? said.payload_json.find(json(id).dump()) != std::string::npos
                   : said.id.ends_with(":" + id);
    });
}

bool is_sure_enough(const std::string& provenance, Provenance asked) {
    const auto known = parse_provenance(provenance).value_or(Provenance::Unverified);
    if (asked == Provenance::Verified) return known == Provenance::Verified;
    return asked != Provenance::Vouched || known != Provenance::Unverified;
}

/// Whether an entry is news for the card of `approval`. Mail of its only peer to its own agent is
/// examined by `renew` itself.
bool is_news(const Entry& entry, const Approval& approval, Provenance asked) {
    const store::Said& said = entry.said;
    if (said.from == From::Refused) return is_sure_enough(said.provenance, asked);
    if (said.from != From::Mail) return !is_about(said, own_matter_of(approval).market_ids);
    if (entry.agent_id == approval.agent_id && !approval.peer_id.empty()) return false;
    const std::string all = all_of(said);
    return is_sure_enough(said.provenance, asked) && !is_harmless(said.message_type, all);
}

/// The places after `entries`. What is not decided yet is examined again, because its provenance
/// may still become known.
void move_places(Approval& approval, const std::vector<Entry>& entries) {
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    for (const Entry& entry : entries) {
        const store::Said& said = entry.said;
        if (said.from == From::Mail && said.decision.empty()) end = std::min(end, said.inbox_id);
    }
    for (const Entry& entry : entries) {
        const store::Said& said = entry.said;
        if (said.inbox_id < end)
            approval.seen_other_id = std::max(approval.seen_other_id, said.inbox_id);
        if (said.from == From::Market || said.from == From::Refused)
            approval.seen_read_ms = std::max(approval.seen_read_ms, said.at_ms);
    }
}

/// The entries that were found for a card.
struct Found {
    std::vector<Entry> entries;
    bool has_more = false;      ///< there are older entries, which were not read
    bool has_doubtful = false;  ///< entries in a pinned peer's name were left out

    void add(std::vector<Entry> more) {
        entries.insert(entries.end(), std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
    }
};

Result<void> find_open(store::Database& db, const std::string& peer_id, Found& found) {
    A2H_ASSIGN_OR_RETURN(const auto agents, store::agents_that_heard(db, peer_id));
    A2H_ASSIGN_OR_RETURN(const auto has_key, is_pinned(db, agents, peer_id));
    for (const std::string& agent_id : agents) {
        A2H_ASSIGN_OR_RETURN(const auto listings, store::list_listings(db, agent_id));
        A2H_ASSIGN_OR_RETURN(auto entries,
                             entries_after(db, agent_id, peer_id, {.since_release = true}));
        found.has_more = found.has_more || is_cut(entries);
        std::erase_if(entries, [&](const Entry& entry) {
            const bool is_doubtful = has_key && is_unverified(entry.said);
            found.has_doubtful = found.has_doubtful || is_doubtful;
            return is_doubtful || is_settled(entry.said, listings);
        });
        found.add(std::move(entries));
    }
    return {};
}

/// Adds the news of `peer_id` to `news`, and all that was examined for them to `examined`.
Result<void> find_news(store::Database& db, const Approval& approval, const std::string& peer_id,
                       Found& news, std::vector<Entry>& examined) {
    A2H_ASSIGN_OR_RETURN(const auto agents,
                         store::agents_that_heard(db, peer_id, approval.seen_other_id));
    A2H_ASSIGN_OR_RETURN(const auto asked, asked_about(db, approval, peer_id));
    const store::SaidAfter after{.inbox_id = approval.seen_other_id,
                                 .read_ms = approval.seen_read_ms};
    for (const std::string& agent_id : agents) {
        A2H_ASSIGN_OR_RETURN(auto entries, entries_after(db, agent_id, peer_id, after));
        news.has_more = news.has_more || is_cut(entries);
        for (Entry& entry : entries) {
            const bool is_mail_of_renew = entry.said.from == From::Mail &&
                                          agent_id == approval.agent_id &&
                                          !approval.peer_id.empty();
            if (!is_mail_of_renew) examined.push_back(entry);
            if (is_news(entry, approval, asked)) news.entries.push_back(std::move(entry));
        }
    }
    return {};
}

/// Whether it was said before what `said_elsewhere` reads.
bool is_before_places(const store::Said& said, const Approval& approval) {
    if (said.from == From::Market || said.from == From::Refused)
        return said.at_ms <= approval.seen_read_ms;
    return said.inbox_id <= approval.seen_other_id;
}

bool is_on_card(const Approval& approval, const std::string& words) {
    return approval.context.find(words) != std::string::npos ||
           approval.also_text.find(words) != std::string::npos;
}

}  // namespace

std::string entry_of(std::string_view words) {
    return std::string(kMark) + std::string(words) + "\n";
}

int count_entries(std::string_view text) {
    int count = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        count += text.substr(at).starts_with(kMark) ? 1 : 0;
    return count;
}

Result<Said> said_and_open(store::Database& db, const Approval& approval, i18n::Language language) {
    Found open;
    for (const std::string& peer_id : peers_of(approval))
        A2H_TRY(find_open(db, peer_id, open));
    Said said = written(std::move(open.entries), open.has_more, approval, language);
    if (open.has_doubtful) said.text += entry_of(i18n::text(language, "card.said_unverified"));
    return said;
}

Result<Said> open_before(store::Database& db, const Approval& approval, i18n::Language language) {
    Found open;
    A2H_TRY(find_open(db, approval.peer_id, open));
    A2H_ASSIGN_OR_RETURN(const auto asked, asked_about(db, approval, approval.peer_id));
    std::erase_if(open.entries, [&](const Entry& entry) {
        if (!is_before_places(entry.said, approval)) return true;
        if (entry.said.from != From::Mail || entry.agent_id != approval.agent_id)
            return !is_news(entry, approval, asked);
        return entry.said.inbox_id == approval.job_id ||
               !is_sure_enough(entry.said.provenance, asked) ||
               is_on_card(approval, in_words(entry, approval, language));
    });
    return written(std::move(open.entries), open.has_more, approval, language);
}

Result<Said> said_elsewhere(store::Database& db, Approval& approval, i18n::Language language) {
    Found news;
    std::vector<Entry> examined;
    for (const std::string& peer_id : peers_of(approval))
        A2H_TRY(find_news(db, approval, peer_id, news, examined));
    move_places(approval, examined);
    return written(std::move(news.entries), news.has_more, approval, language);
}

}  // namespace a2h::consent
