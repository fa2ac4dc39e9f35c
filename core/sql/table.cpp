#include "core/sql/table.h"

namespace a2h::sql {

std::string numbered(std::string_view text, std::size_t next) {
    std::string all;
    for (const char each : text) {
        if (each == '?') {
            all.append("$").append(std::to_string(next++));
        } else {
            all += each;
        }
    }
    return all;
}

}  // namespace a2h::sql
