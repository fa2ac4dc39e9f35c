#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/approval_store.h"
#include "core/store/invitation_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/agents/local_agents.h"
#include "daemon/collab/consent.h"
#include "daemon/collab/join_rules.h"
#include "daemon/consent/door.h"
#include "daemon/consent/job_state.h"
#include "daemon/mail/standing.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/may_leave.h"
#include "daemon/operations/reading_first.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/sender.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

using InvitationsParts = Sender;

constexpr std::string_view kTool = "negotiation";
constexpr int kInvitationsDefault = 20;

json parsed_or_null(const std::string& text) {
    json value = json::parse(text, nullptr, false);
    return value.is_discarded() ? json() : value;
}

json invitation_view(const Invitation& invitation) {
    json view{{"channel_id", invitation.negotiation_id},
              {"demand_id", invitation.demand_id},
              {"requester_id", invitation.requester_id},
              {"state", to_string(invitation.state)},
              {"demand", parsed_or_null(invitation.demand_json)},
              {"filter_reason", invitation.filter_reason},
              {"invited_at", to_utc_time(invitation.created_at_ms)},
              {"is_bound", invitation.is_bound}};
    if (invitation.answer_by_ms != 0) view["answer_by"] = to_utc_time(invitation.answer_by_ms);
    if (!invitation.offer_json.empty()) view["offer"] = parsed_or_null(invitation.offer_json);
    if (invitation.round > 0) {
        view["round"] = invitation.round;
        view["proposal"] = parsed_or_null(invitation.proposal_json);
    }
    if (!invitation.besides_json.empty()) view["besides"] = parsed_or_null(invitation.besides_json);
    if (invitation.feedback) view["feedback_type"] = to_string(*invitation.feedback);
    if (!invitation.approval_id.empty()) view["approval_id"] = invitation.approval_id;
    if (!invitation.mandate_id.empty()) view["mandate_id"] = invitation.mandate_id;
    if (!invitation.outcome.empty()) view["outcome"] = invitation.outcome;
    return view;
}

/// Errors:  NotFound.
Result<Invitation> invitation_to(store::Database& db, const std::string& agent_id,
                                 const std::string& negotiation_id) {
    A2H_ASSIGN_OR_RETURN(auto found, store::find_invitation(db, agent_id, negotiation_id));
    if (!found) return fail(ErrorCode::NotFound, "there is no invitation to " + negotiation_id);
    return std::move(*found);
}

/// The call's answer to one invitation. The steps run on the store writer with the invitation as it
/// is then.
struct Wanted {
    std::string agent_id;
    std::string negotiation_id;
    std::function<Result<void>(const Invitation&, UnixMs)> check;
    std::function<consent::Question(Invitation&, const consent::Policy&, UnixMs)> ask;
    std::function<OutboxMessage(Invitation&, UnixMs)> answer;
    bool needs_yes = true;
    bool words_kept = false;  ///< a reason was given that may not be sent
};

/// Nobody may undo what a human has just agreed to.
Result<void> check_not_agreed(store::Database& db, const Invitation& invitation) {
    if (invitation.approval_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto approval, store::get_approval(db, invitation.approval_id));
    const bool is_on_its_way = approval && approval->status == ApprovalStatus::Approved &&
                               (approval->outcome == ApprovalOutcome::None ||
                                approval->outcome == ApprovalOutcome::Executing);
    if (!is_on_its_way) return {};
    return fail(ErrorCode::Conflict,
                "approval " + invitation.approval_id + " was given, and its answer is being sent");
}

Result<Invitation> still_open(store::Database& db, const Wanted& wanted, UnixMs now_ms) {
    auto invitation = invitation_to(db, wanted.agent_id, wanted.negotiation_id);
    if (!invitation) return invitation;
    A2H_TRY(wanted.check(*invitation, now_ms));
    A2H_TRY(check_not_agreed(db, *invitation));
    return invitation;
}

