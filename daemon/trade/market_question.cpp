#include "daemon/trade/market_question.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "daemon/card/card.h"
#include "daemon/consent/action.h"
#include "daemon/consent/bounded.h"
#include "daemon/trade/questions.h"

namespace a2h::trade {
namespace {

constexpr std::size_t kTitleMax = 100;  ///< in a preview

}  // namespace

consent::Ask ask_about_call(std::string_view agent_id, std::string_view action,
                            const nlohmann::json& arguments, const Facts& facts,
                            i18n::Language language) {
    consent::Ask ask;
    ask.agent_id = agent_id;
    ask.peer_id = facts.peer_id;
    if (!facts.peer_ids.empty()) consent::set_peers(ask, facts.peer_ids);
    ask.action = action;
    ask.request_json =
        facts.request_json.empty() ? wire::canonical_json(arguments) : facts.request_json;
    ask.order_id = facts.order_id;
    ask.works_id = facts.works_id;
    if (facts.amount) {
        ask.amount_minor = facts.amount->minor;
        ask.currency = facts.amount->currency;
    }
    ask.question = question(action, arguments, facts, language);
    // The question contains only the beginning of a long title.
    const std::string title = printable(facts.title);
    ask.context =
        code_point_count(title) <= kTitleMax ? facts.context : title + "\n\n" + facts.context;
    // A text among the arguments is shown there.
    if (!facts.seen.empty() || !facts.before_json.empty())
        ask.context = code_point_count(title) <= kTitleMax ? "" : title + "\n";
    if (!facts.before_json.empty()) {
        ask.context += card::changes_in_words(nlohmann::json::parse(facts.before_json),
                                              nlohmann::json::parse(facts.after_json), language);
    }
    for (const auto& [label, seen] : facts.seen) {
        if (!ask.context.empty()) ask.context += '\n';
        ask.context += card::received_in_words(nlohmann::json::parse(seen), language,
                                               i18n::text(language, label));
    }
    ask.requested_by = "tool:" + std::string(action);
    ask.is_bounded = facts.is_plain && mandates::is_bounded_call(action, arguments);
    ask.has_own_listing = facts.has_own_listing;
    ask.listing_digest = facts.listing_digest;
    return ask;
}

bool is_yes_to(const Approval& approval, const consent::Ask& now) {
    const consent::ActionIds ids = consent::ids_of_action(approval.action_json);
    // The question may be followed by the reason why no mandate gave the yes.
    return approval.amount_minor == now.amount_minor && approval.currency == now.currency &&
           approval.peer_id == now.peer_id && approval.peer_ids == now.peer_ids &&
           ids.order_id == now.order_id && ids.works_id == now.works_id &&
           approval.question.starts_with(now.question) && approval.context == now.context;
}

}  // namespace a2h::trade
