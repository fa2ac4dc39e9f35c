#include "cli/demo/negotiation.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/demo/asking.h"
#include "cli/demo/town.h"
#include "cli/negotiation_story.h"
#include "cli/negotiation_text.h"
#include "cli/terminal.h"
#include "core/base/money.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kPlanLimit{120};
constexpr std::int64_t kMoreMinor =
    20'000;  ///< the increase that the planner asks for after the first offer
constexpr std::string_view kCurrency = "CNY";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

std::string amount(std::int64_t minor) {
    return to_text(Money{minor, std::string(kCurrency)});
}

/// The demo's acts, described while they happen.
class Telling {
  public:
    Telling(const Invocation& invocation, Town& town)
        : invocation_(invocation),
          town_(town),
          out_(invocation.json ? stderr : stdout),
          colours_(colours_for(out_)) {}

    Result<void> run();
    json result() const { return {{"steps", steps_}, {"negotiation", view_}}; }

  private:
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return invocation_.text(key, arguments);
    }
    void say(const std::string& words, std::size_t indent = 2) { say_in({}, words, indent); }
    void say_in(const std::string& colour, const std::string& words, std::size_t indent = 2);
    void whisper(const std::string& words, std::size_t indent = 4);
    void title(const std::string& words);
    void step(const std::string& name);

    void show_people();
    void show_page();
    Result<void> submit();
    Result<void> follow();
    void look_around();
    void check_story();
    void tell(const json& event);
    void tell_candidates(const json& event);
    void tell_offer(const json& event);
    void answer(const Notified& card);
    void answer_as(const Town::Owner& owner, const json& approval, const std::string& link);
    void ask_for_more(const Town::Owner& owner);
    void show_total();
    Result<void> show_end();
    void show_next() const;
    void show_command(std::string_view key, const std::string& words) const;
    Result<void> stay();
    /// With names in place of ids.
    json named(const json& value) const;

    const Invocation& invocation_;
    Town& town_;
    std::FILE* out_;
    Colours colours_;
    json steps_ = json::array();
    json view_;              ///< the newest state, without events
    json shown_view_;        ///< the same with names
    json final_plan_;        ///< with names
    std::string rationale_;  ///< of the newest version
    std::string demand_id_;
    std::int64_t last_event_ = 0;
    bool is_over_ = false;
    bool asked_for_more_ = false;
    std::set<std::string> answered_;
    steady_clock::time_point looked_at_;
};

/// Escape codes are not words, so they are added after wrapping.
void Telling::say_in(const std::string& colour, const std::string& words, std::size_t indent) {
    const std::string end = colour.empty() ? std::string() : colours_.reset;
    std::fputs((colour + wrap(words, terminal_columns(), indent) + end).c_str(), out_);
    std::fflush(out_);
}

void Telling::whisper(const std::string& words, std::size_t indent) {
    say_in(colours_.dim, words, indent);
}

void Telling::title(const std::string& words) {
    std::fputs(("\n" + colours_.bold + words + colours_.reset + "\n").c_str(), out_);
    std::fflush(out_);
}

void Telling::step(const std::string& name) {
    if (std::find(steps_.begin(), steps_.end(), json(name)) == steps_.end()) steps_.push_back(name);
}

