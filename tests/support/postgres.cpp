#include "tests/support/postgres.h"

#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include "core/base/check.h"

namespace a2h::test {
namespace {

const std::filesystem::path kPrograms = "/usr/lib/postgresql/15/bin";

const passwd* server_user() {
    if (::geteuid() != 0) return nullptr;
    const passwd* user = ::getpwnam("postgres");
    return user != nullptr ? user : ::getpwnam("nobody");
}

/// Runs `argv` as the server's user; it ends with its parent.
std::vector<std::string> as_server_user(std::vector<std::string> argv) {
    const passwd* user = server_user();
    if (user == nullptr) return argv;
    std::vector<std::string> full{"setpriv",
                                  "--reuid=" + std::to_string(user->pw_uid),
                                  "--regid=" + std::to_string(user->pw_gid),
                                  "--clear-groups",
                                  "--pdeathsig=KILL",
                                  "--"};
    full.insert(full.end(), argv.begin(), argv.end());
    return full;
}

std::filesystem::path make_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "a2h-pg-XXXXXX").string();
    A2H_CHECK(::mkdtemp(pattern.data()) != nullptr);
    if (const passwd* user = server_user()) {
        A2H_CHECK(::chown(pattern.c_str(), user->pw_uid, user->pw_gid) == 0);
    }
    return pattern;
}

std::string url_of(const std::filesystem::path& dir, const std::string& name) {
    return "postgresql://a2h@/" + name + "?host=" + dir.string();
}

}  // namespace

Postgres::Postgres() : dir_(make_folder()) {
    const Ran made =
        run(as_server_user({kPrograms / "initdb", "-D", dir_ / "data", "-U", "a2h", "-A", "trust",
                            "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"}),
            {}, {}, std::chrono::seconds(60));
    A2H_CHECK(made.status == 0);
    start();
}

Postgres::~Postgres() {
    kill();
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
}

void Postgres::start() {
    server_ = std::make_unique<Process>(Process::Options{
        .argv = as_server_user({kPrograms / "postgres", "-D", dir_ / "data", "-k", dir_, "-c",
                                "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=32MB",
                                "-c", "max_connections=100"}),
        .environment = {},
        .stdout_file = "/dev/null",
        .stderr_file = dir_.string() + ".log",
        .pipe_stdin = false});
    A2H_CHECK(eventually(
        [this] {
            return run({kPrograms / "pg_isready", "-q", "-h", dir_}).status == 0;
        },
        std::chrono::seconds(30)));
    std::error_code ignored;
    std::filesystem::remove(dir_.string() + ".log", ignored);
}

void Postgres::kill() {
    // Immediate shutdown: the server ends its processes, and nothing waits for a connection.
    server_->signal(SIGQUIT);
    if (!server_->wait(std::chrono::seconds(10))) server_->kill();
}

std::string Postgres::create_database() {
    const std::string name = "market" + std::to_string(++databases_);
    sql(url_of(dir_, "postgres"), "create database " + name);
    return url_of(dir_, name);
}

std::string Postgres::sql(const std::string& url, const std::string& sql,
                          std::chrono::seconds timeout) {
    const Ran done = run(
        {kPrograms / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql},
        {}, {}, timeout);
    A2H_CHECK(done.status == 0);
    return done.out;
}

Postgres& shared_postgres() {
    static Postgres server;
    return server;
}

}  // namespace a2h::test
