#include "core/http/retry_after.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>

using namespace a2h;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;  // Thu, 09 Oct 2025 08:53:20 GMT

std::optional<milliseconds> wait_of(const std::string& value, const std::string& date = {}) {
    http::ClientResponse response;
    response.status = 429;
    response.headers = {{"content-type", "text/plain"}, {"retry-after", value}};
    if (!date.empty()) response.headers.emplace_back("date", date);
    return http::retry_after(response, kNow);
}

}  // namespace

TEST_CASE("Retry-After is a number of seconds") {
    CHECK(wait_of("120") == seconds(120));
    CHECK(wait_of(" 7 ") == seconds(7));
    CHECK(wait_of("0") == seconds(0));
}

TEST_CASE("Retry-After is a date, seen from the service's own clock where it tells it") {
    CHECK(wait_of("Thu, 09 Oct 2025 08:54:20 GMT") == seconds(60));
    CHECK(wait_of("Thursday, 09-Oct-25 08:54:20 GMT") == seconds(60));
    CHECK(wait_of("Thu Oct  9 08:54:20 2025") == seconds(60));
    CHECK(wait_of("Mon, 06 Jan 2020 00:01:00 GMT", "Mon, 06 Jan 2020 00:00:00 GMT") == seconds(60));
    CHECK(wait_of("Thu, 09 Oct 2025 08:00:00 GMT") == seconds(0));  // over already
}

TEST_CASE("an invalid Retry-After asks for nothing, and a huge one does not overflow") {
    for (const char* nothing : {"", "soon", "-5", "12x", "1.5.", "99999999999999999999999"})
        CHECK_MESSAGE(!wait_of(nothing), nothing);
    for (const char* no_date : {"06 Nov 444444444", "Thu, 01 Jan 10000 00:00:00 GMT"})
        CHECK_MESSAGE(!wait_of(no_date), no_date);
    CHECK(wait_of("60", "06 Nov 444444444") == seconds(60));
    CHECK(wait_of("Fri, 31 Dec 9999 23:59:59 GMT") == seconds(365LL * 24 * 3600));
    CHECK(!http::retry_after(http::ClientResponse{}, kNow));
    CHECK(wait_of("9223372036854775807") == seconds(365LL * 24 * 3600));
}
