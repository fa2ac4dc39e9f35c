#include "daemon/consent/mandates.h"

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/domain/mandate_kind.h"
#include "core/wire/json_member.h"
#include "core/wire/listing_digest.h"
#include "daemon/bargain/bargaining.h"
#include "daemon/consent/terms.h"
#include "daemon/mail/listing_look.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

using MandatesParts = Asker;

constexpr std::int64_t kDefaultLengthMs = std::int64_t{30} * 24 * 3600 * 1000;
constexpr int kUsesShown = 100;

/// Mandates belong to the owner.
std::string owner(const MandatesParts& parts) {
    return owner_of(parts.config->approval.people);
}

mandates::Giver giver_at_terminal(const MandatesParts& parts) {
    return {owner(parts), AnswerSurface::Terminal};
}

std::optional<std::int64_t> integer(const Call& call, std::string_view name) {
    const auto found = call.arguments.find(name);
    if (found == call.arguments.end() || !found->is_number_integer()) return std::nullopt;
    return found->get<std::int64_t>();
}

Result<UnixMs> time_of(const Call& call, const char* name, UnixMs otherwise) {
    const std::string text = call.text(name);
    if (text.empty()) return otherwise;
    return parse_time(text);
}

bool haggles(const MandateTerms& terms) {
    const MandateKind* kind = mandate_kind_named(terms.action);
    return kind != nullptr && kind->haggles;
}

Result<MandateTerms> terms_of(const Call& call, UnixMs now_ms) {
    MandateTerms terms;
    terms.agent_id = call.agent_id();
    terms.action = call.text("action");
    terms.peer_id = call.text("peer_id");
    terms.works_id = call.text("works_id");
    terms.currency = call.text("currency");
    for (const mandates::Limit& limit : mandates::limits())
        terms.*limit.member = integer(call, limit.name);
    terms.side = call.text("side");
    terms.strategy = call.text("strategy");
    if (haggles(terms)) {
        if (!terms.rounds) terms.rounds = kRoundsUnlessNamed;
        if (terms.strategy.empty()) terms.strategy = kStrategyUnlessNamed;
    }
    A2H_ASSIGN_OR_RETURN(const auto starts, time_of(call, "from", now_ms));
    A2H_ASSIGN_OR_RETURN(const auto ends, time_of(call, "until", starts + kDefaultLengthMs));
    terms.starts_ms = starts;
    terms.ends_ms = ends;
    return terms;
}

void put_limits(json& object, const MandateTerms& terms, bool are_money) {
    for (const mandates::Limit& limit : mandates::limits()) {
        const auto& value = terms.*limit.member;
        if (value && limit.is_money == are_money) object[std::string(limit.name)] = *value;
    }
}

/// A mandate without its amounts and sums.
json standing_json(const mandates::Standing& standing) {
    const Mandate& mandate = standing.mandate;
    json object{{"mandate_id", mandate.id},
                {"action", mandate.action},
                {"given_by", mandate.given_by},
                {"given_at", to_utc_time(mandate.given_at_ms)},
                {"understood", standing.terms.has_value()},
                {"used_today", standing.today.count},
                {"used_this_week", standing.this_week.count}};
    if (mandate.revoked_at_ms != 0) {
        object["revoked_by"] = mandate.revoked_by;
        object["revoked_at"] = to_utc_time(mandate.revoked_at_ms);
    }
    if (!standing.terms) return object;
    const MandateTerms& terms = *standing.terms;
    object["lacks_limit"] = !mandates::protects_owner(terms);
    object["listing_changed"] = standing.is_outdated;
    object["peer_id"] = terms.peer_id;
    object["works_id"] = terms.works_id;
    object["currency"] = terms.currency;
    object["from"] = to_utc_time(terms.starts_ms);
    object["until"] = to_utc_time(terms.ends_ms);
    if (!terms.side.empty()) object["side"] = terms.side;
    if (!terms.strategy.empty()) object["strategy"] = terms.strategy;
    if (!terms.listing_title.empty()) object["listing_title"] = terms.listing_title;
    if (mandates::pins_listing(terms.action)) {
        object["own_listings_only"] = terms.listing_digest.empty();
    }
    put_limits(object, terms, false);
    return object;
}

void put_amounts(json& object, const mandates::Standing& standing) {
    if (!standing.terms) return;
    put_limits(object, *standing.terms, true);
    object["sum_today_minor"] = standing.today.sum_minor;
    object["sum_this_week_minor"] = standing.this_week.sum_minor;
}

