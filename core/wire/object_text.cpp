#include "core/wire/object_text.h"

#include <utility>

#include "core/wire/canonical.h"

namespace a2h::wire {

void ObjectText::begin(std::string_view name) {
    if (out_.size() > 1) out_ += ',';
    out_.append("\"").append(name).append("\":");
}

ObjectText& ObjectText::text(std::string_view name, std::string_view value) {
    begin(name);
    append_json_string(out_, value);
    return *this;
}

ObjectText& ObjectText::number(std::string_view name, std::int64_t value) {
    return raw(name, std::to_string(value));
}

ObjectText& ObjectText::raw(std::string_view name, std::string_view json) {
    begin(name);
    out_ += json;
    return *this;
}

std::string ObjectText::take() {
    out_ += '}';
    return std::move(out_);
}

}  // namespace a2h::wire
