#include "cli/demo/town_story.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/negotiation_story.h"
#include "cli/negotiation_text.h"
#include "core/base/money.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

std::string amount_in_town(std::int64_t minor) {
    return to_text(Money{minor, std::string(kTownCurrency)});
}

void TownStory::step(const std::string& name) {
    if (std::find(steps_.begin(), steps_.end(), name) == steps_.end()) steps_.push_back(name);
}

json TownStory::named(const json& value) const {
    std::string all = value.dump();
    replace_all(all, town_.requester_id(), text("demo.requester"));
    for (const Town::Owner& owner : town_.owners()) {
        const std::string name = json(owner.name()).dump();
        const std::string bare = name.substr(1, name.size() - 2);
        replace_all(all, owner.agent_id + " (" + bare + ")", bare);
        replace_all(all, owner.agent_id, bare);
    }
    return json::parse(all);
}

void TownStory::tell(const json& view) {
    const json shown = named(view);
    for (const json& event : items_of(shown, "events"))
        tell_event(shown, event);
}

void TownStory::tell_candidates(const json& event) {
    for (const json& candidate : items_of(at(event, "payload"), "candidates")) {
        printer_.whisper(text("demo.candidate", {{"name", text_of(candidate, "display_name")},
                                                 {"reason", text_of(candidate, "reason")}}));
    }
}

/// Prices are in the offer and not in the event.
void TownStory::tell_offer(const json& view, const json& event) {
    const json& payload = at(event, "payload");
    std::string line = story_line(invocation_, view, event);
    for (const json& party : items_of(view, "candidates")) {
        if (text_of(party, "agent_id") != text_of(payload, "agent_id")) continue;
        const json& minor = at(at(at(party, "offer"), "price"), "amount_minor");
        if (minor.is_number_integer()) line += " – " + amount_in_town(minor.get<std::int64_t>());
    }
    if (text_of(payload, "decision") == "decline") {
        printer_.whisper(line, 2);
    } else {
        printer_.say(line);
    }
}

void TownStory::tell_event(const json& view, const json& event) {
    const std::string type = text_of(event, "event_type");
    step(type);
    const json& payload = at(event, "payload");
    if (type == "towow.offer.submitted") return tell_offer(view, event);
    if (type == "towow.proposal.distributed") {
        printer_.title(text("demo.plan_version", {{"version", text_of(payload, "round")}}));
        printer_.text(render_plan(invocation_, at(payload, "proposal")));
        const std::string rationale = text_of(at(payload, "proposal"), "rationale");
        if (std::exchange(rationale_, rationale) != rationale) printer_.whisper(rationale, 2);
        printer_.say(text("demo.asked_for_feedback"));
        return;
    }
    if (type == "towow.filter.completed") {
        printer_.say(text("demo.found", {{"count", text_of(payload, "candidates_count")},
                                         {"people", std::to_string(town_.people())}}));
        return tell_candidates(event);
    }
    if (type == "towow.proposal.finalized") {
        json plan = payload.value("final_proposal", json::object());
        plan.erase("adjustment_summary");  // printed with each version
        final_plan_json_ = plan.dump();
    }
    if (type == "towow.proposal.finalized" || type == "towow.gap.identified")
        return;  // printed at the end
    const std::string line = story_line(invocation_, view, event);
    if (!line.empty()) printer_.say(line);
}

void TownStory::show_total(const json& plan) {
    std::int64_t total = 0;
    for (const json& part : items_of(plan, "assignments")) {
        const json& minor = at(at(part, "price"), "amount_minor");
        if (minor.is_number_integer()) total += minor.get<std::int64_t>();
    }
    printer_.say(text("demo.total", {{"total", amount_in_town(total)}}));
}

Result<void> TownStory::show_end(const json& view) {
    if (text_of(view, "state") != "finalized") {
        return fail(ErrorCode::Conflict, text("demo.no_plan"));
    }
    const json plan = json::parse(final_plan_json_);
    printer_.title(
        text("demo.act_plan", {{"count", std::to_string(items_of(plan, "assignments").size())},
                               {"rounds", text_of(view, "round")}}));
    printer_.text(render_plan(invocation_, plan));
    show_total(plan);
    const std::string day = text_of(at(plan, "timeline"), "start_date");
    if (!day.empty()) printer_.say(text("demo.plan_day", {{"day", day}}));
    const std::string gaps = render_gaps(invocation_, view);
    if (!gaps.empty()) printer_.text("\n" + gaps);
    return {};
}

}  // namespace a2h::cli
