#include <array>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "core/domain/audit.h"
#include "core/domain/mandate_kind.h"
#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/consent/action.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/recorded.h"
#include "daemon/consent/terms.h"
#include "daemon/consent/wider_terms.h"
#include "daemon/effects/rows.h"

namespace a2h::mandates {
namespace {

using nlohmann::json;

constexpr std::size_t kShareIdBytes = 10;
constexpr int kParentMandatesMax = 1'000;
constexpr std::string_view kParentMandate = "parent_mandate_id";

Unexpected exceeded() {
    return fail(ErrorCode::PermissionDenied,
                "mandate_exceeded: an agent cannot get more than its parent has");
}

struct ShareText {
    std::string_view name;
    std::string MandateTerms::*member;
};
constexpr std::array<ShareText, 6> kShareTexts = {{{"action", &MandateTerms::action},
                                                   {"peer_id", &MandateTerms::peer_id},
                                                   {"works_id", &MandateTerms::works_id},
                                                   {"currency", &MandateTerms::currency},
                                                   {"side", &MandateTerms::side},
                                                   {"strategy", &MandateTerms::strategy}}};
Unexpected bad_member(const std::string& name) {
    return fail(ErrorCode::InvalidArgument, "mandate." + name + " is not a member of a mandate");
}

Result<void> set_member(MandateTerms& terms, const std::string& name, const json& value) {
    for (const ShareText& text : kShareTexts) {
        if (text.name != name) continue;
        if (!value.is_string()) return bad_member(name);
        terms.*text.member = value.get<std::string>();
        return {};
    }
    for (const Limit& limit : limits()) {
        if (limit.name != name) continue;
        if (!value.is_number_integer()) return bad_member(name);
        terms.*limit.member = value.get<std::int64_t>();
        return {};
    }
    if ((name != "from" && name != "until") || !value.is_string()) return bad_member(name);
    const auto time = parse_time(value.get<std::string>());
    if (!time) return fail(time.error().with_context("mandate." + name));
    (name == "from" ? terms.starts_ms : terms.ends_ms) = *time;
    return {};
}

Result<json> read_wanted(const std::string& wanted_json) {
    auto wanted = wire::parse_json(wanted_json);
    if (!wanted || !wanted->is_object()) return invalid("mandate must be an object");
    const auto action = wanted->find("action");
    if (action != wanted->end() && action->is_string())
        *action =
            std::string(present_name(kFormerMandateKinds, action->get_ref<const std::string&>()));
    return wanted;
}

/// The parent's terms with the requested changes.
Result<MandateTerms> narrowed(MandateTerms terms, std::string_view agent_id, const json& wanted) {
    terms.agent_id = agent_id;
    for (const auto& [name, value] : wanted.items()) {
        if (name == kParentMandate) continue;
        A2H_TRY(set_member(terms, name, value));
    }
    return terms;
}

}  // namespace

Result<Mandate> cut_share(store::Database& db, std::string_view parent_agent_id,
                          std::string_view parent_mandate_id, const MandateTerms& terms,
                          UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto parent, find_in_force(db, parent_mandate_id));
    if (!parent || parent->agent_id != parent_agent_id) return exceeded();
    const auto parent_terms = read_terms(parent->terms_json);
    if (!parent_terms || !wider_terms(terms, *parent_terms).empty()) return exceeded();
    A2H_TRY(check_terms(terms, now_ms));
    Mandate share;
    share.id = "mdt_" + random_hex(kShareIdBytes);
    share.agent_id = terms.agent_id;
    share.action = terms.action;
    share.terms_json = write_terms(terms);
    share.given_by = parent->given_by;
    share.surface = to_string(AnswerSurface::Mandate);
    share.given_at_ms = now_ms;
    share.parent_mandate_id = parent_mandate_id;
    A2H_TRY(store::insert_mandate(db, share));
    const std::string detail =
        wire::text_object({{"mandate", share.id},
                           {"action", share.action},
                           {"terms_digest", wire::sha256_hex(share.terms_json)},
                           {"of", parent_mandate_id},
                           {"by", parent_agent_id}});
    A2H_TRY(store::append_audit(db, "", audit::kMandateShared, detail, now_ms));
    A2H_TRY(store::insert_event(
        db, effects::new_event(share.agent_id, audit::kMandateShared, share.id, detail, now_ms)));
    return share;
}

Result<void> check_wanted(const std::string& wanted_json, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto wanted, read_wanted(wanted_json));
    const json& named = wire::member(wanted, kParentMandate);
    if (!named.is_null() && !named.is_string()) return bad_member(std::string(kParentMandate));
    const auto terms = narrowed({}, "", wanted);
    if (!terms) return fail(terms.error());
    const auto bounded = check_bounds(*terms, now_ms);
    if (bounded) return {};
    return fail(bounded.error().with_context(
        "the human sees only what `mandate` names, so it must name every bound of the share"));
}

Result<Mandate> cut_share(store::Database& db, std::string_view parent_agent_id,
                          std::string_view agent_id, const std::string& wanted_json,
                          UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto wanted, read_wanted(wanted_json));
    const std::string named = wire::text_member(wanted, kParentMandate);
    const std::string action = wire::text_member(wanted, "action");
    A2H_ASSIGN_OR_RETURN(const auto mandates,
                         store::list_mandates(db, parent_agent_id, false, kParentMandatesMax));
    Result<Mandate> last = exceeded();
    for (const Mandate& mandate : mandates) {
        if (!named.empty() && named != mandate.id) continue;
        if (named.empty() && !action.empty() && action != mandate.action) continue;
        const auto parent_terms = read_terms(mandate.terms_json);
        if (!parent_terms) continue;
        A2H_ASSIGN_OR_RETURN(const auto terms, narrowed(*parent_terms, agent_id, wanted));
        last = cut_share(db, parent_agent_id, mandate.id, terms, now_ms);
        if (last) return last;
    }
    return last;
}

std::string share_of_request(const Approval& approval) {
    const auto request = consent::arguments_of(approval);
    const auto share = request ? request->find("mandate") : json::const_iterator();
    return request && share != request->end() ? wire::canonical_json(*share) : std::string();
}

std::string_view hidden_share_failure(const Approval& approval) {
    constexpr std::string_view kNotShared =
        "no share of a mandate was given, and nothing else was done; `a2h mandate list` shows the "
        "mandates that can be shared";
    return share_of_request(approval).empty() ? std::string_view() : kNotShared;
}

}  // namespace a2h::mandates
