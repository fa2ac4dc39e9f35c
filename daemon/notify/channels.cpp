#include "daemon/notify/channels.h"

#include <array>
#include <string_view>

#include "core/base/text.h"

namespace a2h::notify {
namespace {

/// Host of a URL without user, port and path; empty when there is none.
std::string_view host_of(std::string_view rest) {
    rest = rest.substr(0, rest.find_first_of("/?#"));
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) rest.remove_prefix(at + 1);
    if (rest.starts_with('[')) return rest.substr(0, rest.find(']') + 1);
    return rest.substr(0, rest.find(':'));
}

/// The notification carries the code and the link: in clear it may only stay on this machine.
bool is_safe_url(std::string_view url) {
    if (url.starts_with("https://")) return !host_of(url.substr(8)).empty();
    if (!url.starts_with("http://")) return false;
    const std::string_view host = host_of(url.substr(7));
    return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

Result<std::unique_ptr<Channel>> make_channel(std::string_view name, const Options& options) {
    if (name == "terminal") return make_terminal_channel(options.terminal_path);
    if (name == "desktop") return make_desktop_channel();
    if (name != "webhook") {
        return fail(ErrorCode::InvalidArgument, "notify.channels: \"" + std::string(name) +
                                                    "\" is none of terminal, desktop, webhook");
    }
    if (!is_safe_url(options.webhook_url)) {
        return fail(ErrorCode::InvalidArgument,
                    "notify.webhook_url must begin with https:// (http:// only to this machine), "
                    "because notifications carry the code and the link of approvals");
    }
    if (options.webhook_secret.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "notify.webhook_secret is missing: without it the receiver cannot tell "
                    "our notifications from forged ones");
    }
    return make_webhook_channel(options.webhook_url, options.webhook_secret);
}

}  // namespace

Result<std::vector<std::unique_ptr<Channel>>> make_channels(const Options& options) {
    std::vector<std::unique_ptr<Channel>> channels;
    for (const std::string& name : options.channels) {
        auto channel = make_channel(name, options);
        if (!channel) return fail(channel.error());
        channels.push_back(std::move(*channel));
    }
    return channels;
}

}  // namespace a2h::notify
