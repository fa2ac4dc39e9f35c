#include "cli/demo/phone.h"

#include <nlohmann/json.hpp>

#include "core/http/client.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string unescape(std::string_view html) {
    static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
    std::string out;
    while (!html.empty()) {
        std::string_view replaced = html.substr(0, 1);
        std::size_t length = 1;
        for (const auto& [entity, character] : kEntities) {
            if (!html.starts_with(entity)) continue;
            replaced = character;
            length = entity.size();
        }
        out += replaced;
        html.remove_prefix(length);
    }
    return out;
}

/// The value of `name="…"` inside one tag; empty if it has none.
std::string attribute(std::string_view tag, std::string_view name) {
    const std::string begin = " " + std::string(name) + "=\"";
    const auto from = tag.find(begin);
    if (from == std::string_view::npos) return {};
    const auto value = tag.substr(from + begin.size());
    return unescape(value.substr(0, value.find('"')));
}

std::string url_encoded(std::string_view text) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                           (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_' ||
                           byte == '.' || byte == '*';
        if (plain) {
            out += character;
        } else {
            out += {'%', kHex[byte >> 4], kHex[byte & 15]};
        }
    }
    return out;
}

/// `http://host:port` of an address.
std::string origin_of(const std::string& link) {
    const auto host = link.find("://");
    const auto path = host == std::string::npos ? host : link.find('/', host + 3);
    return link.substr(0, path);
}

}  // namespace

Result<std::unique_ptr<Phone>> Phone::start(std::string secret) {
    std::unique_ptr<Phone> phone(new Phone(std::move(secret)));
    A2H_ASSIGN_OR_RETURN(phone->server_,
                         http::Server::start({.handler_threads = 1},
                                             [raw = phone.get()](const http::Request& request) {
                                                 return raw->receive(request);
                                             }));
    return phone;
}

std::string Phone::settings() const {
    return "[notify]\nchannels = [\"webhook\"]\nwebhook_url = \"http://127.0.0.1:" +
           std::to_string(server_->port()) + "/notify\"\nwebhook_secret = \"" + secret_ + "\"\n";
}

std::optional<Notified> Phone::take() {
    return received_.with([](std::vector<Notified>& received) -> std::optional<Notified> {
        if (received.empty()) return std::nullopt;
        Notified first = std::move(received.front());
        received.erase(received.begin());
        return first;
    });
}

http::Response Phone::receive(const http::Request& request) {
    const std::string signature = "sha256=" + wire::hmac_sha256_hex(secret_, request.body);
    if (!wire::equal_constant_time(request.header("x-a2h-signature"), signature)) {
        return {.status = 401, .headers = {}, .body = {}};
    }
    const auto body = wire::parse_json(request.body);
    if (!body || !body->is_object()) return {.status = 400, .headers = {}, .body = {}};
    const std::string link = wire::text_member(*body, "link");
    if (!link.empty()) {
        received_.with([&](std::vector<Notified>& received) {
            received.push_back({wire::text_member(*body, "approval_id"),
                                wire::text_member(*body, "title"), wire::text_member(*body, "text"),
                                wire::text_member(*body, "code"), link});
        });
    }
    return {.status = 204, .headers = {}, .body = {}};
}

std::vector<Form> read_forms(std::string_view html) {
    std::vector<Form> forms;
    while (true) {
        const auto open = html.find('<');
        const auto close = html.find('>', open == std::string_view::npos ? 0 : open);
        if (open == std::string_view::npos || close == std::string_view::npos) return forms;
        const std::string_view tag = html.substr(open, close - open);
        html.remove_prefix(close + 1);
        if (tag.starts_with("<form")) {
            forms.push_back({attribute(tag, "action"), {}, {}});
        } else if (forms.empty()) {
            continue;
        } else if (tag.starts_with("<input")) {
            forms.back().fields.emplace_back(attribute(tag, "name"), attribute(tag, "value"));
        } else if (tag.starts_with("<button")) {
            forms.back().buttons.emplace_back(attribute(tag, "name"), attribute(tag, "value"));
        } else if (tag.starts_with("<textarea")) {
            std::string_view text = html.substr(0, html.find("</textarea>"));
            if (text.starts_with('\n')) text.remove_prefix(1);
            forms.back().fields.emplace_back(attribute(tag, "name"), unescape(text));
        }
    }
}

std::string form_body(const Form& form, std::string_view button, std::string_view value) {
    std::string body;
    for (const auto& [name, text] : form.fields)
        body += url_encoded(name) + "=" + url_encoded(text) + "&";
    return body + url_encoded(button) + "=" + url_encoded(value);
}

Result<void> answer_on_page(const std::string& link, std::string_view button,
                            std::string_view value, const std::string& reply_text) {
    http::Client client(http::Client::Options{});
    http::ClientRequest get;
    get.url = link;
    A2H_ASSIGN_OR_RETURN(const auto page, client.send(get));
    for (Form& form : read_forms(page.body)) {
        const std::pair<std::string, std::string> pressed(button, value);
        bool found = false;
        for (const auto& candidate : form.buttons)
            found = found || candidate == pressed;
        if (!found) continue;
        for (auto& [name, text] : form.fields) {
            if (name == "reply_text" && text.empty()) text = reply_text;
        }
        http::ClientRequest post;
        post.method = "POST";
        post.url = origin_of(link) + form.action;
        post.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                        {"Origin", origin_of(link)}};
        post.body = form_body(form, button, value);
        A2H_ASSIGN_OR_RETURN(const auto answer, client.send(post));
        if (answer.status < 400) return {};
        return fail(ErrorCode::Conflict, "HTTP " + std::to_string(answer.status));
    }
    return fail(ErrorCode::NotFound, "HTTP " + std::to_string(page.status) + ", no such form");
}

}  // namespace a2h::cli
