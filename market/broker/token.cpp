#include "market/broker/token.h"

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/file.h"

namespace a2h::market {
namespace {

using nlohmann::json;

struct KeyDeleter {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct ContextDeleter {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
struct SignatureDeleter {
    void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }
};
struct BioDeleter {
    void operator()(BIO* bio) const { BIO_free(bio); }
};
using Key = std::unique_ptr<EVP_PKEY, KeyDeleter>;
using Context = std::unique_ptr<EVP_MD_CTX, ContextDeleter>;
using Signature = std::unique_ptr<ECDSA_SIG, SignatureDeleter>;
using Bio = std::unique_ptr<BIO, BioDeleter>;

constexpr std::string_view kHeader = R"({"alg":"ES256","typ":"JWT"})";
constexpr std::string_view kIssuer = "a2h-market";
constexpr int kCoordinateBytes = 32;
constexpr std::size_t kSignatureBytes = 2 * kCoordinateBytes;
constexpr std::size_t kTokenBytesMax = 4096;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

// A separate implementation, so that the plug-in needs no library except OpenSSL.
std::string base64url(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
    const int length =
        EVP_EncodeBlock(bytes_of(text), bytes_of(bytes), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    while (!text.empty() && text.back() == '=')
        text.pop_back();
    for (char& c : text)
        c = c == '+' ? '-' : c == '/' ? '_' : c;
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    std::string padded(text);
    for (char& c : padded) {
        if (c == '+' || c == '/' || c == '=') return std::nullopt;
        c = c == '-' ? '+' : c == '_' ? '/' : c;
    }
    const std::size_t padding = (4 - padded.size() % 4) % 4;
    if (padding == 3) return std::nullopt;
    padded.append(padding, '=');
    std::string bytes(padded.size() / 4 * 3 + 1, '\0');
    const int length =
        EVP_DecodeBlock(bytes_of(bytes), bytes_of(padded), static_cast<int>(padded.size()));
    if (length < static_cast<int>(padding)) return std::nullopt;
    bytes.resize(static_cast<std::size_t>(length) - padding);
    return bytes;
}

/// JWS uses the two coordinates one after the other; OpenSSL uses DER.
std::optional<std::string> der_to_raw(std::string_view der) {
    const unsigned char* in = bytes_of(der);
    const Signature signature(d2i_ECDSA_SIG(nullptr, &in, static_cast<long>(der.size())));
    std::string raw(kSignatureBytes, '\0');
    if (!signature ||
        BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), bytes_of(raw), kCoordinateBytes) < 0 ||
        BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), bytes_of(raw) + kCoordinateBytes,
                     kCoordinateBytes) < 0) {
        return std::nullopt;
    }
    return raw;
}

std::optional<std::string> raw_to_der(std::string_view raw) {
    if (raw.size() != kSignatureBytes) return std::nullopt;
    const Signature signature(ECDSA_SIG_new());
    BIGNUM* r = BN_bin2bn(bytes_of(raw), kCoordinateBytes, nullptr);
    BIGNUM* s = BN_bin2bn(bytes_of(raw) + kCoordinateBytes, kCoordinateBytes, nullptr);
    if (!signature || ECDSA_SIG_set0(signature.get(), r, s) != 1) {
        BN_free(r);
        BN_free(s);
        return std::nullopt;
    }
    unsigned char* out = nullptr;
    const int length = i2d_ECDSA_SIG(signature.get(), &out);
    if (length <= 0) return std::nullopt;
    std::string der(reinterpret_cast<char*>(out), static_cast<std::size_t>(length));
    OPENSSL_free(out);
    return der;
}

bool is_p256(const Key& key) {
    char group[64] = {};
    std::size_t length = 0;
    return key && EVP_PKEY_is_a(key.get(), "EC") == 1 &&
           EVP_PKEY_get_group_name(key.get(), group, sizeof group, &length) == 1 &&
           std::string_view(group) == "prime256v1";
}

std::string to_pem(const Key& key, bool secret) {
    const Bio bio(BIO_new(BIO_s_mem()));
    const int done = secret ? PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0,
                                                       nullptr, nullptr)
                            : PEM_write_bio_PUBKEY(bio.get(), key.get());
    A2H_CHECK(done == 1);
    char* data = nullptr;
    const long length = BIO_get_mem_data(bio.get(), &data);
    return std::string(data, static_cast<std::size_t>(length));
}

Result<Key> read_key(const std::filesystem::path& file, bool secret) {
    A2H_ASSIGN_OR_RETURN(auto pem, read_file(file));
    const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    Key key(secret ? PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr)
                   : PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
    if (!is_p256(key)) {
        return fail(ErrorCode::Corrupt, file.string() + " contains no P-256 key");
    }
    return key;
}

constexpr std::string_view kRecorderRole = "recorder";
constexpr std::string_view kAgentRole = "agent";

/// RabbitMQ keeps a subscriber's mail in a queue named after its client id, and separates the
/// levels of a topic by dots. Reading needs a queue of one's own, bound to the topics that one may
/// read.
json rabbitmq_scopes(const TokenClaims& claims, std::string topic) {
    std::replace(topic.begin(), topic.end(), '/', '.');
    const std::string server = std::string(kBrokerAudience) + ".";
    json scopes = json::array({server + "read:%2F/amq.topic/" + topic,
                               server + "write:%2F/amq.topic/P2P_TOPIC.p2p.GID_agent@@@*"});
    for (const std::string_view level : {"qos0", "qos1"}) {
        const std::string queue =
            "%2F/mqtt-subscription-" + claims.client_id + std::string(level) + "/*";
        for (const std::string_view permission : {"configure:", "write:", "read:"})
            scopes.push_back(server + std::string(permission) + queue);
    }
    return scopes;
}