/// Closes the open card, or the job that waits for a model's advice.
Result<void> call_off_other(store::Database& db, const Invitation& before,
                            const consent::Policy& policy, UnixMs now_ms) {
    const std::string why = i18n::text(policy.language, "demand.other_answer");
    A2H_TRY(consent::settle_job(db, before.thought_job_id, why, now_ms));
    if (before.approval_id.empty()) return {};
    return consent::call_off(db, before.approval_id, why, policy, now_ms);
}

/// The open card if it asks exactly this.
Result<std::optional<Approval>> same_question(store::Database& db, const Invitation& before,
                                              const Approval& question) {
    const std::optional<Approval> none;
    if (before.approval_id.empty()) return none;
    auto open = store::get_approval(db, before.approval_id);
    if (!open || !*open || (*open)->status != ApprovalStatus::Pending) return open ? none : open;
    const auto request_of = [](const Approval& approval) {
        return wire::member(json::parse(approval.action_json, nullptr, false), "request");
    };
    return request_of(**open) == request_of(question) ? open : none;
}

/// No mandate answers unless `is_read`: all mail that had reached this home was received (R52).
Result<PutQuestion> put_question(store::Database& db, const Wanted& wanted, bool is_read,
                                 const consent::Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto before, still_open(db, wanted, now_ms));
    Invitation after = before;
    consent::Question question = wanted.ask(after, policy, now_ms);
    question.claims.is_bounded = question.claims.is_bounded && is_read;
    A2H_ASSIGN_OR_RETURN(auto same, same_question(db, before, question));
    if (same) return PutQuestion{std::move(*same), true};
    A2H_ASSIGN_OR_RETURN(auto opened, consent::open_approval(db, question, policy, now_ms));
    A2H_TRY(store::update_invitation(db, after, before.state));
    A2H_TRY(call_off_other(db, before, policy, now_ms));
    return PutQuestion{std::move(opened), false};
}

struct Left {
    OutboxMessage message;
    Invitation invitation;
};

Result<Left> leave_at_once(store::Database& db, const Wanted& wanted, const consent::Policy& policy,
                           UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto before, still_open(db, wanted, now_ms));
    Left left{{}, before};
    left.message = wanted.answer(left.invitation, now_ms);
    A2H_TRY(store::update_invitation(db, left.invitation, before.state));
    A2H_TRY(consent::put_in_outbox(db, left.message));
    A2H_TRY(call_off_other(db, before, policy, now_ms));
    return left;
}

json left_data(const Left& left, bool words_kept) {
    json data{{"message_id", left.message.message_id},
              {"channel_id", left.invitation.negotiation_id},
              {"target_id", left.message.target_id},
              {"type", left.message.message_type},
              {"state", to_string(left.invitation.state)}};
    if (words_kept) data["words_kept"] = true;
    return data;
}

void carry(const InvitationsParts& parts, const Call& call, Wanted wanted, const Reply& reply) {
    wanted.agent_id = call.agent_id();
    wanted.negotiation_id = call.text("channel_id");
    const UnixMs now_ms = parts.kernel.clock.now_ms();
    const auto policy = policy_of(parts.config);
    if (wanted.needs_yes) {
        const auto may_miss = mail::may_miss_mail(parts.kernel.reader, parts.agents);
        ask_human(
            parts, call,
            [wanted = std::move(wanted), is_read = may_miss && !*may_miss, policy, now_ms](
                store::Database& db) { return put_question(db, wanted, is_read, *policy, now_ms); },
            reply);
        return;
    }
    const auto left = std::make_shared<Left>();
    const bool words_kept = wanted.words_kept;
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [wanted = std::move(wanted), left, policy, now_ms](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto done, leave_at_once(db, wanted, *policy, now_ms));
            *left = std::move(done);
            return {};
        },
        [&parts, action = call.action, left, words_kept, reply](const Result<void>& written) {
            if (!written) return reply(error_result(action, written.error()));
            parts.commits.rows_written();
            reply(ok_result(action, left_data(*left, words_kept)));
        });
}

