#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "market/api/service.h"

namespace a2h::market {

enum class Access {
    Public,  ///< no signature
    Signed,  ///< platform signature of a known agent, see authenticate.h
};

/// How the answer is wrapped. Source: docs/protocol.md, "Answers".
enum class Form {
    Platform,  ///< {"code":"200","message","data"}
    Service,   ///< {"success":true,"data","error"}: token, lease and history services
    Raw,       ///< the handler made the whole answer: pages, files, metrics
};

/// One row of the API: what serves it, what documents it (OpenAPI) and what checks it are the same.
///
/// Schemas are JSON Schema 2020-12 texts of the keywords that catalogue::validate knows. A schema
/// that several rows share is a `NamedSchema`; they say {"$ref":"#/components/schemas/Name"}.
/// They are checked before the handler runs, so a handler may read its fields without looking.
/// Beforehand, in query and body, a null counts as absent (unless the schema allows it), so does an
/// empty text of the query, and the query's texts become numbers and booleans where the schema
/// wants those. On paths of the platform unknown fields are allowed and a text of digits passes for
/// an integer (published clients differ); under /v1 unknown fields are an error with "did you
/// mean", at every level whose schema does not say "additionalProperties":true.
struct Route {
    std::string_view method;
    std::string_view path;  ///< `{name}` stands for one segment
    Access access = Access::Signed;
    Form form = Form::Platform;
    /// What a published client signs instead of the path; empty: nothing else is taken.
    std::string_view also_signed_as{};
    std::string_view tag{};           ///< group in the documentation: "orders", "works", …
    std::string_view summary{};       ///< one English sentence
    std::string_view query_schema{};  ///< of the query as an object; empty: none
    std::string_view body_schema{};   ///< of the body as an object; empty: no body is read
    /// Of `data` in the answer. Empty with Form::Raw only, where it tells of an answer in the form
    /// of the platform that is one of several.
    std::string_view data_schema{};
    std::string_view text_type{};  ///< media type in which Form::Raw can answer as well
    Result<nlohmann::json> (*handler)(Service&, const Call&) = nullptr;
    /// Instead of `handler`, where an answer is asked for so often that its form costs something:
    /// answers the same data as JSON text.
    Result<std::string> (*text_handler)(Service&, const Call&) = nullptr;
    http::Response (*raw_handler)(Service&, const Call&) = nullptr;  ///< with Form::Raw
    /// The handler answers from memory or with a read of a few rows by their key, see `is_quick`.
    bool quick = false;
    /// A public row takes a token of the caller's address. Not where all brokers ask from one.
    bool limited = true;
    /// Knows `Idempotency-Key`: the handler writes with `write_once` and nothing else.
    bool once = false;
};

struct NamedSchema {
    std::string_view name;
    std::string_view schema;
};

/// Every route, in the order of the documentation. A path that fits two patterns is the one with
/// the fixed segment. Each resource's file in market/api ends with its own rows; routes.cpp lists
/// the files.
std::span<const std::span<const Route>> all_routes();
std::span<const std::span<const NamedSchema>> all_schemas();

}  // namespace a2h::market
