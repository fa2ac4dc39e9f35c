#include "core/store/table_dump.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr int kDumpBusyMs = 5'000;

std::vector<std::string> names_of_tables(SQLite::Database& database) {
    SQLite::Statement query(database,
                            "select name from sqlite_schema where type = 'table' "
                            "and name not like 'sqlite\\_%' escape '\\' order by name");
    std::vector<std::string> names;
    while (query.executeStep())
        names.push_back(query.getColumn(0).getString());
    return names;
}

Cell cell_of(const SQLite::Column& column) {
    if (column.isNull()) return {};
    if (column.isInteger()) return column.getInt64();
    return column.getString();
}

Result<void> read_table(SQLite::Database& database, const std::string& table,
                        const TableReader& reader, const std::stop_token& stop) {
    const std::int64_t rows =
        database.execAndGet("select count(*) from \"" + table + "\"").getInt64();
    SQLite::Statement query(database, "select * from \"" + table + "\"");
    std::vector<std::string> columns;
    for (int i = 0; i < query.getColumnCount(); ++i)
        columns.emplace_back(query.getColumnName(i));
    A2H_TRY(reader.begin(table, columns, rows));
    std::vector<Cell> cells(columns.size());
    while (query.executeStep()) {
        if (stop.stop_requested()) return fail(ErrorCode::Timeout, "reading was stopped");
        for (int i = 0; i < query.getColumnCount(); ++i)
            cells[static_cast<std::size_t>(i)] = cell_of(query.getColumn(i));
        A2H_TRY(reader.row(cells));
    }
    return reader.end();
}

}  // namespace

Result<void> read_tables(const std::filesystem::path& file, const TableReader& reader,
                         std::stop_token stop) try {
    SQLite::Database database(file.string(), SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX,
                              kDumpBusyMs);
    database.exec("begin");  // one snapshot for all tables
    for (const std::string& table : names_of_tables(database))
        A2H_TRY(read_table(database, table, reader, stop));
    return {};
} catch (const SQLite::Exception& exception) {
    return fail(sqlite_error(nullptr, exception.getErrorCode(), "reading " + file.string()));
}

}  // namespace a2h::store
