#include "daemon/operations/references.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/store/assignment_store.h"
#include "core/store/inbox_store.h"
#include "core/wire/agent_messages.h"
#include "core/wire/json_member.h"
#include "core/wire/task_messages.h"
#include "daemon/agents/local_agents.h"
#include "daemon/operations/seen_offers.h"
#include "daemon/operations/sender.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

enum class ReferenceKind { Order, Listing, Message, Task, Request };

struct NamedReference {
    std::string_view name;
    ReferenceKind kind;
};
constexpr NamedReference kReferenceKinds[] = {{"orderId", ReferenceKind::Order},
                                              {"worksId", ReferenceKind::Listing},
                                              {"offer_message_id", ReferenceKind::Message},
                                              {"task_id", ReferenceKind::Task},
                                              {"taskId", ReferenceKind::Task},
                                              {"parent_task_id", ReferenceKind::Task},
                                              {"parentTaskId", ReferenceKind::Task},
                                              {"request_id", ReferenceKind::Request},
                                              {"requestId", ReferenceKind::Request}};

const NamedReference* kind_named(std::string_view name) {
    const auto found = std::find_if(std::begin(kReferenceKinds), std::end(kReferenceKinds),
                                    [&](const NamedReference& row) { return row.name == name; });
    return found == std::end(kReferenceKinds) ? nullptr : &*found;
}

/// References that only the market can check.
struct MarketQuestion {
    Reference reference;
    const char* operation;
    const char* argument;
};

Error unknown_reference(const Reference& reference, bool begins = false) {
    if (begins) {
        return {ErrorCode::InvalidArgument,
                reference.name + " of something new must be a UUID that you make"};
    }
    return {ErrorCode::InvalidArgument,
            reference.name + " \"" + preview(printable(reference.id)) +
                "\" is nothing that your inbox, the market or your tasks know; leave it out or "
                "take it from there"};
}

/// The task of a new assignment and the id of a new request begin with their message.
bool begins_something(std::string_view name, std::optional<AgentMessageType> type) {
    if (!type) return false;
    const auto& members = row_of(*type).members;
    return std::any_of(members.begin(), members.end(), [&](const MessageMember& member) {
        return member.is_new_id && (name == member.name || name == wire::camel_case(member.name));
    });
}

class ReferenceSearch {
  public:
    ReferenceSearch(const Sender& sender, const Call& call, const AboutMail& mail)
        : db_(sender.kernel.reader),
          agent_(call.agent),
          mail_(mail),
          type_(parse_agent_message_type(mail.message_type)) {}

    /// nullopt: only the market knows.
    Result<std::optional<bool>> is_known(const Reference& reference) {
        if (reference.id.empty()) return std::optional(false);
        if (begins_something(reference.name, type_)) {
            return std::optional(wire::is_uuid(reference.id));
        }
        switch (kind_named(reference.name)->kind) {
            case ReferenceKind::Order:
                return is_in_market_news(reference.id);
            case ReferenceKind::Listing:
                return is_own_listing(reference.id) ? std::optional(true) : std::nullopt;
            case ReferenceKind::Message:
                return sure(is_message(reference.id));
            case ReferenceKind::Task:
                return sure(is_task(reference.id));
            case ReferenceKind::Request:
                break;
        }
        return sure(is_request(reference.id));
    }

  private:
    const std::string& agent_id() const { return agent_.identity.account.agent_id; }

    static Result<std::optional<bool>> sure(const Result<bool>& known) {
        if (!known) return fail(known.error());
        return std::optional(*known);
    }
    Result<std::optional<bool>> is_in_market_news(const std::string& id) {
        const std::string member = "\"orderId\":" + json(id).dump();
        A2H_ASSIGN_OR_RETURN(const auto news,
                             store::market_payloads(db_, agent_id(), {.text = member, .limit = 1}));
        return news.empty() ? std::optional<bool>() : std::optional(true);
    }
    bool is_own_listing(const std::string& id) const {
        return std::any_of(agent_.listings.begin(), agent_.listings.end(),
                           [&](const Listing& listing) { return listing.works_id == id; });
    }
    Result<bool> is_message(const std::string& id) {
        A2H_ASSIGN_OR_RETURN(const auto message,
                             store::find_inbox(db_, agent_id(), mail_.target_id, id));
        return message.has_value();
    }
    /// Whether our agent has this task. Within this home the id of a task can be any text; an id
    /// that is no UUID therefore counts only for a task with the target.
    Result<bool> is_task(const std::string& id) {
        store::TaskOwner whose;
        if (!wire::is_uuid(id)) whose.peer_id = mail_.target_id;
        A2H_ASSIGN_OR_RETURN(const auto task, store::get_assignment(db_, agent_id(), id, whose));
        return task.has_value();
    }
    /// A request of the other side, by its own id or by that of its message.
    Result<bool> is_request(const std::string& id) {
        constexpr int kMessagesReadMax = 100;
        const auto as_message = is_message(id);
        if (!as_message || *as_message) return as_message;
        A2H_ASSIGN_OR_RETURN(const auto recent,
                             store::history(db_, agent_id(), mail_.target_id, 1, kMessagesReadMax));
        return std::any_of(recent.begin(), recent.end(), [&](const HistoryEntry& entry) {
            const json payload = json::parse(entry.payload_json, nullptr, false);
            return entry.incoming && (wire::text_member(payload, "request_id") == id ||
                                      wire::text_member(payload, "requestId") == id);
        });
    }

