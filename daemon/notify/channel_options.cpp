#include "daemon/notify/channel_options.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace a2h::notify {
namespace {

constexpr std::size_t kSecretBytesMax = 16 * 1024;
constexpr std::string_view kWebhook = "webhook";  // needs no table, but an address and a secret

/// One option of a kind of channel.
struct Key {
    std::string_view name;
    bool required = false;
    bool secret = false;  ///< allowed only in the secret file
    bool url = false;     ///< must be a safe URL for secrets
};

struct Kind {
    std::string_view name;
    std::array<Key, 10> keys;
};

constexpr Key kCaFile{.name = "ca_file"};
constexpr Key kApiBase{.name = "api_base", .url = true};
constexpr Key kUsers{.name = "users"};

constexpr Kind kKinds[] = {
    {"ntfy",
     {{{.name = "topic", .required = true},
       {.name = "reply_topic"},
       {.name = "server", .url = true},
       {.name = "token", .secret = true},
       kCaFile}}},
    {"telegram",
     {{{.name = "chat_id", .required = true},
       {.name = "token", .required = true, .secret = true},
       kUsers,
       kApiBase,
       kCaFile}}},
    {"email",
     {{{.name = "server", .required = true},
       {.name = "from", .required = true},
       {.name = "to", .required = true},
       {.name = "user"},
       {.name = "password", .secret = true},
       kCaFile}}},
    {"feishu",
     {{{.name = "app_id", .required = true},
       {.name = "app_secret", .required = true, .secret = true},
       {.name = "verification_token", .secret = true},
       {.name = "encrypt_key", .secret = true},
       {.name = "receive_id", .required = true},
       {.name = "receive_id_type"},
       kUsers,
       kApiBase,
       kCaFile}}},
    {"slack",
     {{{.name = "channel_id", .required = true},
       {.name = "token", .required = true, .secret = true},
       {.name = "signing_secret", .secret = true},
       kUsers,
       kApiBase,
       kCaFile}}},
    {"discord",
     {{{.name = "channel_id", .required = true},
       {.name = "token", .required = true, .secret = true},
       {.name = "public_key"},
       kUsers,
       kApiBase,
       kCaFile}}},
    {"webhook",
     {{{.name = "url", .required = true, .url = true},
       {.name = "secret", .required = true, .secret = true},
       kCaFile}}},
};

const Kind* find_kind(std::string_view name) {
    const auto found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&](const Kind& kind) { return kind.name == name; });
    return found == std::end(kKinds) ? nullptr : found;
}

Unexpected wrong(const ChannelSettings& settings, const std::string& why) {
    return fail(ErrorCode::InvalidArgument, "channel \"" + settings.name + "\": " + why);
}

const Key* find_key(const Kind& kind, std::string_view name) {
    const auto found = std::find_if(kind.keys.begin(), kind.keys.end(), [&](const Key& key) {
        return !key.name.empty() && key.name == name;
    });
    return found == kind.keys.end() ? nullptr : &*found;
}

/// The names of a kind's options, for messages.
std::string names_of(const Kind& kind, bool secret) {
    std::string names;
    for (const Key& key : kind.keys) {
        if (!key.name.empty() && key.secret == secret) {
            names += (names.empty() ? "" : ", ") + std::string(key.name);
        }
    }
    return names.empty() ? "nothing" : names;
}

Result<void> check_names(const ChannelSettings& settings, const Kind& kind) {
    for (const auto& [name, value] : settings.values) {
        if (name == "secret_file") continue;
        const Key* key = find_key(kind, name);
        if (key == nullptr) {
            return wrong(settings, "unknown option " + name + "; a channel of kind " +
                                       std::string(kind.name) + " has " + names_of(kind, false) +
                                       ", and in its secret_file " + names_of(kind, true));
        }
        if (key->secret) {
            return wrong(settings, name + " is a secret and belongs into its secret_file");
        }
    }
    return {};
}

/// The settings with the secrets of their file.
Result<ChannelSettings> complete(ChannelSettings settings, const Kind& kind) {
    const std::string file = settings.value("secret_file");
    if (file.empty()) return settings;
    auto secrets = read_secret_file(file);
    if (!secrets) return fail(secrets.error().with_context("channel \"" + settings.name + "\""));
    for (auto& secret : *secrets) {
        const Key* key = find_key(kind, secret.first);
        if (key == nullptr || !key->secret) {
            return wrong(settings, "unknown secret " + secret.first + "; a channel of kind " +
                                       std::string(kind.name) + " has " + names_of(kind, true));
        }
        settings.values.push_back(std::move(secret));
    }
    return settings;
}

Result<void> check_values(const ChannelSettings& settings, const Kind& kind) {
    for (const Key& key : kind.keys) {
        if (key.name.empty()) continue;
        const std::string value = settings.value(key.name);
        if (value.empty() && key.required) {
            return wrong(settings, std::string(key.name) + " is missing" +
                                       (key.secret ? " from its secret_file" : ""));
        }
        if (!value.empty() && key.url && !is_safe_url(value)) {
            return wrong(settings, std::string(key.name) +
                                       " must begin with https:// (http:// only to this machine), "
                                       "because notifications carry the code and the link of "
                                       "approvals");
        }
    }
    for (const char* topic : {"topic", "reply_topic"}) {
        const std::string value = settings.value(topic);
        if (!value.empty() && !is_plain_id(value)) {
            return wrong(settings, std::string(topic) + " must be letters, digits, - and _");
        }
    }
    return {};
}

