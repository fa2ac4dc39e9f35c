#include "daemon/notify/mail_text.h"

#include <algorithm>
#include <ctime>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/wire/crypto.h"
#include "daemon/notify/listeners.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

constexpr std::size_t kLine = 76;
constexpr std::size_t kTextMax = 20'000;

std::string base64(std::string_view bytes) {
    std::string out = wire::base64url_encode(bytes);
    std::replace(out.begin(), out.end(), '-', '+');
    std::replace(out.begin(), out.end(), '_', '/');
    out.append((4 - out.size() % 4) % 4, '=');
    return out;
}

/// An encoded word has 75 bytes, which hold 42 bytes of text. No character may be split.
std::string encoded_words(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t size = 0;
        for (std::size_t points = 1; points <= 42; ++points) {
            const std::size_t longer = truncate(text, points).size();
            if (longer > 42) break;
            size = longer;
        }
        if (!out.empty()) out += "\r\n ";
        out += "=?UTF-8?B?" + base64(text.substr(0, size)) + "?=";
        text.remove_prefix(size);
    }
    return out;
}

std::string date_of(std::int64_t now_s) {
    const std::time_t seconds = now_s;
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char rest[32];
    char day[8];
    std::strftime(day, sizeof day, "%d", &utc);
    std::strftime(rest, sizeof rest, "%Y %H:%M:%S +0000", &utc);
    return std::string(kDays[utc.tm_wday]) + ", " + day + " " + kMonths[utc.tm_mon] + " " + rest;
}

std::string text_part(const Message& whole) {
    const Message message = shown_in_mail(whole);
    return "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
           base64_lines(plain_text(message, true) + "\n");
}

std::string picture_part(const Picture& picture) {
    std::string name = header_value(picture.name);
    std::replace(name.begin(), name.end(), '"', '_');
    std::replace(name.begin(), name.end(), '\\', '_');
    return "Content-Type: " + header_value(picture.media_type) +
           "\r\nContent-Disposition: attachment; filename=\"" + name +
           "\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64_lines(picture.bytes);
}

}  // namespace

Message shown_in_mail(const Message& message) {
    return fitted(message, [](const Message& shown) {
        return code_point_count(plain_text(shown, true)) <= kTextMax;
    });
}

std::string base64_lines(std::string_view bytes) {
    const std::string all = base64(bytes);
    std::string out;
    for (std::size_t at = 0; at < all.size(); at += kLine)
        out += all.substr(at, kLine) + "\r\n";
    return out;
}

std::string new_message_id(std::string_view from) {
    return "a2h." + random_hex(12) + "@" + std::string(from.substr(from.rfind('@') + 1));
}

std::string mail_text(const MailHeader& header, const Message& message) {
    std::string text = "From: A2H <" + header.from + ">\r\nTo: <" + header.to + ">\r\n";
    text += "Subject: " + encoded_words(message.title) + "\r\nDate: " + date_of(header.now_s);
    text += "\r\nMessage-ID: <" + header.message_id + ">\r\n";
    if (!header.thread.empty()) {
        text += "In-Reply-To: <" + header.thread + ">\r\nReferences: <" + header.thread + ">\r\n";
    }
    text += "Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n";
    if (message.priority == Priority::High) text += "X-Priority: 1\r\n";
    if (message.pictures.empty()) return text + text_part(message);
    const std::string boundary = "a2h-" + random_hex(16);
    text += "Content-Type: multipart/mixed; boundary=\"" + boundary + "\"\r\n\r\n";
    text += "--" + boundary + "\r\n" + text_part(message);
    for (const Picture& picture : message.pictures)
        text += "--" + boundary + "\r\n" + picture_part(picture);
    return text + "--" + boundary + "--\r\n";
}

}  // namespace a2h::notify
