#include "core/http/smtp.h"
#include "core/http/curl_handles.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace a2h::http {
namespace {

std::size_t read_mail(char* buffer, std::size_t size, std::size_t count, void* user) {
    auto& unsent = *static_cast<std::string_view*>(user);
    const std::size_t bytes = std::min(size * count, unsent.size());
    if (bytes > 0) std::memcpy(buffer, unsent.data(), bytes);
    unsent.remove_prefix(bytes);
    return bytes;
}

/// An address is part of a command line of the protocol.
bool is_address(std::string_view text) {
    return text.size() <= 254 && text.find('@') != std::string_view::npos &&
           std::none_of(text.begin(), text.end(),
                        [](unsigned char c) { return c <= ' ' || c == '<' || c == '>'; });
}

bool is_on_this_machine(std::string_view url) {
    url.remove_prefix(url.find("://") + 3);
    return url.starts_with("127.0.0.1") || url.starts_with("localhost") || url.starts_with("[::1]");
}

ErrorCode error_code(CURLcode code, long reply, bool all_sent) {
    if (code == CURLE_LOGIN_DENIED) return ErrorCode::Unauthenticated;
    if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL) {
        return ErrorCode::InvalidArgument;
    }
    if (reply >= 500) return ErrorCode::InvalidArgument;
    if (reply >= 400) return ErrorCode::Unavailable;
    return all_sent ? ErrorCode::Timeout : ErrorCode::Unavailable;
}

void set_options(CURL* handle, const SmtpMail& mail, std::string_view& unsent, char* error_text) {
    curl_easy_setopt(handle, CURLOPT_URL, mail.url.c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(mail.timeout.count()));
    curl_easy_setopt(
        handle, CURLOPT_USE_SSL,
        static_cast<long>(is_on_this_machine(mail.url) ? CURLUSESSL_TRY : CURLUSESSL_ALL));
    if (!mail.ca_file.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, mail.ca_file.c_str());
    if (!mail.user.empty()) {
        curl_easy_setopt(handle, CURLOPT_USERNAME, mail.user.c_str());
        curl_easy_setopt(handle, CURLOPT_PASSWORD, mail.password.c_str());
    }
    curl_easy_setopt(handle, CURLOPT_MAIL_FROM, ("<" + mail.from + ">").c_str());
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, read_mail);
    curl_easy_setopt(handle, CURLOPT_READDATA, &unsent);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error_text);
}

}  // namespace

Result<void> send_mail(const SmtpMail& mail) {
    static const CURLcode initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
    A2H_CHECK(initialized == CURLE_OK);
    if (!mail.url.starts_with("smtp://") && !mail.url.starts_with("smtps://")) {
        return fail(ErrorCode::InvalidArgument,
                    "the address of the mail server must begin with smtp:// or smtps://");
    }
    if (!is_address(mail.from) || !is_address(mail.to)) {
        return fail(ErrorCode::InvalidArgument, "this is not an e-mail address");
    }
    const Line line = Line::open();
    CURL* handle = line.easy.get();
    if (!line) return fail(ErrorCode::ResourceExhausted, "no memory for an e-mail");
    std::string_view unsent = mail.text;
    char error_text[CURL_ERROR_SIZE] = {};
    set_options(handle, mail, unsent, error_text);
    const CurlList recipients(curl_slist_append(nullptr, ("<" + mail.to + ">").c_str()));
    curl_easy_setopt(handle, CURLOPT_MAIL_RCPT, recipients.get());

    const CURLcode code = perform(line, mail.transfers);
    if (code == CURLE_OK) return {};
    long reply = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &reply);
    return fail(error_code(code, reply, unsent.empty()),
                error_text[0] != '\0' ? error_text : curl_easy_strerror(code));
}

}  // namespace a2h::http
