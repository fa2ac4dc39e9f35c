#include "cli/number.h"

#include <charconv>

namespace a2h::cli {

std::variant<std::int64_t, Failure> number_of(const Invocation& invocation, std::string_view name) {
    const std::string text = invocation.value(name);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && number > 0) return number;
    return Failure{std::string(kUsageCode),
                   invocation.text("cli.not_a_number", {{"name", name}, {"value", text}}),
                   {},
                   {}};
}

}  // namespace a2h::cli
