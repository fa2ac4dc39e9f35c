#include "tests/support/certificate.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>

#include "core/base/check.h"

namespace a2h::test {
namespace {

constexpr long kDaySeconds = 24L * 3600;

template <typename Type, void (*Free)(Type*)>
struct Freed {
    void operator()(Type* object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using X509Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION, X509_EXTENSION_free>>;

struct Closed {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closed>;

void name_it(X509* certificate) {
    X509_NAME* name = X509_get_subject_name(certificate);
    const auto* text = reinterpret_cast<const unsigned char*>("127.0.0.1");
    A2H_CHECK(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0) == 1);
    A2H_CHECK(X509_set_issuer_name(certificate, name) == 1);
    const Extension extension(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"));
    A2H_CHECK(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

}  // namespace

Certificate::Certificate(Validity validity) {
    const Key made(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
    const X509Certificate certificate(X509_new());
    A2H_CHECK(made && certificate);
    const long ends_in = validity == Validity::Expired ? -kDaySeconds
                         : validity == Validity::Long  ? 365 * kDaySeconds
                                                       : kDaySeconds;
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -2 * kDaySeconds);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), ends_in);
    X509_set_pubkey(certificate.get(), made.get());
    name_it(certificate.get());
    A2H_CHECK(X509_sign(certificate.get(), made.get(), EVP_sha256()) > 0);
    const File certificate_file(std::fopen(file().c_str(), "w"));
    const File key_file(std::fopen(key().c_str(), "w"));
    A2H_CHECK(certificate_file && PEM_write_X509(certificate_file.get(), certificate.get()) == 1);
    A2H_CHECK(key_file && PEM_write_PrivateKey(key_file.get(), made.get(), nullptr, nullptr, 0,
                                               nullptr, nullptr) == 1);
}

}  // namespace a2h::test
