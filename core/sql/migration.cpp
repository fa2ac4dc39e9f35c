#include "core/sql/migration.h"

#include <charconv>

namespace a2h::sql {

std::vector<Migration> migrations_of(
    const std::vector<std::string_view>& file_names,
    const std::function<std::optional<std::string_view>(std::string_view)>& read) {
    std::vector<Migration> all;
    for (const std::string_view file : file_names) {
        Migration migration{0, std::string(file.substr(0, file.rfind('.'))),
                            std::string(*read(file))};
        std::from_chars(file.data(), file.data() + file.find('_'), migration.version);
        A2H_CHECK(migration.version == static_cast<int>(all.size()) + 1);
        all.push_back(std::move(migration));
    }
    return all;
}

namespace {

Unexpected too_new(const MigrationTarget& target, int present, int newest,
                   std::string_view database_name) {
    const std::string copy = target.copy_before(newest + 1);
    return fail(ErrorCode::Unsupported,
                std::string(database_name) +
                    " was written by a newer version of this program (schema " +
                    std::to_string(present) + ", this one knows " + std::to_string(newest) +
                    "); nothing was changed. Start the newer version" +
                    (copy.empty() ? std::string() : ", or restore the backup " + copy));
}

}  // namespace

Result<void> migrate(MigrationTarget& target, const std::vector<Migration>& known,
                     std::string_view database_name, Progress& progress) {
    A2H_ASSIGN_OR_RETURN(const int present, target.version());
    const int newest = known.back().version;
    if (present > newest) return too_new(target, present, newest, database_name);
    const std::string copy = target.copy_before(present + 1);
    if (present > 0 && present < newest && !copy.empty()) A2H_TRY(target.back_up(copy));
    for (const Migration& migration : known) {
        if (migration.version <= present) continue;
        progress.show("progress.migrate", static_cast<std::uint64_t>(migration.version - 1),
                      known.size());
        A2H_TRY(target.apply(migration));
    }
    return {};
}

}  // namespace a2h::sql
