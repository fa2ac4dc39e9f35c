#include "daemon/web/page_data.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/store/approval_pages.h"
#include "core/store/approval_store.h"
#include "core/store/assignment_store.h"
#include "core/store/contact_store.h"
#include "core/store/deal_store.h"
#include "core/store/demand_store.h"
#include "core/store/inbox_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/notification_store.h"
#include "core/store/profile_store.h"
#include "core/store/vote_store.h"
#include "core/wire/json_member.h"
#include "core/wire/message_types.h"
#include "core/wire/payload.h"
#include "daemon/card/card.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/renewal.h"
#include "daemon/consent/terms.h"
#include "daemon/deals/view.h"
#include "daemon/web/link_page_view.h"

namespace a2h::web {
namespace {

using nlohmann::json;

constexpr int kMessagesBesideQuestion = 12;
constexpr int kMessagesOfDeal = 20;
constexpr int kContactsMax = 1000;
constexpr int kUsesMax = 100;
constexpr int kStoryMax = 200;

std::string cursor_of(const store::ApprovalPlace& place) {
    return std::to_string(place.answer_by_ms) + "." + std::to_string(place.number);
}

std::optional<std::int64_t> read_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

Result<store::ApprovalPlace> read_cursor(std::string_view cursor) {
    if (cursor.empty()) return store::ApprovalPlace{};
    const auto point = cursor.find('.');
    if (point != std::string_view::npos) {
        const auto answer_by_ms = read_number(cursor.substr(0, point));
        const auto number = read_number(cursor.substr(point + 1));
        if (answer_by_ms && number) return store::ApprovalPlace{*answer_by_ms, *number};
    }
    return fail(ErrorCode::InvalidArgument, "this cursor is not valid");
}

Result<std::vector<store::Vote>> counting_votes(store::Database& db, const Approval& approval) {
    auto votes = store::votes_for(db, approval.id, approval.digest);
    if (!votes) return votes;
    std::erase_if(*votes, [&](const store::Vote& vote) {
        return !consent::check_voter(approval, vote.person).has_value();
    });
    return votes;
}

/// Adds the people who have said yes to an open approval that needs several people.
Result<void> add_votes(store::Database& db, const Approval& approval, json& object) {
    if (!consent::needs_votes(approval) || approval.status != ApprovalStatus::Pending) return {};
    A2H_ASSIGN_OR_RETURN(const auto votes, counting_votes(db, approval));
    object["votes"] = json::array();
    for (const store::Vote& vote : votes)
        object["votes"].push_back({{"person", vote.person}, {"at_ms", vote.given_at_ms}});
    return {};
}

Result<json> page_json(store::Database& db, const store::ApprovalPage& page,
                       const card::Reader& reader) {
    json approvals = json::array();
    for (const Approval& approval : page.approvals) {
        approvals.push_back(approval_json(approval, reader));
        A2H_TRY(add_votes(db, approval, approvals.back()));
    }
    return json{
        {"approvals", std::move(approvals)}, {"cursor", cursor_of(page.end)}, {"more", page.more}};
}

json message_json(const HistoryEntry& entry) {
    const wire::PayloadView view = wire::view_payload(entry.payload_json);
    json message{{"id", entry.message_id},
                 {"incoming", entry.incoming},
                 {"at_ms", entry.at_ms},
                 {"type", printable(entry.message_type)},
                 {"is_chat", entry.message_type == wire::kChatMessageType},
                 {"text", printable(view.text)}};
    if (entry.incoming) {
        message["provenance"] = to_string(entry.provenance);
    } else {
        message["state"] = entry.outbox_state;
    }
    const auto add = [&message](const char* name, const std::string& text) {
        if (!text.empty()) message[name] = printable(text);
    };
    add("order_id", view.order_id);
    add("works_id", view.works_id);
    add("attachment_url", view.attachment_url);
    add("attachment_name", view.attachment_name);
    add("payment_qr", view.payment_qr);
    add("offer_amount", view.offer_amount);
    add("offer_currency", view.offer_currency);
    return message;
}

json messages_json(const std::vector<HistoryEntry>& entries) {
    json messages = json::array();
    for (const auto& entry : entries) {
        // Forged messages are counted in the status but never shown.
        if (entry.incoming && entry.provenance == Provenance::Forged) continue;
        messages.push_back(message_json(entry));
    }
    return messages;
}

json contact_json(const Contact& contact) {
    return {{"agent_id", contact.agent_id},        {"peer_id", contact.peer_id},
            {"source", to_string(contact.source)}, {"introduced_by", contact.introduced_by},
            {"role", printable(contact.role)},     {"key_id", contact.key_id},
            {"key_changed", contact.key_changed},  {"added_at_ms", contact.added_at_ms}};
}

Result<json> audit_of(store::Database& db, std::string_view id) {
    A2H_ASSIGN_OR_RETURN(const auto rows, store::audit_rows(db, id));
    json audit = json::array();
    for (const AuditRow& row : rows) {
        audit.push_back({{"what", row.what},
                         {"at_ms", row.created_at_ms},
                         {"detail", json::parse(row.detail_json, nullptr, false)}});
    }
    return audit;
}

Result<json> notified_of(store::Database& db, std::string_view id) {
    A2H_ASSIGN_OR_RETURN(const auto rows, store::notifications_of_approval(db, id));
    json notified = json::array();
    for (const Notification& row : rows) {
        notified.push_back({{"channel", row.channel},
                            {"kind", row.kind},
                            {"state", row.state},
                            {"outcome", printable(row.outcome)},
                            {"at_ms", row.updated_at_ms}});
    }
    return notified;
}

/// The messages between the two sides, and who the peer is.
Result<void> add_peer(store::Database& db, const Approval& approval, json& full) {
    if (approval.peer_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto entries, store::history(db, approval.agent_id, approval.peer_id,
                                                            1, kMessagesBesideQuestion));
    full["messages"] = messages_json(entries);
    A2H_ASSIGN_OR_RETURN(const auto contact,
                         store::get_contact(db, approval.agent_id, approval.peer_id));
    if (contact) full["contact"] = contact_json(*contact);
    return {};
}

/// Adds to a deal who the peer says to be, and what is asked about it.
Result<void> add_to_deal(store::Database& db, std::string_view agent_id, json& deal) {
    const std::string peer_id = wire::text_member(deal, "peer_id");
    deal["agent_id"] = agent_id;
    A2H_ASSIGN_OR_RETURN(deal["approval_ids"], deals::questions_about(db, agent_id, peer_id));
    A2H_ASSIGN_OR_RETURN(const auto profile, store::get_profile(db, peer_id));
    if (profile && !profile->user_name.empty()) deal["peer_name"] = printable(profile->user_name);
    return {};
}

json mandate_json(const mandates::Standing& standing) {
    const Mandate& mandate = standing.mandate;
    json object{{"id", mandate.id},
                {"agent_id", mandate.agent_id},
                {"action", mandate.action},
                {"given_by", mandate.given_by},
                {"given_at_ms", mandate.given_at_ms},
                {"revoked_by", mandate.revoked_by},
                {"revoked_at_ms", mandate.revoked_at_ms},
                {"understood", standing.terms.has_value()}};
    if (!standing.terms) return object;
    const MandateTerms& terms = *standing.terms;
    const auto put_money = [&](const char* name, std::optional<std::int64_t> minor) {
        if (minor) object[name] = to_text(Money{*minor, terms.currency});
    };
    const auto put_count = [&](const char* name, std::optional<std::int64_t> count) {
        if (count) object[name] = *count;
    };
    object["peer_id"] = terms.peer_id;
    object["works_id"] = terms.works_id;
    object["currency"] = terms.currency;
    object["starts_ms"] = terms.starts_ms;
    object["ends_ms"] = terms.ends_ms;
    if (!terms.side.empty()) object["side"] = terms.side;
    if (!terms.strategy.empty()) object["strategy"] = terms.strategy;
    if (!terms.listing_title.empty()) object["listing_title"] = terms.listing_title;
    object["listing_changed"] = standing.is_outdated;
    object["own_listings_only"] =
        mandates::pins_listing(terms.action) && terms.listing_digest.empty();
    put_money("opening", terms.opening_minor);
    put_count("rounds", terms.rounds);
    put_money("amount_from", terms.amount_from_minor);
    put_money("amount_to", terms.amount_to_minor);
    put_count("count_per_day", terms.count_per_day);
    put_count("count_per_week", terms.count_per_week);
    put_money("sum_per_day", terms.sum_per_day_minor);
    put_money("sum_per_week", terms.sum_per_week_minor);
    put_count("count_today", standing.today.count);
    put_count("count_this_week", standing.this_week.count);
    put_money("sum_today", standing.today.sum_minor);
    put_money("sum_this_week", standing.this_week.sum_minor);
    return object;
}

Result<Approval> load(store::Database& db, std::string_view id) {
    A2H_ASSIGN_OR_RETURN(auto found, store::get_approval(db, id));
    if (!found) return fail(ErrorCode::NotFound, "there is no such approval");
    return std::move(*found);
}

/// A text of a brief or a report, one line for each member of a list.
std::string words_of(const json& value) {
    if (value.is_string()) return printable(value.get<std::string>());
    if (!value.is_array()) return value.is_null() ? std::string() : printable(value.dump());
    std::string lines;
    for (const json& line : value)
        lines += (lines.empty() ? "" : "\n") + words_of(line);
    return lines;
}

json task_json(const Assignment& task, const std::vector<AssignmentEntry>& story) {
    const json brief = json::parse(task.brief_json, nullptr, false);
    json shown{{"task_id", task.task_id},
               {"side", to_string(task.side)},
               {"peer_id", task.peer_id},
               {"state", to_string(task.state)},
               {"created_at_ms", task.created_at_ms},
               {"brief", json::object()},
               {"story", json::array()}};
    for (const char* name :
         {"objective", "constraints", "inputs", "outputs", "completion_criteria"}) {
        shown["brief"][name] = words_of(wire::member(brief, name));
    }
    for (const AssignmentEntry& entry : story) {
        const json detail = json::parse(entry.detail_json, nullptr, false);
        shown["story"].push_back({{"kind", entry.kind},
                                  {"at_ms", entry.at_ms},
                                  {"status", printable(wire::text_member(detail, "status"))},
                                  {"verdict", wire::text_member(detail, "verdict")},
                                  {"score", wire::member(detail, "score")},
                                  {"text", printable(wire::text_member(detail, "summary"))}});
    }
    return shown;
}

}  // namespace

json approval_json(const Approval& approval) {
    json options = json::array();
    for (const AnswerOption& option : options_with_buttons(approval))
        options.push_back({{"label", option.label}, {"kind", to_string(option.kind)}});
    const std::string text = text_in_form(approval);
    json object{{"id", approval.id},
                {"agent_id", approval.agent_id},
                {"peer_id", approval.peer_id},
                {"action", approval.action},
                {"digest", approval.digest},
                {"question", printable(approval.question)},
                {"options", std::move(options)},
                {"text", text},
                {"text_hides_something",
                 !is_utf8(approval.reply_text) || first_hidden(approval.reply_text).has_value()},
                {"reject_text", printable(approval.reject_text)},
                {"answers_peer", consent::row_of(approval.action).answers_peer},
                {"sends_nothing", card::closes_without_answer(approval)},
                {"can_edit", text_is_editable(approval)},
                {"takes_words", consent::takes_words(approval)},
                {"provenance", approval.provenance},
                {"requested_by", printable(approval.requested_by)},
                {"status", to_string(approval.status)},
                {"outcome", to_string(approval.outcome)},
                {"created_at_ms", approval.created_at_ms},
                {"answer_by_ms", approval.answer_by_ms},
                {"act_by_ms", approval.act_by_ms},
                {"priority", to_string(approval.priority)},
                {"asked_by", approval.asked_by},
                {"voters", people_who_count(approval)},
                {"votes_needed", approval.votes_needed}};
    if (approval.amount_minor) {
        object["amount"] = to_text(Money{*approval.amount_minor, approval.currency});
        object["amount_minor"] = *approval.amount_minor;
        object["currency"] = approval.currency;
        object["minor_digits"] = minor_digits(approval.currency);
    }
    if (approval.status != ApprovalStatus::Pending) {
        object["answer"] = printable(approval.answer_text);
        object["answered_by"] = printable(approval.answered_by);
        object["answered_at_ms"] = approval.answered_at_ms;
        object["not_yet_sent"] = waits_to_be_sent(approval);
        object["outcome_detail"] = printable(approval.outcome_detail);
        if (approval.surface) object["surface"] = to_string(*approval.surface);
        if (approval.closed_by) object["closed_by"] = to_string(*approval.closed_by);
    }
    return object;
}

json approval_json(const Approval& approval, const card::Reader& reader) {
    json object = approval_json(approval);
    object["covers"] = card::to_json(card::card_of(approval, reader).lines);
    return object;
}

PageData::PageData(std::unique_ptr<store::Database> database) : database_(std::move(database)) {}

Result<std::unique_ptr<PageData>> PageData::open(const std::filesystem::path& database) {
    A2H_ASSIGN_OR_RETURN(auto opened,
                         store::Database::open(database, store::Database::Mode::ReadOnly));
    return std::unique_ptr<PageData>(new PageData(std::move(opened)));
}

Result<Approval> PageData::approval(std::string_view id) {
    const std::lock_guard lock(mutex_);
    return load(*database_, id);
}

Result<Approval> PageData::standing(std::string_view id) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(auto approval, load(*database_, id));
    A2H_ASSIGN_OR_RETURN(auto standing, consent::standing_for(*database_, approval));
    return standing ? std::move(*standing) : std::move(approval);
}

