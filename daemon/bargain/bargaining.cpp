#include "daemon/bargain/bargaining.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/bargain_store.h"
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/listing_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/envelope.h"
#include "core/wire/json_member.h"
#include "core/wire/listing_digest.h"
#include "core/wire/payload.h"
#include "daemon/bargain/bargain_mandate.h"
#include "daemon/bargain/bargain_matter.h"
#include "daemon/consent/action.h"
#include "daemon/consent/agreement.h"
#include "daemon/consent/bounded.h"
#include "daemon/consent/by_mandate.h"
#include "daemon/consent/door.h"
#include "daemon/consent/job_state.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/open_matters.h"
#include "daemon/consent/renewal.h"
#include "daemon/effects/rows.h"

namespace a2h::bargain {
namespace {

using nlohmann::json;

constexpr int kClosedAtOnce = 100;

/// Everything that one step reads and changes.
struct Scene {
    store::Database& db;
    const consent::Policy& policy;
    UnixMs now_ms;
    Bargain bargain;
    BargainMandate mandate;
    std::vector<BargainMove> moves;
};

bool holds_until(const json& payload, UnixMs now_ms) {
    const json& given = wire::member(payload, "valid_until");
    if (given.is_null()) return true;
    const auto time = parse_time(given.is_string() ? given.get<std::string>() : "");
    return time && *time > now_ms;
}

/// Whether the payload is an answer that adds no condition.
bool is_bare_answer(const json& payload) {
    return std::all_of(payload.items().begin(), payload.items().end(), [](const auto& item) {
        constexpr std::string_view kKnown[] = {"type",     "offer_message_id", "offer_payload_hash",
                                               "replaces", "worksId",          "text"};
        return item.value().is_string() &&
               std::find(std::begin(kKnown), std::end(kKnown), item.key()) != std::end(kKnown);
    });
}

std::string decimal(const Money& money) {
    const std::string text = to_text(money);
    return text.substr(0, text.find(' '));
}

i18n::Language language_of(const Bargain& bargain) {
    return i18n::language_of(bargain.language);
}

Money money_of(const Scene& scene, std::int64_t minor) {
    return {minor, scene.mandate.strategy.currency};
}

/// Only our own fixed wording counts; other words could hide a condition.
bool is_our_acceptance(std::string_view text, const Money& price) {
    if (trim(text).empty()) return true;
    for (const auto language : {i18n::Language::English, i18n::Language::Chinese}) {
        if (text == i18n::text(language, "daemon.say_accept", {{"amount", to_text(price)}})) {
            return true;
        }
    }
    return false;
}

std::vector<Move> history_of(const Scene& scene) {
    std::vector<Move> history;
    for (const BargainMove& move : scene.moves) {
        const MoveKind kind = move.kind == "offer"    ? MoveKind::Offer
                              : move.kind == "accept" ? MoveKind::Accept
                                                      : MoveKind::Close;
        history.push_back({move.is_ours, kind, money_of(scene, move.amount_minor), move.at_ms});
    }
    return history;
}

const BargainMove* our_last_offer(const std::vector<BargainMove>& moves) {
    const auto found = std::find_if(moves.rbegin(), moves.rend(), [](const auto& move) {
        return move.is_ours && move.kind == "offer";
    });
    return found == moves.rend() ? nullptr : &*found;
}

/// Our own listing as it is now; nullopt if the listing is not ours.
Result<std::optional<Listing>> own_listing(store::Database& db, const Bargain& bargain) {
    return store::find_listing(db, bargain.agent_id, bargain.works_id);
}

/// Returns the hash of the listing's present words. nullopt if it is somebody else's and does not
/// say what the owner has seen (R48), or nobody knows what it says.
std::optional<std::string> hash_now(const std::optional<Listing>& own, const MandateTerms& terms,
                                    const std::string& read_digest) {
    if (own) return wire::own_listing_hash(*own);
    const bool is_seen = !read_digest.empty() && read_digest == terms.listing_digest;
    const bool is_its_agent = !terms.peer_id.empty();  // as `mandate.give` makes sure
    return is_seen && is_its_agent ? std::optional(read_digest) : std::nullopt;
}

/// An owner who offers a service sells it; an owner with a demand buys.
bool is_our_side(const std::optional<Listing>& own, Side side) {
    if (!own) return true;
    return own->type == (side == Side::Sell ? ListingType::Service : ListingType::Demand);
}

/// A peer whose key has changed is not known until a person has checked it.
Result<bool> is_known(store::Database& db, const std::string& agent_id,
                      const std::string& peer_id) {
    A2H_ASSIGN_OR_RETURN(const auto contact, store::get_contact(db, agent_id, peer_id));
    return !contact || !contact->key_changed;
}

/// Whether another peer may haggle under the mandate. Strangers share one counter.
Result<bool> may_begin_another(store::Database& db, const BargainMandate& mandate, UnixMs now_ms) {
    if (!mandate.terms.peer_id.empty()) return true;
    A2H_ASSIGN_OR_RETURN(const auto unagreed,
                         store::count_unagreed_bargains(db, mandate.id, now_ms - kUnagreedForMs));
    return unagreed < kUnagreedMax;
}

/// The open bargain, or one that could begin now (with id 0). nullopt: ask the human. The hash of
/// `about` is that of somebody else's listing, as read at the market.
Result<std::optional<Scene>> scene_of(store::Database& db, const Bargain& about,
                                      const consent::Policy& policy, UnixMs now_ms) {
    const std::optional<Scene> none;
    A2H_ASSIGN_OR_RETURN(const auto known, is_known(db, about.agent_id, about.peer_id));
    A2H_ASSIGN_OR_RETURN(auto open,
                         store::open_bargain(db, about.agent_id, about.peer_id, about.works_id));
    Bargain bargain = open ? *open : about;
    A2H_ASSIGN_OR_RETURN(const auto mandate, find_mandate(db, bargain, now_ms));
    if (!known || !mandate) return none;
    A2H_ASSIGN_OR_RETURN(const auto own, own_listing(db, about));
    const auto hash = hash_now(own, mandate->terms, about.listing_hash);
    if (!hash || !is_our_side(own, mandate->strategy.side)) return none;
    Scene scene{db, policy, now_ms, std::move(bargain), *mandate, {}};
    if (open) {
        if (*hash != scene.bargain.listing_hash) return none;
        A2H_ASSIGN_OR_RETURN(auto moves, store::moves_of(db, scene.bargain.id));
        scene.moves = std::move(moves);
        return std::optional(std::move(scene));
    }
    scene.bargain.mandate_id = mandate->id;
    scene.bargain.listing_hash = *hash;
    A2H_ASSIGN_OR_RETURN(const auto before,
                         store::find_bargain(db, mandate->id, about.peer_id, about.works_id));
    A2H_ASSIGN_OR_RETURN(
        const auto agreed,
        consent::has_standing_agreement(db, {about.agent_id, about.peer_id, about.works_id}));
    if (before || agreed) return none;
    A2H_ASSIGN_OR_RETURN(const auto has_room, may_begin_another(db, *mandate, now_ms));
    return has_room ? std::optional(std::move(scene)) : none;
}

Result<void> save(Scene& scene, const std::vector<BargainMove>& moves) {
    if (scene.bargain.id == 0) {
        A2H_ASSIGN_OR_RETURN(const auto id, store::insert_bargain(scene.db, scene.bargain));
        scene.bargain.id = id;
    } else {
        A2H_TRY(store::update_bargain(scene.db, scene.bargain));
    }
    for (const BargainMove& move : moves)
        A2H_TRY(store::append_move(scene.db, scene.bargain.id, move));
    return {};
}

/// A bargain ends in one deal, so whatever we say next takes the place of our last offer.
void replace_last_offer(const Scene& scene, json& payload) {
    const BargainMove* offer = our_last_offer(scene.moves);
    if (offer != nullptr) payload["replaces"] = offer->message_id;
}

/// A counter-offer, or the acceptance of `accepted`, as a question that the mandate answers.
consent::Ask ask_of(const Scene& scene, std::int64_t amount_minor, const Word* accepted) {
    const Bargain& bargain = scene.bargain;
    const Money price = money_of(scene, amount_minor);
    const std::string amount = to_text(price);
    const char* words = accepted != nullptr ? "daemon.say_accept" : "daemon.say_offer";
    const char* question = accepted != nullptr ? "daemon.bargain_accept" : "daemon.bargain_offer";
    json payload{{"worksId", bargain.works_id},
                 {"text", i18n::text(language_of(bargain), words, {{"amount", amount}})}};
    if (accepted == nullptr) {
        payload["type"] = "offer";
        // The offer is valid as long as we wait for an answer. The time also distinguishes two
        // offers of the same amount, because repeated messages get no answer.
        payload["valid_until"] = to_utc_time(scene.now_ms + kSilenceMs);
        payload["price"] = {{"amount", decimal(price)}, {"currency", price.currency}};
    } else if (accepted->is_structured) {
        payload["type"] = "accept";
        payload["offer_message_id"] = accepted->message_id;
        payload["offer_payload_hash"] = accepted->payload_hash;
    }
    replace_last_offer(scene, payload);
    consent::Ask ask;
    ask.agent_id = bargain.agent_id;
    ask.peer_id = bargain.peer_id;
    ask.action = kReplyAction;
    ask.request_json = wire::canonical_json(json{{"payload", payload}, {"kind", kBargain}});
    ask.reply_text = payload["text"];
    ask.works_id = bargain.works_id;
    ask.amount_minor = amount_minor;
    ask.currency = price.currency;
    ask.question =
        i18n::text(scene.policy.language, question,
                   {{"amount", amount}, {"peer", bargain.peer_id}, {"listing", bargain.works_id}});
    ask.requested_by = "mandate:" + scene.mandate.id;
    return ask;
}

/// Stores the moves together with the approval that the last of them needs. nullopt if the mandate
/// has no room for it or if several people must agree.
Result<std::optional<Approval>> commit_to(Scene& scene, std::int64_t amount_minor,
                                          const Word* accepted, const Approval* question,
                                          std::vector<BargainMove> moves) {
    A2H_ASSIGN_OR_RETURN(const auto room, may_offer(scene.db, scene.mandate, amount_minor,
                                                    scene.bargain.id, scene.now_ms));
    if (!room) return std::optional<Approval>();
    consent::Question approval =
        consent::new_approval(ask_of(scene, amount_minor, accepted), scene.policy, scene.now_ms);
    if (question != nullptr) {
        approval.id = question->id;
        approval.job_id = question->job_id;
        approval.answer_by_ms = std::min(approval.answer_by_ms, question->answer_by_ms);
        approval.context = question->context;
        approval.provenance = question->provenance;
    }
    A2H_ASSIGN_OR_RETURN(auto given, consent::open_by_mandate(scene.db, approval, scene.mandate.id,
                                                              scene.policy, scene.now_ms));
    if (!given) return std::optional<Approval>();
    A2H_ASSIGN_OR_RETURN(const auto sent,
                         store::get_outbox_by_effect(scene.db, "approval:" + approval.id));
    moves.push_back({true, accepted != nullptr ? "accept" : "offer", amount_minor,
                     sent ? sent->message_id : "", scene.now_ms});
    scene.bargain.state = accepted != nullptr ? "agreed" : "open";
    scene.bargain.committed_minor = amount_minor;
    scene.bargain.committed_at_ms = scene.now_ms;
    scene.bargain.close_at_ms = accepted != nullptr ? 0 : scene.now_ms + kSilenceMs;
    A2H_TRY(save(scene, moves));
    return given;
}

Notification news_of(const Scene& scene, const char* key) {
    Notification news;
    news.agent_id = scene.bargain.agent_id;
    news.kind = "bargain.ended";
    news.created_at_ms = scene.now_ms;
    const Money price = money_of(scene, scene.bargain.committed_minor);
    news.body_json =
        wire::text_object({{"text", i18n::text(scene.policy.language, key,
                                               {{"amount", to_text(price)},
                                                {"peer", scene.bargain.peer_id},
                                                {"listing", scene.bargain.works_id}})}});
    return news;
}

/// The one message that closes the bargain.
OutboxMessage farewell(const Scene& scene, const char* key, const Word* refused,
                       std::string_view trace_id) {
    json payload{{"worksId", scene.bargain.works_id},
                 {"text", i18n::text(language_of(scene.bargain), key)}};
    if (refused != nullptr && refused->is_structured) {
        payload["type"] = "reject";
        payload["offer_message_id"] = refused->message_id;
    }
    replace_last_offer(scene, payload);
    OutboxMessage message = effects::new_outbox_message(
        scene.bargain.agent_id, scene.bargain.peer_id, wire::canonical_json(payload), trace_id,
        "mandate:" + scene.mandate.id, scene.now_ms);
    message.effect_key = "bargain:" + std::to_string(scene.bargain.id) + ":end";
    return message;
}

Result<std::optional<Taken>> end(Scene& scene, const char* state, const char* news_key,
                                 const std::vector<BargainMove>& moves, const Approval& question) {
    scene.bargain.state = state;
    scene.bargain.close_at_ms = 0;
    A2H_TRY(save(scene, moves));
    A2H_TRY(consent::settle_job(scene.db, question.job_id,
                                i18n::text(scene.policy.language, "daemon.why_bargain"),
                                scene.now_ms));
    return std::optional(Taken{{}, {}, news_of(scene, news_key)});
}

Result<std::optional<Taken>> take_offer(Scene& scene, const Word& word, const Approval& question) {
    const std::optional<Taken> none;
    std::vector<Move> history = history_of(scene);
    history.push_back({false, MoveKind::Offer, word.price, scene.now_ms});
    const Next next = next_move(scene.mandate.strategy, history, scene.now_ms);
    const BargainMove heard{false, "offer", word.price.minor, word.message_id, scene.now_ms};
    if (next.step == NextStep::Close) {
        const BargainMove closed{true, "close", 0, "", scene.now_ms};
        A2H_ASSIGN_OR_RETURN(const auto trace,
                             consent::trace_of_job(scene.db, question.job_id, scene.now_ms));
        A2H_ASSIGN_OR_RETURN(
            auto taken, end(scene, "closed", "daemon.bargain_closed", {heard, closed}, question));
        taken->outbox.push_back(farewell(scene, "daemon.say_no_agreement", &word, trace));
        return taken;
    }
    if (next.step != NextStep::Counter && next.step != NextStep::Accept) return none;
    const Word* accepted = next.step == NextStep::Accept ? &word : nullptr;
    A2H_ASSIGN_OR_RETURN(auto given,
                         commit_to(scene, next.amount_minor, accepted, &question, {heard}));
    if (!given) return none;
    return std::optional(Taken{std::move(*given), {}, {}});
}

/// Only our last offer can be answered, and only until it expires.
Result<std::optional<Taken>> take_answer(Scene& scene, const Word& word, const Approval& question) {
    const BargainMove* offer = our_last_offer(scene.moves);
    if (offer == nullptr || scene.moves.back().message_id != offer->message_id ||
        offer->message_id != word.answers_id || scene.now_ms - offer->at_ms > kSilenceMs) {
        return std::optional<Taken>();
    }
    const bool agrees = word.kind == Word::Kind::Accept;
    if (agrees && !is_our_acceptance(word.text, money_of(scene, offer->amount_minor))) {
        return std::optional<Taken>();
    }
    const BargainMove heard{false, agrees ? "accept" : "close", agrees ? offer->amount_minor : 0,
                            word.message_id, scene.now_ms};
    return end(scene, agrees ? "agreed" : "closed",
               agrees ? "daemon.bargain_agreed" : "daemon.bargain_declined", {heard}, question);
}

/// A mandate approves only for verified messages (R49).
bool is_verified(const Approval& question) {
    return parse_provenance(question.provenance) == Provenance::Verified;
}

/// If a key is pinned for the peer, a message without its signature does not count as the peer's.
Result<bool> is_peers_word(store::Database& db, const Approval& question) {
    if (is_verified(question)) return true;
    A2H_ASSIGN_OR_RETURN(const auto contact,
                         store::get_contact(db, question.agent_id, question.peer_id));
    return !contact || contact->public_key.empty();
}

Result<std::optional<Taken>> try_to_take(store::Database& db, const Word& word,
                                         const Approval& question, const consent::Policy& policy,
                                         UnixMs now_ms) {
    const std::optional<Taken> none;
    if (word.kind == Word::Kind::Other || word.works_id.empty() || !is_verified(question)) {
        return none;
    }
    A2H_ASSIGN_OR_RETURN(const auto newer, consent::has_newer(db, question));
    if (newer) return none;
    Bargain about;
    about.agent_id = question.agent_id;
    about.peer_id = question.peer_id;
    about.works_id = word.works_id;
    about.listing_hash = word.listing_digest;
    about.state = "open";
    about.language = i18n::language_tag(word.language);
    A2H_ASSIGN_OR_RETURN(auto scene, scene_of(db, about, policy, now_ms));
    if (!scene) return none;
    A2H_ASSIGN_OR_RETURN(const auto open, is_other_open(db, scene->bargain, &question));
    if (open) return none;
    return word.kind == Word::Kind::Offer ? take_offer(*scene, word, question)
                                          : take_answer(*scene, word, question);
}

/// False if the peer has written in the meantime. Then it is not silent, and the bargain stays
/// open.
Result<bool> is_silent(store::Database& db, Bargain& bargain) {
    A2H_ASSIGN_OR_RETURN(const auto heard,
                         store::last_heard_ms(db, bargain.agent_id, bargain.peer_id));
    if (heard + kSilenceMs <= bargain.close_at_ms) return true;
    bargain.close_at_ms = heard + kSilenceMs;
    A2H_TRY(store::update_bargain(db, bargain));
    return false;
}

}  // namespace

std::optional<Word> word_of(const InboxMessage& message, const decide::Decision& decision,
                            UnixMs now_ms) {
    const bool asks = decision.kind == decide::Kind::Ask;
    if (!asks && decision.kind != decide::Kind::NeedsDraft) return std::nullopt;
    const json payload = json::parse(message.payload_json, nullptr, false);
    const std::string type = wire::text_member(payload, "type");
    Word word;
    word.works_id = wire::text_member(payload, "worksId");
    if (word.works_id.empty()) word.works_id = decision.works_id;
    word.message_id = message.message_id;
    word.language = decision.basis.language;
    word.listing_digest = decision.listing_digest;
    // Words in an id or a type may be a condition.
    if (!consent::has_plain_envelope(message.message_type, message.message_id, message.trace_id))
        return word;
    if (decision.is_plain_offer && decision.amount_minor && holds_until(payload, now_ms) &&
        mandates::is_bounded_offer(payload, true)) {
        word.kind = Word::Kind::Offer;
        word.is_structured = type == "offer";
        word.payload_hash = wire::signed_payload_hash(message.envelope_json);
        word.price = {*decision.amount_minor, decision.currency};
    } else if ((type == "accept" || type == "reject") && is_bare_answer(payload)) {
        word.kind = type == "accept" ? Word::Kind::Accept : Word::Kind::Reject;
        word.answers_id = wire::text_member(payload, "offer_message_id");
        word.text = wire::text_member(payload, "text");
    }
    return word;
}

Result<std::optional<Taken>> take(store::Database& db, const Word& word, const Approval& question,
                                  const consent::Policy& policy, UnixMs now_ms) {
    auto taken = try_to_take(db, word, question, policy, now_ms);
    if (!taken || *taken) return taken;
    A2H_ASSIGN_OR_RETURN(const auto is_theirs, is_peers_word(db, question));
    if (!is_theirs) return taken;
    A2H_TRY(store::hand_over_bargains(db, question.agent_id, question.peer_id, word.works_id));
    return taken;
}

Result<Approval> begin(store::Database& db, const Subject& subject,
                       const std::string& listing_digest, const consent::Policy& policy,
                       UnixMs now_ms) {
    Bargain about;
    about.agent_id = subject.agent_id;
    about.peer_id = subject.peer_id;
    about.works_id = subject.works_id;
    about.listing_hash = listing_digest;
    about.state = "open";
    about.language = i18n::language_tag(policy.language);
    A2H_ASSIGN_OR_RETURN(const auto mandate, find_mandate(db, about, now_ms));
    if (!mandate) {
        return fail(ErrorCode::NotFound,
                    "there is no mandate for haggling with this agent about this listing, or one "
                    "is suspended for 24 hours because something that it approved has failed");
    }
    A2H_ASSIGN_OR_RETURN(auto scene, scene_of(db, about, policy, now_ms));
    if (!scene || scene->bargain.id != 0) {
        return fail(ErrorCode::Conflict,
                    "this mandate was used with this agent before, its key has changed, or the "
                    "listing has changed since the mandate was given");
    }
    A2H_ASSIGN_OR_RETURN(const auto open, is_other_open(db, scene->bargain, nullptr));
    if (open) {
        return fail(ErrorCode::Conflict,
                    "a message of this agent is waiting for the human, and an offer could be taken "
                    "as the answer to it");
    }
    A2H_ASSIGN_OR_RETURN(
        auto given, commit_to(*scene, scene->mandate.strategy.opening_minor, nullptr, nullptr, {}));
    if (!given) {
        return fail(ErrorCode::Conflict, "the mandate is used up, or several people must approve");
    }
    return std::move(*given);
}

Result<bool> is_other_open(store::Database& db, const Bargain& bargain, const Approval* question) {
    const store::Between between{
        .agent_id = bargain.agent_id, .peer_id = bargain.peer_id, .bargain_id = bargain.id};
    return consent::is_open_beside(db, between, question == nullptr ? 0 : question->job_id);
}

Result<bool> says_the_same(store::Database& db, const Bargain& bargain,
                           const std::string& listing_digest) {
    A2H_ASSIGN_OR_RETURN(const auto own, own_listing(db, bargain));
    const std::string now = own ? wire::own_listing_hash(*own) : listing_digest;
    return !now.empty() && now == bargain.listing_hash;
}

Result<int> close_silent(store::Database& db, const consent::Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto silent, store::silent_bargains(db, now_ms, kClosedAtOnce));
    int closed = 0;
    for (Bargain bargain : silent) {
        A2H_ASSIGN_OR_RETURN(const auto quiet, is_silent(db, bargain));
        if (!quiet) continue;
        Scene scene{db, policy, now_ms, std::move(bargain), {}, {}};
        scene.mandate.id = scene.bargain.mandate_id;
        scene.bargain.state = "closed";
        scene.bargain.close_at_ms = 0;
        A2H_TRY(save(scene, {{true, "close", 0, "", now_ms}}));
        A2H_TRY(consent::put_in_outbox(db, farewell(scene, "daemon.say_no_answer", nullptr, "")));
        A2H_TRY(consent::notify_human(db, news_of(scene, "daemon.bargain_closed"), policy, now_ms));
        ++closed;
    }
    return closed;
}

