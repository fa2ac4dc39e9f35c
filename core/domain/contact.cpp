#include "core/domain/contact.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<ContactSource> kContactSourceNames[] = {
    {ContactSource::System, "system"},
    {ContactSource::Parent, "parent"},
    {ContactSource::Preset, "preset"},
    {ContactSource::Introduction, "introduction"},
    {ContactSource::FirstMessage, "first_message"},
    {ContactSource::Manual, "manual"},
};
static_assert(names_all(kContactSourceNames));

std::string_view to_string(ContactSource value) {
    return name_of(kContactSourceNames, value);
}

std::optional<ContactSource> parse_contact_source(std::string_view text) {
    return value_of(kContactSourceNames, text);
}

constexpr EnumName<ContactState> kContactStateNames[] = {
    {ContactState::New, "new"},
    {ContactState::Met, "met"},
    {ContactState::Introduced, "introduced"},
    {ContactState::Known, "known"},
    {ContactState::KeyChanged, "key_changed"},
};
static_assert(names_all(kContactStateNames));

std::string_view to_string(ContactState value) {
    return name_of(kContactStateNames, value);
}

std::optional<ContactState> parse_contact_state(std::string_view text) {
    return value_of(kContactStateNames, text);
}

ContactState state_of(const Contact* contact, bool has_history) {
    if (contact != nullptr && contact->key_changed) return ContactState::KeyChanged;
    if (contact != nullptr && contact->source == ContactSource::Introduction) {
        return ContactState::Introduced;
    }
    if (contact != nullptr && contact->source != ContactSource::FirstMessage) {
        return ContactState::Known;
    }
    return has_history ? ContactState::Met : ContactState::New;
}

}  // namespace a2h
