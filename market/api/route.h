#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "market/api/serve.h"

namespace a2h::market {

enum class Access {
    Public,  ///< no signature
    Signed,  ///< platform signature of a known agent, see authenticate.h
};

/// How the answer is wrapped. Source: docs/protocol.md, "Answers".
enum class Form {
    Platform,  ///< {"code":"200","message","data"}
    Flagged,   ///< {"success":true,"data","error"}: tokens, leases and history
    Raw,       ///< the handler makes the complete answer: pages, files, metrics
};

/// One row of the API. It serves, documents (OpenAPI) and checks the same path.
///
/// Schemas are JSON Schema 2020-12 texts with the keywords of catalogue::validate. A schema that
/// several rows share is a `NamedSchema`, used as {"$ref":"#/components/schemas/Name"}. They are
/// checked before the handler runs, so a handler may read its fields without checks. Before that, a
/// null in query or body counts as absent (unless the schema allows it), and so does an empty text
/// in the query; texts of the query become numbers and booleans where the schema requires it. On
/// the platform's paths, unknown fields are allowed and a text of digits is accepted as an integer,
/// because published clients differ. Under /v1 unknown fields are an error with "did you mean", at
/// every level whose schema does not say "additionalProperties":true.
struct Route {
    std::string_view method;
    std::string_view path;  ///< `{name}` stands for one segment
    Access access = Access::Signed;
    Form form = Form::Platform;
    /// The text that a published client signs instead of the path; empty: nothing else is accepted.
    std::string_view also_signed_as{};
    std::string_view tag{};           ///< only if it differs from the tag of its resource
    std::string_view summary{};       ///< one English sentence
    std::string_view query_schema{};  ///< schema of the query as an object; empty: none
    std::string_view body_schema{};   ///< schema of the body as an object; empty: no body is read
    /// Schema of `data` in the answer. Empty only with Form::Raw. There it describes an answer in
    /// the platform's form, which is one of several.
    std::string_view data_schema{};
    std::string_view text_type{};  ///< further media type in which Form::Raw can answer
    Result<nlohmann::json> (*handler)(ApiParts&, const Call&) = nullptr;
    /// Used instead of `handler` for very frequent answers: returns the same data as JSON text.
    Result<std::string> (*text_handler)(ApiParts&, const Call&) = nullptr;
    http::Response (*raw_handler)(ApiParts&, const Call&) = nullptr;  ///< with Form::Raw
    /// The handler answers from memory or by reading a few rows by key, see `is_quick`.
    bool quick = false;
    /// A public request counts against the rate limit of the caller's address. False for routes
    /// that all brokers call from one address.
    bool limited = true;
    /// Supports `Idempotency-Key`: the handler writes only with `write_once`.
    bool once = false;
};

struct NamedSchema {
    std::string_view name;
    std::string_view schema;
};

/// The part of the API that one file of market/api serves.
struct Resource {
    std::string_view tag;  ///< group in the documentation: "orders", "works", …
    std::span<const Route> routes;
    std::span<const NamedSchema> schemas{};
};

/// All resources in the order of the documentation. If a path fits two patterns, the one with the
/// literal segment applies. Each file of a resource ends with it; routes.cpp lists the files.
std::span<const Resource> all_resources();

}  // namespace a2h::market
