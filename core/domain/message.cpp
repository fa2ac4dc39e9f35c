#include "core/domain/message.h"

#include "core/base/check.h"

namespace a2h {

std::string_view to_string(Provenance value) {
    switch (value) {
        case Provenance::Verified:
            return "verified";
        case Provenance::Vouched:
            return "vouched";
        case Provenance::Unverified:
            return "unverified";
        case Provenance::Forged:
            return "forged";
    }
    A2H_CHECK(false);
}

std::optional<Provenance> parse_provenance(std::string_view text) {
    if (text == "verified") return Provenance::Verified;
    if (text == "vouched") return Provenance::Vouched;
    if (text == "unverified") return Provenance::Unverified;
    if (text == "forged") return Provenance::Forged;
    return std::nullopt;
}

std::string_view to_string(SourceClass value) {
    switch (value) {
        case SourceClass::Peer:
            return "peer";
        case SourceClass::Platform:
            return "platform";
        case SourceClass::Owner:
            return "owner";
    }
    A2H_CHECK(false);
}

std::optional<SourceClass> parse_source_class(std::string_view text) {
    if (text == "peer") return SourceClass::Peer;
    if (text == "platform") return SourceClass::Platform;
    if (text == "owner") return SourceClass::Owner;
    return std::nullopt;
}

std::string_view to_string(Refusal value) {
    switch (value) {
        case Refusal::TooLarge:
            return "too_large";
        case Refusal::TooDeep:
            return "too_deep";
        case Refusal::NotUtf8:
            return "not_utf8";
        case Refusal::NotJson:
            return "not_json";
        case Refusal::WrongProtocol:
            return "wrong_protocol";
        case Refusal::UnsupportedSchema:
            return "unsupported_schema";
        case Refusal::MissingField:
            return "missing_field";
        case Refusal::WrongType:
            return "wrong_type";
        case Refusal::NotForUs:
            return "not_for_us";
        case Refusal::PayloadHashMismatch:
            return "payload_hash_mismatch";
        case Refusal::BadSignature:
            return "bad_signature";
        case Refusal::ConflictingDuplicate:
            return "conflicting_duplicate";
        case Refusal::OwnEcho:
            return "own_echo";
        case Refusal::RateLimited:
            return "rate_limited";
    }
    A2H_CHECK(false);
}

std::optional<Refusal> parse_refusal(std::string_view text) {
    if (text == "too_large") return Refusal::TooLarge;
    if (text == "too_deep") return Refusal::TooDeep;
    if (text == "not_utf8") return Refusal::NotUtf8;
    if (text == "not_json") return Refusal::NotJson;
    if (text == "wrong_protocol") return Refusal::WrongProtocol;
    if (text == "unsupported_schema") return Refusal::UnsupportedSchema;
    if (text == "missing_field") return Refusal::MissingField;
    if (text == "wrong_type") return Refusal::WrongType;
    if (text == "not_for_us") return Refusal::NotForUs;
    if (text == "payload_hash_mismatch") return Refusal::PayloadHashMismatch;
    if (text == "bad_signature") return Refusal::BadSignature;
    if (text == "conflicting_duplicate") return Refusal::ConflictingDuplicate;
    if (text == "own_echo") return Refusal::OwnEcho;
    if (text == "rate_limited") return Refusal::RateLimited;
    return std::nullopt;
}

}  // namespace a2h
