#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/control/change_page.h"
#include "tests/support/temp_dir.h"

using a2h::ErrorCode;
using a2h::control::ChangePage;
using a2h::control::ChangeWatch;

TEST_CASE("a watch sees each change") {
    const a2h::test::TempDir folder;
    const auto file = folder.path() / "changes";
    const auto page = ChangePage::create(file);
    REQUIRE(page);
    const auto watch = ChangeWatch::open(file);
    REQUIRE(watch);
    const auto first = (*watch)->count();
    REQUIRE(first);
    CHECK((*watch)->count() == *first);
    (*page)->note_change();
    CHECK((*watch)->count() == *first + 1);
    (*page)->beat();
    CHECK((*watch)->count() == *first + 2);
}

TEST_CASE("a watch is invalid once the writer has ended") {
    const a2h::test::TempDir folder;
    const auto file = folder.path() / "changes";
    auto page = ChangePage::create(file);
    REQUIRE(page);
    const auto watch = ChangeWatch::open(file);
    REQUIRE(watch);
    page->reset();
    CHECK(!(*watch)->count());
}

TEST_CASE("the page of the next daemon is another one") {
    const a2h::test::TempDir folder;
    const auto file = folder.path() / "changes";
    const auto old_page = ChangePage::create(file);
    REQUIRE(old_page);
    const auto old_watch = ChangeWatch::open(file);
    REQUIRE(old_watch);
    const auto before = (*old_watch)->count();
    const auto new_page = ChangePage::create(file);
    REQUIRE(new_page);
    (*new_page)->note_change();
    CHECK((*old_watch)->count() == before);
    CHECK(ChangeWatch::open(file));
}

TEST_CASE("only the owner may read the page") {
    const a2h::test::TempDir folder;
    const auto file = folder.path() / "changes";
    REQUIRE(ChangePage::create(file));
    struct stat status {};
    REQUIRE(::stat(file.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a page that is missing, too short or of another user is not watched") {
    const a2h::test::TempDir folder;
    const auto file = folder.path() / "changes";
    const auto missing = ChangeWatch::open(file);
    REQUIRE(!missing);
    CHECK(missing.error().code == ErrorCode::NotFound);
    for (const std::string& content : {std::string("short"), std::string(4096, 'x')}) {
        std::ofstream(file) << content;
        const auto strange = ChangeWatch::open(file);
        REQUIRE(!strange);
        CHECK(strange.error().code == ErrorCode::Unsupported);
    }
}

TEST_CASE("the error says so if no page can be made") {
    const auto page = ChangePage::create("/nowhere/changes");
    REQUIRE(!page);
    CHECK(page.error().code == ErrorCode::Unavailable);
}
