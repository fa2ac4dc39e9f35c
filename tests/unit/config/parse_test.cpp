#include "daemon/config/config.h"

#include <doctest/doctest.h>

#include "tests/support/no_variable.h"
#include "tests/support/temp_dir.h"

namespace {

a2h::Result<a2h::Config> parse_config(std::string_view toml, std::string_view file_name) {
    const auto loaded = a2h::config::parse(toml, file_name, a2h::config::no_variable);
    if (!loaded) return a2h::fail(loaded.error());
    return loaded->config;
}

}  // namespace

TEST_CASE("an empty configuration is all defaults") {
    const auto config = parse_config("", "config.toml").value();
    CHECK(config.mqtt_version == 4);
    CHECK(config.web_address == "127.0.0.1");
    CHECK(config.web_port == 7842);
    CHECK(config.limits.rounds_per_day == 30);
    CHECK(config.approval.answer_within == std::chrono::hours(24));
    REQUIRE(config.approval.people.size() == 1);
    CHECK(config.approval.people[0].name == "human");
    CHECK(config.approval.people[0].normal == a2h::Person::Steps{{"terminal", "desktop"}});
}

TEST_CASE("a file that does not exist is all defaults") {
    const a2h::test::TempDir dir;
    CHECK(a2h::load_config(dir.path() / "none.toml").value().mqtt_version == 4);
}

TEST_CASE("every setting is read") {
    const auto config = parse_config(R"(
language = "zh"
[mqtt]
version = 5
[web]
listen = "127.0.0.1:0"
[notify]
channels = ["webhook"]
webhook_url = "http://127.0.0.1:1/"
webhook_secret = "s"
[limits]
rounds_per_peer_per_day = 7
messages_per_peer_per_minute = 8
[approval]
answer_within_hours = 1
act_within_hours = 2
)",
                                     "config.toml")
                            .value();
    CHECK(config.language == a2h::i18n::Language::Chinese);
    CHECK(config.approval.language == a2h::i18n::Language::Chinese);
    CHECK(config.mqtt_version == 5);
    CHECK(config.web_port == 0);
    CHECK(config.notify.channels == std::vector<std::string>{"webhook"});
    CHECK(config.limits.rounds_per_day == 7);
    CHECK(config.limits.messages_per_minute == 8);
    CHECK(config.approval.answer_within == std::chrono::hours(1));
    CHECK(config.approval.act_within == std::chrono::hours(2));
}

TEST_CASE("metrics are served on a loopback address, and only when one is named") {
    const auto listen = [](const std::string& address) {
        return parse_config("[metrics]\nlisten = \"" + address + "\"", "config.toml").value();
    };
    CHECK(parse_config("", "config.toml").value().metrics_address.empty());
    CHECK(listen("").metrics_address.empty());
    CHECK(listen("127.0.0.1:9464").metrics_address == "127.0.0.1");
    CHECK(listen("127.0.0.1:9464").metrics_port == 9464);
    CHECK(listen("127.1.2.3:0").metrics_port == 0);
    CHECK(listen("::1:9464").metrics_address == "::1");
}

