// How many turns of the labelled dialogues are read as people read them; see README.md.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/money.h"
#include "core/domain/deal.h"
#include "core/wire/payload.h"
#include "daemon/decide/acts.h"
#include "daemon/decide/decision.h"
#include "daemon/decide/rules.h"

using namespace a2h;
using nlohmann::json;

namespace {

/// The dialogues with these numbers and higher have not been seen by whoever wrote the word lists.
constexpr int kFirstUnseen = 81;

struct Counts {
    int turns = 0;
    int right = 0;
    int dialogues = 0;
    int wholly = 0;
    int peers = 0;
    int peers_right = 0;
    int wrongly_agreed = 0;  ///< both are said to have agreed by a message that agrees to nothing
    int still_agreed = 0;    ///< an agreement is kept though somebody has left it
    std::map<std::string, std::pair<int, int>> by_acts;  ///< right and all, by what is labelled
    std::map<std::string, int> taken_for;  ///< wrong turns, by what is labelled and what was read
};

int number_of(const json& dialogue) {
    return std::atoi(dialogue.at("id").get<std::string>().substr(3).c_str());
}

std::vector<json> dialogues_in(const std::string& file) {
    std::vector<json> all;
    std::ifstream in(std::string(A2H_SOURCE_DIR) + "/tests/dialogues/" + file);
    for (std::string line; std::getline(in, line);)
        all.push_back(json::parse(line));
    return all;
}

Listing listing_of(const json& dialogue) {
    const json& given = dialogue.at("listing");
    Listing listing;
    listing.works_id = "works_1";
    listing.title = given.at("title");
    listing.content = given.at("content");
    listing.expected_price =
        given.at("price").get<std::string>() + " " + given.at("currency").get<std::string>();
    listing.status = "published";
    return listing;
}

const decide::RuleSet& rules() {
    static const decide::RuleSet built_in = decide::RuleSet::load("/nonexistent").value();
    return built_in;
}

std::vector<Act> read_peer(const json& dialogue, const json& turn, const Deal& deal,
                           const std::vector<HistoryEntry>& recent) {
    decide::Input input;
    input.message.agent_id = "ag_we";
    input.message.sender_id = "ag_peer";
    input.message.message_type = "chat.request";
    input.message.message_id = "msg_1760000000000_0badf00d";
    input.message.provenance = Provenance::Verified;
    input.message.payload_json = wire::text_payload(turn.at("text").get<std::string>());
    input.payload = wire::view_payload(input.message.payload_json);
    if (dialogue.at("we") == "seller") input.listings = {listing_of(dialogue)};
    input.messages_last_minute = 1;
    input.deal = deal;
    input.recent = recent;
    return decide::decide(input, rules(), {}).acts;
}

std::vector<Act> read_own(const json& dialogue, const json& turn, const Deal& deal,
                          const std::vector<HistoryEntry>& recent) {
    const json& listing = dialogue.at("listing");
    decide::Matter matter{.price = {}, .title = listing.at("title")};
    const auto price = parse_money(listing.at("price").get<std::string>(),
                                   listing.at("currency").get<std::string>());
    if (price) matter.price = *price;
    return decide::own_acts(wire::text_payload(turn.at("text").get<std::string>()), deal, recent,
                            matter);
}

std::string amount_of(const json& terms) {
    if (!terms.is_object() || !terms.contains("amount")) return "-";
    const std::string currency = terms.value("currency", "");
    const auto money = parse_money(terms.at("amount").get<std::string>(), currency);
    return money ? to_text(*money) : "?";
}

std::string amount_of(const std::optional<StandingOffer>& offer) {
    if (!offer) return "-";
    return offer->terms.price ? to_text(*offer->terms.price) : "?";
}

/// Refusing the whole matter ends what both stand to. One author of the dialogues called that
/// declined, the other one withdrawn.
std::string without_how(const std::string& phase) {
    return phase == "declined" || phase == "withdrawn" ? "ended" : phase;
}

std::string expected_state(const json& turn) {
    const json& table = turn.at("table");
    return without_how(turn.at("phase")) + " peer " + amount_of(table.at("peer")) + " us " +
           amount_of(table.at("us"));
}

std::string state_of(const Deal& deal) {
    return without_how(std::string(to_string(deal.phase))) + " peer " + amount_of(deal.theirs) +
           " us " + amount_of(deal.ours);
}

/// The acts that bind somebody; courtesies and remarks are not compared.
const std::set<std::string> kBinding{"offers",         "accepts",        "declines",
                                     "withdraws",      "claims_payment", "claims_delivery",
                                     "claims_receipt", "asks_payment"};

std::set<std::string> without_how(std::set<std::string> names) {
    if (names.erase("declines") + names.erase("withdraws") != 0) names.insert("ends");
    return names;
}

/// An acceptance with a condition is an offer, as `advance` takes it.
std::set<std::string> binding(const std::vector<Act>& acts) {
    std::set<std::string> names;
    for (const Act& act : acts) {
        const bool is_counter = act.kind == ActKind::Accepts && !act.terms.conditions.empty();
        const std::string name(to_string(is_counter ? ActKind::Offers : act.kind));
        if (kBinding.contains(name)) names.insert(name);
    }
    return without_how(std::move(names));
}

std::set<std::string> binding(const json& turn) {
    std::set<std::string> names;
    for (const json& act : turn.at("acts")) {
        const std::string name = act.at("act");
        if (kBinding.contains(name)) names.insert(name);
    }
    return without_how(std::move(names));
}

std::optional<StandingOffer> standing(const json& terms, const std::string& message_id,
                                      std::vector<std::string> words) {
    if (!terms.is_object()) return std::nullopt;
    StandingOffer offer;
    offer.message_id = message_id;
    const auto money = parse_money(terms.value("amount", ""), terms.value("currency", ""));
    if (money) offer.terms.price = *money;
    offer.terms.conditions = std::move(words);
    return offer;
}

bool does(const json& turn, const char* act) {
    const json& acts = turn.at("acts");
    return std::any_of(acts.begin(), acts.end(),
                       [&](const json& each) { return each.at("act") == act; });
}

std::string joined(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : "+") + name;
    return text.empty() ? "binds nobody" : text;
}

