#include "daemon/operations/outgoing.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/domain/deal.h"
#include "core/domain/media_type.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/bounded.h"
#include "daemon/consent/renewal.h"
#include "daemon/decide/acts.h"
#include "daemon/kernel/kernel.h"
#include "daemon/mail/acceptance.h"
#include "daemon/mail/conversation_text.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
using wire::text_member;

bool is_web_address(const std::string& text) {
    return text.starts_with("https://") || text.starts_with("http://");
}

/// The last part of the path: ".../a%20b.png?x" gives "a%20b.png".
std::string name_in(const std::string& url) {
    const std::string path = url.substr(0, url.find_first_of("?#"));
    const auto host = path.find("://") + 3;
    const auto slash = path.rfind('/');
    return slash == std::string::npos || slash < host ? std::string() : path.substr(slash + 1);
}

json attachment_of(const Call& call) {
    const std::string url = call.text("attachment_url");
    json attachment{{"url", url}, {"source", "external"}};
    const std::string given_name = call.text("attachment_name");
    const std::string name = given_name.empty() ? name_in(url) : given_name;
    if (!name.empty()) attachment["name"] = name;
    std::string mime = call.text("attachment_mime");
    if (mime.empty()) {
        auto type = media_type_of(name);
        if (!type) type = media_type_of(name_in(url));
        if (type) mime = type->mime;
    }
    if (!mime.empty()) attachment["mime_type"] = mime;
    return attachment;
}

Result<void> check_addresses(const json& payload) {
    for (const auto& [name, url] :
         {std::pair{"payment_qr", text_member(payload, "payment_qr")},
          std::pair{"attachment.url", text_member(wire::member(payload, "attachment"), "url")}}) {
        if (!url.empty() && !is_web_address(url)) {
            return invalid(std::string(name) + " must begin with http:// or https://");
        }
    }
    return {};
}

Result<json> payload_of(const Call& call) {
    json payload = call.arguments.value("extra_payload", json::object());
    if (payload.contains("image")) {
        return invalid(
            "\"image\" is no longer sent: use attachment_url for a picture and "
            "payment_qr for a payment code");
    }
    const auto put = [&](const char* member, const char* argument) {
        const std::string value = call.text(argument);
        if (!value.empty()) payload[member] = value;
    };
    put("text", "text");
    put("orderId", "order_id");
    put("worksId", "works_id");
    put("payment_qr", "payment_qr");
    put("payment_qr_type", "payment_qr_type");
    if (!call.text("attachment_url").empty()) payload["attachment"] = attachment_of(call);
    if (payload.empty()) {
        return invalid("nothing to send: give text, payment_qr, attachment_url or extra_payload");
    }
    A2H_TRY(check_addresses(payload));
    return payload;
}

Result<void> read_offer(const kernel::Kernel& kernel, const json& payload, Outgoing& out) {
    A2H_ASSIGN_OR_RETURN(auto price, mail::price_in(payload));
    A2H_ASSIGN_OR_RETURN(out.act_before_ms, mail::end_of_offer(payload, kernel.clock.now_ms()));
    out.amount = std::move(price);
    out.subject = text_member(payload, "summary");
    out.question_key = "trade.ask_offer";
    out.is_bounded = mandates::is_bounded_payload(payload);
    return {};
}

/// Only the offer to which the peer stands now can be accepted, and only once.
Result<void> check_stands(const std::optional<Deal>& deal, const std::string& offer_id) {
    const bool is_agreed = deal && deal->agreed && deal->agreed->offered_by == ActBy::Peer &&
                           deal->agreed->offer_message_id == offer_id;
    if (is_agreed) {
        return fail(ErrorCode::Conflict,
                    "this offer was accepted already, with " + deal->agreed->accept_message_id);
    }
    if (deal && deal->theirs && deal->theirs->message_id == offer_id) return {};
    const std::string instead =
        deal && deal->theirs
            ? "the peer has sent a newer offer, " + deal->theirs->message_id + "; read that one"
            : "the peer no longer stands to this offer; ask it for a new one";
    return fail(ErrorCode::Conflict, "changed meanwhile: " + instead);
}

/// A message belongs to its deal as soon as it is decided. What comes after it closes the question.
Result<bool> is_undecided(store::Database& reader, const InboxMessage& message) {
    A2H_ASSIGN_OR_RETURN(const auto job, store::get_job_of_inbox(reader, message.id));
    return job && job->state == JobState::Pending;
}