TEST_CASE("a language model is configured, and only when it fits together") {
    const auto config = parse_config(R"(
[model]
api = "chat_completions"
url = "http://127.0.0.1:11434/v1/chat/completions"
model = "local"
key_file = "/k"
ca_file = "/ca"
token_limit_field = "max_tokens"
structured = false
output_tokens_max = 256
input_price_minor_per_million = 3
output_price_minor_per_million = 4
currency = "EUR"
budget_minor_per_day = 5
tokens_per_day = 6000
timeout_seconds = 7
at_once = 8
)",
                                     "config.toml")
                            .value();
    CHECK(config.model.api == a2h::model::Api::ChatCompletions);
    CHECK(config.model.model == "local");
    CHECK(config.model.key_file == "/k");
    CHECK(config.model.ca_file == "/ca");
    CHECK(config.model.token_limit_field == "max_tokens");
    CHECK_FALSE(config.model.is_structured);
    CHECK(config.model.output_tokens_max == 256);
    CHECK(config.model.input_price_minor == 3);
    CHECK(config.model.output_price_minor == 4);
    CHECK(config.model.currency == "EUR");
    CHECK(config.model.budget_minor_per_day == 5);
    CHECK(config.model.tokens_per_day == 6000);
    CHECK(config.model.timeout == std::chrono::seconds(7));
    CHECK(config.model.at_once == 8);
    for (const char* none : {"", "[model]", "[model]\napi = \"\""})
        CHECK(parse_config(none, "c").value().model.api == a2h::model::Api::Off);
    for (const char* toml :
         {"[model]\nmodel = \"m\"", "[model]\napi = \"messages\"",
          "[model]\napi = \"other\"\nmodel = \"m\"",
          "[model]\napi = \"messages\"\nmodel = \"m\"\nurl = \"http://example.com\"",
          "[model]\napi = \"messages\"\nmodel = \"m\"\ninput_price_minor_per_million = 1",
          "[model]\napi = \"messages\"\nmodel = \"m\"\ntimeout_seconds = 11",
          "[model]\napi = \"messages\"\nmodel = \"m\"\ncurrency = \"usd\"",
          "[model]\napi = \"messages\"\nmodel = \"m\"\nkey = \"sk\""}) {
        const auto refused = parse_config(toml, "config.toml");
        REQUIRE_MESSAGE(!refused, toml);
        CHECK(refused.error().message.find("model.") != std::string::npos);
    }
}

TEST_CASE("a bad value names file, line and what is allowed") {
    const auto message = [](const char* toml) {
        const auto config = parse_config(toml, "config.toml");
        REQUIRE(!config);
        return config.error().message;
    };
    CHECK(message("[mqtt]\nversion = 3") ==
          "config.toml:2: mqtt.version must be an integer from 4 to 5");
    CHECK(message("[web]\nlisten = \"nowhere\"").find("address:port") != std::string::npos);
    CHECK(message("[web]\nlisten = \"h:70000\"").find("config.toml:2") == 0);
    for (const char* address : {"0.0.0.0:1", "192.168.1.2:1", "[::1]:1", "127.evil.example:1",
                                "localhost:1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x"}) {
        CAPTURE(address);
        CHECK(message(("[metrics]\nlisten = \"" + std::string(address) + "\"").c_str())
                  .starts_with("config.toml:2: metrics.listen must be empty or"));
    }
    CHECK(message("language = \"fr\"").find("\"en\" or \"zh\"") != std::string::npos);
    CHECK(message("[notify]\nchannels = [\"pigeon\"]").find("config.toml:2") == 0);
    CHECK(message("[limits]\nrounds_per_peer_per_day = 0").find("from 1") != std::string::npos);
    CHECK(message("mqtt = 4").find("unknown setting mqtt") != std::string::npos);
    CHECK(message("[mqtt\n").find("config.toml:1") == 0);
}

TEST_CASE("an unknown setting is an error that suggests the near one") {
    const auto config = parse_config("[mqtt]\nverson = 4", "config.toml");
    REQUIRE(!config);
    CHECK(config.error().message ==
          "config.toml:2: unknown setting mqtt.verson; did you mean mqtt.version?");
    CHECK(!parse_config("[colour]\nsky = 1", "config.toml"));
}

TEST_CASE("questions are worded in the owner's own language") {
    const auto asked_in = [](const std::string& text) {
        return parse_config(text, "config.toml").value().approval.language;
    };
    using a2h::i18n::Language;
    CHECK(asked_in("language = \"en\"\n") == Language::English);
    const std::string people =
        "language = \"en\"\n[[person]]\nname = \"anna\"\n"
        "language = \"zh\"\n[[person]]\nname = ";
    CHECK(asked_in(people + "\"bert\"\n") == Language::Chinese);
    CHECK(asked_in(people + "\"human\"\n") == Language::English);
}