Result<json> listed(const MandatesParts& parts, const Call& call, bool with_amounts) {
    store::Database& db = parts.kernel.reader;
    const bool with_revoked = call.arguments.value("all", false);
    A2H_ASSIGN_OR_RETURN(const auto standings, mandates::list(db, call.agent_id(), with_revoked,
                                                              parts.kernel.clock.now_ms()));
    json rows = json::array();
    for (const auto& standing : standings) {
        json row = standing_json(standing);
        if (with_amounts) put_amounts(row, standing);
        rows.push_back(std::move(row));
    }
    A2H_ASSIGN_OR_RETURN(const auto uses, store::mandate_uses(db, call.agent_id(),
                                                              call.text("mandate_id"), kUsesShown));
    json used = json::array();
    for (const MandateUse& use : uses) {
        used.push_back({{"mandate_id", use.mandate_id},
                        {"approval_id", use.approval_id},
                        {"at", to_utc_time(use.used_at_ms)}});
    }
    return json{{"mandates", std::move(rows)}, {"uses", std::move(used)}};
}

bool seeks(const json& post) {
    return post.value("type", json()) == static_cast<int>(ListingType::Demand);
}

Result<void> check_own_side(const MandateTerms& terms, const json& post) {
    if (seeks(post) == (terms.side == "buy")) return {};
    return invalid(seeks(post) ? "side must be buy, because your listing seeks something"
                               : "side must be sell, because your listing offers something");
}

/// Binds haggling about somebody else's listing to the agent of the listing, and to the side that
/// the listing leaves: buying what it offers, or selling what it seeks. The public platform
/// sometimes omits the agent.
Result<void> bind_to_owner(MandateTerms& terms, const json& post) {
    const std::string owner_id = wire::text_member(post, "agentId");
    if (terms.peer_id.empty()) terms.peer_id = owner_id;
    if (terms.peer_id.empty()) return invalid("peer_id must name the agent of the listing");
    if (!owner_id.empty() && terms.peer_id != owner_id)
        return invalid("the listing belongs to another agent than peer_id");
    const bool is_demand = seeks(post);
    if (is_demand == (terms.side == "sell")) return {};
    return invalid(is_demand
                       ? "side must be sell, because somebody else's listing seeks something"
                       : "side must be buy, because somebody else's listing offers something");
}

/// The terms with the words of the listing, if it is somebody else's, or of the request: the words
/// that the human has seen, with the digest `seen`. Blocks.
Result<MandateTerms> with_listing(platform::Client& market, MandateTerms terms,
                                  const std::string& seen) {
    const auto post = mandates::pins_request(terms.action)
                          ? market.read("rfp.get", {{"rfp_id", terms.works_id}})
                          : market.read("works.get", {{"works_id", terms.works_id}});
    if (!post) return fail(post.error().with_context("works_id"));
    if (wire::text_member(*post, "agentId") == terms.agent_id) {
        if (haggles(terms)) A2H_TRY(check_own_side(terms, *post));
        return terms;
    }
    if (seen.empty()) {
        return invalid(
            "listing_digest must identify the text of the listing that the human has seen");
    }
    if (haggles(terms)) A2H_TRY(bind_to_owner(terms, *post));
    terms.listing_title = wire::text_member(*post, "title");
    terms.listing_digest = wire::listing_digest(*post);
    if (terms.listing_digest == seen) return terms;
    return fail(ErrorCode::Conflict, "the listing has changed; read it again");
}

void answer(const Reply& reply, const std::string& action, Result<json> data) {
    reply(data ? ok_result(action, std::move(*data)) : error_result(action, data.error()));
}

/// The error with the name of the limit that the terms lack, if they lack one.
json not_given(const std::string& action, const MandateTerms& terms, const Error& error) {
    const bool may_lack_limit =
        error.code == ErrorCode::InvalidArgument && is_currency_code(terms.currency);
    if (!may_lack_limit) return error_result_of_pin(action, error);
    if (!mandates::limits_uses(terms))
        return error_result_about(action, error, "mandate_needs_limit");
    if (mandates::protects_owner(terms)) return error_result(action, error);
    return error_result_about(action, error, "mandate_needs_amount");
}

/// Stores the mandate if the PIN is right.
void give(const MandatesParts& parts, const std::string& action, const MandateTerms& terms,
          const std::string& pin, const Reply& reply) {
    auto given = std::make_shared<Mandate>();
    parts.answers.with_pin(
        terms.agent_id, owner(parts), pin,
        [&clock = parts.kernel.clock, terms, giver = giver_at_terminal(parts),
         given](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto mandate, mandates::give(db, terms, giver, clock.now_ms()));
            *given = std::move(mandate);
            return {};
        },
        [action, given, terms, reply](const Result<void>& done) {
            if (!done) return reply(not_given(action, terms, done.error()));
            reply(ok_result(action, {{"mandate_id", given->id},
                                     {"action", given->action},
                                     {"until", to_utc_time(terms.ends_ms)}}));
        });
}

