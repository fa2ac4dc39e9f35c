// The files that may be uploaded, and how.

#include "daemon/trade/uploads.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "daemon/trade/actions.h"
#include "daemon/trade/calls.h"
#include "tests/support/fake_platform.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/trade/yes_to.h"

using namespace a2h;
using nlohmann::json;
namespace fs = std::filesystem;
using trade::check_file;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

const std::string kSign = "POST /findu-oss/api/v1/oss_signurl/upload/sign";
const std::string kPut = "PUT /files/7.png";
const std::string kProfile = "GET /findu-user/api/v1/user/profile/public";
const std::string kChange = "POST /findu-user/api/v1/user/profile/change-requests";

struct Scene {
    test::TempDir dir;
    test::FakePlatform platform{kNow};
    std::vector<fs::path> folders{dir.path() / "inside"};
    bool has_our_rules = true;

    Scene() {
        trade::register_actions();
        fs::create_directory(folders.front());
        platform.answer(kSign, {{"upload_url", platform.url() + "/files/7.png?grant=x"},
                                {"object_key", "7"},
                                {"signed_headers", {{"Content-Type", "image/png"}}}});
        platform.answer_anybody(kPut, json::object());
    }
    fs::path file(const std::string& name, const std::string& content = "content") {
        const fs::path path = dir.path() / name;
        std::ofstream(path) << content;
        return path;
    }
    ErrorCode refusal(const fs::path& path, bool qr_image = false) {
        const auto file = check_file(path.string(), folders, qr_image);
        REQUIRE_FALSE(file.has_value());
        return file.error().code;
    }
    trade::CallContext look(std::string_view action, const json& arguments) {
        return {platform.client(), action, arguments, has_our_rules, kNow, folders, "key"};
    }
    /// The call after a yes for the file as it is now.
    Result<json> approved(std::string_view action, const json& arguments) {
        const auto facts = trade::check_call(look(action, arguments));
        REQUIRE(facts);
        const json request = json::parse(facts->request_json);
        const Approval yes = test::yes_to(action, request);
        trade::CallContext call = look(action, request);
        call.yes = &yes;
        return trade::make_call(call);
    }
};

}  // namespace

TEST_CASE("a file is inside by its real path, not by its name (R17)") {
    Scene s;
    s.file("inside/a.png");
    s.file("outside.png");
    fs::create_symlink(s.dir.path() / "outside.png", s.dir.path() / "inside/link.png");
    fs::create_directory(s.dir.path() / "inside-not");
    s.file("inside-not/b.png");
    const auto inside = [&](const std::string& name) {
        const auto file = check_file(name, s.folders, false);
        REQUIRE_MESSAGE(file.has_value(), name);
        return file->in_upload_folder;
    };
    const std::string root = s.dir.path().string();
    CHECK(inside(root + "/inside/a.png"));
    CHECK(inside("a.png"));
    CHECK_FALSE(inside(root + "/outside.png"));
    CHECK_FALSE(inside(root + "/inside/../outside.png"));
    CHECK_FALSE(inside("../outside.png"));
    CHECK_FALSE(inside(root + "/inside/link.png"));
    CHECK_FALSE(inside(root + "/inside-not/b.png"));
    const fs::path loop = s.dir.path() / "loop";
    fs::create_symlink(loop, loop);
    s.folders.push_back(loop);
    CHECK(inside(root + "/inside/a.png"));
    CHECK_FALSE(inside(root + "/outside.png"));
}

