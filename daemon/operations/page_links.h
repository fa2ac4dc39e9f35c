#pragma once

#include <string>

#include "core/base/result.h"

namespace a2h::operations {

/// The address of the page in this process.
struct Served {
    std::string page_url;      ///< empty if the page is not served
    std::string page_problem;  ///< why the page is not served although it should be
};

/// Creates links to the page.
///
/// Thread:  the loop.
class PageLinks {
  public:
    /// A one-time link for a person.
    ///
    /// Errors:  Unavailable if sessions would cross a network unencrypted; NotFound for an unknown
    ///          person.
    virtual Result<std::string> make_link(const std::string& person) = 0;

  protected:
    ~PageLinks() = default;
};

}  // namespace a2h::operations
