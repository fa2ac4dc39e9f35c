#include "core/domain/contact.h"

#include "core/base/check.h"

namespace a2h {

std::string_view to_string(ContactSource value) {
    switch (value) {
        case ContactSource::System:
            return "system";
        case ContactSource::Parent:
            return "parent";
        case ContactSource::Preset:
            return "preset";
        case ContactSource::Introduction:
            return "introduction";
        case ContactSource::FirstMessage:
            return "first_message";
        case ContactSource::Manual:
            return "manual";
    }
    A2H_CHECK(false);
}

std::optional<ContactSource> parse_contact_source(std::string_view text) {
    if (text == "system") return ContactSource::System;
    if (text == "parent") return ContactSource::Parent;
    if (text == "preset") return ContactSource::Preset;
    if (text == "introduction") return ContactSource::Introduction;
    if (text == "first_message") return ContactSource::FirstMessage;
    if (text == "manual") return ContactSource::Manual;
    return std::nullopt;
}

std::string_view to_string(ContactState value) {
    switch (value) {
        case ContactState::New:
            return "new";
        case ContactState::Met:
            return "met";
        case ContactState::Introduced:
            return "introduced";
        case ContactState::Known:
            return "known";
        case ContactState::KeyChanged:
            return "key_changed";
    }
    A2H_CHECK(false);
}

std::optional<ContactState> parse_contact_state(std::string_view text) {
    for (const auto state : {ContactState::New, ContactState::Met, ContactState::Introduced,
                             ContactState::Known, ContactState::KeyChanged}) {
        if (text == to_string(state)) return state;
    }
    return std::nullopt;
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