json Telling::named(const json& value) const {
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

void Telling::show_people() {
    title(text("demo.act_people"));
    const std::size_t called = town_.owners().size();
    say(text("demo.people", {{"count", std::to_string(town_.people())},
                             {"called", std::to_string(called)},
                             {"others", std::to_string(town_.others())}}));
    say(text("demo.consent"));
    std::size_t closed = 0;
    for (const Town::Owner& owner : town_.owners()) {
        const Character& character = owner.character;
        if (!character.takes_part()) {
            ++closed;
            continue;
        }
        const std::string price =
            character.price_minor == 0 ? text("demo.for_nothing") : amount(character.price_minor);
        say_in(colours_.cyan, owner.name() + " – " + character.person.location, 4);
        whisper(text(character.has_mandate ? "demo.by_mandate" : "demo.by_card",
                     {{"brings", character.contribution}, {"price", price}}),
                6);
    }
    whisper(text("demo.closed", {{"count", std::to_string(closed)}}));
}

void Telling::show_page() {
    const json link = look(town_.requester(), "page.link", {{"pin", kDemoPin}});
    say(text("demo.watch_page"));
    say_in(colours_.bold, text_of(link, "url"), 4);
}

Result<void> Telling::submit() {
    title(text("demo.act_demand"));
    const std::string demand = text("demo.demand");
    say_in(colours_.green, demand, 4);
    show_page();
    const json params{{"raw_input", demand}, {"proof", {{"pin", kDemoPin}}}};
    const auto outcome = call_daemon(town_.requester(), "demand.submit", params, nothing_to_show);
    if (const auto* refused = std::get_if<Failure>(&outcome))
        return fail(ErrorCode::Unavailable, refused->message);
    demand_id_ = text_of(data_of(outcome), "demand_id");
    return {};
}

void Telling::tell_candidates(const json& event) {
    for (const json& candidate : items_of(at(event, "payload"), "candidates")) {
        whisper(text("demo.candidate", {{"name", text_of(candidate, "display_name")},
                                        {"reason", text_of(candidate, "reason")}}));
    }
}

/// Prices are in the offer and not in the event.
void Telling::tell_offer(const json& event) {
    const json& payload = at(event, "payload");
    std::string line = story_line(invocation_, shown_view_, event);
    for (const json& party : items_of(shown_view_, "candidates")) {
        if (text_of(party, "agent_id") != text_of(payload, "agent_id")) continue;
        const json& minor = at(at(at(party, "offer"), "price"), "amount_minor");
        if (minor.is_number_integer()) line += " – " + amount(minor.get<std::int64_t>());
    }
    if (text_of(payload, "decision") == "decline") {
        whisper(line, 2);
    } else {
        say(line);
    }
}

void Telling::tell(const json& event) {
    const std::string type = text_of(event, "event_type");
    step(type);
    const json& payload = at(event, "payload");
    if (type == "towow.offer.submitted") return tell_offer(event);
    if (type == "towow.proposal.distributed") {
        title(text("demo.plan_version", {{"version", text_of(payload, "round")}}));
        std::fputs(render_plan(invocation_, at(payload, "proposal")).c_str(), out_);
        const std::string rationale = text_of(at(payload, "proposal"), "rationale");
        if (std::exchange(rationale_, rationale) != rationale) whisper(rationale, 2);
        say(text("demo.asked_for_feedback"));
        return;
    }
    if (type == "towow.filter.completed") {
        say(text("demo.found", {{"count", text_of(payload, "candidates_count")},
                                {"people", std::to_string(town_.people())}}));
        return tell_candidates(event);
    }
    if (type == "towow.proposal.finalized") {
        final_plan_ = payload.value("final_proposal", json::object());
        final_plan_.erase("adjustment_summary");  // printed with each version
    }
    if (type == "towow.proposal.finalized" || type == "towow.gap.identified")
        return;  // printed at the end
    const std::string line = story_line(invocation_, shown_view_, event);
    if (!line.empty()) say(line);
}

void Telling::look_around() {
    // What led to a card is printed before it.
    std::optional<Notified> card = town_.phone().take();
    const auto now = steady_clock::now();
    if (!card && now - looked_at_ < kCheckInterval) return;
    looked_at_ = now;
    check_story();
    for (; card; card = town_.phone().take())
        answer(*card);
}

void Telling::check_story() {
    json view = look(town_.requester(), "negotiation.get",
                     {{"demand_id", demand_id_}, {"events_after", last_event_}});
    if (!view.is_object()) return;
    shown_view_ = named(view);
    for (const json& event : items_of(shown_view_, "events"))
        tell(event);
    last_event_ = view.value("last_event", last_event_);
    is_over_ = text_of(view, "status") != "processing" && at(view, "more_events") != true;
    view.erase("events");
    view_ = std::move(view);
}

void Telling::answer(const Notified& card) {
    for (const Town::Owner& owner : town_.owners()) {
        if (!owner.character.takes_part()) continue;
        const json open = look(owner.home, "approval.list", {{"status", "pending"}});
        for (const json& approval : items_of(open, "approvals")) {
            if (text_of(approval, "approval_id") == card.approval_id)
                answer_as(owner, approval, card.link);
        }
    }
}

/// Everybody is asked about a plan and agrees. One owner is also asked whether to join, and wants
/// more for the first plan.
void Telling::answer_as(const Town::Owner& owner, const json& approval, const std::string& link) {
    if (!answered_.insert(text_of(approval, "approval_id")).second) return;
    // Without the effects of each kind of answer.
    const std::string asked = text_of(named(approval), "question");
    const std::string question = asked.substr(0, asked.find(text("demo.card_explains")));
    say_in(colours_.yellow, text("demo.card", {{"name", owner.name()}}));
    whisper(question);
    const bool may_want_more = owner.character.joins_in_person() && !asked_for_more_;
    if (text_of(approval, "action") == "demand.accept" && may_want_more) {
        asked_for_more_ = true;
        say(text("demo.card_more", {{"name", owner.name()}}), 4);
        return ask_for_more(owner);
    }
    const auto pressed = answer_on_page(link, "choice", "approve", {});
    say(pressed ? text("demo.card_yes", {{"name", owner.name()}})
                : text("demo.card_lost", {{"why", pressed.error().message}}),
        4);
}

void Telling::ask_for_more(const Town::Owner& owner) {
    // The changed text is put to them exactly as it would be sent, on one more card.
    look(owner.home, "proposal.feedback",
         {{"channel_id", text_of(view_, "channel_id")},
          {"feedback_type", "negotiate"},
          {"adjustment_request", text("demo.more")},
          {"requested_price",
           {{"amount_minor", owner.character.price_minor + kMoreMinor}, {"currency", kCurrency}}}});
}

Result<void> Telling::follow() {
    title(text("demo.act_negotiation"));
    return town_.place().wait(
        [&] {
            look_around();
            return is_over_;
        },
        text("demo.wait_plan"), kPlanLimit);
}

void Telling::show_total() {
    std::int64_t total = 0;
    for (const json& part : items_of(final_plan_, "assignments")) {
        const json& minor = at(at(part, "price"), "amount_minor");
        if (minor.is_number_integer()) total += minor.get<std::int64_t>();
    }
    say(text("demo.total", {{"total", amount(total)}}));
}

Result<void> Telling::show_end() {
    if (text_of(view_, "state") != "finalized") {
        return fail(ErrorCode::Conflict, text("demo.no_plan"));
    }
    title(text("demo.act_plan",
               {{"count", std::to_string(items_of(final_plan_, "assignments").size())},
                {"rounds", text_of(view_, "round")}}));
    std::fputs(render_plan(invocation_, final_plan_).c_str(), out_);
    show_total();
    const std::string day = text_of(at(final_plan_, "timeline"), "start_date");
    if (!day.empty()) say(text("demo.plan_day", {{"day", day}}));
    const std::string gaps = render_gaps(invocation_, view_);
    if (!gaps.empty()) std::fputs(("\n" + gaps).c_str(), out_);
    std::fflush(out_);
    return {};
}

void Telling::show_command(std::string_view key, const std::string& words) const {
    std::fputs(wrap(text(key), terminal_columns(), 2).c_str(), out_);
    std::fputs(("    " + colours_.bold + own_command() + " --home " +
                town_.requester().home.root.string() + " " + words + colours_.reset + "\n")
                   .c_str(),
               out_);
}

void Telling::show_next() const {
    std::fputs(("\n" + colours_.bold + text("demo.act_next") + colours_.reset + "\n").c_str(),
               out_);
    show_command("demo.next_apply", "negotiate apply " + demand_id_);
    show_command("demo.next_show", "negotiate show " + demand_id_);
    show_command("demo.next_own", "negotiate \"" + text("demo.own_demand") + "\"");
    show_command("demo.next_page", "page");
}

Result<void> Telling::stay() {
    show_next();
    std::fputs(("\n" + text("demo.stays") + "\n").c_str(), out_);
    std::fflush(out_);
    return town_.place().wait(
        [&] {
            while (const auto card = town_.phone().take())
                answer(*card);
            return false;
        },
        "", kUntilInterrupted);
}

Result<void> Telling::run() {
    say(text("demo.starting_town"), 0);
    A2H_TRY(town_.set_up([this](const std::string& done) { whisper(done, 2); }));
    step("started");
    show_people();
    A2H_TRY(submit());
    A2H_TRY(follow());
    A2H_TRY(show_end());
    return invocation_.has("--auto") ? Result<void>() : stay();
}

}  // namespace

Outcome run_negotiation_demo(const Invocation& invocation) {
    Supervisor supervisor;
    Town town(invocation, supervisor);
    Telling telling(invocation, town);
    const auto done = telling.run();
    if (done) return report("demo", telling.result(), "\n" + invocation.text("demo.every_step"));
    return unfinished(invocation, town.place(), done.error(), telling.result());
}

}  // namespace a2h::cli
