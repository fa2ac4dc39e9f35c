#include "daemon/health/exposition.h"

#include <doctest/doctest.h>

#include "tests/support/exposition.h"

using namespace a2h;
using health::exposition_text;
using health::Family;
using health::MetricType;
using test::Scrape;

TEST_CASE("a family is its help, its type and its samples") {
    const Family family{"a2hd_things_total",
                        MetricType::Counter,
                        "Things.",
                        {{.labels = {{"kind", "a"}, {"way", "b"}}, .value = 3}, {.value = 0.25}}};
    CHECK(exposition_text({family}) ==
          "# HELP a2hd_things_total Things.\n"
          "# TYPE a2hd_things_total counter\n"
          "a2hd_things_total{kind=\"a\",way=\"b\"} 3\n"
          "a2hd_things_total 0.25\n");
}

TEST_CASE("characters that would end a label or a line are escaped") {
    const Family family{"a2hd_things",
                        MetricType::Gauge,
                        "a\\b\n\"c\"",
                        {{.labels = {{"rule", "x\\\"\n} 9\ny"}}, .value = 1}}};
    const std::string text = exposition_text({family});
    CHECK(text ==
          "# HELP a2hd_things a\\\\b\\n\"c\"\n"
          "# TYPE a2hd_things gauge\n"
          "a2hd_things{rule=\"x\\\\\\\"\\n} 9\\ny\"} 1\n");
    const Scrape scrape(text);
    CHECK(scrape.values().size() == 1);
}

TEST_CASE("numbers are written so that they are read as the same again") {
    for (const double value :
         {0.0, 1.0, 0.1, 1.0 / 3, 1234567890123.0, 9007199254740991.0, 2.5e-7, 1e21}) {
        CAPTURE(value);
        CHECK(std::stod(health::number_text(value)) == value);
    }
    CHECK(health::number_text(15) == "15");
}

TEST_CASE("the strict reader refuses what a scraper would") {
    const std::string head = "# HELP a2hd_x_total X.\n# TYPE a2hd_x_total counter\n";
    CHECK(Scrape(head + "a2hd_x_total 1\n").value("a2hd_x_total") == 1);
    const char* bad[] = {"a2hd_x_total 1",
                         "a2hd_x_total  1\n",
                         "a2hd_x_total -1\n",
                         "a2hd_x_total one\n",
                         "a2hd_y_total 1\n",
                         "a2hd_x_total 1\na2hd_x_total 1\n",
                         "a2hd_x_total{a=\"b\"c=\"d\"} 1\n",
                         "a2hd_x_total{a=\"b\",a=\"c\"} 1\n",
                         "a2hd_x_total{A=\"b\"} 1\n",
                         "a2hd_x_total{a=\"\\x\"} 1\n",
                         "a2hd_x_total{a=\"b\" 1\n",
                         "# HELP a2hd_x_total X.\n# TYPE a2hd_x_total counter\n",
                         "# HELP a2hd_z X.\n# TYPE a2hd_z counter\n",
                         "# HELP other_z X.\n# TYPE other_z gauge\n",
                         "# TYPE a2hd_z gauge\n"};
    for (const char* line : bad) {
        CAPTURE(line);
        CHECK_THROWS_AS(Scrape(head + line), Scrape::Fault);
    }
}

TEST_CASE("the strict reader refuses histograms that do not add up") {
    const std::string head = "# HELP a2hd_x X.\n# TYPE a2hd_x histogram\n";
    const std::string end = "a2hd_x_sum 4\na2hd_x_count 3\n";
    const std::string one = "a2hd_x_bucket{le=\"1\"} 2\n";
    const std::string all = "a2hd_x_bucket{le=\"+Inf\"} 3\n";
    CHECK_NOTHROW(Scrape(head + one + all + end));
    CHECK_THROWS_AS(Scrape(head + one + end), Scrape::Fault);
    CHECK_THROWS_AS(Scrape(head + all + one + end), Scrape::Fault);
    CHECK_THROWS_AS(Scrape(head + one + "a2hd_x_bucket{le=\"+Inf\"} 1\n" + end), Scrape::Fault);
    CHECK_THROWS_AS(Scrape(head + one + all + "a2hd_x_sum 4\na2hd_x_count 4\n"), Scrape::Fault);
    CHECK_THROWS_AS(Scrape(head + one + all), Scrape::Fault);
}
