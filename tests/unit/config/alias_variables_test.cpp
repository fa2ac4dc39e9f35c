// R38: the variables of the negotiation specification, with A2H_ before their names, never without.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "daemon/config/config.h"

using namespace a2h;
using namespace a2h::config;

namespace {

constexpr const char* kModelFile = "[model]\napi = \"messages\"\nmodel = \"of-the-file\"\n";

Result<Loaded> with_variables(std::map<std::string, std::string> values,
                              const char* file = kModelFile) {
    return parse(file, "c", [values = std::move(values)](const std::string& name) {
        const auto found = values.find(name);
        return found == values.end() ? std::string() : found->second;
    });
}

void check_names(const Result<Loaded>& refused, std::string_view variable, std::string_view why) {
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::InvalidArgument);
    CHECK(refused.error().message.starts_with("environment variable " + std::string(variable) +
                                              ": "));
    CHECK_MESSAGE(refused.error().message.find(why) != std::string::npos, refused.error().message);
}

}  // namespace

TEST_CASE("R38: the specification's variables set ours with A2H_ before their names") {
    const auto loaded = with_variables({{"A2H_LLM_MODEL", "of-the-variable"},
                                        {"A2H_LLM_TIMEOUT", "7"},
                                        {"A2H_ANTHROPIC_BASE_URL", "https://proxy.example/a/"},
                                        {"A2H_CORS_ORIGINS", "http://localhost:3000, http://a:1"},
                                        {"A2H_LLM_FAILURE_THRESHOLD", "3"},
                                        {"A2H_LLM_RECOVERY_TIMEOUT", "30"}});
    REQUIRE_MESSAGE(loaded, (loaded ? "" : loaded.error().message));
    const Config& config = loaded->config;
    CHECK(config.model.model == "of-the-variable");
    CHECK(config.model.timeout == std::chrono::seconds(7));
    CHECK(config.model.url == "https://proxy.example/a/v1/messages");
    CHECK(config.web_cors_origins ==
          std::vector<std::string>{"http://localhost:3000", "http://a:1"});
    for (const char* option :
         {"model.model", "model.timeout_seconds", "model.url", "web.cors_origins"})
        CHECK(origin_of(loaded->origins, option).kind == Origin::Kind::Environment);
}

TEST_CASE("R38: environment variables of another program change nothing and stop nothing") {
    const std::map<std::string, std::string> plain = {{"ANTHROPIC_API_KEY", "sk-1"},
                                                      {"ANTHROPIC_BASE_URL", "https://a"},
                                                      {"LLM_MODEL", "m"},
                                                      {"LLM_TIMEOUT", "600"},
                                                      {"LLM_FAILURE_THRESHOLD", "1"},
                                                      {"LLM_RECOVERY_TIMEOUT", "1"},
                                                      {"CORS_ORIGINS", "http://evil.x"}};
    for (const char* file : {"", kModelFile}) {
        const auto loaded = with_variables(plain, file);
        REQUIRE(loaded);
        const auto without = with_variables({}, file);
        CHECK(loaded->config.model.model == without->config.model.model);
        CHECK(loaded->config.model.timeout == without->config.model.timeout);
        CHECK(loaded->config.model.url.empty());
        CHECK(loaded->config.web_cors_origins.empty());
        CHECK(loaded->origins.size() == without->origins.size());
    }
}

TEST_CASE("R38: an invalid variable is refused by its name") {
    check_names(with_variables({{"A2H_LLM_TIMEOUT", "11"}}), "A2H_LLM_TIMEOUT",
                "model.timeout_seconds must be");
    check_names(with_variables({{"A2H_CORS_ORIGINS", "*"}}), "A2H_CORS_ORIGINS",
                "web.cors_origins must be");
    check_names(with_variables({{"A2H_LLM_FAILURE_THRESHOLD", "5"}}), "A2H_LLM_FAILURE_THRESHOLD",
                "always 3");
    check_names(with_variables({{"A2H_LLM_RECOVERY_TIMEOUT", "60"}}), "A2H_LLM_RECOVERY_TIMEOUT",
                "always 30");
    const auto key = with_variables({{"A2H_ANTHROPIC_API_KEY", "sk-secret"}});
    check_names(key, "A2H_ANTHROPIC_API_KEY", "model.key_file");
    CHECK(key.error().message.find("sk-secret") == std::string::npos);
    check_names(with_variables({{"A2H_LLM_MODEL", "a"}, {"A2H_MODEL_MODEL", "a"}}), "A2H_LLM_MODEL",
                "says the same as A2H_MODEL_MODEL");
    const std::map<std::string, std::string> base = {
        {"A2H_ANTHROPIC_BASE_URL", "https://proxy.example"}};
    check_names(with_variables(base, "[model]\napi = \"chat_completions\"\nmodel = \"m\"\n"),
                "A2H_ANTHROPIC_BASE_URL", "model.api = \"messages\"");
    check_names(with_variables(base, ""), "A2H_ANTHROPIC_BASE_URL", "model.api = \"messages\"");
    CHECK_FALSE(with_variables({{"A2H_ANTHROPIC_BASE_URL", "http://proxy.example"}}));
}