Result<ChannelSettings> check_configured(const ChannelSettings& settings) {
    const Kind* kind = find_kind(settings.kind);
    if (kind == nullptr) {
        std::string known;
        for (const Kind& one : kKinds)
            known += (known.empty() ? "" : ", ") + std::string(one.name);
        return wrong(settings, "kind \"" + settings.kind + "\" is none of " + known);
    }
    A2H_TRY(check_names(settings, *kind));
    A2H_ASSIGN_OR_RETURN(auto whole, complete(settings, *kind));
    A2H_TRY(check_values(whole, *kind));
    return whole;
}

/// The webhook of the settings `notify.webhook_url` and `notify.webhook_secret`.
Result<ChannelSettings> plain_webhook(const Options& options) {
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
    return ChannelSettings{std::string(kWebhook),
                           std::string(kWebhook),
                           {{"url", options.webhook_url}, {"secret", options.webhook_secret}}};
}

bool has_channel(const std::vector<ChannelSettings>& channels, std::string_view name) {
    const bool is_ready = built_in_channel(name) != nullptr && name != kWebhook;
    return is_ready ||
           std::any_of(channels.begin(), channels.end(),
                       [&](const ChannelSettings& channel) { return channel.name == name; });
}

/// Closes its file.
struct File {
    int number = -1;
    ~File() {
        if (number >= 0) ::close(number);
    }
};

/// The host of a URL without user, port and path; empty if there is none.
std::string_view host_of(std::string_view rest) {
    rest = rest.substr(0, rest.find_first_of("/?#"));
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) rest.remove_prefix(at + 1);
    if (rest.starts_with('[')) return rest.substr(0, rest.find(']') + 1);
    return rest.substr(0, rest.find(':'));
}

}  // namespace

bool is_safe_url(std::string_view url) {
    if (url.starts_with("https://")) return !host_of(url.substr(8)).empty();
    if (!url.starts_with("http://")) return false;
    const std::string_view host = host_of(url.substr(7));
    return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

bool is_plain_id(std::string_view text) {
    return !text.empty() && text.size() <= 64 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '-' || c == '_';
           });
}

std::string ChannelSettings::value(std::string_view key) const {
    for (const auto& [given, text] : values)
        if (given == key) return text;
    return {};
}

Result<std::vector<std::pair<std::string, std::string>>> read_secret_file(
    const std::string& path) try {
    const auto wrong_file = [&](const std::string& why) {
        return fail(ErrorCode::InvalidArgument, "secret file " + path + " " + why);
    };
    const File file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat status {};
    if (file.number < 0 || ::fstat(file.number, &status) != 0 || !S_ISREG(status.st_mode)) {
        return wrong_file("cannot be read");
    }
    if ((status.st_mode & 077) != 0) {
        return wrong_file("can be read by others; run: chmod 600 " + path);
    }
    std::string text(kSecretBytesMax, '\0');
    const ssize_t size = ::read(file.number, text.data(), text.size());
    if (size < 0) return wrong_file("cannot be read");
    text.resize(static_cast<std::size_t>(size));
    std::vector<std::pair<std::string, std::string>> secrets;
    for (const auto& [key, node] : toml::parse(text)) {
        const auto value = node.value_exact<std::string>();
        if (!value) return wrong_file("must hold lines like: token = \"…\"");
        secrets.emplace_back(std::string(key.str()), *value);
    }
    return secrets;
} catch (const toml::parse_error& error) {
    // The parser's description may quote the file.
    return fail(ErrorCode::InvalidArgument, "secret file " + path + " is not TOML, line " +
                                                std::to_string(error.source().begin.line));
}

const BuiltInChannel* built_in_channel(std::string_view name) {
    for (const BuiltInChannel& channel : kBuiltInChannels)
        if (channel.name == name) return &channel;
    return nullptr;
}

Result<std::vector<ChannelSettings>> complete_channels(const Options& options) {
    std::vector<ChannelSettings> channels;
    for (const ChannelSettings& settings : options.configured) {
        if (has_channel(channels, settings.name)) {
            return wrong(settings, "there are two channels of this name");
        }
        A2H_ASSIGN_OR_RETURN(auto checked, check_configured(settings));
        channels.push_back(std::move(checked));
    }
    for (const std::string& name : options.channels) {
        if (has_channel(channels, name)) continue;
        if (name != kWebhook) {
            return fail(ErrorCode::InvalidArgument,
                        "notify.channels: there is no channel \"" + name + "\"");
        }
        A2H_ASSIGN_OR_RETURN(auto webhook, plain_webhook(options));
        channels.push_back(std::move(webhook));
    }
    return channels;
}

}  // namespace a2h::notify