json payload_of(const TokenClaims& claims) {
    const bool records = claims.role == BrokerRole::Recorder;
    const std::string topic =
        records ? std::string(kAllReceiveTopics) : receive_topic(claims.agent_id);
    return {{"iss", kIssuer},
            {"sub", claims.agent_id},
            {"aud", json::array({kBrokerAudience})},
            {"client_id", claims.client_id},
            {"role", records ? kRecorderRole : kAgentRole},
            {"iat", claims.issued_at_s},
            {"exp", claims.expires_at_s},
            {"acl", {{"sub", json::array({topic})}, {"pub", json::array({kAllReceiveTopics})}}},
            {"scope", rabbitmq_scopes(claims, records ? "P2P_TOPIC/p2p/*" : topic)}};
}

std::optional<TokenClaims> read_claims(const std::string& text) {
    const auto claims = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!claims.is_object()) return std::nullopt;
    const auto sub = claims.find("sub");
    const auto client = claims.find("client_id");
    const auto issued = claims.find("iat");
    const auto expires = claims.find("exp");
    if (sub == claims.end() || !sub->is_string() || client == claims.end() ||
        !client->is_string() || issued == claims.end() || !issued->is_number_integer() ||
        expires == claims.end() || !expires->is_number_integer()) {
        return std::nullopt;
    }
    const auto role = claims.find("role");
    return TokenClaims{.agent_id = sub->get<std::string>(),
                       .client_id = client->get<std::string>(),
                       .issued_at_s = issued->get<std::int64_t>(),
                       .expires_at_s = expires->get<std::int64_t>(),
                       .role = role != claims.end() && *role == kRecorderRole ? BrokerRole::Recorder
                                                                              : BrokerRole::Agent};
}

Unexpected refused() {
    return fail(ErrorCode::Unauthenticated, "the token was not signed by this market");
}

}  // namespace

struct TokenSigner::Impl {
    Key key;
};
struct TokenVerifier::Impl {
    Key key;
};

TokenSigner::TokenSigner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TokenSigner::TokenSigner(TokenSigner&&) noexcept = default;
TokenSigner::~TokenSigner() = default;

Result<TokenSigner> TokenSigner::open(const std::filesystem::path& dir) {
    const auto secret_file = dir / "token.key";
    if (::access(secret_file.c_str(), F_OK) != 0) {
        const Key fresh(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
        if (!fresh) return fail(ErrorCode::Internal, "cannot create a token key");
        A2H_TRY(write_file(secret_file, to_pem(fresh, true), 0600));
    }
    A2H_ASSIGN_OR_RETURN(auto key, read_key(secret_file, true));
    // Written at each start, so that a crash between the two files is repaired.
    A2H_TRY(write_file(dir / "token.pub", to_pem(key, false), 0644));
    return TokenSigner(std::make_unique<Impl>(Impl{std::move(key)}));
}

Result<std::string> TokenSigner::sign(const TokenClaims& claims) const {
    const std::string text = base64url(kHeader) + "." + base64url(payload_of(claims).dump());
    const Context context(EVP_MD_CTX_new());
    std::string der(80, '\0');  // a P-256 signature takes at most 72
    std::size_t length = der.size();
    if (EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, impl_->key.get()) != 1 ||
        EVP_DigestSign(context.get(), bytes_of(der), &length, bytes_of(text), text.size()) != 1) {
        return fail(ErrorCode::Internal, "cannot sign a broker token");
    }
    const auto raw = der_to_raw(std::string_view(der).substr(0, length));
    if (!raw) return fail(ErrorCode::Internal, "cannot encode a broker token");
    return text + "." + base64url(*raw);
}

TokenVerifier::TokenVerifier(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TokenVerifier::TokenVerifier(TokenVerifier&&) noexcept = default;
TokenVerifier::~TokenVerifier() = default;

Result<TokenVerifier> TokenVerifier::open(const std::filesystem::path& public_key_file) {
    A2H_ASSIGN_OR_RETURN(auto key, read_key(public_key_file, false));
    return TokenVerifier(std::make_unique<Impl>(Impl{std::move(key)}));
}

Result<TokenClaims> TokenVerifier::verify(std::string_view token, std::int64_t now_s) const {
    const auto last_dot = token.rfind('.');
    if (token.size() > kTokenBytesMax || last_dot == std::string_view::npos) return refused();
    const std::string_view text = token.substr(0, last_dot);
    const auto first_dot = text.find('.');
    const auto raw = from_base64url(token.substr(last_dot + 1));
    const auto der = raw ? raw_to_der(*raw) : std::nullopt;
    const Context context(EVP_MD_CTX_new());
    if (first_dot == std::string_view::npos || !der ||
        EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, impl_->key.get()) !=
            1 ||
        EVP_DigestVerify(context.get(), bytes_of(*der), der->size(), bytes_of(text), text.size()) !=
            1) {
        return refused();
    }
    const auto payload = from_base64url(text.substr(first_dot + 1));
    const auto claims = payload ? read_claims(*payload) : std::nullopt;
    if (!claims) return refused();
    if (now_s >= claims->expires_at_s) {
        return fail(ErrorCode::Unauthenticated, "the token has expired");
    }
    return *claims;
}

}  // namespace a2h::market
