#include "market/db/postgresql_connection.h"

#include <charconv>
#include <chrono>
#include <pqxx/pqxx>
#include <unordered_map>

namespace a2h::market::db {
namespace {

using End = PostgresqlConnection::End;

/// Filters produce different texts. With more statements than this, all are prepared again.
constexpr std::size_t kPreparedMax = 256;
constexpr const char* kSettings =
    "set lock_timeout = '5s'; set statement_timeout = '30s';"
    " set idle_in_transaction_session_timeout = '60s'; set client_min_messages = error";

// Object ids of built-in types: pg_type.dat.
constexpr pqxx::oid kBoolean = 16;
constexpr pqxx::oid kBigint = 20;
constexpr pqxx::oid kSmallint = 21;
constexpr pqxx::oid kInteger = 23;
constexpr pqxx::oid kNumeric = 1700;

/// Without this, libpq would wait for ever for a machine that does not answer.
std::string with_timeout(const std::string& url) {
    if (url.find("connect_timeout") != std::string::npos) return url;
    if (url.find("://") == std::string::npos) return url + " connect_timeout=5";
    return url + (url.find('?') == std::string::npos ? '?' : '&') + "connect_timeout=5";
}

/// By the first characters of an SQLSTATE: appendix A of PostgreSQL's manual.
ErrorCode code_of(std::string_view state) {
    if (state == "23505" || state == "23503" || state == "23P01") return ErrorCode::Conflict;
    if (state == "22021" || state == "22P05") return ErrorCode::InvalidArgument;  // encoding
    if (state.starts_with("53")) return ErrorCode::ResourceExhausted;
    for (const char* passing : {"08", "55P03", "57", "58"}) {
        if (state.starts_with(passing)) return ErrorCode::Unavailable;
    }
    return state.starts_with("XX001") ? ErrorCode::Corrupt : ErrorCode::Internal;
}

/// The text of an error without PostgreSQL's further lines, which may contain values.
std::string first_line(std::string_view text) {
    return "database: " + std::string(text.substr(0, text.find('\n')));
}

struct Failure {
    End end;
    Error error;
};

/// For the exception that is being handled.
Failure failure() {
    try {
        throw;
    } catch (const pqxx::broken_connection& e) {
        return {End::Lost, {ErrorCode::Unavailable, first_line(e.what())}};
    } catch (const pqxx::in_doubt_error& e) {
        return {End::InDoubt, {ErrorCode::Timeout, first_line(e.what())}};
    } catch (const pqxx::transaction_rollback& e) {
        return {End::Repeat, {ErrorCode::Unavailable, first_line(e.what())}};
    } catch (const pqxx::sql_error& e) {
        // 57P01 to 57P03: the server is shutting down or starting.
        const bool lost = std::string_view(e.sqlstate()).starts_with("57P0");
        return {lost ? End::Lost : End::Failed, {code_of(e.sqlstate()), first_line(e.what())}};
    } catch (const std::bad_alloc&) {
        return {End::Failed, {ErrorCode::ResourceExhausted, "database: out of memory"}};
    } catch (const std::exception& e) {
        return {End::Failed, {ErrorCode::Internal, first_line(e.what())}};
    }
}

std::int64_t to_number(const pqxx::field& field, bool& whole) {
    const std::string_view text(field.c_str(), field.size());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    whole = error == std::errc() && end == text.data() + text.size();
    return number;
}

Value read_field(const pqxx::field& field) {
    if (field.is_null()) return nullptr;
    const auto type = field.type();
    if (type == kBoolean) return std::int64_t{*field.c_str() == 't'};
    if (type == kBigint || type == kInteger || type == kSmallint || type == kNumeric) {
        bool whole = false;
        const auto number = to_number(field, whole);
        if (whole) return number;
    }
    return std::string(field.c_str(), field.size());
}

std::vector<Row> read_rows(const pqxx::result& result) {
    std::vector<Row> rows;
    rows.reserve(result.size());
    for (const auto& row : result) {
        std::vector<Value> values;
        values.reserve(row.size());
        for (const auto& field : row)
            values.push_back(read_field(field));
        rows.emplace_back(std::move(values));
    }
    return rows;
}

/// Parameters in the form for libpqxx: pointers to C strings, nullptr for NULL.
struct Parameters {
    std::vector<std::string> numbers;
    std::vector<const char*> values;
};

Result<void> convert(const std::vector<Value>& from, Parameters& to) {
    to.numbers.reserve(from.size());
    for (const Value& value : from) {
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            to.values.push_back(to.numbers.emplace_back(std::to_string(*number)).c_str());
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            if (text->find('\0') != std::string::npos) {
                return fail(ErrorCode::InvalidArgument, "a text is not UTF-8 or holds a NUL");
            }
            to.values.push_back(text->c_str());
        } else {
            to.values.push_back(nullptr);
        }
    }
    return {};
}

}  // namespace