/// One bargain is to make one deal, so an offer takes the place of the offer that is open.
Result<void> replace_open_offer(const kernel::Kernel& kernel, const Call& call, Outgoing& out) {
    A2H_ASSIGN_OR_RETURN(
        const auto payload,
        mail::in_place_of_open_offer(kernel.reader, call.agent_id(), call.text("target_agent_id"),
                                     json::parse(out.payload_json), kernel.clock.now_ms()));
    out.payload_json = wire::canonical_json(payload);
    return {};
}

/// Words that change our terms, or take them back, end the typed offer to which this agent stands
/// at the market as well, which reads no words.
Result<void> replace_by_words(const kernel::Kernel& kernel, const Call& call, Outgoing& out) {
    const json payload = json::parse(out.payload_json);
    A2H_ASSIGN_OR_RETURN(const auto deal,
                         mail::deal_of(kernel.reader, call.agent_id(), call.text("target_agent_id"),
                                       payload, kernel.clock.now_ms()));
    if (!deal || !deal->open_at_market) return {};
    const bool ends = decide::changes_own_terms(decide::own_acts(out.payload_json, deal));
    return ends ? replace_open_offer(kernel, call, out) : Result<void>();
}

/// Reads an acceptance: it must be of an offer that this agent has received and that is still valid
/// (R26).
Result<void> read_accept(const kernel::Kernel& kernel, const Call& call, json payload,
                         Outgoing& out) {
    const std::string offer_id = text_member(payload, "offer_message_id");
    if (offer_id.empty()) return invalid("an acceptance needs offer_message_id");
    A2H_ASSIGN_OR_RETURN(
        const auto message,
        store::find_inbox(kernel.reader, call.agent_id(), call.text("target_agent_id"), offer_id));
    if (!message)
        return fail(ErrorCode::NotFound, "no offer with that message id came from that agent");
    const json offer = json::parse(message->payload_json, nullptr, false);
    // The peer chose the id, which the acceptance repeats, and a sentence could be spelt like an id
    // (R47).
    out.is_bounded = is_wordless_id(offer_id) && mandates::is_bounded_offer(offer, false) &&
                     text_member(offer, "worksId") == text_member(payload, "worksId") &&
                     mandates::is_bounded_payload(payload);
    const UnixMs now_ms = kernel.clock.now_ms();
    A2H_ASSIGN_OR_RETURN(auto made, mail::acceptance_of(kernel.reader, *message, payload, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto deal,
                         mail::deal_of(kernel.reader, call.agent_id(), call.text("target_agent_id"),
                                       payload, now_ms));
    A2H_ASSIGN_OR_RETURN(const bool is_new, is_undecided(kernel.reader, *message));
    if (!is_new) A2H_TRY(check_stands(deal, offer_id));
    out.payload_json = wire::canonical_json(made.payload);
    out.amount = std::move(made.amount);
    out.act_before_ms = made.until_ms;
    out.subject = text_member(offer, "summary");
    out.offer_json = message->payload_json;
    out.peer_text = mail::whole_message(consent::all_said_in(*message));
    out.accepts_inbox_id = message->id;
    out.provenance = to_string(message->provenance);
    out.question_key = "trade.ask_accept";
    return {};
}

/// What a session of the market is about would become part of the deal, and no card shows it.
Result<void> check_session(const json& payload) {
    if (wire::member(payload, "session_id").is_null()) return {};
    return invalid(
        "an offer or an acceptance names no session_id: it belongs to the session of the two "
        "agents that is about nothing else");
}

}  // namespace

Result<Outgoing> read_outgoing(const kernel::Kernel& kernel, const Call& call) {
    A2H_ASSIGN_OR_RETURN(auto payload, payload_of(call));
    Outgoing out;
    out.payload_json = wire::canonical_json(payload);
    const std::string type = text_member(payload, "type");
    if (type.empty()) A2H_TRY(replace_by_words(kernel, call, out));
    if (type != "offer" && type != "accept") return out;
    A2H_TRY(check_session(payload));
    if (type == "accept") {
        A2H_TRY(read_accept(kernel, call, std::move(payload), out));
        return out;
    }
    A2H_TRY(read_offer(kernel, payload, out));
    A2H_TRY(replace_open_offer(kernel, call, out));
    return out;
}

}  // namespace a2h::operations
