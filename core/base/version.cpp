#include "core/base/version.h"

namespace a2h {

std::string_view program_version() {
    return A2H_PROGRAM_VERSION;
}

}  // namespace a2h
