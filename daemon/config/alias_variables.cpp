#include "daemon/config/alias_variables.h"

#include "core/base/check.h"
#include "daemon/config/option.h"
#include "daemon/config/reading.h"

namespace a2h::config {
namespace {

Unexpected wrong_variable(std::string_view name, std::string_view why) {
    return fail(ErrorCode::InvalidArgument,
                "environment variable " + std::string(name) + ": " + std::string(why));
}

/// A variable that sets one of our options.
struct SameSetting {
    std::string_view name;
    std::string_view option;
};
constexpr SameSetting kSameSettings[] = {
    {"A2H_ANTHROPIC_BASE_URL", "model.url"},
    {"A2H_LLM_MODEL", "model.model"},
    {"A2H_LLM_TIMEOUT", "model.timeout_seconds"},
    {"A2H_CORS_ORIGINS", "web.cors_origins"},
};

/// A variable whose value cannot be chosen here; only the value of the specification is accepted.
struct FixedValue {
    std::string_view name;
    std::string_view value;
};
constexpr FixedValue kFixedValues[] = {
    {"A2H_LLM_FAILURE_THRESHOLD", "3"},
    {"A2H_LLM_RECOVERY_TIMEOUT", "30"},
};

constexpr const char* kKey = "A2H_ANTHROPIC_API_KEY";
constexpr std::string_view kBaseUrl = "A2H_ANTHROPIC_BASE_URL";
constexpr std::string_view kMessagesPath = "/v1/messages";

/// `model.url` is the endpoint itself, not its base.
std::string endpoint_under(std::string_view base) {
    while (base.ends_with('/'))
        base.remove_suffix(1);
    return std::string(base) + std::string(kMessagesPath);
}

Result<void> read_same_setting(Loaded& loaded, const SameSetting& same,
                               const Variables& variables) {
    std::string text = variables(std::string(same.name));
    if (text.empty()) return {};
    const std::string own = environment_name(same.option);
    if (!variables(own).empty()) return wrong_variable(same.name, "says the same as " + own);
    if (same.name == kBaseUrl) {
        if (loaded.config.model.api != model::Api::Messages)
            return wrong_variable(same.name, "needs model.api = \"messages\"");
        text = endpoint_under(text);
    }
    const Option* option = find_option(same.option);
    A2H_CHECK(option != nullptr);
    const auto value = parse_value(option->kind.shape, text);
    if (!value || !fits(option->kind, *value)) return wrong_variable(same.name, must_be(*option));
    option->set(loaded.config, *value);
    loaded.origins[std::string(same.option)] = {Origin::Kind::Environment, 0};
    return {};
}

}  // namespace

Result<void> read_alias_variables(Loaded& loaded, const Variables& variables) {
    for (const SameSetting& same : kSameSettings)
        A2H_TRY(read_same_setting(loaded, same, variables));
    for (const FixedValue& fixed : kFixedValues) {
        const std::string text = variables(std::string(fixed.name));
        if (!text.empty() && text != fixed.value)
            return wrong_variable(fixed.name, "is always " + std::string(fixed.value) + " here");
    }
    if (!variables(kKey).empty())
        return wrong_variable(kKey, "a key is not read from the environment; see model.key_file");
    return {};
}

}  // namespace a2h::config
