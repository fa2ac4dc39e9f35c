#include "core/wire/demand_json.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr std::size_t kNameMax = 100;
constexpr std::size_t kSentenceMax = 500;
constexpr std::size_t kTextMax = 1'000;
constexpr std::size_t kRawMax = 8'000;
constexpr std::size_t kListMax = 20;
constexpr std::size_t kPartsMax = 200;

std::string cut(const json& object, std::string_view name, std::size_t max_code_points) {
    const json& value = either_member(object, name);
    if (!value.is_string()) return {};
    return std::string(truncate(value.get_ref<const std::string&>(), max_code_points));
}

std::vector<std::string> texts(const json& object, std::string_view name, std::size_t length_max) {
    std::vector<std::string> found;
    for (const json& each : either_member(object, name)) {
        if (found.size() == kListMax) break;
        if (each.is_string() && !each.get_ref<const std::string&>().empty()) {
            found.emplace_back(truncate(each.get_ref<const std::string&>(), length_max));
        }
    }
    return found;
}

int whole_number(const json& object, std::string_view name, int from, int to) {
    const json& value = either_member(object, name);
    if (!value.is_number()) return from;
    return static_cast<int>(
        std::clamp(value.get<double>(), static_cast<double>(from), static_cast<double>(to)));
}

std::string confidence_in(const json& object) {
    const std::string said = text_member(object, "confidence");
    return said == "high" || said == "medium" ? said : "low";
}

void put_unless_empty(json& object, const char* name, const std::string& text) {
    if (!text.empty()) object[name] = text;
}

json part_json(const PlanPart& part) {
    json written{{"agent_id", part.agent_id},
                 {"display_name", part.display_name},
                 {"role", part.role},
                 {"responsibility", part.responsibility},
                 {"dependencies", part.dependencies}};
    put_unless_empty(written, "notes", part.notes);
    if (part.price) written["price"] = to_json(part.price);
    return written;
}

PlanPart read_part(const json& from) {
    PlanPart part;
    part.agent_id = cut(from, "agent_id", kNameMax);
    part.display_name = cut(from, "display_name", kNameMax);
    part.role = cut(from, "role", kNameMax);
    part.responsibility = cut(from, "responsibility", kTextMax);
    part.dependencies = texts(from, "dependencies", kSentenceMax);
    part.notes = cut(from, "notes", kTextMax);
    part.price = read_price(member(from, "price"));
    return part;
}

json timeline_json(const Proposal& proposal) {
    json milestones = json::array();
    for (const Milestone& each : proposal.milestones) {
        json written{{"name", each.name}};
        put_unless_empty(written, "date", each.date);
        put_unless_empty(written, "deliverable", each.deliverable);
        milestones.push_back(std::move(written));
    }
    json timeline{{"milestones", std::move(milestones)}};
    put_unless_empty(timeline, "start_date", proposal.start_date);
    return timeline;
}

void read_timeline(const json& from, Proposal& proposal) {
    proposal.start_date = cut(from, "start_date", kNameMax);
    for (const json& each : member(from, "milestones")) {
        if (proposal.milestones.size() == kListMax) return;
        Milestone milestone{cut(each, "name", kSentenceMax), cut(each, "date", kNameMax),
                            cut(each, "deliverable", kSentenceMax)};
        if (!milestone.name.empty()) proposal.milestones.push_back(std::move(milestone));
    }
}

json parsed_or_null(std::string_view text) {
    return json::parse(text, nullptr, false);
}

}  // namespace

json to_json(const Understanding& understanding) {
    json deep{{"motivation", understanding.motivation},
              {"likely_preferences", understanding.likely_preferences}};
    put_unless_empty(deep, "emotional_context", understanding.emotional_context);
    json context = json::object();
    put_unless_empty(context, "location", understanding.location);
    if (understanding.expected_attendees) {
        context["expected_attendees"] = *understanding.expected_attendees;
    }
    put_unless_empty(context, "date", understanding.date);
    put_unless_empty(context, "budget", understanding.budget);
    return {{"surface_demand", understanding.surface_demand},
            {"deep_understanding", std::move(deep)},
            {"capability_tags", understanding.capability_tags},
            {"context", std::move(context)},
            {"uncertainties", understanding.uncertainties},
            {"confidence", understanding.confidence}};
}

Understanding read_understanding(const json& from) {
    Understanding read;
    read.surface_demand = cut(from, "surface_demand", kRawMax);
    const json& deep = either_member(from, "deep_understanding");
    read.motivation = cut(deep, "motivation", kSentenceMax);
    read.likely_preferences = texts(deep, "likely_preferences", kSentenceMax);
    read.emotional_context = cut(deep, "emotional_context", kSentenceMax);
    read.capability_tags = texts(from, "capability_tags", kNameMax);
    const json& context = member(from, "context");
    read.location = cut(context, "location", kSentenceMax);
    if (const int count = whole_number(context, "expected_attendees", 0, 10'000'000); count > 0) {
        read.expected_attendees = count;
    }
    read.date = cut(context, "date", kNameMax);
    read.budget = cut(context, "budget", kNameMax);
    read.uncertainties = texts(from, "uncertainties", kSentenceMax);
    read.confidence = confidence_in(from);
    return read;
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
    json written{{"decision", to_string(offer.decision)},  {"contribution", offer.contribution},
                 {"conditions", offer.conditions},         {"reasoning", offer.reasoning},
                 {"decline_reason", offer.decline_reason}, {"confidence", offer.confidence}};
    if (offer.price) written["price"] = to_json(offer.price);
    return written;
}