/// The deal that a careful person sees before a turn, so that one mistake counts once. What stands
/// has the words of its messages as conditions, as the program stores them.
class LabelledDeal {
  public:
    void take(const json& turn) {
        const bool is_peer = turn.at("by") == "peer";
        auto& words = is_peer ? peer_words_ : our_words_;
        if (does(turn, "offers")) words.clear();
        if (does(turn, "offers") || does(turn, "conditions")) words.push_back(turn.at("text"));
        Deal next;
        next.ours = standing(turn.at("table").at("us"), "msg_us", our_words_);
        next.theirs = standing(turn.at("table").at("peer"), "msg_peer", peer_words_);
        next.ended = parse_deal_phase(turn.at("phase").get<std::string>()).value();
        if (next.ended == DealPhase::Agreed) next.agreed = agreement(is_peer);
        deal_ = lapse(std::move(next), 0);
    }

    const Deal& deal() const { return deal_; }

  private:
    std::optional<Agreement> agreement(bool is_peer) const {
        if (deal_.agreed) return deal_.agreed;
        const auto& accepted = is_peer ? deal_.ours : deal_.theirs;
        Agreement made;
        if (accepted) made.terms = accepted->terms;
        return made;
    }

    Deal deal_;
    std::vector<std::string> our_words_;
    std::vector<std::string> peer_words_;
};

void print_wrong(const json& dialogue, const json& turn, const std::vector<Act>& acts,
                 const Deal& deal) {
    std::string read;
    for (const Act& act : acts)
        read += std::string(to_string(act.kind)) + " ";
    std::string label;
    for (const json& act : turn.at("acts"))
        label += act.at("act").get<std::string>() + " ";
    std::printf("%s %s: %s\n    label %s| %s\n    read  %s| %s\n",
                dialogue.at("id").get<std::string>().c_str(),
                turn.at("by").get<std::string>().c_str(),
                turn.at("text").get<std::string>().c_str(), label.c_str(),
                expected_state(turn).c_str(), read.c_str(), state_of(deal).c_str());
}

