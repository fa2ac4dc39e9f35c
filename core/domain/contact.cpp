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
A2H_ENUM_NAMES(ContactSource, parse_contact_source, kContactSourceNames);

constexpr EnumName<ContactState> kContactStateNames[] = {
    {ContactState::New, "new"},
    {ContactState::Met, "met"},
    {ContactState::Introduced, "introduced"},
    {ContactState::Known, "known"},
    {ContactState::KeyChanged, "key_changed"},
};
A2H_ENUM_NAMES(ContactState, parse_contact_state, kContactStateNames);

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