Result<std::vector<std::string>> PageData::votes(const Approval& approval) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto votes, counting_votes(*database_, approval));
    std::vector<std::string> people;
    for (const store::Vote& vote : votes)
        people.push_back(vote.person);
    return people;
}

Result<json> PageData::open_approvals(std::string_view peer_id, std::string_view cursor, int limit,
                                      const card::Reader& reader) {
    A2H_ASSIGN_OR_RETURN(const auto after, read_cursor(cursor));
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto page, store::open_approvals(*database_, peer_id, after, limit));
    A2H_ASSIGN_OR_RETURN(const auto open, store::count_open_approvals(*database_));
    auto data = page_json(*database_, page, reader);
    if (data) (*data)["open"] = open;
    return data;
}

Result<json> PageData::settled_approvals(std::string_view cursor, int limit,
                                         const card::Reader& reader) {
    A2H_ASSIGN_OR_RETURN(const auto after, read_cursor(cursor));
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto page, store::settled_approvals(*database_, after, limit));
    return page_json(*database_, page, reader);
}

Result<json> PageData::approval_in_full(std::string_view id, const card::Reader& reader) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto approval, load(*database_, id));
    json full = approval_json(approval, reader);
    full["context"] = printable(approval.context);
    if (approval.closed_by) {
        full["closed_text"] = card::closed_in_words(approval, reader.language);
        A2H_ASSIGN_OR_RETURN(const auto standing, consent::standing_for(*database_, approval));
        if (standing) full["standing_id"] = standing->id;
    }
    A2H_ASSIGN_OR_RETURN(auto audit, audit_of(*database_, id));
    full["audit"] = std::move(audit);
    A2H_ASSIGN_OR_RETURN(auto notified, notified_of(*database_, id));
    full["notified"] = std::move(notified);
    A2H_TRY(add_votes(*database_, approval, full));
    A2H_TRY(add_peer(*database_, approval, full));
    return full;
}

