#include "daemon/notify/channels.h"

#include <algorithm>
#include <iterator>

#include "core/base/check.h"
#include "core/base/text.h"
#include "daemon/notify/channel_options.h"

namespace a2h::notify {
namespace {

std::unique_ptr<Channel> make_channel(const ChannelSettings& settings, http::Transfers* transfers) {
    const auto maker =
        std::find_if(std::begin(kChannelMakers), std::end(kChannelMakers),
                     [&](const ChannelMaker& one) { return one.kind == settings.kind; });
    A2H_CHECK(maker != std::end(kChannelMakers));  // the kind was checked
    return maker->make(settings, transfers);
}

}  // namespace

bool is_allowed(std::string_view users, std::string_view user) {
    if (trim(users).empty()) return true;
    while (!users.empty()) {
        const auto comma = std::min(users.find(','), users.size());
        if (!user.empty() && trim(users.substr(0, comma)) == user) return true;
        users.remove_prefix(std::min(comma + 1, users.size()));
    }
    return false;
}

std::string form_value(std::string_view text) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_plain_id(std::string_view(&c, 1)) || c == '.') {
            out += c;
        } else {
            out += {'%', kHex[byte / 16], kHex[byte % 16]};
        }
    }
    return out;
}

Result<void> Channel::update(const std::string&, const Message&) {
    return fail(ErrorCode::InvalidArgument,
                "this channel cannot change a message that it has shown");
}

void Channel::listen(const std::atomic<bool>&, const AnswerClick&) {}

HookResponse Channel::hook(const HookRequest&, const AnswerClick&) {
    return {.status = 404, .content_type = {}, .body = {}};
}

Result<Channels> make_channels(const Options& options, http::Transfers* transfers) {
    A2H_ASSIGN_OR_RETURN(const auto complete, complete_channels(options));
    Channels channels;
    channels.push_back(make_terminal_channel(options.terminal_path));
    channels.push_back(make_desktop_channel());
    for (const ChannelSettings& settings : complete)
        channels.push_back(make_channel(settings, transfers));
    return channels;
}

}  // namespace a2h::notify