TEST_CASE("people and channels are read") {
    const auto config = parse_config(R"(
[[channel]]
name = "phone"
kind = "ntfy"
topic = "t"
[[person]]
name = "anna"
language = "zh"
normal = ["desktop + phone", "terminal"]
high = ["phone"]
quiet_hours = "22:30-07:00"
digest = "daily"
per_hour_max = 12
reports = "all"
[[person]]
name = "bert"
)",
                                     "config.toml")
                            .value();
    REQUIRE(config.notify.configured.size() == 1);
    CHECK(config.notify.configured[0].values ==
          std::vector<std::pair<std::string, std::string>>{{"topic", "t"}});
    REQUIRE(config.approval.people.size() == 2);
    const a2h::Person& anna = config.approval.people[0];
    CHECK(anna.language == "zh");
    CHECK(anna.normal == a2h::Person::Steps{{"desktop", "phone"}, {"terminal"}});
    CHECK(anna.high == a2h::Person::Steps{{"phone"}});
    CHECK(anna.low == anna.normal);
    CHECK(anna.quiet.from_minute == 22 * 60 + 30);
    CHECK(anna.quiet.until_minute == 7 * 60);
    CHECK(anna.digest == a2h::Digest::Daily);
    CHECK(anna.per_hour_max == 12);
    CHECK(config.approval.people[1].normal == a2h::Person::Steps{{"terminal", "desktop"}});
}

TEST_CASE("a person or channel that is wrong is refused by line") {
    for (const char* bad :
         {"[[person]]\nname = \"Anna Smith\"", "[[person]]\nnormal = [\"pigeon\"]",
          "[[person]]\nquiet_hours = \"25:00-07:00\"", "[[person]]\nquiet_hours = \"22-7\"",
          "[[person]]\ndigest = \"weekly\"", "[[person]]\nper_hour_max = 1",
          "[[person]]\nreports = \"some\"", "[[person]]\nlangage = \"en\"",
          "[[person]]\nnormal = [\"+\"]", "[person]\nname = \"anna\"", "[[person]]\n[[person]]",
          "[[channel]]\nkind = \"ntfy\"", "[[channel]]\nname = \"a\"\ntopic = 3"}) {
        CAPTURE(bad);
        const auto config = parse_config(bad, "config.toml");
        REQUIRE(!config);
        CHECK(config.error().message.find("config.toml:") == 0);
    }
    const auto near = parse_config("[[person]]\nquiet_hour = \"\"", "c");
    CHECK(near.error().message.find("did you mean person.quiet_hours?") != std::string::npos);
}

TEST_CASE("hosts of pictures are host names and nothing more") {
    const auto read = [](const std::string& list) {
        return parse_config("[notify]\npicture_hosts = " + list, "config.toml");
    };
    CHECK(read(R"(["files.example.org"])")->notify.picture_hosts ==
          std::vector<std::string>{"files.example.org"});
    for (const char* bad : {R"(["https://files.example.org"])", R"(["a/b"])", R"([""])", "[7]",
                            R"("files.example.org")", R"(["Files.example.org"])"}) {
        CAPTURE(bad);
        CHECK(!read(bad).has_value());
    }
}

TEST_CASE("a substitute is another person, and one person is asked directly") {
    const auto read = [](const std::string& anna, const std::string& bert) {
        return parse_config(
            "[[person]]\nname = \"anna\"\n" + anna + "[[person]]\nname = \"bert\"\n" + bert,
            "config.toml");
    };
    const auto config = read("substitute = \"bert\"\n", "");
    REQUIRE(config.has_value());
    CHECK(config->approval.people[0].substitute == "bert");
    for (const auto& [anna, bert, part] :
         {std::tuple{"substitute = \"carl\"\n", "", "no other person \"carl\""},
          {"substitute = \"anna\"\n", "", "no other person \"anna\""},
          {"substitute = 7\n", "", "the name of a person"},
          {"substitute = \"bert\"\n", "substitute = \"anna\"\n", "nobody would be asked"}}) {
        const auto refused = read(anna, bert);
        REQUIRE(!refused.has_value());
        CHECK(refused.error().message.find("config.toml:") == 0);
        CHECK(refused.error().message.find(part) != std::string::npos);
    }
}