void read_turn(const json& dialogue, const json& turn, const Deal& before,
               const std::vector<HistoryEntry>& recent, Counts& counts, bool& all_right) {
    const bool is_peer = turn.at("by") == "peer";
    Deal deal = before;
    auto acts =
        is_peer ? read_peer(dialogue, turn, deal, recent) : read_own(dialogue, turn, deal, recent);
    for (Act& act : acts) {
        act.by = is_peer ? ActBy::Peer : ActBy::Us;
        act.message_id = "msg_x";
        deal = advance(std::move(deal), act).deal;
    }
    const bool is_right = state_of(deal) == expected_state(turn) && binding(acts) == binding(turn);
    const bool agreed_wrongly = deal.phase == DealPhase::Agreed && turn.at("phase") != "agreed";
    auto& same = counts.by_acts[joined(binding(turn))];
    same.first += is_right ? 1 : 0;
    ++same.second;
    if (!is_right) ++counts.taken_for[joined(binding(turn)) + " read as " + joined(binding(acts))];
    ++counts.turns;
    counts.right += is_right ? 1 : 0;
    counts.peers += is_peer ? 1 : 0;
    counts.peers_right += is_peer && is_right ? 1 : 0;
    const bool was_agreed = before.phase == DealPhase::Agreed;
    counts.wrongly_agreed += agreed_wrongly && !was_agreed ? 1 : 0;
    counts.still_agreed += agreed_wrongly && was_agreed ? 1 : 0;
    all_right = all_right && is_right;
    const char* show = std::getenv("A2H_SHOW_DIALOGUES");
    const std::string which = show == nullptr ? "" : show;
    const bool is_seen = number_of(dialogue) < kFirstUnseen;
    const bool is_shown = which == "all" || (which == "agreed" && agreed_wrongly);
    if (!is_right && is_seen && is_shown) print_wrong(dialogue, turn, acts, deal);
}

HistoryEntry entry_of(const json& turn) {
    HistoryEntry entry;
    entry.incoming = turn.at("by") == "peer";
    entry.payload_json = wire::text_payload(turn.at("text").get<std::string>());
    entry.provenance = Provenance::Verified;
    return entry;
}

Counts measure(const std::string& file, bool unseen) {
    Counts counts;
    for (const json& dialogue : dialogues_in(file)) {
        if ((number_of(dialogue) >= kFirstUnseen) != unseen) continue;
        LabelledDeal before;
        std::vector<HistoryEntry> recent;
        bool all_right = true;
        for (const json& turn : dialogue.at("turns")) {
            read_turn(dialogue, turn, before.deal(), recent, counts, all_right);
            before.take(turn);
            recent.insert(recent.begin(), entry_of(turn));
        }
        ++counts.dialogues;
        counts.wholly += all_right ? 1 : 0;
    }
    return counts;
}

void print(const char* name, const Counts& counts) {
    std::printf(
        "%-18s %4d of %4d turns right (%4.1f %%), of the peer %4d of %4d (%4.1f %%), "
        "%3d of %3d dialogues wholly, %d wrongly agreed, "
        "%d still agreed\n",
        name, counts.right, counts.turns, 100.0 * counts.right / counts.turns, counts.peers_right,
        counts.peers, 100.0 * counts.peers_right / counts.peers, counts.wholly, counts.dialogues,
        counts.wrongly_agreed, counts.still_agreed);
    for (const auto& [acts, right] : counts.by_acts)
        std::printf("    %-32s %3d of %3d\n", acts.c_str(), right.first, right.second);
    for (const auto& [pair, times] : counts.taken_for)
        std::printf("        %3d %s\n", times, pair.c_str());
}

}  // namespace

namespace {

/// What must be reached at least. The shares are those of the turns that are right, in percent, a
/// point below what was reached when they were written.
struct Floor {
    const char* language;
    bool unseen;
    double right;
    int wrongly_agreed_max;
    int still_agreed_max;
};

/// The one agreement that is kept in the seen half is "钢琴加300块": increases are no amounts.
constexpr std::array<Floor, 4> kFloors = {{{"en", false, 92.6, 0, 0},
                                           {"zh", false, 89.4, 0, 1},
                                           {"en", true, 77.5, 0, 4},
                                           {"zh", true, 80.8, 1, 1}}};

}  // namespace

TEST_CASE("the labelled dialogues are read as people read them") {
    for (const Floor& floor : kFloors) {
        const Counts counts = measure(std::string(floor.language) + ".jsonl", floor.unseen);
        const std::string name =
            std::string(floor.language) + (floor.unseen ? ", unseen" : ", seen");
        print(name.c_str(), counts);
        CAPTURE(name);
        REQUIRE(counts.turns > 400);
        CHECK(100.0 * counts.right / counts.turns >= floor.right);
        CHECK(counts.wrongly_agreed <= floor.wrongly_agreed_max);
        CHECK(counts.still_agreed <= floor.still_agreed_max);
    }
}