Offer read_offer(const json& from) {
    Offer read;
    read.decision =
        parse_offer_decision(text_member(from, "decision")).value_or(OfferDecision::Decline);
    read.contribution = cut(from, "contribution", kTextMax);
    read.conditions = texts(from, "conditions", kSentenceMax);
    read.reasoning = cut(from, "reasoning", kSentenceMax);
    read.decline_reason = cut(from, "decline_reason", kSentenceMax);
    read.confidence = whole_number(from, "confidence", 0, 100);
    read.price = read_price(member(from, "price"));
    return read;
}

std::optional<Offer> parse_offer(std::string_view text) {
    const json parsed = parsed_or_null(text);
    if (!parsed.is_object()) return std::nullopt;
    return read_offer(parsed);
}

json to_json(const Proposal& proposal) {
    json parts = json::array();
    for (const PlanPart& part : proposal.parts)
        parts.push_back(part_json(part));
    json written{{"proposal_id", proposal.proposal_id},
                 {"demand_id", proposal.demand_id},
                 {"version", proposal.version},
                 {"summary", proposal.summary},
                 {"objective", proposal.objective},
                 {"assignments", std::move(parts)},
                 {"timeline", timeline_json(proposal)},
                 {"rationale", proposal.rationale},
                 {"gaps", proposal.gaps},
                 {"confidence", proposal.confidence},
                 {"created_at_ms", proposal.created_at_ms}};
    if (proposal.version > 1) {
        written["adjustment_summary"] = {{"round", proposal.version},
                                         {"changes_made", proposal.changes},
                                         {"requests_addressed", proposal.requests_granted},
                                         {"requests_declined", proposal.requests_declined}};
    }
    return written;
}

Proposal read_proposal(const json& from) {
    Proposal read;
    read.proposal_id = cut(from, "proposal_id", kNameMax);
    read.demand_id = cut(from, "demand_id", kNameMax);
    read.version = whole_number(from, "version", 0, kRoundsMax);
    read.summary = cut(from, "summary", kTextMax);
    read.objective = cut(from, "objective", kSentenceMax);
    for (const json& each : member(from, "assignments")) {
        if (read.parts.size() < kPartsMax && each.is_object())
            read.parts.push_back(read_part(each));
    }
    read_timeline(member(from, "timeline"), read);
    read.rationale = cut(from, "rationale", kTextMax);
    read.gaps = texts(from, "gaps", kSentenceMax);
    read.confidence = confidence_in(from);
    const json& adjusted = either_member(from, "adjustment_summary");
    read.changes = texts(adjusted, "changes_made", kSentenceMax);
    read.requests_granted = texts(adjusted, "requests_addressed", kSentenceMax);
    read.requests_declined = texts(adjusted, "requests_declined", kSentenceMax);
    const json& created = member(from, "created_at_ms");
    if (created.is_number_integer() && is_time(created.get<UnixMs>()))
        read.created_at_ms = created.get<UnixMs>();
    return read;
}

Proposal parse_proposal(std::string_view text) {
    return read_proposal(parsed_or_null(text));
}

json to_json(const Feedback& feedback) {
    json written{{"agent_id", feedback.agent_id},
                 {"round", feedback.round},
                 {"feedback_type", to_string(feedback.type)},
                 {"reasoning", feedback.reasoning},
                 {"adjustment_request", feedback.adjustment_request}};
    if (feedback.is_presumed) written["presumed"] = true;
    if (feedback.wanted_price) written["requested_price"] = to_json(feedback.wanted_price);
    return written;
}

json to_json(const std::vector<Gap>& gaps) {
    json written = json::array();
    for (const Gap& gap : gaps) {
        written.push_back({{"gap_type", gap.gap_type},
                           {"importance", gap.importance},
                           {"reason", gap.reason},
                           {"suggested_capability_tags", gap.tags}});
    }
    return written;
}

std::vector<Gap> read_gaps(const json& from) {
    std::vector<Gap> read;
    if (!from.is_array()) return read;
    for (const json& each : from) {
        if (read.size() == kListMax) break;
        Gap gap{cut(each, "gap_type", kNameMax), whole_number(each, "importance", 0, 100),
                cut(each, "reason", kSentenceMax),
                texts(each, "suggested_capability_tags", kNameMax)};
        if (!gap.gap_type.empty()) read.push_back(std::move(gap));
    }
    return read;
}

}  // namespace a2h::wire