TEST_CASE("a folder that is missing is made for its owner alone") {
    Scene s;
    s.folders = {s.dir.path() / "new"};
    CHECK(s.refusal("none.png") == ErrorCode::NotFound);
    struct stat status {};
    REQUIRE(::stat(s.folders.front().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
}

TEST_CASE("a path that is not a file, or an empty, too large or wrong file is refused") {
    Scene s;
    CHECK(s.refusal(s.dir.path() / "none.png") == ErrorCode::NotFound);
    CHECK(s.refusal(s.file("empty.png", "")) == ErrorCode::InvalidArgument);
    CHECK(s.refusal(s.file("program.exe")) == ErrorCode::InvalidArgument);
    CHECK(s.refusal(s.file("no_ending")) == ErrorCode::InvalidArgument);
    CHECK(s.refusal(s.dir.path() / "inside") == ErrorCode::InvalidArgument);
    CHECK(s.refusal("/dev/zero") == ErrorCode::InvalidArgument);
    CHECK(s.refusal(s.file("text.pdf"), true) == ErrorCode::InvalidArgument);
    const fs::path large = s.file("large.zip");
    fs::resize_file(large, trade::kUploadBytesMax + 1);
    CHECK(s.refusal(large) == ErrorCode::InvalidArgument);
    fs::resize_file(large, trade::kUploadBytesMax);
    CHECK(check_file(large.string(), s.folders, false));
}

TEST_CASE("a file goes to the signed address, whose path is its public one") {
    Scene s;
    const json arguments{{"file", s.file("inside/a.PNG").string()}};
    const auto look = s.look("file.upload", arguments);
    const auto facts = trade::check_call(look);
    REQUIRE(facts);
    CHECK_FALSE(facts->needs_yes);
    const auto data = trade::make_call(look);
    REQUIRE_MESSAGE(data.has_value(), data.error().message);
    CHECK((*data)["url"] == s.platform.url() + "/files/7.png");
    CHECK((*data)["fileName"] == "a.PNG");
    CHECK((*data)["fileSize"] == 7);
    CHECK((*data)["mimeType"] == "image/png");
    CHECK((*data)["expiresAt"] == "2025-10-10T08:53:20Z");
    const auto seen = s.platform.seen();
    CHECK(seen.front().body == json{{"upload_type", "chatfile"},
                                    {"upload_subtype", "image"},
                                    {"file_name", "a.PNG"},
                                    {"file_size", 7},
                                    {"file_type", "image/png"}});
    CHECK(seen.back().call == "PUT /files/7.png?grant=x");
    CHECK(seen.back().body == "content");
    CHECK(seen.back().signature.empty());
}

TEST_CASE("a file from another folder needs a yes, which is for its content as it was") {
    Scene s;
    const fs::path path = s.file("elsewhere.txt");
    const json arguments{{"file", path.string()}};
    const auto facts = trade::check_call(s.look("file.upload", arguments));
    REQUIRE(facts);
    CHECK(facts->needs_yes);
    const json request = json::parse(facts->request_json);
    CHECK(request["size_bytes"] == 7);
    CHECK(request["sha256"].get<std::string>().size() == 64);
    CHECK(trade::check_call(s.look("file.upload", request)));
    std::ofstream(path) << "another";
    const auto changed = trade::check_call(s.look("file.upload", request));
    REQUIRE_FALSE(changed);
    CHECK(changed.error().code == ErrorCode::Conflict);
}

TEST_CASE("the first payment code becomes the default, a later one does not") {
    Scene s;
    s.has_our_rules = false;
    const json arguments{{"file", s.file("inside/a.png").string()}, {"type", "wechat_pay"}};
    s.platform.answer(kChange, {{"changeRequestId", 550}, {"status", 1}});
    s.platform.answer(kProfile, {{"defaultPaymentMethod", nullptr}});
    const auto upload = [&] { return s.approved("profile.upload_qrcode", arguments).value(); };
    const json data = upload();
    CHECK(data["qrcodeUrl"] == s.platform.url() + "/files/7.png");
    CHECK(data["changeRequestId"] == 550);
    CHECK(data["defaultSet"] == true);
    CHECK(s.platform.count(kChange) == 2);
    s.platform.answer(kProfile, {{"defaultPaymentMethod", "alipay"}});
    CHECK(upload()["defaultSet"] == false);
    CHECK(s.platform.count(kChange) == 3);
}

TEST_CASE("R18: a payment code that our market accepted must be shown by it") {
    Scene s;
    const json arguments{{"file", s.file("inside/a.png").string()}, {"type", "alipay"}};
    s.platform.answer(kChange, nullptr);
    s.platform.answer(kProfile, {{"defaultPaymentMethod", "alipay"}});
    const auto upload = [&] { return s.approved("profile.upload_qrcode", arguments); };
    REQUIRE_FALSE(upload());
    CHECK(upload().error().code == ErrorCode::Timeout);
    // Another market may examine a code before it shows it.
    s.has_our_rules = false;
    CHECK(upload());
    s.has_our_rules = true;
    s.platform.answer(kProfile, {{"alipayQrcodeUrl", s.platform.url() + "/files/7.png"},
                                 {"defaultPaymentMethod", "alipay"}});
    CHECK(upload());
}

TEST_CASE("a lost answer to a payment code is settled while its address is known") {
    Scene s;
    const json arguments{{"file", s.file("inside/a.png").string()}, {"type", "alipay"}};
    s.platform.lose_answer(kChange);
    s.platform.answer(kProfile, {{"defaultPaymentMethod", "alipay"}});
    CHECK(s.approved("profile.upload_qrcode", arguments).error().code == ErrorCode::Timeout);
    s.platform.answer(kProfile, {{"alipayQrcodeUrl", s.platform.url() + "/files/7.png"},
                                 {"defaultPaymentMethod", "alipay"}});
    CHECK(s.approved("profile.upload_qrcode", arguments));
}

TEST_CASE("a file store that refuses is an error with its status") {
    Scene s;
    const json arguments{{"file", s.file("inside/a.png").string()}};
    s.platform.refuse(kPut, 413, "413");
    const auto look = s.look("file.upload", arguments);
    REQUIRE(trade::check_call(look));
    const auto data = trade::make_call(look);
    REQUIRE_FALSE(data);
    CHECK(data.error().message.find("413") != std::string::npos);
    s.platform.answer(kSign, json::object());
    CHECK(trade::make_call(look).error().code == ErrorCode::Corrupt);
}
