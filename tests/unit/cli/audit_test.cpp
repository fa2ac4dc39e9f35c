#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "core/wire/audit_file.h"
#include "core/wire/crypto.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/cli/run_command.h"

using namespace a2h;

namespace {

std::string exported() {
    std::string lines;
    std::string previous;
    for (int id = 1; id <= 3; ++id) {
        AuditRow row;
        row.id = id;
        row.what = "asked";
        row.detail_json = "{}";
        row.previous_hash = previous;
        row.created_at_ms = 1'000 + id;
        row.hash = previous = wire::sha256_hex(linked_text(row));
        lines += wire::audit_line(row) + "\n";
    }
    return lines + wire::audit_end_line(3, previous) + "\n";
}

cli::Outcome verified(const std::string& content) {
    const test::TempDir dir;
    const auto file = dir.path() / "audit.jsonl";
    std::ofstream(file, std::ios::binary) << content;
    cli::Invocation invocation;
    invocation.values["FILE"] = file.string();
    return test::run_command("audit verify", invocation);
}

/// The message of a refusal; empty when the file is intact.
std::string refusal(const std::string& content) {
    const auto outcome = verified(content);
    const auto* failed = std::get_if<cli::Failure>(&outcome);
    if (failed != nullptr) CHECK(failed->code == "corrupt");
    return failed == nullptr ? std::string() : failed->message;
}

}  // namespace

TEST_CASE("an exported audit is verified without daemon or database") {
    const auto outcome = verified(exported());
    REQUIRE(std::holds_alternative<cli::Report>(outcome));
    CHECK(std::get_if<cli::Report>(&outcome)->envelope.find("\"rows\":3") != std::string::npos);
}

TEST_CASE("one flipped byte anywhere is found, and in a row it names the row") {
    const std::string good = exported();
    int row = 1;
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 4);
        CAPTURE(at);
        const std::string why = refusal(bad);
        REQUIRE(why != "");
        if (row <= 3) CHECK(why.find("row " + std::to_string(row) + ":") != std::string::npos);
        if (good[at] == '\n') ++row;
    }
}

TEST_CASE("files that are cut, empty, binary or one endless line are refused") {
    const std::string good = exported();
    for (const std::size_t length : {std::size_t{0}, good.size() - 1, good.size() / 2}) {
        CHECK(refusal(good.substr(0, length)) != "");
    }
    CHECK(refusal(std::string(3'000'000, 'x')) != "");
    CHECK(refusal(std::string(100, '\0')) != "");
    CHECK(refusal(good + "\n") != "");
    cli::Invocation invocation;
    invocation.values["FILE"] = "/nonexistent/audit";
    const auto outcome = test::run_command("audit verify", invocation);
    REQUIRE(std::holds_alternative<cli::Failure>(outcome));
    CHECK(std::get_if<cli::Failure>(&outcome)->code == "unavailable");
}
