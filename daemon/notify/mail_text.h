#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "daemon/notify/notifier.h"

namespace a2h::notify {

// Mails as text. Pure, except for random ids and boundaries.
//
// Thread:  any.

struct MailHeader {
    std::string from;
    std::string to;
    std::int64_t now_s = 0;
    std::string message_id;  ///< without angle brackets
    std::string thread{};    ///< Message-ID of the mail that this one follows; empty: none
};

/// A Message-ID that was never used before.
std::string new_message_id(std::string_view from);

/// Returns what a mail shows of `message`, which is shortened if it is too long.
Message shown_in_mail(const Message& message);

/// A whole mail: plain text with attached pictures.
///
/// Source:  RFC 5322, 2045, 2047.
std::string mail_text(const MailHeader& header, const Message& message);

/// RFC 4648 with padding, in lines of 76 characters with CR LF.
std::string base64_lines(std::string_view bytes);

}  // namespace a2h::notify
