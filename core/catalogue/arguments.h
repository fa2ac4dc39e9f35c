#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/catalogue/operations.h"

namespace a2h::catalogue {

// The arguments of an operation are the members of a JSON object, as `Operation::arguments` has
// them. A name that ends in "!" must be given. A member is a JSON Schema, or in short `[kind, what
// it is]`, where the kind is one of
//   text 1-64              so many code points; `text 64`: at most
//   integer 1-100 = 20     `integer 1-`: without an upper end; `= 20`: what it is when left out
//   one of open closed     one of these words
//   flag = false           a boolean
//   object                 any object
//   id, agent, approval, mandate, person, currency, address, digest, code

/// JSON Schema 2020-12 of the arguments: a closed object. Made once; lives as long as the program.
/// Thread: any.
const nlohmann::json& input_schema(const Operation& operation);
/// The same with its members in the order of the catalogue, made anew.
nlohmann::ordered_json ordered_input_schema(const Operation& operation);

/// Of every result that an assistant is promised. What `data` and `error` hold may grow (R16), and
/// it is short, because a model pays for it with every tool.
nlohmann::ordered_json output_schema();

}  // namespace a2h::catalogue