void handle_mandate_give(const MandatesParts& parts, const Call& call, const Reply& reply) {
    if (!call.agent.parent_id.empty()) {
        reply(error_result(call.action,
                           {ErrorCode::InvalidArgument,
                            "mandates are given to the owner's own agents; " + call.agent_id() +
                                " gets a share of its maker's with its task"}));
        return;
    }
    const auto terms = terms_of(call, parts.kernel.clock.now_ms());
    if (!terms) {
        reply(error_result(call.action, terms.error()));
        return;
    }
    const std::string pin = call.text("pin");
    if (!mandates::pins_words(terms->action) || terms->works_id.empty()) {
        give(parts, call.action, *terms, pin, reply);
        return;
    }
    parts.kernel.run_blocking<Result<MandateTerms>>(
        [&market = *call.agent.platform, terms = *terms, seen = call.text("listing_digest")] {
            return with_listing(market, terms, seen);
        },
        [&parts, action = call.action, pin, reply](const Result<MandateTerms>& complete) {
            if (!complete) return reply(error_result(action, complete.error()));
            give(parts, action, *complete, pin, reply);
        },
        []() -> Result<MandateTerms> {
            return fail(ErrorCode::ResourceExhausted, "too many requests are waiting");
        });
}

void handle_mandate_list(const MandatesParts& parts, const Call& call, const Reply& reply) {
    if (call.text("pin").empty()) {
        answer(reply, call.action, listed(parts, call, false));
        return;
    }
    // The amounts are only for the human, so the PIN is required.
    parts.answers.with_pin(
        call.agent_id(), owner(parts), call.text("pin"),
        [](store::Database&) { return Result<void>(); },
        [&parts, action = call.action, caller = call.caller, &agent = call.agent,
         arguments = call.arguments, reply](const Result<void>& done) {
            if (!done) return reply(error_result_of_pin(action, done.error()));
            answer(reply, action, listed(parts, Call{action, caller, agent, arguments}, true));
        });
}

void handle_mandate_revoke(const MandatesParts& parts, const Call& call, const Reply& reply) {
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [&clock = parts.kernel.clock, giver = giver_at_terminal(parts), agent_id = call.agent_id(),
         id = call.text("mandate_id")](store::Database& db) {
            return mandates::revoke(db, agent_id, id, giver, clock.now_ms());
        },
        [&parts, action = call.action, reply](const Result<void>& done) {
            if (!done) return reply(error_result(action, done.error()));
            parts.commits.rows_written();
            reply(ok_result(action, {{"revoked", 1}}));
        });
}

void handle_mandate_revoke_all(const MandatesParts& parts, const Call& call, const Reply& reply) {
    auto count = std::make_shared<int>(0);
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [&clock = parts.kernel.clock, giver = giver_at_terminal(parts), agent_id = call.agent_id(),
         count](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto revoked,
                                 mandates::revoke_all(db, agent_id, giver, clock.now_ms()));
            *count = revoked;
            return {};
        },
        [&parts, action = call.action, count, reply](const Result<void>& done) {
            if (!done) return reply(error_result(action, done.error()));
            parts.commits.rows_written();
            reply(ok_result(action, {{"revoked", *count}}));
        });
}

/// Sends the opening offer about a listing that says what `digest` identifies.
void begin_haggling(const MandatesParts& parts, const std::string& action,
                    const bargain::Subject& subject, const std::string& digest,
                    const Reply& reply) {
    auto begun = std::make_shared<Approval>();
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [&parts, subject, digest, begun](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto approval,
                                 bargain::begin(db, subject, digest, parts.config->approval,
                                                parts.kernel.clock.now_ms()));
            *begun = std::move(approval);
            return {};
        },
        [&parts, action, begun, reply](const Result<void>& done) {
            if (!done) return reply(error_result(action, done.error()));
            parts.metrics.count_opened(*begun);
            parts.commits.rows_written();
            reply(ok_result(action, {{"approval_id", begun->id},
                                     {"peer_id", begun->peer_id},
                                     {"outcome", to_string(begun->outcome)}}));
        });
}

void handle_bargain_start(const MandatesParts& parts, const Call& call, const Reply& reply) {
    const bargain::Subject subject{call.agent_id(), call.text("peer_id"), call.text("works_id")};
    mail::look_at_listing(
        parts.kernel, call.agent.platform.get(), subject,
        [&parts, action = call.action, subject, reply](const std::string& digest) {
            begin_haggling(parts, action, subject, digest, reply);
        });
}

}  // namespace

void add_mandates(Table& table, const AllParts& all) {
    const MandatesParts& parts = all.sender;
    table.add("mandate.give", with(parts, handle_mandate_give));
    table.add("mandate.list", with(parts, handle_mandate_list));
    table.add("mandate.revoke", with(parts, handle_mandate_revoke));
    table.add("mandate.revoke_all", with(parts, handle_mandate_revoke_all));
    table.add("bargain.start", with(parts, handle_bargain_start));
}

}  // namespace a2h::operations
