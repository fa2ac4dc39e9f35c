#pragma once

#include <chrono>
#include <string>

#include "core/base/result.h"
#include "core/http/transfers.h"

namespace a2h::http {

/// One e-mail on its way to one mail server. Source: RFC 5321.
struct SmtpMail {
    std::string url;  ///< smtp://host:port or smtps://host:port
    std::string user{};
    std::string password{};
    std::string ca_file{};  ///< private CA; empty: the system's
    std::string from;       ///< address only
    std::string to;         ///< address only
    std::string text{};     ///< headers, empty line, body; CR LF line ends
    std::chrono::milliseconds timeout{15'000};
    Transfers* transfers = nullptr;  ///< as in `Client::Options`
};

/// Hands `mail` to its server; with smtp:// over STARTTLS, except on this machine. Blocks.
/// Errors:  Unavailable when there was no connection or the server says "later" (4xx); Timeout when
///          the mail may have been taken; Unauthenticated for refused credentials; InvalidArgument
///          for anything else that the server refuses (5xx), for a bad URL or address.
/// Thread:  any.
Result<void> send_mail(const SmtpMail& mail);

}  // namespace a2h::http