    store::Database& db_;
    const Agent& agent_;
    const AboutMail& mail_;
    const std::optional<AgentMessageType> type_;
};

/// Asks the market about all references. Returns what others say in its answers, or the error about
/// the first reference that does not exist.
Result<std::vector<store::SeenOffer>> ask_market(platform::Client& market,
                                                 const std::vector<MarketQuestion>& questions,
                                                 const trade::OurNames& ours) {
    json all = json::array();
    for (const MarketQuestion& question : questions) {
        auto found =
            market.read(question.operation, json{{question.argument, question.reference.id}});
        if (found) {
            all.push_back(std::move(*found));
            continue;
        }
        const ErrorCode code = found.error().code;
        if (code != ErrorCode::Unavailable && code != ErrorCode::Timeout) {
            return fail(unknown_reference(question.reference));
        }
        return fail(ErrorCode::Unavailable, "the market cannot be asked whether it knows " +
                                                question.reference.name + " " +
                                                preview(printable(question.reference.id)));
    }
    return trade::offers_in(all, ours);
}

}  // namespace

bool is_reference_name(std::string_view name) {
    return kind_named(name) != nullptr;
}

bool is_named_by_market(std::string_view name) {
    const NamedReference* row = kind_named(name);
    return row != nullptr &&
           (row->kind == ReferenceKind::Order || row->kind == ReferenceKind::Listing);
}

std::vector<Reference> references_in(const json& payload) {
    std::vector<Reference> found;
    for (const auto& [name, value] : payload.items()) {
        if (!is_reference_name(name)) continue;
        found.push_back({name, value.is_string() ? value.get<std::string>() : std::string()});
    }
    return found;
}

void with_known_references(const Sender& sender, const Call& call, const AboutMail& mail,
                           const Reply& reply, std::function<void()> then) {
    if (sender.residents.is_ours(mail.target_id)) return then();
    ReferenceSearch search(sender, call, mail);
    std::vector<MarketQuestion> questions;
    for (const Reference& reference : references_in(json::parse(mail.payload_json))) {
        const auto known = search.is_known(reference);
        if (!known) return reply(error_result(call.action, known.error()));
        if (*known == std::optional(false)) {
            const auto type = parse_agent_message_type(mail.message_type);
            const bool begins = begins_something(reference.name, type);
            return reply(error_result(call.action, unknown_reference(reference, begins)));
        }
        const bool is_order = kind_named(reference.name)->kind == ReferenceKind::Order;
        if (!*known) {
            questions.push_back({reference, is_order ? "order.get" : "works.get",
                                 is_order ? "order_id" : "works_id"});
        }
    }
    if (questions.empty()) return then();
    using Read = Result<std::vector<store::SeenOffer>>;
    sender.kernel.run_blocking<Read>(
        [market = call.agent.platform.get(), questions = std::move(questions),
         ours = our_names(sender.agents, call.agent)] {
            return ask_market(*market, questions, ours);
        },
        [&sender, agent_id = call.agent_id(), action = call.action, reply,
         then = std::move(then)](const Read& found) {
            if (!found) return reply(error_result(action, found.error()));
            note_what_waits(sender.kernel, agent_id, *found,
                            [action, reply, then](const Result<void>& noted) {
                                if (!noted) return reply(error_result(action, noted.error()));
                                then();
                            });
        },
        []() -> Read {
            return fail(ErrorCode::ResourceExhausted, "too many requests are waiting");
        });
}

}  // namespace a2h::operations