TEST_CASE("rules that say who must agree are read, and impossible ones are refused") {
    const auto config = parse_config(R"(
[approval]
high_from_minor = 5000
escalate_after_minutes = 30
trust_elicitation = true
[[approval_rule]]
action = "order.create"
amount_from_minor = 100000
currency = "CNY"
people = ["human"]
)",
                                     "config.toml")
                            .value();
    REQUIRE(config.approval.rules.size() == 1);
    CHECK(config.approval.rules[0].action == "order.create");
    CHECK(config.approval.rules[0].votes == 1);
    CHECK(config.approval.high_from_minor == 5000);
    CHECK(config.approval.escalate_after == std::chrono::minutes(30));
    CHECK(config.approval.trust_elicitation);
    CHECK(!parse_config("", "c").value().approval.trust_elicitation);
    CHECK(!parse_config("[approval]\ntrust_elicitation = \"yes\"", "c"));
    for (const char* bad :
         {"people = [\"human\"]\nvotes = 2", "people = [\"nobody\"]", "votes = 1",
          "people = [\"human\", \"human\"]", "people = [\"human\"]\namount_from_minor = 5",
          "people = [\"human\"]\ncurrency = \"CNY\"", "people = [\"human\"]\nvotes = 0",
          "people = []", "people = [\"human\"]\nvote = 1", "people = [7]",
          "people = [\"human\"]\namount_from_minor = -1\ncurrency = \"CNY\"",
          "people = [\"human\"]\naction = \"\""}) {
        CAPTURE(bad);
        const auto refused = parse_config("[[approval_rule]]\n" + std::string(bad), "config.toml");
        REQUIRE(!refused);
        CHECK(refused.error().message.find("config.toml:") == 0);
    }
    CHECK(!parse_config("[approval_rule]\nvotes = 1", "config.toml"));
}

TEST_CASE("stages that are other programs are named by their agents") {
    const auto config = parse_config(
                            "[stages]\nreview = \"ag_judge\"\nagent = \"ag_writer\"\n"
                            "context = \"\"\ntimeout_seconds = 5\nmax_attempts = 2",
                            "config.toml")
                            .value();
    CHECK(config.stages.review == "ag_judge");
    CHECK(config.stages.agent == "ag_writer");
    CHECK(config.stages.context.empty());
    CHECK(config.stages.timeout == std::chrono::seconds(5));
    CHECK(config.stages.max_attempts == 2);
    CHECK(parse_config("", "c").value().stages.review.empty());
    for (const char* bad : {"review = \"judge\"", "agent = 7", "timeout_seconds = 0",
                            "max_attempts = 11", "reviews = \"ag_judge\""}) {
        CAPTURE(bad);
        const auto refused = parse_config("[stages]\n" + std::string(bad), "config.toml");
        REQUIRE(!refused);
        CHECK(refused.error().message.find("stages.") != std::string::npos);
    }
}

TEST_CASE("an assistant's words are reviewed, asked about, or sent as they are") {
    CHECK(parse_config("", "c").value().assistant_words == AssistantWords::Review);
    CHECK(parse_config("[send]\nassistant = \"ask\"", "c").value().assistant_words ==
          AssistantWords::Ask);
    CHECK(parse_config("[send]\nassistant = \"open\"", "c").value().assistant_words ==
          AssistantWords::Open);
    const auto refused = parse_config("[send]\nassistant = \"never\"", "config.toml");
    REQUIRE(!refused);
    CHECK(refused.error().message.find("send.assistant must be \"review\"") != std::string::npos);
}

TEST_CASE("introductions are asked about, made to those who are known, or refused") {
    using a2h::agents::Introductions;
    CHECK(parse_config("", "c").value().agents.introductions == Introductions::Ask);
    CHECK(parse_config("[agents]\nintroductions = \"known\"", "c").value().agents.introductions ==
          Introductions::Known);
    CHECK(parse_config("[agents]\nintroductions = \"never\"", "c").value().agents.introductions ==
          Introductions::Never);
    const auto refused = parse_config("[agents]\nintroductions = \"always\"", "config.toml");
    REQUIRE(!refused);
    CHECK(refused.error().message.find("agents.introductions must be \"ask\"") !=
          std::string::npos);
}
