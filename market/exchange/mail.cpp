#include "market/exchange/mail.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "core/wire/json_text.h"
#include "market/exchange/events.h"
#include "market/exchange/payload.h"
#include "market/exchange/sessions.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::string_view kUnnamedSession =
    "the offer belongs to a session about an RFP or a proposal, which session_id must name";

constexpr std::string_view kUnsigned =
    "the message is not signed with the key that its sender has registered";

/// True for refusals of the message itself, which another delivery would not change.
bool is_refusal(ErrorCode code) {
    return code == ErrorCode::Conflict || code == ErrorCode::NotFound ||
           code == ErrorCode::InvalidArgument;
}

Result<void> only_trouble(Result<void> result) {
    return !result && is_refusal(result.error().code) ? Result<void>() : result;
}

struct Mail {
    SessionMessage message;
    std::string target_id;
    std::string session_id;  ///< the session that it names; empty: none
};

/// nullopt for messages that do not belong in a session.
std::optional<Mail> read_mail(std::string_view envelope_json, UnixMs now_ms) {
    const auto envelope = wire::parse_json(envelope_json);
    if (!envelope) return std::nullopt;
    const json payload = envelope->value("payload", json::object());
    auto message = read_payload(envelope_json, known_fields(payload));
    if (!message) return std::nullopt;
    message->message_id = envelope->value("message_id", "");
    message->sender_id = envelope->value("sender_id", "");
    message->payload_hash = envelope->value("payload_hash", "");
    message->created_at_ms = now_ms;
    Mail mail{std::move(*message), envelope->value("target_id", ""), ""};
    const auto named = payload.find("session_id");
    if (named != payload.end() && named->is_string()) mail.session_id = named->get<std::string>();
    return mail;
}

Result<std::optional<Session>> find_session(db::Transaction& transaction, const Mail& mail) {
    const SessionMessage& message = mail.message;
    if (!mail.session_id.empty()) {
        auto named = store::find_session(transaction, mail.session_id, message.sender_id);
        const bool theirs = named && *named && (*named)->has(mail.target_id);
        return !named || theirs ? std::move(named) : std::optional<Session>();
    }
    return message.offer_id.empty()
               ? store::plain_session(transaction, message.sender_id, mail.target_id)
               : store::session_of_offer(transaction, message.sender_id, mail.target_id,
                                         message.offer_id);
}

/// nullopt if the mail belongs to no session, or is already in it.
Result<std::optional<Session>> session_for(db::Database& database, const Mail& mail) {
    using Found = std::optional<Session>;
    return database.read_as<Found>([&](db::Transaction& transaction) -> Result<Found> {
        A2H_ASSIGN_OR_RETURN(auto session, find_session(transaction, mail));
        if (!session) return Found();
        A2H_ASSIGN_OR_RETURN(
            const auto known,
            store::find_session_message(transaction, session->session_id, mail.message.message_id));
        return known ? Found() : std::move(session);
    });
}

/// Only who answers an offer waits for what becomes of it.
Result<void> refuse(db::Database& database, const Mail& mail, std::string_view reason,
                    UnixMs now_ms) {
    if (mail.message.offer_id.empty()) return {};
    return only_trouble(
        database.write_with(notify_refused, mail.message, mail.target_id, reason, now_ms));
}

}  // namespace

Result<void> take_mail(db::Database& database, std::string_view envelope_json, MailProof proof,
                       UnixMs now_ms) {
    auto mail = read_mail(envelope_json, now_ms);
    if (!mail) return {};
    const auto session = session_for(database, *mail);
    if (!session) return only_trouble(fail(session.error()));
    if (!*session) return {};
    SessionMessage& message = mail->message;
    message.session_id = (*session)->session_id;
    if (proof != MailProof::Sure) return refuse(database, *mail, kUnsigned, now_ms);
    // What a session is about becomes part of its deals, so only a message that names it counts.
    if (!(*session)->is_plain() && mail->session_id.empty())
        return refuse(database, *mail, kUnnamedSession, now_ms);
    const auto taken = database.write([&](db::Transaction& transaction) -> Result<void> {
        const auto said = say(transaction, message, SaidBy::Mail);
        return said ? Result<void>() : fail(said.error());
    });
    if (taken || !is_refusal(taken.error().code)) return only_trouble(taken);
    return refuse(database, *mail, taken.error().message, now_ms);
}

}  // namespace a2h::market
