#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/catalogue/operations.h"

namespace a2h::catalogue {

// The arguments of an operation are the members of a JSON object in `Operation::arguments`. A name
// that ends in "!" is required. A member is a JSON Schema, or in short form `[kind, description]`,
// where the kind is one of
//   text 1-64              number of code points; `text 64`: at most 64
//   integer 1-100 = 20     `integer 1-`: without an upper limit; `= 20`: the default
//   one of open closed     one of these words
//   flag = false           a boolean
//   object price note[]    an object with these texts and lists of texts, among others
//   id, agent, approval, mandate, person, currency, address, digest, code

/// JSON Schema 2020-12 by which arguments are checked: a closed object. Created once; lives as long
/// as the program.
///
/// Thread:  any.
const nlohmann::json& input_schema(const Operation& operation);
/// Brings each code in `arguments` into the form of its schema, as people type them: without white
/// space, and with ASCII digits for full-width ones. Call it before the arguments are checked.
///
/// Thread:  any.
void normalize_codes(const Operation& operation, nlohmann::json& arguments);
/// Replaces the former names of kinds of mandates by their present ones, where an argument is such
/// a name.
void use_present_names(const Operation& operation, nlohmann::json& arguments);
/// The same as `input_schema` for readers, created each time: with its members in the order of the
/// catalogue, and with the members of open objects, which only the operation checks.
nlohmann::ordered_json ordered_input_schema(const Operation& operation);

/// The schema of all results for assistants. The contents of `data` and `error` may grow (R16). It
/// is short, because a model pays for it with every tool.
nlohmann::ordered_json output_schema();

}  // namespace a2h::catalogue
