#include "core/wire/audit_file.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/wire/crypto.h"

using namespace a2h;

namespace {

std::vector<std::string> exported(int rows) {
    std::vector<std::string> lines;
    std::string previous;
    for (int id = 1; id <= rows; ++id) {
        AuditRow row;
        row.id = id;
        row.approval_id = id % 2 == 0 ? "apr_1" : "";
        row.what = "answered";
        row.detail_json = R"({"words":"好的 \"x\"","by":"human"})";
        row.previous_hash = previous;
        row.created_at_ms = 1'760'000'000'000 + id;
        row.hash = previous = wire::sha256_hex(linked_text(row));
        lines.push_back(wire::audit_line(row));
    }
    lines.push_back(wire::audit_end_line(rows, previous));
    return lines;
}

/// Returns the error of the whole file; empty if it is intact.
std::string verdict(const std::vector<std::string>& lines) {
    wire::AuditCheck check;
    for (const auto& line : lines) {
        if (const auto taken = check.take(line); !taken) {
            CHECK(taken.error().code == ErrorCode::Corrupt);
            return taken.error().message;
        }
    }
    const auto rows = check.finish();
    return rows ? std::string() : rows.error().message;
}

}  // namespace

TEST_CASE("an exported audit is intact, also an empty one") {
    CHECK(verdict(exported(5)) == "");
    CHECK(verdict(exported(0)) == "");
}

TEST_CASE("each flipped bit of each byte is found and its row named") {
    const auto lines = exported(3);
    for (std::size_t row = 0; row + 1 < lines.size(); ++row) {
        for (std::size_t at = 0; at < lines[row].size(); ++at) {
            for (int bit = 0; bit < 8; ++bit) {
                auto changed = lines;
                changed[row][at] = static_cast<char>(changed[row][at] ^ (1 << bit));
                CAPTURE(changed[row]);
                REQUIRE(verdict(changed).starts_with("row " + std::to_string(row + 1) + ":"));
            }
        }
    }
}

TEST_CASE("each flipped byte of the last line is found") {
    const auto lines = exported(2);
    for (std::size_t at = 0; at < lines.back().size(); ++at) {
        auto changed = lines;
        changed.back()[at] = static_cast<char>(changed.back()[at] ^ 1);
        CHECK(verdict(changed) != "");
    }
}

TEST_CASE("a missing, doubled, moved or added row is found") {
    const auto lines = exported(4);
    auto changed = lines;
    changed.erase(changed.begin() + 1);
    CHECK(verdict(changed).starts_with("row 2:"));
    changed = lines;
    changed.erase(changed.begin());
    CHECK(verdict(changed).starts_with("row 1:"));
    changed = lines;
    changed.insert(changed.begin() + 1, lines[1]);
    CHECK(verdict(changed).starts_with("row 3:"));
    changed = lines;
    std::swap(changed[1], changed[2]);
    CHECK(verdict(changed).starts_with("row 2:"));
    changed = lines;
    changed.push_back(lines[0]);
    CHECK(verdict(changed).find("continues after its last line") != std::string::npos);
    changed = lines;
    changed.pop_back();
    CHECK(verdict(changed).find("rows are missing") != std::string::npos);
    changed.pop_back();
    changed.push_back(lines.back());
    CHECK(verdict(changed) != "");
}

TEST_CASE("a row with another spelling or another member is not the exported one") {
    const auto lines = exported(1);
    for (const std::string& other :
         {" " + lines[0], lines[0] + " ", std::string(), std::string("{}"), std::string("[]"),
          "{\"more\":1," + lines[0].substr(1), std::string("\xff"), std::string(2'000'000, '[')}) {
        CHECK(verdict({other, lines[1]}).starts_with("row 1:"));
    }
}
