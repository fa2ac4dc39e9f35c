#include "daemon/collab/place_time.h"

#include <doctest/doctest.h>

using namespace a2h;
using namespace a2h::collab;

namespace {

std::string date_in(std::string_view text) {
    const auto span = find_date(text);
    return span ? std::string(text.substr(span->begin, span->end - span->begin)) : "";
}

}  // namespace

TEST_CASE("Places fit when one names the other") {
    CHECK(fits_place("北京", "北京市朝阳区") == Fit::Yes);
    CHECK(fits_place("北京市", "北京") == Fit::Yes);
    CHECK(fits_place("shanghai", "shanghai, china") == Fit::Yes);
    CHECK(fits_place("shanghai, china", "shanghai") == Fit::Yes);
    CHECK(fits_place("北京", "上海") == Fit::No);
    CHECK(fits_place("北京", "线上") == Fit::Yes);
    CHECK(fits_place("online", "berlin") == Fit::Yes);
    CHECK(fits_place("北京", "") == Fit::Unknown);
    CHECK(fits_place("", "北京") == Fit::Unknown);
}

TEST_CASE("Times fit by weekends and working days") {
    CHECK(fits_time("下周六", "周末") == Fit::Yes);
    CHECK(fits_time("下周六", "工作日晚上") == Fit::No);
    CHECK(fits_time("next weekend", "weekdays only") == Fit::No);
    CHECK(fits_time("next weekend", "any day") == Fit::Yes);
    CHECK(fits_time("2026-02-15", "weekends") == Fit::Yes);
    CHECK(fits_time("2026-02-16", "weekends") == Fit::No);
    CHECK(fits_time("2026-02-31", "weekends") == Fit::Unknown);
    CHECK(fits_time("2月15日", "周末") == Fit::Unknown);
    CHECK(fits_time("下周六", "提前一周预约") == Fit::Unknown);
    CHECK(fits_time("", "周末") == Fit::Unknown);
}

TEST_CASE("A location is recognised by its full name and by its parts") {
    using Names = std::vector<std::string>;
    CHECK(names_of_location("上海") == Names{"上海"});
    CHECK(names_of_location("北京市") == Names{"北京"});
    CHECK(names_of_location("北京市朝阳区") == Names{"北京市朝阳区", "北京", "朝阳区"});
    CHECK(names_of_location("New York, USA") == Names{"New York, USA", "New York", "USA"});
    CHECK(names_of_location("").empty());
}

TEST_CASE("A date is found as it is written") {
    CHECK(date_in("在2026-02-15举办") == "2026-02-15");
    CHECK(date_in("2026/2/5 at noon") == "2026/2/5");
    CHECK(date_in("定在2月15日晚上") == "2月15日");
    CHECK(date_in("2026年2月15号") == "2026年2月15号");
    CHECK(date_in("计划2月份开始") == "2月份");
    CHECK(date_in("on february 15th, 2026 in paris") == "february 15th, 2026");
    CHECK(date_in("may 3") == "may 3");
    CHECK(date_in("下周六下午") == "下周六");
    CHECK(date_in("周三见") == "周三");
    CHECK(date_in("next weekend, please") == "next weekend");
    CHECK(date_in("tomorrow") == "tomorrow");
}

TEST_CASE("Texts that are not dates are rejected") {
    CHECK(date_in("版本 1.2.3") == "");
    CHECK(date_in("一周内") == "");
    CHECK(date_in("we may need 3 people") == "");
    CHECK(date_in("13月5日") == "");
    CHECK(date_in("mondays_off") == "");
    CHECK(date_in("") == "");
}
