#include "core/http/client.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/base/fd.h"
#include "core/base/guarded.h"
#include "core/http/curl_handles.h"

namespace a2h::http {
namespace {

/// The most idle handles, with their connections, that are kept for further calls.
constexpr std::size_t kIdleLinesMax = 8;

/// The data that the callbacks of one transfer read and write.
struct Transfer {
    ClientResponse response;
    std::string_view unsent_body;
    Fd body_file;  ///< read instead of `unsent_body`
    curl_off_t body_bytes = 0;
    curl_off_t unread_bytes = 0;  ///< of `body_file`
    bool body_changed = false;    ///< the file became shorter while it was sent
    std::size_t answer_bytes_max = 0;
    std::size_t answer_bytes = 0;
    bool too_large = false;
    const ClientRequest* request = nullptr;
    bool ended_by_caller = false;
    CURL* handle = nullptr;
    bool status_reported = false;

    bool count(std::size_t bytes) {
        answer_bytes += bytes;
        too_large = answer_bytes > answer_bytes_max;
        return !too_large;
    }
};

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* user) {
    auto& transfer = *static_cast<Transfer*>(user);
    const std::string_view line(data, size * count);
    if (!transfer.count(line.size())) return 0;
    // Each answer begins with a status line; only the headers of the last one count.
    if (line.starts_with("HTTP/")) transfer.response.headers.clear();
    const auto colon = line.find(':');
    if (colon != std::string_view::npos) {
        transfer.response.headers.emplace_back(lower_case(line.substr(0, colon)),
                                               std::string(without_blanks(line.substr(colon + 1))));
    }
    return line.size();
}

void report_status(Transfer& transfer) {
    if (!transfer.request->on_status || std::exchange(transfer.status_reported, true)) return;
    long status = 0;
    curl_easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
    transfer.request->on_status(static_cast<int>(status));
}

std::size_t on_body(char* data, std::size_t size, std::size_t count, void* user) {
    auto& transfer = *static_cast<Transfer*>(user);
    report_status(transfer);
    if (transfer.request->on_data) {
        transfer.ended_by_caller = !transfer.request->on_data({data, size * count});
        return transfer.ended_by_caller ? 0 : size * count;
    }
    if (!transfer.count(size * count)) return 0;
    transfer.response.body.append(data, size * count);
    return size * count;
}

std::size_t read_file(Transfer& transfer, char* buffer, std::size_t bytes_max) {
    // Not more than was announced, in case the file has grown.
    const auto wanted = std::min(bytes_max, static_cast<std::size_t>(transfer.unread_bytes));
    if (wanted == 0) return 0;
    const ssize_t got = ::read(transfer.body_file.get(), buffer, wanted);
    transfer.body_changed = got <= 0;
    if (got <= 0) return CURL_READFUNC_ABORT;
    transfer.unread_bytes -= got;
    return static_cast<std::size_t>(got);
}

std::size_t on_read(char* buffer, std::size_t size, std::size_t count, void* user) {
    auto& transfer = *static_cast<Transfer*>(user);
    if (transfer.body_file) return read_file(transfer, buffer, size * count);
    const std::size_t bytes = std::min(size * count, transfer.unsent_body.size());
    if (bytes > 0) std::memcpy(buffer, transfer.unsent_body.data(), bytes);
    transfer.unsent_body.remove_prefix(bytes);
    return bytes;
}

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || std::strchr("!#$%&'*+-.^_`|~", c) != nullptr;
    });
}

bool breaks_lines(std::string_view text) {
    return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

Result<void> check(const ClientRequest& request) {
    if (!is_token(request.method) || breaks_lines(request.url)) {
        return fail(ErrorCode::InvalidArgument, "the method or URL of the request is malformed");
    }
    for (const auto& [name, value] : request.headers) {
        if (!is_token(name) || breaks_lines(value)) {
            return fail(ErrorCode::InvalidArgument, "a header of the request is malformed");
        }
    }
    return {};
}

CurlList header_list(const ClientRequest& request) {
    // Without an empty Expect, curl waits a second for "100 Continue" before a long body.
    CurlList list(curl_slist_append(nullptr, "Expect:"));
    for (const auto& [name, value] : request.headers) {
        // "Name;" is curl's notation for a header with an empty value.
        const std::string line = value.empty() ? name + ";" : name + ": " + value;
        if (curl_slist* longer = curl_slist_append(list.get(), line.c_str())) {
            (void)list.release();
            list.reset(longer);
        }
    }
    return list;
}

/// The user's exceptions to the proxy, and loopback addresses, which a proxy cannot reach.
std::string no_proxy_list() {
    const char* value = std::getenv("no_proxy");
    if (value == nullptr) value = std::getenv("NO_PROXY");
    const std::string own = "localhost,127.0.0.1,::1";
    return value == nullptr || *value == '\0' ? own : own + "," + value;
}

Result<void> open_body(const ClientRequest& request, Transfer& transfer) {
    transfer.unsent_body = request.body;
    transfer.body_bytes = static_cast<curl_off_t>(request.body.size());
    if (request.body_file.empty()) return {};
    transfer.body_file = Fd(::open(request.body_file.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!transfer.body_file || ::fstat(transfer.body_file.get(), &status) != 0 ||
        !S_ISREG(status.st_mode)) {
        return fail(ErrorCode::NotFound,
                    "the file " + request.body_file.string() + " cannot be read");
    }
    if (static_cast<std::uint64_t>(status.st_size) > request.body_file_bytes_max) {
        return fail(ErrorCode::ResourceExhausted,
                    "the file " + request.body_file.string() + " is larger than " +
                        std::to_string(request.body_file_bytes_max) + " bytes");
    }
    transfer.body_bytes = transfer.unread_bytes = status.st_size;
    return {};
}

void set_body(CURL* handle, const ClientRequest& request, Transfer& transfer) {
    if (request.method == "HEAD") {
        curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
        return;
    }
    if (transfer.body_bytes > 0 || request.method == "POST" || request.method == "PUT") {
        // The body is read through a callback that cannot rewind. Otherwise curl would repeat a
        // request by itself if a kept connection breaks before the answer, and an order or a
        // listing would be created twice.
        curl_easy_setopt(handle, CURLOPT_POST, 1L);
        curl_easy_setopt(handle, CURLOPT_READFUNCTION, on_read);
        curl_easy_setopt(handle, CURLOPT_READDATA, &transfer);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, transfer.body_bytes);
    }
    // Without a body curl could repeat the request all the same. It repeats none on a new
    // connection.
    if (transfer.body_bytes == 0 && request.method != "GET")
        curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

void set_options(CURL* handle, const Client::Options& options, const ClientRequest& request,
                 Transfer& transfer, char* error_text) {
    curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
    curl_easy_setopt(handle, CURLOPT_USERAGENT, options.user_agent.c_str());
    curl_easy_setopt(handle, CURLOPT_NOPROXY, no_proxy_list().c_str());
    if (!options.ca_file.empty()) {
        curl_easy_setopt(handle, CURLOPT_CAINFO, options.ca_file.c_str());
    }
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error_text);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
    set_body(handle, request, transfer);
}

/// After connecting and TLS, at least a part of the request may have been sent.
bool may_have_been_sent(CURL* handle) {
    curl_off_t pretransfer_us = 0;
    long request_bytes = 0;
    curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &pretransfer_us);
    curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &request_bytes);
    return pretransfer_us > 0 || request_bytes > 0;
}

