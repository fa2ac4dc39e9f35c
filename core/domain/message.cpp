#include "core/domain/message.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<Provenance> kProvenanceNames[] = {
    {Provenance::Verified, "verified"},
    {Provenance::Vouched, "vouched"},
    {Provenance::Unverified, "unverified"},
    {Provenance::Forged, "forged"},
};
A2H_ENUM_NAMES(Provenance, parse_provenance, kProvenanceNames);

constexpr EnumName<SourceClass> kSourceClassNames[] = {
    {SourceClass::Peer, "peer"},
    {SourceClass::Platform, "platform"},
    {SourceClass::Owner, "owner"},
};
A2H_ENUM_NAMES(SourceClass, parse_source_class, kSourceClassNames);

constexpr EnumName<Refusal> kRefusalNames[] = {
    {Refusal::TooLarge, "too_large"},
    {Refusal::TooDeep, "too_deep"},
    {Refusal::NotUtf8, "not_utf8"},
    {Refusal::NotJson, "not_json"},
    {Refusal::WrongProtocol, "wrong_protocol"},
    {Refusal::UnsupportedSchema, "unsupported_schema"},
    {Refusal::MissingField, "missing_field"},
    {Refusal::WrongType, "wrong_type"},
    {Refusal::NotForUs, "not_for_us"},
    {Refusal::PayloadHashMismatch, "payload_hash_mismatch"},
    {Refusal::BadSignature, "bad_signature"},
    {Refusal::ConflictingDuplicate, "conflicting_duplicate"},
    {Refusal::OwnEcho, "own_echo"},
    {Refusal::RateLimited, "rate_limited"},
};
A2H_ENUM_NAMES(Refusal, parse_refusal, kRefusalNames);

int certainty(Provenance provenance) {
    switch (provenance) {
        case Provenance::Verified:
            return 3;
        case Provenance::Vouched:
            return 2;
        case Provenance::Unverified:
            return 1;
        case Provenance::Forged:
            break;
    }
    return 0;
}

}  // namespace a2h