std::optional<Price> price_in(const json& arguments, const char* name) {
    const json& price = wire::member(arguments, name);
    if (!price.is_object()) return std::nullopt;
    const std::string currency = wire::text_member(price, "currency");
    return Price{price["amount_minor"].get<std::int64_t>(), currency.empty() ? "CNY" : currency};
}

std::optional<Price> unless_free(std::optional<Price> price) {
    return price && price->amount_minor > 0 ? std::move(price) : std::nullopt;
}

/// The requester as a peer. The invitation that is being answered, and its question, do not count
/// as open.
std::vector<store::Between> requester_of(const Invitation& invitation) {
    return {{.agent_id = invitation.agent_id,
             .peer_id = invitation.requester_id,
             .approval_id = invitation.approval_id,
             .negotiation_id = invitation.negotiation_id}};
}

/// Within this home no review is needed. While anything else of the requester is open, the words
/// could answer it as well (R46).
Hold hold_of_reason(const InvitationsParts& parts, const Invitation& invitation,
                    const std::string& words) {
    if (trim(words).empty() || parts.residents.is_ours(invitation.requester_id)) return Hold::None;
    return hold_of_words(parts, words, requester_of(invitation)).value_or(Hold::Open);
}

/// A refusal without words is an answer, too, also to what the invitation itself says.
Hold hold_of_no(const InvitationsParts& parts, const Call& call, const Invitation& invitation) {
    if (call.caller.is_proved()) return Hold::None;
    return hold_of_refusal(parts,
                           {{.agent_id = invitation.agent_id, .peer_id = invitation.requester_id}})
        .value_or(Hold::Open);
}

/// The question that is put because of `hold`, with its reason.
std::function<consent::Question(Invitation&, const consent::Policy&, UnixMs)> with_reason(
    const InvitationsParts& parts, Hold hold,
    std::function<consent::Question(Invitation&, const consent::Policy&, UnixMs)> ask) {
    if (hold == Hold::None) return ask;
    return [ask = std::move(ask), why = reason_of(hold, parts.config->approval.language)](
               Invitation& asked, const consent::Policy& policy, UnixMs now_ms) {
        consent::Question question = ask(asked, policy, now_ms);
        question.question += why;
        return question;
    };
}

bool may_say_why(const InvitationsParts& parts, const Invitation& invitation,
                 const std::string& words) {
    return hold_of_reason(parts, invitation, words) == Hold::None;
}

collab::Cause cause_of(const Call& call) {
    collab::Cause cause;
    cause.requested_by = requester_of(call, kTool);
    cause.asked_by = call.caller.proved_by;
    return cause;
}

// Invitations.

Wanted answering_invitation(const Call& call, wire::OfferResponse response, collab::Cause cause) {
    Wanted wanted;
    wanted.check = collab::check_joinable;
    wanted.ask = [response, cause](Invitation& invitation, const consent::Policy& policy,
                                   UnixMs now_ms) {
        return collab::ask_to_join(invitation, response, cause, policy, now_ms);
    };
    wanted.answer = [response, caller = call.caller](Invitation& invitation, UnixMs now_ms) {
        OutboxMessage answer = collab::answer_invitation(invitation, response, "", now_ms);
        Judge::let_leave(caller, kTool, answer);
        return answer;
    };
    return wanted;
}

Wanted declining(const InvitationsParts& parts, const Call& call, const Invitation& invitation) {
    const std::string reason = call.text("reasoning");
    const Hold hold = hold_of_no(parts, call, invitation);
    const bool is_asked = hold != Hold::None;
    const bool says_why = !reason.empty() && (is_asked || may_say_why(parts, invitation, reason));
    const i18n::Language language = parts.config->approval.language;
    const Offer decline =
        collab::new_decline(says_why ? reason : i18n::text(language, "demand.declined"));
    Wanted wanted = answering_invitation(
        call, {invitation.negotiation_id, parts.config->negotiation.display_name, decline},
        cause_of(call));
    wanted.needs_yes = is_asked;
    wanted.ask = with_reason(parts, hold, std::move(wanted.ask));
    wanted.words_kept = !reason.empty() && !says_why;
    return wanted;
}

