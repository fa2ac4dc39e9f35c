#include "core/store/interface_columns.h"

#include "core/store/json_list.h"

namespace a2h::store {

std::optional<InterfaceSpec> read_interface(const Row& row, int first_column) {
    const std::string examples = row.text(first_column + 3);
    if (examples.empty()) return std::nullopt;
    return InterfaceSpec{row.text(first_column), row.text(first_column + 1),
                         row.text(first_column + 2), parse_json_list(examples)};
}

std::string examples_column(const std::optional<InterfaceSpec>& spec) {
    return spec ? to_json_list(spec->examples) : std::string();
}

}  // namespace a2h::store
