#pragma once

#include <string>

namespace a2h::test {

/// Checks that `query`, in Prometheus's language, reads metrics that a2hd has, and counters only by
/// how fast they grow.
void check_query(const std::string& query);

}  // namespace a2h::test