/// Arguments that are left out are taken from the owner's settings.
///
/// Errors:  InvalidArgument.
Result<Offer> offer_in(const InvitationsParts& parts, const Call& call) {
    const collab::Options options = parts.config->negotiation;
    const std::string said = call.text("contribution");
    const auto price = call.arguments.contains("price")
                           ? price_in(call.arguments, "price")
                           : std::optional(Price{options.price_minor, options.currency});
    Offer offer = collab::new_offer(said.empty() ? options.contribution : said,
                                    call.arguments.value("conditions", std::vector<std::string>()),
                                    unless_free(price), parts.config->approval.language);
    offer.reasoning = call.text("reasoning");
    if (offer.reasoning.empty())
        offer.reasoning = collab::words_of_owners_offer(parts.config->approval.language);
    if (offer.contribution.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "contribution is missing, and negotiation.contribution is not set either");
    }
    const bool is_conditional = call.text("decision") == to_string(OfferDecision::Conditional);
    if (is_conditional != !offer.conditions.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    is_conditional ? "conditional needs conditions or a price"
                                   : "with conditions or a price the decision must be conditional");
    }
    return offer;
}

// Plans.

Wanted answering_plan(const Call& call, wire::ProposalFeedback feedback, collab::Cause cause) {
    Wanted wanted;
    wanted.ask = [feedback, cause](Invitation& invitation, const consent::Policy& policy,
                                   UnixMs now_ms) {
        return collab::ask_to_answer(invitation, feedback, cause, policy, now_ms);
    };
    wanted.answer = [feedback, caller = call.caller](Invitation& invitation, UnixMs now_ms) {
        OutboxMessage answer = collab::answer_proposal(invitation, feedback, "", now_ms);
        Judge::let_leave(caller, kTool, answer);
        return answer;
    };
    // An answer to one plan does not answer the next.
    wanted.check = [round = feedback.round](const Invitation& invitation,
                                            UnixMs now_ms) -> Result<void> {
        A2H_TRY(collab::check_answerable(invitation, now_ms));
        if (invitation.round == round) return {};
        return fail(ErrorCode::Conflict, "there is a newer proposal");
    };
    return wanted;
}

Wanted accepting(const Call& call, const Invitation& invitation) {
    const std::string reasoning = call.text("reasoning");
    collab::Cause cause = cause_of(call);
    cause.is_bounded =
        reasoning.empty() && collab::check_plan(invitation) == collab::PartCheck::AsOffered;
    if (cause.is_bounded) cause.continues_mandate = invitation.mandate_id;
    return answering_plan(
        call,
        {invitation.negotiation_id, invitation.round, FeedbackType::Accept, reasoning, {}, {}},
        cause);
}

Wanted negotiating(const InvitationsParts& parts, const Call& call, const Invitation& invitation) {
    const Offer offered = wire::parse_offer(invitation.offer_json).value_or(Offer{});
    auto feedback = collab::new_objection(invitation.negotiation_id, invitation.round, offered,
                                          call.text("adjustment_request"));
    feedback.reasoning = call.text("reasoning");
    if (const auto price = price_in(call.arguments, "requested_price")) {
        feedback.wanted_price = price;
    }
    Wanted wanted = answering_plan(call, feedback, cause_of(call));
    Hold hold = hold_of_reason(parts, invitation, feedback.adjustment_request);
    if (hold == Hold::None) hold = hold_of_reason(parts, invitation, feedback.reasoning);
    if (hold == Hold::None) hold = hold_of_no(parts, call, invitation);
    wanted.needs_yes = feedback.wanted_price != offered.price || hold != Hold::None;
    wanted.ask = with_reason(parts, hold, std::move(wanted.ask));
    return wanted;
}

