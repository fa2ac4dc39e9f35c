#include "daemon/leading/lease.h"

#include <doctest/doctest.h>

using namespace a2h;
using namespace a2h::leading;

namespace {

using Time = Lease::Time;

LeaseAnswer leads(std::int64_t epoch = 1) {
    return {true, epoch, "me"};
}
LeaseAnswer follows() {
    return {false, 1, "other"};
}
Result<LeaseAnswer> no_answer() {
    return fail(ErrorCode::Unavailable, "the market is away");
}

/// Checks each second up to `until`, as the loop does.
void stay_awake(Lease& lease, Time from, Time until) {
    for (Time now = from; now <= until; now += Time(1'000))
        lease.checked(now);
}

}  // namespace

TEST_CASE("nobody acts before the market has answered") {
    Lease lease(false);
    lease.checked(Time(10'000));
    CHECK(lease.acts_until() <= Time(10'000));
    CHECK(lease.standing() == Standing::Asking);
}

TEST_CASE("a market without leases is asked once, and everybody acts") {
    Lease lease(true);
    lease.answered(fail(ErrorCode::NotFound, "404"), Time(10'000));
    CHECK(lease.standing() == Standing::Alone);
    CHECK(lease.acts_until() == Time::max());
}

TEST_CASE("an instance that has seen others stops acting before its lease ends") {
    Lease lease(true);
    lease.checked(Time(10'000));
    CHECK(lease.answered(leads(), Time(10'000)) == Lease::Change::Acquired);
    stay_awake(lease, Time(11'000), Time(21'000));
    CHECK(lease.acts_until() == Time(10'000) + Lease::kHeldFor);
    CHECK(lease.answered(no_answer(), Time(20'000)) == Lease::Change::None);
    CHECK(lease.acts_until() == Time(10'000) + Lease::kHeldFor);
    CHECK(lease.answered(leads(), Time(21'000)) == Lease::Change::None);
    stay_awake(lease, Time(22'000), Time(30'000));
    CHECK(lease.acts_until() == Time(21'000) + Lease::kHeldFor);
}

TEST_CASE("an instance that has never seen another goes on while the market is away") {
    Lease lease(false);
    lease.checked(Time(10'000));
    lease.answered(leads(), Time(10'000));
    lease.answered(no_answer(), Time(15'000));
    stay_awake(lease, Time(11'000), Time(600'000));
    CHECK(lease.acts_until() == Time(600'000) + Lease::kAwakeFor);
    CHECK(lease.answered(follows(), Time(600'000)) == Lease::Change::Lost);
    CHECK(lease.acts_until() == Time(0));
    CHECK(lease.others_seen());
}

TEST_CASE("an instance that was suspended asks the market before it acts") {
    for (const bool others : {false, true}) {
        Lease lease(others);
        lease.checked(Time(10'000));
        lease.answered(leads(), Time(10'000));
        CHECK(lease.acts_until() == Time(10'000) + Lease::kAwakeFor);
        CHECK(lease.checked(Time(17'000)));
        CHECK(lease.acts_until() == Time(0));
        // An answer from before the sleep says nothing about the present.
        lease.answered(leads(), Time(15'000));
        CHECK(lease.acts_until() == Time(0));
        lease.answered(leads(), Time(17'000));
        CHECK(lease.acts_until() == Time(17'000) + Lease::kAwakeFor);
    }
}

TEST_CASE("a follower that cannot reach the market does not act") {
    Lease lease(false);
    lease.checked(Time(10'000));
    CHECK(lease.answered(follows(), Time(10'000)) == Lease::Change::None);
    lease.answered(no_answer(), Time(15'000));
    CHECK(lease.acts_until() == Time(0));
    CHECK(lease.answered(leads(7), Time(16'000)) == Lease::Change::Acquired);
    CHECK(lease.epoch() == 7);
}
