#include "core/wire/demand_json.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"
#include "core/wire/lenient_fields.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr std::size_t kNameMax = 100;
constexpr std::size_t kSentenceMax = 500;
constexpr std::size_t kTextMax = 1'000;
constexpr std::size_t kRawMax = 8'000;
constexpr std::size_t kListMax = 20;
constexpr std::size_t kPartsMax = 200;

json parsed_or_null(std::string_view text) {
    return json::parse(text, nullptr, false);
}

}  // namespace

template <typename Io>
void fields(Io& io, Like<PlanPart> auto& part) {
    io.text("agent_id", part.agent_id, kNameMax);
    io.text("display_name", part.display_name, kNameMax);
    io.text("role", part.role, kNameMax);
    io.text("responsibility", part.responsibility, kTextMax);
    io.texts("dependencies", part.dependencies, kSentenceMax);
    io.text_if_any("notes", part.notes, kTextMax);
    io.price("price", part.price);
}

template <typename Io>
void fields(Io& io, Like<Milestone> auto& milestone) {
    io.text("name", milestone.name, kSentenceMax);
    io.text_if_any("date", milestone.date, kNameMax);
    io.text_if_any("deliverable", milestone.deliverable, kSentenceMax);
}

template <typename Io>
void fields(Io& io, Like<Understanding> auto& demand) {
    io.text("surface_demand", demand.surface_demand, kRawMax);
    io.part("deep_understanding", [&](auto& deep) {
        deep.text("motivation", demand.motivation, kSentenceMax);
        deep.texts("likely_preferences", demand.likely_preferences, kSentenceMax);
        deep.text_if_any("emotional_context", demand.emotional_context, kSentenceMax);
    });
    io.texts("capability_tags", demand.capability_tags, kNameMax);
    io.part("context", [&](auto& context) {
        context.text_if_any("location", demand.location, kSentenceMax);
        context.number_if_any("expected_attendees", demand.expected_attendees, 10'000'000);
        context.text_if_any("date", demand.date, kNameMax);
        context.text_if_any("budget", demand.budget, kNameMax);
    });
    io.texts("uncertainties", demand.uncertainties, kSentenceMax);
    io.word("confidence", demand.confidence, {"high", "medium"}, "low");
}

template <typename Io>
void fields(Io& io, Like<Offer> auto& offer) {
    io.name("decision", offer.decision, parse_offer_decision, OfferDecision::Decline);
    io.text("contribution", offer.contribution, kTextMax);
    io.texts("conditions", offer.conditions, kSentenceMax);
    io.text("reasoning", offer.reasoning, kSentenceMax);
    io.text("decline_reason", offer.decline_reason, kSentenceMax);
    io.number("confidence", offer.confidence, 0, 100);
    io.price("price", offer.price);
}

template <typename Io>
void fields(Io& io, Like<Proposal> auto& proposal) {
    io.text("proposal_id", proposal.proposal_id, kNameMax);
    io.text("demand_id", proposal.demand_id, kNameMax);
    io.number("version", proposal.version, 0, kNegotiationRoundsMax);
    io.text("summary", proposal.summary, kTextMax);
    io.text("objective", proposal.objective, kSentenceMax);
    io.list("assignments", proposal.parts, kPartsMax, nullptr);
    io.part("timeline", [&](auto& timeline) {
        timeline.text_if_any("start_date", proposal.start_date, kNameMax);
        timeline.list("milestones", proposal.milestones, kListMax, &Milestone::name);
    });
    io.text("rationale", proposal.rationale, kTextMax);
    io.texts("gaps", proposal.gaps, kSentenceMax);
    io.word("confidence", proposal.confidence, {"high", "medium"}, "low");
    io.time("created_at_ms", proposal.created_at_ms);
    io.part(
        "adjustment_summary",
        [&](auto& adjusted) {
            adjusted.only_written("round", proposal.version);
            adjusted.texts("changes_made", proposal.changes, kSentenceMax);
            adjusted.texts("requests_addressed", proposal.requests_granted, kSentenceMax);
            adjusted.texts("requests_declined", proposal.requests_declined, kSentenceMax);
        },
        proposal.version > 1);
}

template <typename Io>
void fields(Io& io, Like<Gap> auto& gap) {
    io.text("gap_type", gap.gap_type, kNameMax);
    io.number("importance", gap.importance, 0, 100);
    io.text("reason", gap.reason, kSentenceMax);
    io.texts("suggested_capability_tags", gap.tags, kNameMax);
}

json to_json(const Understanding& understanding) {
    return written(understanding);
}

Understanding read_understanding(const json& from) {
    return read_fields<Understanding>(from);
}

Understanding parse_understanding(std::string_view text) {
    return read_understanding(parsed_or_null(text));
}

json to_json(const std::optional<Price>& price) {
    if (!price) return nullptr;
    return {{"amount_minor", price->amount_minor}, {"currency", price->currency}};
}

std::optional<Price> read_price(const json& from) {
    constexpr std::int64_t kAmountMax = (std::int64_t{1} << 53) - 1;
    const json& amount = either_member(from, "amount_minor");
    const std::string currency = text_member(from, "currency");
    const bool is_currency =
        currency.size() == 3 &&
        std::all_of(currency.begin(), currency.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!amount.is_number_integer() || !is_currency) return std::nullopt;
    if (amount.is_number_unsigned() && amount.get<std::uint64_t>() > kAmountMax)
        return std::nullopt;
    const auto minor = amount.get<std::int64_t>();
    if (minor < 0 || minor > kAmountMax) return std::nullopt;
    return Price{minor, currency};
}

json to_json(const Offer& offer) {
    return written(offer);
}

Offer read_offer(const json& from) {
    return read_fields<Offer>(from);
}

std::optional<Offer> parse_offer(std::string_view text) {
    const json parsed = parsed_or_null(text);
    if (!parsed.is_object()) return std::nullopt;
    return read_offer(parsed);
}

json to_json(const Proposal& proposal) {
    return written(proposal);
}

Proposal read_proposal(const json& from) {
    return read_fields<Proposal>(from);
}

Proposal parse_proposal(std::string_view text) {
    return read_proposal(parsed_or_null(text));
}

json to_json(const Feedback& feedback) {
    json object{{"agent_id", feedback.agent_id},
                {"round", feedback.round},
                {"feedback_type", to_string(feedback.type)},
                {"reasoning", feedback.reasoning},
                {"adjustment_request", feedback.adjustment_request}};
    if (feedback.is_presumed) object["presumed"] = true;
    if (feedback.wanted_price) object["requested_price"] = to_json(feedback.wanted_price);
    return object;
}

json to_json(const std::vector<Gap>& gaps) {
    json all = json::array();
    for (const Gap& gap : gaps)
        all.push_back(written(gap));
    return all;
}

std::vector<Gap> read_gaps(const json& from) {
    std::vector<Gap> read;
    if (!from.is_array()) return read;
    for (const json& each : from) {
        if (read.size() == kListMax) break;
        auto gap = read_fields<Gap>(each);
        if (!gap.gap_type.empty()) read.push_back(std::move(gap));
    }
    return read;
}

}  // namespace a2h::wire
