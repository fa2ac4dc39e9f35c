#include "core/control/home.h"

#include <cstdlib>
#include <system_error>

namespace a2h::control {
namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

Result<Home> find_home(std::string_view option) {
    std::filesystem::path root = option;
    if (root.empty()) root = environment("A2H_HOME");
    if (root.empty() && !environment("HOME").empty()) {
        root = std::filesystem::path(environment("HOME")) / ".a2h";
    }
    if (root.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "no home folder: give --home DIR, or set A2H_HOME or HOME");
    }
    // Absolute, because a daemon that is started with it works in another folder.
    std::error_code error;
    std::filesystem::path absolute = std::filesystem::absolute(root, error);
    if (error) {
        return fail(ErrorCode::InvalidArgument,
                    "home folder " + root.string() + ": " + error.message());
    }
    return Home{absolute.lexically_normal()};
}

std::filesystem::path expand_home(std::string_view path) {
    const std::string_view home = environment("HOME");
    if (!path.starts_with("~/") || home.empty()) return path;
    return std::filesystem::path(home) / path.substr(2);
}

}  // namespace a2h::control