Result<json> PageData::conversations(std::string_view agent_id, int limit) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto list, store::conversations(*database_, agent_id, limit));
    json conversations = json::array();
    for (const auto& conversation : list) {
        conversations.push_back(
            {{"peer_id", conversation.peer_id},
             {"text", preview(printable(wire::view_payload(conversation.last_text_json).text))},
             {"incoming", conversation.incoming_count},
             {"last_at_ms", conversation.last_at_ms}});
    }
    return json{{"conversations", std::move(conversations)}};
}

Result<json> PageData::messages(std::string_view agent_id, std::string_view peer_id, int page,
                                int limit) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto entries,
                         store::history(*database_, agent_id, peer_id, page, limit));
    return json{{"messages", messages_json(entries)},
                {"more", static_cast<int>(entries.size()) == limit}};
}

Result<json> PageData::deals(std::string_view agent_id, bool all, int page, int limit,
                             UnixMs now_ms) {
    const store::DealFilter filter{
        .agent_id = std::string(agent_id), .only_live = !all, .page = page, .page_size = limit};
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(auto list, deals::list_shown(*database_, filter, now_ms));
    for (json& item : list["items"])
        A2H_TRY(add_to_deal(*database_, agent_id, item));
    return list;
}

Result<json> PageData::deal(std::string_view id, UnixMs now_ms) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto found, store::get_deal(*database_, id));
    if (!found) return fail(ErrorCode::NotFound, "there is no such deal");
    A2H_ASSIGN_OR_RETURN(auto deal, deals::shown(*database_, *found, now_ms));
    A2H_TRY(add_to_deal(*database_, found->agent_id, deal));
    A2H_ASSIGN_OR_RETURN(const auto entries, store::history(*database_, found->agent_id,
                                                            found->peer_id, 1, kMessagesOfDeal));
    return json{{"deal", std::move(deal)}, {"messages", messages_json(entries)}};
}

