#pragma once

#include <chrono>
#include <string>

#include "core/base/result.h"
#include "core/http/transfers.h"

namespace a2h::http {

/// One e-mail for one mail server.
///
/// Source:  RFC 5321.
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

/// Sends `mail` to its server. smtp:// uses STARTTLS, except on this machine. Blocks.
///
/// Errors:  Unavailable if there was no connection or the server refuses temporarily (4xx); Timeout
///          if the mail may have been accepted; Unauthenticated for refused credentials;
///          InvalidArgument for anything else that the server refuses (5xx), and for a bad URL or
///          address.
/// Thread:  any.
Result<void> send_mail(const SmtpMail& mail);

}  // namespace a2h::http
