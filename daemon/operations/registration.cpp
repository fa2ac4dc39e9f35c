#include "daemon/operations/registration.h"

namespace a2h::operations {

void add_all(Table& table, const AllParts& all) {
    for (const auto add_file : kOperationFiles)
        add_file(table, all);
}

}  // namespace a2h::operations