Result<json> PageData::contacts(std::string_view agent_id) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto list, store::list_contacts(*database_, agent_id, kContactsMax));
    return json{{"contacts", wire::array_of(list, contact_json)}};
}

Result<json> PageData::agents() {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto made, store::list_local_agents(*database_));
    json agents = json::array();
    for (const LocalAgent& agent : made) {
        A2H_ASSIGN_OR_RETURN(const auto live, store::live_assignments(*database_, agent.agent_id));
        const auto taken = std::count_if(live.begin(), live.end(), [](const Assignment& task) {
            return task.side == AssignmentSide::Taken;
        });
        agents.push_back({{"agent_id", agent.agent_id},
                          {"parent_id", agent.parent_id},
                          {"role", printable(agent.role_id)},
                          {"state", to_string(agent.state)},
                          {"registered", agent.is_registered},
                          {"open_tasks", taken},
                          {"created_at_ms", agent.created_at_ms}});
    }
    return json{{"agents", std::move(agents)}};
}

Result<json> PageData::tasks(std::string_view agent_id, int limit) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto page,
                         store::list_assignments(*database_, agent_id, {}, 0, limit));
    json tasks = json::array();
    for (const Assignment& task : page.items) {
        A2H_ASSIGN_OR_RETURN(const auto story,
                             store::assignment_story(*database_, task, 0, kStoryMax));
        tasks.push_back(task_json(task, story));
    }
    return json{{"tasks", std::move(tasks)}};
}

Result<json> PageData::mandates(std::string_view agent_id, UnixMs now_ms) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto standings, mandates::list(*database_, agent_id, true, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto uses, store::mandate_uses(*database_, agent_id, "", kUsesMax));
    json used = json::array();
    for (const MandateUse& use : uses) {
        used.push_back({{"mandate_id", use.mandate_id},
                        {"approval_id", use.approval_id},
                        {"at_ms", use.used_at_ms}});
    }
    return json{{"mandates", wire::array_of(standings, mandate_json)}, {"uses", std::move(used)}};
}

Result<std::string> PageData::demand_of(std::string_view id) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(const auto found, store::find_negotiation(*database_, id));
    if (!found) return fail(ErrorCode::NotFound, "there is no demand " + std::string(id));
    return found->demand_id;
}

Result<Profile> PageData::profile(std::string_view agent_id) {
    const std::lock_guard lock(mutex_);
    A2H_ASSIGN_OR_RETURN(auto found, store::get_profile(*database_, agent_id));
    if (!found) return fail(ErrorCode::NotFound, "agent " + preview(agent_id) + " is not known");
    return std::move(*found);
}

}  // namespace a2h::web
