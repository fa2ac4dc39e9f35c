#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kAuthRows[] = {
    {
        .action = "auth.login",
        .tool = "a2h_auth_login",
        .title = "Log in with a browser",
        .summary = "Starts a login at the market: returns auth_url, which the user must open in a "
                   "browser to confirm, and auth_code for a2h_auth_poll. Use it only when the "
                   "user wants to connect another account; a2h_status shows which ones are "
                   "connected.",
        .hints = kAdds,
    },
    {
        .action = "auth.poll",
        .tool = "a2h_auth_poll",
        .title = "Wait for the login",
        .summary = "Waits up to 20 seconds for the user to confirm a login that a2h_auth_login "
                   "started. data.status is pending (call it again), or success: then the account "
                   "is stored and its agent runs at once.",
        .arguments = R"(
  "auth_code!": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[0-9A-Za-z_-]+$",
    "description": "auth_code of a2h_auth_login"}
)",
        .hints = kAsks,
    },
};

}  // namespace

std::span<const Operation> auth_rows() {
    return kAuthRows;
}

}  // namespace a2h::catalogue
