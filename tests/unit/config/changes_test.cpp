#include "daemon/config/changes.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "daemon/config/option.h"
#include "daemon/config/texts.h"
#include "tests/support/no_variable.h"

using namespace a2h;
using namespace a2h::config;

namespace {

using Names = std::vector<std::string>;

Loaded loaded_from(const std::string& toml) {
    return parse(toml, "c", no_variable).value();
}

Changes changes_between(const std::string& before, const std::string& after) {
    Loaded next = loaded_from(after);
    return take_over(loaded_from(before), next).value();
}

}  // namespace

TEST_CASE("only the options that differ are named") {
    const std::string file = "[limits]\nrounds_per_peer_per_day = 5\n[[person]]\nname = \"anna\"\n";
    CHECK(changes_between(file, file).taken.empty());
    CHECK(changes_between("", "language = \"en\"\n[keep]\nevents_days = 30").taken ==
          (default_config().language == i18n::Language::English
               ? Names{"keep.events_days"}
               : Names{"language", "keep.events_days"}));
    CHECK(changes_between(file, file + "quiet_hours = \"22:00-07:00\"\n").taken == Names{"person"});
    CHECK(changes_between(file, file + "[[channel]]\nname = \"p\"\nkind = \"ntfy\"").taken ==
          Names{"channel"});
    CHECK(changes_between(file, file + "[[approval_rule]]\npeople = [\"anna\"]").taken ==
          Names{"approval_rule"});
}

TEST_CASE("an option that needs a restart keeps its value until then, and is named each time") {
    const Loaded running = loaded_from("[mqtt]\nversion = 5\n");
    Loaded next = loaded_from(
        "[keep]\nevents_days = 30\n[web]\nlisten = \"127.0.0.1:0\"\n[model]\napi = \"messages\"\n"
        "model = \"m\"\n[stages]\nreview = \"ag_judge\"\n");
    const auto changes = take_over(running, next).value();
    CHECK(changes.taken == Names{"keep.events_days"});
    CHECK(changes.need_restart ==
          Names{"mqtt.version", "web.listen", "stages.review", "model.api", "model.model"});
    CHECK(next.config.keep_events_days == 30);
    CHECK(next.config.mqtt_version == 5);
    CHECK(next.config.web_port == 7842);
    CHECK(next.config.stages.review.empty());
    CHECK(next.config.model.api == model::Api::Off);
    CHECK(origin_of(next.origins, "mqtt.version").line == 2);
    CHECK(origin_of(next.origins, "web.listen").kind == Origin::Kind::Default);
    CHECK(origin_of(next.origins, "keep.events_days").kind == Origin::Kind::File);
}

TEST_CASE("every option is either taken or named") {
    const Config defaults = default_config();
    for (const Option& option : options()) {
        CAPTURE(option.name);
        Loaded running{defaults, {}};
        Loaded next{defaults, {}};
        Value other = option.get(defaults);
        if (auto* flag = std::get_if<bool>(&other)) *flag = !*flag;
        if (auto* number = std::get_if<std::int64_t>(&other)) *number += 1;
        if (auto* text = std::get_if<std::string>(&other)) *text = "h:1";
        if (auto* list = std::get_if<std::vector<std::string>>(&other)) list->push_back("/x");
        if (!option.kind.choices.empty()) {
            const bool is_last =
                std::get<std::string>(option.get(defaults)) == option.kind.choices.back();
            other = std::string(is_last ? option.kind.choices.front() : option.kind.choices.back());
        }
        option.set(next.config, other);
        const Value wanted = option.get(next.config);
        const auto changes = take_over(running, next).value();
        const bool restart = option.effect == Effect::Restart;
        CHECK(changes.need_restart.size() == (restart ? 1 : 0));
        CHECK(changes.taken.size() == (restart ? 0 : 1));
        CHECK(option.get(next.config) == (restart ? option.get(defaults) : wanted));
    }
}

TEST_CASE("a reload does not change who is the owner") {
    const Loaded running = loaded_from("[[person]]\nname = \"anna\"\n");
    Loaded next = loaded_from("[[person]]\nname = \"bert\"\n[[person]]\nname = \"anna\"\n");
    const auto refused = take_over(running, next);
    REQUIRE(!refused);
    CHECK(refused.error().code == ErrorCode::Conflict);
    CHECK(refused.error().message.find("bert") != std::string::npos);
}

TEST_CASE("the running values are shown with those of the file, but never a secret") {
    const Loaded running = loaded_from("[notify]\nwebhook_secret = \"old\"\n");
    const auto told = [&](Result<Loaded> file) {
        nlohmann::json all = shown(running.config, running.origins);
        add_waiting(all, running, std::move(file));
        return all;
    };
    const nlohmann::json all =
        told(loaded_from("[notify]\nwebhook_secret = \"new\"\n[mqtt]\nversion = 5\n"
                         "[keep]\nevents_days = 30\n"));
    const auto row = [&](std::string_view name) {
        for (const auto& one : all["options"])
            if (one["name"] == name) return one;
        return nlohmann::json();
    };
    CHECK(row("mqtt.version")["value"] == 4);
    CHECK(row("mqtt.version")["file_value"] == 5);
    CHECK(row("mqtt.version")["waits_for"] == "restart");
    CHECK(row("keep.events_days")["waits_for"] == "reload");
    CHECK(row("notify.webhook_secret").contains("waits_for"));
    CHECK(all.dump().find("new") == std::string::npos);
    CHECK(!row("language").contains("waits_for"));
    CHECK(all["wait_for_restart"] == nlohmann::json{"mqtt.version"});

    CHECK(told(loaded_from("[[person]]\nname = \"anna\"\n")).contains("file_error"));
    const nlohmann::json refused = told(fail(ErrorCode::InvalidArgument, "line 3"));
    CHECK(refused["file_error"] == "line 3");
    CHECK(!refused.contains("wait_for_reload"));
}
