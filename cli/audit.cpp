#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/rows.h"
#include "core/base/text.h"
#include "core/wire/audit_file.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// A row is far smaller; a longer line would only fill the memory.
constexpr std::size_t kLineBytesMax = 1024 * 1024;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Failure file_failure(const Invocation& invocation, std::string_view key) {
    return {"unavailable",
            invocation.text(key, {{"file", invocation.value("FILE")}, {"why", strerror(errno)}}),
            {},
            {}};
}

/// stdout without FILE. An existing file is not replaced, because it may be the only proof of its
/// time.
std::variant<File, Failure> open_target(const Invocation& invocation) {
    if (!invocation.has("FILE")) return File(stdout, [](std::FILE*) { return 0; });
    const int descriptor =
        open(invocation.value("FILE").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return file_failure(invocation, "cli.audit_not_written");
    return File(fdopen(descriptor, "w"), std::fclose);
}

bool write_line(std::FILE* file, const std::string& line) {
    return std::fwrite(line.data(), 1, line.size(), file) == line.size() &&
           std::fputc('\n', file) != EOF;
}

/// The rows read so far, for the last line.
struct Exported {
    std::int64_t rows = 0;
    std::string last_hash;
};

/// Copies all rows; nullopt on success, otherwise the failure.
std::optional<Failure> copy_rows(control::Client& client, const Invocation& invocation,
                                 std::FILE* file, Exported& exported) {
    bool more = true;
    while (more) {
        auto outcome = call(client, invocation, "audit.export", {{"after_row", exported.rows}},
                            nothing_to_show);
        if (auto* refused = std::get_if<Failure>(&outcome)) return *refused;
        const json data = data_of(outcome);
        for (const json& line : data.value("lines", json::array())) {
            if (!write_line(file, line.get<std::string>())) {
                return file_failure(invocation, "cli.audit_not_written");
            }
        }
        exported.rows = data.value("last_row", exported.rows);
        exported.last_hash = data.value("last_hash", exported.last_hash);
        more = data.value("more", false);
    }
    return std::nullopt;
}

Failure not_intact(const Invocation& invocation, const std::string& why) {
    return {"corrupt",
            invocation.text("cli.audit_broken",
                            {{"file", invocation.value("FILE")}, {"why", printable(why)}}),
            invocation.text("cli.audit_broken_next"),
            {}};
}

Outcome run_audit_export(const Invocation& invocation) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    auto target = open_target(invocation);
    if (auto* refused = std::get_if<Failure>(&target)) return *refused;
    std::FILE* file = std::get_if<File>(&target)->get();
    Exported exported;
    auto failed = copy_rows(**std::get_if<0>(&connected), invocation, file, exported);
    if (failed) return *failed;
    const bool written = write_line(file, wire::audit_end_line(exported.rows, exported.last_hash));
    if (!written || std::fflush(file) != 0) {
        return file_failure(invocation, "cli.audit_not_written");
    }
    if (!invocation.has("FILE")) return Report{};
    return report("audit.export",
                  {{"file", invocation.value("FILE")},
                   {"rows", exported.rows},
                   {"last_hash", exported.last_hash}},
                  invocation.text("cli.audit_written", {{"file", invocation.value("FILE")},
                                                        {"rows", std::to_string(exported.rows)},
                                                        {"hash", exported.last_hash}}));
}

Outcome run_audit_verify(const Invocation& invocation) {
    std::ifstream in(invocation.value("FILE"), std::ios::binary);
    if (!in) return file_failure(invocation, "cli.audit_not_read");
    wire::AuditCheck check;
    std::string buffer(kLineBytesMax, '\0');
    while (in.getline(buffer.data(), static_cast<std::streamsize>(buffer.size()))) {
        if (in.eof()) return not_intact(invocation, "the last line does not end in a line feed");
        const auto bytes = static_cast<std::size_t>(in.gcount()) - 1;
        if (const auto taken = check.take({buffer.data(), bytes}); !taken) {
            return not_intact(invocation, taken.error().message);
        }
    }
    if (!in.eof()) return not_intact(invocation, "a line is longer than any row can be");
    const auto rows = check.finish();
    if (!rows) return not_intact(invocation, rows.error().message);
    return report("audit.verify", {{"rows", *rows}, {"last_hash", check.last_hash()}},
                  invocation.text("cli.audit_intact",
                                  {{"rows", std::to_string(*rows)}, {"hash", check.last_hash()}}));
}

}  // namespace

std::vector<Command> audit_rows() {
    using enum ParameterKind;
    return {
        {"audit export",
         "audit.export",
         "cli.audit_export",
         {{"FILE", Optional, "cli.argument_audit_target"}},
         run_audit_export},
        {"audit verify",
         "audit.verify",
         "cli.audit_verify",
         {{"FILE", Required, "cli.argument_audit_file"}},
         run_audit_verify},
    };
}

}  // namespace a2h::cli
