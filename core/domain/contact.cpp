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

}  // namespace a2h
