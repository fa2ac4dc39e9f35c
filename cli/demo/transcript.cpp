#include "cli/demo/transcript.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/answer_parts.h"
#include "cli/demo/asking.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

}  // namespace

void Transcript::update() {
    const auto now = std::chrono::steady_clock::now();
    if (now - updated_at_ < kCheckInterval) return;
    updated_at_ = now;
    // The history comes first, so the events contain every decision about it.
    const json history =
        look(stage_.buyer(), "inbox.history", {{"peer_id", stage_.seller_id()}, {"limit", 20}});
    const json events = look(stage_.seller(), "events.list", {{"after_id", last_event_}});
    for (const json& event : items_of(events, "events")) {
        last_event_ = event.value("id", last_event_);
        take_decision(event);
    }
    const std::vector<json> items = items_of(history, "items");
    for (const std::string& id : shown_)
        show_decision(id);
    for (auto item = items.rbegin(); item != items.rend(); ++item)
        show_message(*item);
}

void Transcript::show_message(const json& item) {
    const std::string id = wire::text_member(item, "message_id");
    const bool from_seller = wire::text_member(item, "direction") == "in";
    if (!shown_.insert(id).second) return;
    const std::string words = wire::text_member(item, "text");
    if (from_seller) buyer_received_.insert(words);
    const std::string& colour = from_seller ? printer_.colours().green : printer_.colours().cyan;
    const std::string who = i18n::text(language_, from_seller ? "demo.seller" : "demo.buyer");
    printer_.line(colour + who + printer_.colours().reset + "\n" +
                  wrap(printable(words), terminal_columns(), 4));
    show_decision(id);
}

void Transcript::take_decision(const json& event) {
    if (wire::text_member(event, "kind") != "message.decided" || !event.contains("detail")) return;
    const json& detail = event["detail"];
    const std::string decision = wire::text_member(detail, "decision");
    decisions_[wire::text_member(event, "subject")] = decision;
    const std::string key = "demo.decided_" + decision;
    unprinted_[wire::text_member(event, "subject")] =
        i18n::has_key(language_, key)
            ? i18n::text(language_, key, {{"why", printable(wire::text_member(detail, "why"))}})
            : decision;
}

void Transcript::show_decision(const std::string& message_id) {
    const auto unprinted = unprinted_.find(message_id);
    if (unprinted == unprinted_.end() || !shown_.contains(message_id)) return;
    printer_.line(printer_.colours().dim + "  " + unprinted->second + printer_.colours().reset);
    unprinted_.erase(unprinted);
}

std::optional<std::string> Transcript::decision_on(const std::string& message_id) const {
    const auto found = decisions_.find(message_id);
    return found == decisions_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace a2h::cli