Wanted withdrawing(const InvitationsParts& parts, const Call& call, const Invitation& invitation) {
    const std::string reason = call.text("reasoning");
    const Hold hold = hold_of_no(parts, call, invitation);
    const bool is_asked = hold != Hold::None;
    const bool says_why = is_asked || may_say_why(parts, invitation, reason);
    Wanted wanted = answering_plan(call,
                                   {invitation.negotiation_id,
                                    invitation.round,
                                    FeedbackType::Withdraw,
                                    says_why ? reason : std::string(),
                                    {},
                                    {}},
                                   cause_of(call));
    wanted.needs_yes = is_asked;
    wanted.ask = with_reason(parts, hold, std::move(wanted.ask));
    wanted.words_kept = !reason.empty() && !says_why;
    return wanted;
}

Result<json> handle_invitation_list(const InvitationsParts& parts, const Call& call) {
    const std::string negotiation_id = call.text("channel_id");
    if (!negotiation_id.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto one,
                             invitation_to(parts.kernel.reader, call.agent_id(), negotiation_id));
        return json{{"items", json::array({invitation_view(one)})}};
    }
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         store::list_invitations(parts.kernel.reader, call.agent_id(),
                                                 !call.arguments.value("all", false),
                                                 call.number("limit", kInvitationsDefault)));
    return json{{"items", wire::array_of(rows, invitation_view)}};
}

void handle_negotiation_answer(const InvitationsParts& parts, const Call& call,
                               const Reply& reply) {
    const auto invitation =
        invitation_to(parts.kernel.reader, call.agent_id(), call.text("channel_id"));
    if (!invitation) return reply(error_result(call.action, invitation.error()));
    if (call.text("decision") == to_string(OfferDecision::Decline)) {
        return carry(parts, call, declining(parts, call, *invitation), reply);
    }
    const auto offer = offer_in(parts, call);
    if (!offer) return reply(error_result(call.action, offer.error()));
    const auto config = parts.config.get();
    collab::Cause cause = cause_of(call);
    cause.is_bounded =
        collab::is_plain_demand(*invitation) &&
        collab::is_owners_offer(config->negotiation, *offer, config->approval.language);
    carry(parts, call,
          answering_invitation(
              call, {invitation->negotiation_id, config->negotiation.display_name, *offer}, cause),
          reply);
}

void handle_proposal_feedback(const InvitationsParts& parts, const Call& call, const Reply& reply) {
    const auto invitation =
        invitation_to(parts.kernel.reader, call.agent_id(), call.text("channel_id"));
    if (!invitation) return reply(error_result(call.action, invitation.error()));
    const auto type = parse_feedback_type(call.text("feedback_type"));
    if (type == FeedbackType::Accept) {
        return carry(parts, call, accepting(call, *invitation), reply);
    }
    if (type == FeedbackType::Withdraw) {
        return carry(parts, call, withdrawing(parts, call, *invitation), reply);
    }
    if (call.text("adjustment_request").empty() && !call.arguments.contains("requested_price")) {
        return reply(error_result(
            call.action,
            {ErrorCode::InvalidArgument, "negotiate needs adjustment_request or requested_price"}));
    }
    carry(parts, call, negotiating(parts, call, *invitation), reply);
}

}  // namespace

void add_invitations(Table& table, const AllParts& all) {
    const Sender& sender = all.sender;
    const InvitationsParts& parts = sender;
    table.add("invitation.list", with(parts, handle_invitation_list));
    table.add("negotiation.answer", after_reading(sender, with(parts, handle_negotiation_answer)));
    table.add("proposal.feedback", after_reading(sender, with(parts, handle_proposal_feedback)));
}

}  // namespace a2h::operations
