#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/demo/asking.h"
#include "cli/demo/negotiation.h"
#include "cli/demo/printer.h"
#include "cli/demo/stage.h"
#include "cli/demo/transcript.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kAutoLimit{60};

/// The three acts, described while they happen.
class Play {
  public:
    Play(const Invocation& invocation, Stage& stage)
        : stage_(stage),
          language_(invocation.language),
          automatic_(invocation.has("--auto")),
          printer_(invocation),
          transcript_(invocation, stage, printer_),
          deadline_(steady_clock::now() + kAutoLimit) {}

    Result<void> run();
    const json& steps() const { return steps_; }

  private:
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return i18n::text(language_, key, arguments);
    }
    void tell(const std::string& line) const { printer_.line(line); }
    void title(std::string_view key) const { printer_.title(text(key)); }
    void step(const char* name) { steps_.push_back(name); }

    void show_approval(const Notified& notified);

    Result<std::string> say(std::string_view key);
    Result<std::string> say_with_pin(const Failure& refused, const std::string& words);
    Result<void> until(std::string_view what, const std::function<bool()>& condition,
                       bool needs_human = false);
    Result<void> until_decided(const std::string& message_id, std::string_view decision,
                               std::string_view what);
    Result<void> price();
    Result<void> haggle();
    Result<void> thanks();
    Result<void> stay();
    Result<void> answer(const Notified& notified);

    Stage& stage_;
    i18n::Language language_;
    bool automatic_;
    const Printer printer_;
    Transcript transcript_;
    steady_clock::time_point deadline_;
    json steps_ = json::array();
};

Result<void> Play::until(std::string_view what, const std::function<bool()>& condition,
                         bool needs_human) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - steady_clock::now());
    const milliseconds timeout = automatic_    ? std::max(left, milliseconds(1))
                                 : needs_human ? milliseconds(kUntilInterrupted)
                                               : milliseconds(kAutoLimit);
    return stage_.place().wait(
        [&] {
            transcript_.update();
            return condition();
        },
        what, timeout);
}

Result<std::string> Play::say(std::string_view key) {
    const std::string words = text(key);
    const auto outcome =
        call_daemon(stage_.buyer(), "send",
                    {{"target_agent_id", stage_.seller_id()}, {"text", words}}, nothing_to_show);
    transcript_.expect_news();
    if (const auto* refused = std::get_if<Failure>(&outcome)) return say_with_pin(*refused, words);
    transcript_.update();
    return wire::text_member(data_of(outcome), "message_id");
}

/// Naming an amount commits the buyer as well, so the text waits for the buyer's own yes.
Result<std::string> Play::say_with_pin(const Failure& refused, const std::string& words) {
    const std::string approval_id = wire::text_member(error_of(refused), "approval_id");
    if (approval_id.empty()) return fail(ErrorCode::Unavailable, refused.message);
    const auto answered =
        call_daemon(stage_.buyer(), "approval.answer",
                    {{"approval_id", approval_id}, {"decision", "approve"}, {"pin", kDemoPin}},
                    nothing_to_show);
    if (const auto* failed = std::get_if<Failure>(&answered)) {
        return fail(ErrorCode::Unavailable, failed->message);
    }
    tell(printer_.colours().dim + "  " + text("demo.buyer_confirmed") + printer_.colours().reset);
    std::string message_id;
    A2H_TRY(until(text("demo.wait_sent"), [&] {
        const json history =
            look(stage_.buyer(), "inbox.history", {{"peer_id", stage_.seller_id()}});
        for (const json& item : items_of(history, "items")) {
            if (wire::text_member(item, "text") == words)
                message_id = wire::text_member(item, "message_id");
        }
        return !message_id.empty();
    }));
    return message_id;
}

Result<void> Play::until_decided(const std::string& message_id, std::string_view decision,
                                 std::string_view what) {
    A2H_TRY(until(what, [&] { return transcript_.decision_on(message_id).has_value(); }));
    const std::string made = *transcript_.decision_on(message_id);
    if (made == decision) return {};
    return fail(ErrorCode::Conflict,
                text("demo.decided_otherwise", {{"decision", made}, {"expected", decision}}));
}

Result<void> Play::price() {
    title("demo.act_price");
    A2H_ASSIGN_OR_RETURN(const auto asked, say("demo.ask_price"));
    step("asked");
    A2H_TRY(until_decided(asked, "answer", text("demo.wait_answer")));
    A2H_TRY(until(text("demo.wait_answer"), [&] { return transcript_.buyer_has_mail(); }));
    step("answered");
    return {};
}

