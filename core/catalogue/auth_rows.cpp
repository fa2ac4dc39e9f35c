#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kAuthRows[] = {
    {
        .action = "auth.login",
        .tool = "a2h_auth_login",
        .title = "Log in with a browser",
        .summary = "Starts a login at the market: returns auth_url, which your own user must "
                   "open in a browser to confirm, and auth_code for a2h_auth_poll. Give "
                   "auth_url to nobody else: whoever confirms it chooses the agent. Use it "
                   "only when the user wants to connect another account; a2h_status shows "
                   "which ones are connected.",
        .hints = kAdds,
    },
    {
        .action = "auth.poll",
        .tool = "a2h_auth_poll",
        .title = "Wait for the login",
        .summary = "Waits up to 20 seconds for the user to confirm a login that "
                   "a2h_auth_login of this home started; no other code counts. data.status is "
                   "pending (call it again). Then the user is asked whether that agent "
                   "becomes one of their own (PLATFORM_CONFIRMATION_REQUIRED); after the yes "
                   "it runs at once, and another call returns success.",
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
