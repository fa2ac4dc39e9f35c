// Uploads through the tools of a real a2hd at a real market.

#include <doctest/doctest.h>

#include <fstream>

#include "tests/integration/daemon/scene.h"
#include "tests/support/market_http.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const std::string kPicture = std::string("\x89PNG\r\n\x1a\n") + std::string(1000, 'q');

struct Tools : Scene {
    /// The home folder of the seller's user, so that ~/a2h-files is a folder of the test.
    static DaemonOptions options(const fs::path& user) {
        return {.config = {}, .environment = {{"HOME", user.string()}}};
    }
    explicit Tools(const TempDir& user) : Scene(options(user.path())), user_home(user.path()) {
        fs::create_directories(uploads());
    }
    fs::path uploads() const { return user_home / "a2h-files"; }

    std::string file(const fs::path& folder, const std::string& name,
                     const std::string& bytes) const {
        fs::create_directories(folder);
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return folder / name;
    }
    json call(const char* action, const json& arguments = json::object()) {
        return seller.call_assistant(action, arguments.dump());
    }
    json data(const char* action, const json& arguments = json::object()) {
        const json result = call(action, arguments);
        REQUIRE_MESSAGE(result.value("ok", false), result.dump());
        return result["data"];
    }
    std::string refused(const char* action, const json& arguments) {
        const json result = call(action, arguments);
        REQUIRE_MESSAGE(result.contains("error"), result.dump());
        return result["error"]["code"];
    }
    /// The outcome of a call that needs the human's yes, after that yes.
    json approved(const char* action, const json& arguments) {
        const json asked = call(action, arguments);
        REQUIRE_MESSAGE(asked.contains("error"), asked.dump());
        REQUIRE_MESSAGE(asked["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED", asked.dump());
        const std::string id = asked["error"]["approval_id"];
        REQUIRE(answer(seller, id, "approve")["ok"] == true);
        REQUIRE(eventually([&] { return approval(id)["outcome"] == "executed"; }));
        return json::parse(approval(id)["outcome_detail"].get<std::string>());
    }

    fs::path user_home;
};

test::Answer read(const json& url) {
    return test::send({.url = url.get<std::string>()});
}

}  // namespace

TEST_CASE("a file of the upload folder is public at once, and sent as an attachment") {
    const TempDir user;
    Tools tools(user);
    const auto path = tools.file(tools.uploads(), "offer.png", kPicture);
    const json file = tools.data("file.upload", {{"file", path}});
    CHECK(file["mimeType"] == "image/png");
    CHECK(file["fileSize"] == kPicture.size());
    CHECK(file.contains("expiresAt"));
    const auto seen = read(file["url"]);
    CHECK(seen.text == kPicture);
    CHECK(seen.header("content-type") == "image/png");

    const json sent = tools.call("send", {{"target_agent_id", tools.buyer_account.agent_id},
                                          {"text", "Here is the plan of the studio."},
                                          {"attachment_url", file["url"]},
                                          {"attachment_name", "offer.png"}});
    if (sent["ok"] != true) {
        REQUIRE(tools.answer(tools.seller, sent["error"]["approval_id"], "approve")["ok"] == true);
    }
    REQUIRE(eventually([&] { return !tools.replies_to_buyer().empty(); }));
    const json attachment = tools.replies_to_buyer()[0]["payload"]["attachment"];
    CHECK(attachment["url"] == file["url"]);
    CHECK(attachment["name"] == "offer.png");
    CHECK(attachment["mime_type"] == "image/png");
}

TEST_CASE("a file from another folder is uploaded after the human's yes, others not at all") {
    const TempDir user;
    Tools tools(user);
    const auto path = tools.file(tools.user_home / "private", "notes.txt", "for you only");
    const json done = tools.approved("file.upload", {{"file", path}});
    CHECK(read(done["url"]).text == "for you only");

    const auto at_home = [&](const std::string& name, const std::string& bytes) {
        return json{{"file", tools.file(tools.uploads(), name, bytes)}};
    };
    CHECK(tools.refused("file.upload", {{"file", (tools.uploads() / "none.png").string()}}) ==
          "FILE_NOT_FOUND");
    CHECK(tools.call("file.upload", at_home("run.exe", "MZ")).contains("error"));
    CHECK(tools.call("file.upload", at_home("empty.png", "")).contains("error"));
    // The market checks the content, too.
    CHECK(tools.refused("file.upload", at_home("lie.png", "<html>")) == "UPLOAD_FAILED");
}

TEST_CASE("payment codes of all three kinds are uploaded, one is the default, and they go again") {
    const TempDir user;
    Tools tools(user);
    const std::pair<const char*, const char*> kinds[] = {{"wechat_pay", "wechatPayQrcodeUrl"},
                                                         {"alipay", "alipayQrcodeUrl"},
                                                         {"qrcode", "paymentQrcodeUrl"}};
    for (const auto& [type, member] : kinds) {
        CAPTURE(type);
        const std::string bytes = kPicture + type;
        const auto path = tools.file(tools.uploads(), std::string(type) + ".png", bytes);
        const json done = tools.approved("profile.upload_qrcode", {{"file", path}, {"type", type}});
        const json profile = tools.data("profile.get");
        CHECK(profile[member] == done["qrcodeUrl"]);
        CHECK(profile["defaultPaymentMethod"] == "wechat_pay");  // the first one
        CHECK(read(profile[member]).text == bytes);
    }
    tools.approved("profile.set_default_payment", {{"type", "alipay"}});
    CHECK(tools.data("profile.get")["defaultPaymentMethod"] == "alipay");
    tools.approved("profile.delete_qrcode", {{"type", "wechat_pay"}});
    CHECK(tools.data("profile.get")["wechatPayQrcodeUrl"] == "");
    CHECK(tools.data("profile.get")["defaultPaymentMethod"] == "alipay");
}

TEST_CASE("R45: a yes about a payment code is for the code that its card has shown") {
    const TempDir user;
    Tools tools(user);
    const auto upload = [&](const std::string& name) {
        const auto path = tools.file(tools.uploads(), name + ".png", kPicture + name);
        tools.approved("profile.upload_qrcode", {{"file", path}, {"type", "alipay"}});
        return tools.data("profile.get")["alipayQrcodeUrl"].get<std::string>();
    };
    const std::string first = upload("first");
    const char* action = "";
    SUBCASE("removed") {
        action = "profile.delete_qrcode";
    }
    SUBCASE("offered first") {
        action = "profile.set_default_payment";
    }
    const json asked = tools.seller.call_assistant(action, R"({"type":"alipay"})");
    const json card = tools.open_approval();
    CHECK_MESSAGE(card.dump().find(first) != std::string::npos, card.dump());
    const std::string second = upload("second");
    const std::string id = asked["error"]["approval_id"];
    tools.answer(tools.seller, id, "approve");
    REQUIRE(eventually([&] { return tools.approval(id)["outcome"] != "none"; }));
    CHECK(eventually([&] { return tools.approval(id)["outcome"] == "failed"; }));
    CHECK(tools.data("profile.get")["alipayQrcodeUrl"] == second);
}
