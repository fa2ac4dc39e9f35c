#include "core/domain/message.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<Provenance> kProvenanceNames[] = {
    {Provenance::Verified, "verified"},
    {Provenance::Vouched, "vouched"},
    {Provenance::Unverified, "unverified"},
    {Provenance::Forged, "forged"},
};
static_assert(names_all(kProvenanceNames));

std::string_view to_string(Provenance value) {
    return name_of(kProvenanceNames, value);
}

std::optional<Provenance> parse_provenance(std::string_view text) {
    return value_of(kProvenanceNames, text);
}

constexpr EnumName<SourceClass> kSourceClassNames[] = {
    {SourceClass::Peer, "peer"},
    {SourceClass::Platform, "platform"},
    {SourceClass::Owner, "owner"},
};
static_assert(names_all(kSourceClassNames));

std::string_view to_string(SourceClass value) {
    return name_of(kSourceClassNames, value);
}

std::optional<SourceClass> parse_source_class(std::string_view text) {
    return value_of(kSourceClassNames, text);
}

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
static_assert(names_all(kRefusalNames));

std::string_view to_string(Refusal value) {
    return name_of(kRefusalNames, value);
}

std::optional<Refusal> parse_refusal(std::string_view text) {
    return value_of(kRefusalNames, text);
}

}  // namespace a2h