namespace {

/// A `Word` as a step of the bargain.
class BargainStep final : public consent::MandateStep {
  public:
    explicit BargainStep(Word word) : word_(std::move(word)) {}

    const std::string& works_id() const override { return word_.works_id; }
    Result<std::optional<Taken>> take(store::Database& db, const Approval& question,
                                      const consent::Policy& policy, UnixMs now_ms) const override {
        return bargain::take(db, word_, question, policy, now_ms);
    }

  private:
    const Word word_;
};

std::shared_ptr<const consent::MandateStep> step_of(const InboxMessage& message,
                                                    const decide::Decision& decision,
                                                    UnixMs now_ms) {
    auto word = word_of(message, decision, now_ms);
    return word ? std::make_shared<const BargainStep>(std::move(*word)) : nullptr;
}

/// Whether a mandate was given for the words of this listing. An error counts as yes: then the
/// writer, which decides, has the digest.
bool has_pinned_mandate(store::Database& db, const Subject& subject, UnixMs now_ms) {
    Bargain about;
    about.agent_id = subject.agent_id;
    about.peer_id = subject.peer_id;
    about.works_id = subject.works_id;
    const auto mandate = find_mandate(db, about, now_ms);
    return !mandate || (*mandate && !(*mandate)->terms.listing_digest.empty());
}

}  // namespace

void register_continuing() {
    consent::register_continuing({.step_of = step_of,
                                  .depends_on_listing = has_pinned_mandate,
                                  .steps_heard = steps_heard,
                                  .last_agreed_ms = last_agreed_ms,
                                  .close_silent = close_silent});
    consent::register_matter(find_matter);
}

}  // namespace a2h::bargain