ErrorCode error_code(CURLcode code, CURL* handle, const Transfer& transfer) {
    if (transfer.too_large) return ErrorCode::ResourceExhausted;
    if (transfer.ended_by_caller) return ErrorCode::Conflict;
    switch (code) {
        case CURLE_URL_MALFORMAT:
        case CURLE_UNSUPPORTED_PROTOCOL:
            return ErrorCode::InvalidArgument;
        default:
            return may_have_been_sent(handle) ? ErrorCode::Timeout : ErrorCode::Unavailable;
    }
}

/// For messages: the host without user, path and query, which may contain secrets.
std::string host_of(const std::string& url) {
    const auto scheme_end = url.find("://");
    const auto begin = scheme_end == std::string::npos ? 0 : scheme_end + 3;
    const std::string authority = url.substr(begin, url.find_first_of("/?#", begin) - begin);
    const auto at = authority.rfind('@');
    return at == std::string::npos ? authority : authority.substr(at + 1);
}

}  // namespace

struct Client::Impl {
    Options options;
    Guarded<std::vector<Line>> idle;

    Line take() {
        Line line = idle.with([](auto& lines) {
            Line last;
            if (!lines.empty()) {
                last = std::move(lines.back());
                lines.pop_back();
            }
            return last;
        });
        return line ? std::move(line) : Line::open();
    }

    void give_back(Line line) {
        curl_easy_reset(line.easy.get());  // keeps connections and TLS sessions
        idle.with([&line](auto& lines) {
            if (lines.size() < kIdleLinesMax) lines.push_back(std::move(line));
        });
    }
};

Client::Client(Options options) : impl_(std::make_unique<Impl>()) {
    static const CURLcode initialized = curl_global_init(CURL_GLOBAL_DEFAULT);
    A2H_CHECK(initialized == CURLE_OK);
    impl_->options = std::move(options);
}

Client::~Client() = default;

bool Client::is_ended() const {
    return impl_->options.transfers != nullptr && impl_->options.transfers->have_ended();
}

Result<ClientResponse> Client::send(const ClientRequest& request) {
    A2H_TRY(check(request));
    Transfer transfer;
    A2H_TRY(open_body(request, transfer));
    Line line = impl_->take();
    if (!line) return fail(ErrorCode::ResourceExhausted, "no memory for an HTTP request");
    transfer.answer_bytes_max = request.answer_bytes_max;
    transfer.request = &request;
    CURL* handle = line.easy.get();
    transfer.handle = handle;
    char error_text[CURL_ERROR_SIZE] = {};
    const CurlList headers = header_list(request);
    set_options(handle, impl_->options, request, transfer, error_text);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());

    const CURLcode code = perform(line, impl_->options.transfers, [&] {
        if (request.keep_going && !request.keep_going()) transfer.ended_by_caller = true;
        return !transfer.ended_by_caller;
    });
    if (code != CURLE_OK) {
        const ErrorCode mapped = error_code(code, handle, transfer);
        std::string reason = transfer.too_large         ? "the answer is too large"
                             : transfer.ended_by_caller ? "ended by the caller"
                             : transfer.body_changed    ? "the file changed while it was sent"
                             : is_ended()               ? "ended with the program"
                             : error_text[0] != '\0'    ? error_text
                                                        : curl_easy_strerror(code);
        impl_->give_back(std::move(line));
        return fail(mapped, host_of(request.url) + ": " + reason);
    }
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    transfer.response.status = static_cast<int>(status);
    impl_->give_back(std::move(line));
    return std::move(transfer.response);
}

}  // namespace a2h::http
