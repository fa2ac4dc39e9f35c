#include "daemon/model/settings.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "core/base/fd.h"
#include "core/base/money.h"
#include "core/base/text.h"

namespace a2h::model {
namespace {

constexpr std::size_t kKeyBytesMax = 4096;

/// The host of an http or https address, without port; empty if the address is unusual.
std::string_view host_in(std::string_view url) {
    const auto scheme_end = url.find("://");
    if (scheme_end == std::string_view::npos) return {};
    const std::string_view rest = url.substr(scheme_end + 3);
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    // User names before the host, backslashes and blanks are interpreted differently by different
    // programs.
    if (url.find_first_of("@\\ \t\r\n\"<>") != std::string_view::npos) return {};
    if (authority.starts_with('[')) {
        const auto end = authority.find(']');
        return end == std::string_view::npos ? std::string_view() : authority.substr(0, end + 1);
    }
    return authority.substr(0, authority.find(':'));
}

/// The addresses for which the client uses no proxy either.
bool is_loopback_host(std::string_view host) {
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

Unexpected wrong_key_file(const std::filesystem::path& path, std::string_view why) {
    return fail(ErrorCode::InvalidArgument,
                "the model's key file " + path.string() + " " + std::string(why));
}

/// With `is_private`, only the owner may be able to read the file. systemd protects its credentials
/// by their folder.
Result<std::string> read_key_file(const std::filesystem::path& path, bool is_private) {
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return wrong_key_file(path, "cannot be read");
    }
    if (is_private && (status.st_mode & 077) != 0) {
        return wrong_key_file(path, "can be read by others; run: chmod 600 " + path.string());
    }
    std::string text(kKeyBytesMax + 1, '\0');
    const ssize_t size = ::read(file.get(), text.data(), text.size());
    if (size < 0) return wrong_key_file(path, "cannot be read");
    text.resize(static_cast<std::size_t>(size));
    const std::string key(trim(text));
    const bool is_one_word =
        !key.empty() && key.size() <= kKeyBytesMax &&
        std::all_of(key.begin(), key.end(), [](unsigned char c) { return c > 0x20 && c < 0x7F; });
    if (!is_one_word) return wrong_key_file(path, "must contain the key and nothing else");
    return key;
}

Unexpected wrong_setting(std::string_view message) {
    return fail(ErrorCode::InvalidArgument, "model." + std::string(message));
}

}  // namespace

std::string endpoint_of(const Settings& settings) {
    if (!settings.url.empty()) return settings.url;
    return settings.api == Api::Messages ? "https://api.anthropic.com/v1/messages"
                                         : "https://api.openai.com/v1/chat/completions";
}

bool is_safe_endpoint(std::string_view url) {
    const std::string_view host = host_in(url);
    if (host.empty()) return false;
    return url.starts_with("https://") || (url.starts_with("http://") && is_loopback_host(host));
}

Result<void> check(const Settings& settings) {
    if (settings.api == Api::Off) return {};
    if (settings.model.empty())
        return wrong_setting("model is missing: the name that the endpoint gives it");
    if (!is_safe_endpoint(endpoint_of(settings))) {
        return wrong_setting("url must be https://…, or http://… on this machine");
    }
    if (!settings.key_file.empty() && !settings.credential.empty()) {
        return wrong_setting("key_file and model.credential cannot both be set");
    }
    const bool has_price = settings.input_price_minor > 0 || settings.output_price_minor > 0;
    if (has_price && settings.budget_minor_per_day == 0) {
        return wrong_setting("budget_minor_per_day is missing: a price needs a budget");
    }
    if (!has_price && settings.budget_minor_per_day > 0) {
        return wrong_setting(
            "budget_minor_per_day needs prices; without them nothing counts as spent");
    }
    return {};
}

Result<std::string> read_key(const Settings& settings, std::string_view credentials_directory) {
    if (!settings.credential.empty()) {
        if (credentials_directory.empty()) {
            return fail(ErrorCode::InvalidArgument,
                        "model.credential is set, but systemd has passed no credentials; see "
                        "LoadCredential= in docs/models.md");
        }
        const bool is_name = settings.credential.find('/') == std::string::npos &&
                             !settings.credential.starts_with('.');
        if (!is_name) return wrong_setting("credential must be a name without a path");
        return read_key_file(std::filesystem::path(credentials_directory) / settings.credential,
                             false);
    }
    if (settings.key_file.empty()) return std::string();
    return read_key_file(settings.key_file, true);
}

}  // namespace a2h::model
