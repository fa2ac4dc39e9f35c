#include "cli/demo/negotiation.h"

#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/demo/asking.h"
#include "cli/demo/printer.h"
#include "cli/demo/town.h"
#include "cli/demo/town_story.h"

namespace a2h::cli {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kPlanLimit{120};
constexpr std::int64_t kMoreMinor =
    20'000;  ///< the increase that the planner asks for after the first offer

/// The demo's acts, described while they happen.
class Telling {
  public:
    Telling(const Invocation& invocation, Town& town)
        : invocation_(invocation),
          town_(town),
          printer_(invocation),
          story_(invocation, town, printer_) {}

    Result<void> run();
    json result() const { return {{"steps", story_.steps()}, {"negotiation", view_}}; }

  private:
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return invocation_.text(key, arguments);
    }
    void say(const std::string& words, std::size_t indent = 2) const {
        printer_.say(words, indent);
    }

    void show_people();
    void show_page();
    Result<void> submit();
    Result<void> follow();
    void look_around();
    void check_story();
    void answer(const Notified& card);
    void answer_as(const Town::Owner& owner, const json& approval, const std::string& link);
    void ask_for_more(const Town::Owner& owner);
    void show_next() const;
    void show_command(std::string_view key, const std::string& words) const;
    Result<void> stay();

    const Invocation& invocation_;
    Town& town_;
    const Printer printer_;
    TownStory story_;
    json view_;  ///< the newest state, without events
    std::string demand_id_;
    std::int64_t last_event_ = 0;
    bool is_over_ = false;
    bool asked_for_more_ = false;
    std::set<std::string> answered_;
    steady_clock::time_point looked_at_;
};

void Telling::show_people() {
    printer_.title(text("demo.act_people"));
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
        const std::string price = character.price_minor == 0
                                      ? text("demo.for_nothing")
                                      : amount_in_town(character.price_minor);
        printer_.say_in(printer_.colours().cyan, owner.name() + " – " + character.person.location,
                        4);
        printer_.whisper(text(character.has_mandate ? "demo.by_mandate" : "demo.by_card",
                              {{"brings", character.contribution}, {"price", price}}),
                         6);
    }
    printer_.whisper(text("demo.closed", {{"count", std::to_string(closed)}}));
}

void Telling::show_page() {
    const json link = look(town_.requester(), "page.link", {{"pin", kDemoPin}});
    say(text("demo.watch_page"));
    printer_.say_in(printer_.colours().bold, text_of(link, "url"), 4);
}

Result<void> Telling::submit() {
    printer_.title(text("demo.act_demand"));
    const std::string demand = text("demo.demand");
    printer_.say_in(printer_.colours().green, demand, 4);
    show_page();
    const json params{{"raw_input", demand}, {"proof", {{"pin", kDemoPin}}}};
    const auto outcome = call_daemon(town_.requester(), "demand.submit", params, nothing_to_show);
    if (const auto* refused = std::get_if<Failure>(&outcome))
        return fail(ErrorCode::Unavailable, refused->message);
    demand_id_ = text_of(data_of(outcome), "demand_id");
    return {};
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
    story_.tell(view);
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
    const std::string asked = text_of(story_.named(approval), "question");
    const std::string question = asked.substr(0, asked.find(text("demo.card_explains")));
    printer_.say_in(printer_.colours().yellow, text("demo.card", {{"name", owner.name()}}));
    printer_.whisper(question);
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
           {{"amount_minor", owner.character.price_minor + kMoreMinor},
            {"currency", kTownCurrency}}}});
}

Result<void> Telling::follow() {
    printer_.title(text("demo.act_negotiation"));
    return town_.place().wait(
        [&] {
            look_around();
            return is_over_;
        },
        text("demo.wait_plan"), kPlanLimit);
}

void Telling::show_command(std::string_view key, const std::string& words) const {
    say(text(key));
    printer_.line("    " + printer_.colours().bold + own_command() + " --home " +
                  town_.requester().home.root.string() + " " + words + printer_.colours().reset);
}

void Telling::show_next() const {
    printer_.title(text("demo.act_next"));
    show_command("demo.next_apply", "negotiate apply " + demand_id_);
    show_command("demo.next_show", "negotiate show " + demand_id_);
    show_command("demo.next_own", "negotiate \"" + text("demo.own_demand") + "\"");
    show_command("demo.next_page", "page");
}

Result<void> Telling::stay() {
    show_next();
    printer_.line("\n" + text("demo.stays"));
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
    A2H_TRY(town_.set_up([this](const std::string& done) { printer_.whisper(done, 2); }));
    story_.step("started");
    show_people();
    A2H_TRY(submit());
    A2H_TRY(follow());
    A2H_TRY(story_.show_end(view_));
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
