// Writes the tables of docs/metrics.md and docs/metrics.zh_CN.md from the table of metrics:
// A2H_ACCEPT=1 writes, else stale files fail.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "daemon/health/metric_table.h"

using namespace a2h;

namespace {

struct MetricsPage {
    const char* file;
    i18n::Language language;
    const char* headings;
};

constexpr MetricsPage kMetricsPages[] = {
    {"metrics.md", i18n::Language::English, "| metric | type | labels | meaning |"},
    {"metrics.zh_CN.md", i18n::Language::Chinese, "| 指标 | 类型 | 标签 | 含义 |"}};

constexpr std::string_view kBegin = "<!-- metrics: written by unit_watch (A2H_ACCEPT=1) -->\n";
constexpr std::string_view kEnd = "<!-- /metrics -->";

std::string labels_text(std::string_view labels) {
    return labels.empty() ? "" : "`" + std::string(labels) + "`";
}

std::string metrics_table(const MetricsPage& page) {
    std::string text = std::string(page.headings) + "\n|---|---|---|---|\n";
    for (const health::MetricRow& row : health::metric_rows()) {
        text += "| `" + std::string(row.name) + "` | " + std::string(to_string(row.type)) + " | " +
                labels_text(row.labels) + " | " + health::metric_meaning(row, page.language) +
                " |\n";
    }
    return text;
}

}  // namespace

TEST_CASE("the reference of metrics is what the table says") {
    for (const MetricsPage& page : kMetricsPages) {
        const std::filesystem::path path =
            std::filesystem::path(A2H_SOURCE_DIR "/docs") / page.file;
        CAPTURE(path);
        std::ostringstream content;
        content << std::ifstream(path).rdbuf();
        std::string text = content.str();
        const std::size_t begin = text.find(kBegin) + kBegin.size();
        const std::size_t end = text.find(kEnd);
        REQUIRE(end != std::string::npos);
        REQUIRE(begin <= end);
        const std::string table = metrics_table(page);
        if (std::getenv("A2H_ACCEPT") != nullptr) {
            std::ofstream(path) << text.replace(begin, end - begin, table);
        } else {
            CHECK(text.substr(begin, end - begin) == table);
        }
    }
}
