#include "core/base/file.h"

#include <doctest/doctest.h>

#include "tests/support/temp_dir.h"

using namespace a2h;
namespace fs = std::filesystem;

namespace {

struct Folders {
    test::TempDir dir;
    fs::path outer = dir.path() / "outer";

    Folders() { fs::create_directories(outer / "deep"); }
    bool holds(const fs::path& path) const {
        const auto inside = is_inside(path, outer);
        REQUIRE_MESSAGE(inside.has_value(), path.string());
        return *inside;
    }
};

}  // namespace

TEST_CASE("a path is inside a folder by where it really leads") {
    const Folders folders;
    fs::create_symlink(folders.outer, folders.dir.path() / "link");
    fs::create_symlink(folders.dir.path(), folders.outer / "out");
    CHECK(folders.holds(folders.outer));
    CHECK(folders.holds(folders.outer / "deep" / ""));
    CHECK(folders.holds(folders.dir.path() / "link" / "file"));
    CHECK_FALSE(folders.holds(folders.outer / ".."));
    CHECK_FALSE(folders.holds(folders.outer / "out" / "file"));
    CHECK_FALSE(folders.holds(folders.outer.string() + "-not/file"));
    CHECK_FALSE(folders.holds("file"));
}

TEST_CASE("a path that does not exist yet is inside all the same") {
    const Folders folders;
    CHECK(folders.holds(folders.outer / "new" / "file"));
    const fs::path missing = folders.dir.path() / "missing";
    for (const fs::path& folder : {missing, missing / ""}) {
        CHECK(is_inside(missing / "file", folder).value());
        CHECK_FALSE(is_inside(folders.outer, folder).value());
    }
}

TEST_CASE("a path that cannot be resolved is neither inside nor outside") {
    const Folders folders;
    const fs::path loop = folders.dir.path() / "loop";
    fs::create_symlink(loop, loop);
    for (const auto& [path, folder] :
         {std::pair(loop / "file", folders.outer), std::pair(folders.outer, loop / "folder")}) {
        const auto inside = is_inside(path, folder);
        REQUIRE_FALSE(inside.has_value());
        CHECK(inside.error().code == ErrorCode::Unavailable);
        CHECK(inside.error().message.find("cannot resolve " + loop.string()) == 0);
    }
}