struct PostgresqlConnection::Impl {
    explicit Impl(const std::string& url) : connection(with_timeout(url)) {
        // libpqxx 6 would reconnect by itself and continue outside the lost transaction. This call
        // is deprecated because newer versions never do that.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        connection.inhibit_reactivation(true);
#pragma GCC diagnostic pop
        session = std::make_unique<pqxx::nontransaction>(connection);
    }

    pqxx::connection connection;
    pqxx::quiet_errorhandler quiet{connection};
    std::unique_ptr<pqxx::nontransaction> session;
    std::unordered_map<std::string, std::string> statements;  ///< SQL → name
    std::uint64_t statements_made = 0;
    std::optional<Failure> broken;  ///< the first failure since the transaction began

    const std::string& prepare(const std::string& sql) {
        const auto found = statements.find(sql);
        if (found != statements.end()) return found->second;
        if (statements.size() >= kPreparedMax) {
            for (const auto& [text, name] : statements)
                connection.unprepare(name);
            statements.clear();
        }
        const std::string name = "s" + std::to_string(++statements_made);
        connection.prepare(name, sql);
        return statements.emplace(sql, name).first->second;
    }

    Result<pqxx::result> run(std::string_view sql, const std::vector<Value>& parameters) {
        if (broken) return fail(broken->error);
        Parameters converted;
        if (const auto good = convert(parameters, converted); !good) {
            broken = Failure{End::Failed, good.error()};
            return fail(good.error());
        }
        try {
            return session->exec_prepared(prepare(std::string(sql)),
                                          pqxx::prepare::make_dynamic_params(converted.values));
        } catch (...) {
            broken = failure();
            return fail(broken->error);
        }
    }
};

PostgresqlConnection::PostgresqlConnection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PostgresqlConnection::~PostgresqlConnection() = default;

Result<std::unique_ptr<PostgresqlConnection>> PostgresqlConnection::open(const std::string& url) {
    try {
        auto impl = std::make_unique<Impl>(url);
        impl->session->exec(kSettings);
        return std::unique_ptr<PostgresqlConnection>(new PostgresqlConnection(std::move(impl)));
    } catch (...) {
        return fail(failure().error);
    }
}

Result<std::vector<Row>> PostgresqlConnection::query(std::string_view sql,
                                                     const std::vector<Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(const auto result, impl_->run(sql, parameters));
    return read_rows(result);
}

Result<std::int64_t> PostgresqlConnection::execute(std::string_view sql,
                                                   const std::vector<Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(const auto result, impl_->run(sql, parameters));
    return static_cast<std::int64_t>(result.affected_rows());
}

Result<void> PostgresqlConnection::script(const std::string& sql) {
    try {
        impl_->session->exec(sql);
        return {};
    } catch (...) {
        if (!impl_->broken) impl_->broken = failure();
        return fail(failure().error);
    }
}

PostgresqlConnection::Outcome PostgresqlConnection::failed(Error error) {
    End end = impl_->broken ? impl_->broken->end : End::Failed;
    impl_->broken.reset();
    if (end != End::Lost) {
        try {
            impl_->session->exec("rollback");
        } catch (...) {
            // Nothing was committed, and the connection is unusable.
            end = End::Lost;
        }
    }
    return {end, fail(std::move(error)), 0};
}

PostgresqlConnection::Outcome PostgresqlConnection::run(const char* begin,
                                                        const Database::Work& work) {
    impl_->broken.reset();
    if (const auto begun = script(begin); !begun) return failed(begun.error());
    Result<void> result;
    try {
        result = work(*this);
    } catch (const std::exception& e) {
        result = fail(ErrorCode::Internal, std::string("database: the work threw ") + e.what());
    }
    // The failure that ended the transaction is more precise than the work's error.
    if (impl_->broken) result = fail(impl_->broken->error);
    if (!result) return failed(result.error());
    const auto since = std::chrono::steady_clock::now();
    try {
        impl_->session->exec("commit");
    } catch (...) {
        auto [end, error] = failure();
        if (end == End::Lost) {
            end = End::InDoubt;
            error.code = ErrorCode::Timeout;
        }
        return {end, fail(std::move(error)), 0};
    }
    const auto took = std::chrono::steady_clock::now() - since;
    return {
        End::Committed, {}, std::chrono::duration_cast<std::chrono::microseconds>(took).count()};
}

}  // namespace a2h::market::db