void Play::show_approval(const Notified& notified) {
    const std::string home = stage_.seller().home.root.string();
    const std::string command =
        own_command() + " --home " + home + " approve " + notified.approval_id;
    tell("\n");
    tell(printer_.colours().yellow + text("demo.your_yes") + printer_.colours().reset);
    tell(wrap(printable(notified.text), terminal_columns(), 4));
    tell("  " + text("demo.on_page"));
    tell("    " + printer_.colours().bold + notified.link + printer_.colours().reset);
    tell("  " + text("demo.on_terminal", {{"pin", kDemoPin}}));
    tell("    " + printer_.colours().bold + command + printer_.colours().reset);
    tell("\n");
}

Result<void> Play::answer(const Notified& notified) {
    if (automatic_) {
        A2H_TRY(answer_on_page(notified.link, "choice", "approve", text("demo.accept")));
        tell(printer_.colours().dim + "  " + text("demo.auto_answered") + printer_.colours().reset);
    }
    // An instruction becomes a draft, which is a new question.
    return until(
        text("demo.wait_yes"),
        [&] {
            while (const auto next = stage_.phone().take())
                show_approval(*next);
            const json pending = look(stage_.seller(), "approval.list", {{"status", "pending"}});
            return pending.is_object() && items_of(pending, "approvals").empty();
        },
        true);
}

Result<void> Play::haggle() {
    title("demo.act_haggle");
    A2H_ASSIGN_OR_RETURN(const auto haggled, say("demo.haggle"));
    A2H_TRY(until_decided(haggled, "ask", text("demo.wait_approval")));
    std::optional<Notified> notified;
    A2H_TRY(until(text("demo.wait_approval"), [&] {
        if (!notified) notified = stage_.phone().take();
        return notified.has_value();
    }));
    step("approval_asked");
    show_approval(*notified);
    A2H_TRY(answer(*notified));
    step("approval_answered");
    const json approved = look(stage_.seller(), "approval.list", {{"status", "approved"}});
    for (const json& approval : items_of(approved, "approvals")) {
        const std::string reply = wire::text_member(approval, "reply_text");
        if (reply.empty()) continue;
        A2H_TRY(until(text("demo.wait_reply"), [&] { return transcript_.buyer_has(reply); }));
        step("reply_received");
        return {};
    }
    if (!automatic_) return {};
    return fail(ErrorCode::Conflict, text("demo.nothing_approved"));
}

Result<void> Play::thanks() {
    title("demo.act_thanks");
    A2H_ASSIGN_OR_RETURN(const auto said, say("demo.thanks"));
    const auto silent = until_decided(said, "silent", text("demo.wait_silence"));
    if (!silent) return silent;
    step("silent");
    return {};
}

Result<void> Play::stay() {
    const std::string command = own_command();
    title("demo.all_done");
    tell(text("demo.try_it"));
    tell("  " + command + " --home " + stage_.seller().home.root.string() + " status");
    tell("  " + command + " --home " + stage_.seller().home.root.string() + " inbox " +
         stage_.buyer_id());
    tell("  " + command + " --home " + stage_.buyer().home.root.string() + " send " +
         stage_.seller_id() + " \"" + text("demo.example") + "\"");
    tell("\n" + text("demo.stays"));
    return until(
        "",
        [&] {
            while (const auto next = stage_.phone().take())
                show_approval(*next);
            return false;
        },
        true);
}

Result<void> Play::run() {
    tell(text("demo.starting"));
    A2H_TRY(stage_.set_up());
    step("started");
    A2H_TRY(price());
    A2H_TRY(haggle());
    A2H_TRY(thanks());
    return automatic_ ? Result<void>() : stay();
}

Outcome run_demo(const Invocation& invocation) {
    if (invocation.has("--negotiation")) return run_negotiation_demo(invocation);
    Supervisor supervisor;
    Stage stage(invocation, supervisor);
    Play play(invocation, stage);
    const auto done = play.run();
    const json data = {{"steps", play.steps()}};
    if (done) return report("demo", data, invocation.text("demo.every_step"));
    return unfinished(invocation, stage.place(), done.error(), data);
}

}  // namespace

std::vector<Command> demo_rows() {
    using enum ParameterKind;
    return {
        {"demo",
         "demo",
         "cli.demo",
         {{"--auto", Flag, "cli.option_auto"},
          {"--negotiation", Flag, "cli.option_demo_negotiation"}},
         run_demo},
    };
}

}  // namespace a2h::cli
