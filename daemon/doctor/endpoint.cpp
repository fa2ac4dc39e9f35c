#include "daemon/doctor/endpoint.h"

#include <fcntl.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <memory>

#include "core/base/fd.h"

namespace a2h::doctor {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Scheme {
    std::string_view prefix;
    std::uint16_t port;
    bool is_encrypted;
};
constexpr std::array kSchemes{Scheme{"http://", 80, false}, Scheme{"https://", 443, true},
                              Scheme{"mqtt://", 1883, false}, Scheme{"mqtts://", 8883, true}};

struct FreeAddresses {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Result<Addresses> resolve(const std::string& host, const std::string& port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int code =
        ::getaddrinfo(host.c_str(), port.empty() ? nullptr : port.c_str(), &hints, &found);
    if (code == 0) return Addresses(found);
    const bool absent = code == EAI_NONAME || code == EAI_NODATA;
    return fail(absent ? ErrorCode::NotFound : ErrorCode::Unavailable, ::gai_strerror(code));
}

class Socket {
  public:
    explicit Socket(int fd) : fd_(fd) {}
    int get() const { return fd_.get(); }

    /// False if `until` has passed.
    bool wait(short events, steady_clock::time_point until) const {
        const auto left =
            std::chrono::duration_cast<milliseconds>(until - steady_clock::now()).count();
        pollfd poll{fd_.get(), events, 0};
        return left > 0 && ::poll(&poll, 1, static_cast<int>(left)) > 0;
    }

  private:
    Fd fd_;
};

bool connect_to(const Socket& socket, const addrinfo& address, steady_clock::time_point until) {
    if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return true;
    if (errno != EINPROGRESS || !socket.wait(POLLOUT, until)) return false;
    int error = 0;
    socklen_t length = sizeof error;
    return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0;
}

Result<std::unique_ptr<Socket>> connect_to(const Endpoint& endpoint,
                                           steady_clock::time_point until) {
    A2H_ASSIGN_OR_RETURN(const auto addresses,
                         resolve(endpoint.host, std::to_string(endpoint.port)));
    for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) {
        auto socket = std::make_unique<Socket>(
            ::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (socket->get() >= 0 && connect_to(*socket, *one, until)) return socket;
    }
    return fail(ErrorCode::Unavailable, "cannot connect to " + endpoint.text());
}

struct FreeTls {
    void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
    void operator()(SSL* session) const { ::SSL_free(session); }
};

UnixMs end_of(const X509* certificate) {
    std::tm parts{};
    if (::ASN1_TIME_to_tm(::X509_get0_notAfter(certificate), &parts) != 1) return 0;
    return static_cast<UnixMs>(::timegm(&parts)) * 1000;
}

Certificate shown_by(SSL* session) {
    Certificate shown;
    const long verified = ::SSL_get_verify_result(session);
    shown.is_trusted = verified == X509_V_OK;
    if (!shown.is_trusted) shown.problem = ::X509_verify_cert_error_string(verified);
    const STACK_OF(X509)* chain = ::SSL_get_peer_cert_chain(session);
    for (int i = 0; i < sk_X509_num(chain); ++i) {
        const UnixMs end = end_of(sk_X509_value(chain, i));
        if (shown.ends_ms == 0 || end < shown.ends_ms) shown.ends_ms = end;
    }
    return shown;
}

Result<void> shake_hands(SSL* session, const Socket& socket, steady_clock::time_point until) {
    while (true) {
        const int code = ::SSL_connect(session);
        if (code == 1) return {};
        const int want = ::SSL_get_error(session, code);
        if (want != SSL_ERROR_WANT_READ && want != SSL_ERROR_WANT_WRITE) {
            return fail(ErrorCode::Unavailable, "the TLS handshake failed");
        }
        if (!socket.wait(want == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, until)) {
            return fail(ErrorCode::Timeout, "there was no answer in time");
        }
    }
}

bool is_address(const std::string& host) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return false;
    ::freeaddrinfo(found);
    return true;
}

void expect_name(SSL* session, const std::string& host) {
    if (is_address(host)) {
        ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(session), host.c_str());
        return;
    }
    ::SSL_set1_host(session, host.c_str());
    // SSL_set_tlsext_host_name is a macro with an old-style cast, hence this call.
    std::string name = host;
    ::SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
}

}  // namespace

bool Endpoint::is_loopback() const {
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::optional<Endpoint> endpoint_of(std::string_view url) {
    const auto scheme = std::find_if(kSchemes.begin(), kSchemes.end(), [&](const Scheme& one) {
        return url.starts_with(one.prefix);
    });
    if (scheme == kSchemes.end()) return std::nullopt;
    std::string_view authority = url.substr(scheme->prefix.size());
    authority = authority.substr(0, authority.find('/'));
    authority.remove_prefix(authority.rfind('@') + 1);  // npos + 1 is 0
    Endpoint endpoint{.host = {}, .port = scheme->port, .is_encrypted = scheme->is_encrypted};
    std::size_t host_end = authority.rfind(':');
    if (authority.starts_with('[')) {
        host_end = authority.find(']');
        if (host_end == std::string_view::npos) return std::nullopt;
        endpoint.host = authority.substr(1, host_end - 1);
        ++host_end;
    } else {
        endpoint.host = authority.substr(0, host_end);
    }
    if (endpoint.host.empty()) return std::nullopt;
    if (host_end >= authority.size()) return endpoint;
    const std::string_view port = authority.substr(host_end + 1);
    const auto [end, error] =
        std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
    if (error != std::errc() || end != port.data() + port.size()) return std::nullopt;
    return endpoint;
}

Result<std::size_t> count_addresses(const std::string& host) {
    A2H_ASSIGN_OR_RETURN(const auto addresses, resolve(host, {}));
    std::size_t count = 0;
    for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next)
        ++count;
    return count;
}

Result<Certificate> read_certificate(const Endpoint& endpoint, const std::string& ca_file,
                                     milliseconds patience) {
    const auto until = steady_clock::now() + patience;
    A2H_ASSIGN_OR_RETURN(const auto socket, connect_to(endpoint, until));
    const std::unique_ptr<SSL_CTX, FreeTls> context(::SSL_CTX_new(::TLS_client_method()));
    ::SSL_CTX_set_default_verify_paths(context.get());
    if (!ca_file.empty() &&
        ::SSL_CTX_load_verify_locations(context.get(), ca_file.c_str(), nullptr) != 1) {
        ::ERR_clear_error();
        return fail(ErrorCode::NotFound, "cannot read " + ca_file);
    }
    const std::unique_ptr<SSL, FreeTls> session(::SSL_new(context.get()));
    // A problem with the certificate is the result of the check, so it must not end the handshake.
    ::SSL_set_verify(session.get(), SSL_VERIFY_NONE, nullptr);
    expect_name(session.get(), endpoint.host);
    ::SSL_set_fd(session.get(), socket->get());
    const auto shaken = shake_hands(session.get(), *socket, until);
    ::ERR_clear_error();
    if (!shaken) return fail(shaken.error());
    return shown_by(session.get());
}

}  // namespace a2h::doctor
