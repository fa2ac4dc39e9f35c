// Questions about calls of the market, as `check_call` and `ask_about_call` make them.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>

#include "core/domain/order.h"
#include "daemon/trade/checks.h"
#include "daemon/trade/market_question.h"
#include "tests/support/fake_platform.h"
#include "tests/unit/cards/sample.h"

namespace a2h::test {
namespace {

using nlohmann::json;

const std::string kListing = "GET /findu-user/api/v1/user/works/WRK-71/detail";
const std::string kOrderPath = "GET /findu-trade/api/v1/orders/WKS-20/detail";
const std::string kRequest = "GET /v1/rfps/rfp-31";
const std::string kProposals = "GET /v1/rfps/rfp-31/proposals";
const std::string kProposalPath = "GET /v1/proposals/prp-8";
const std::string kPublicProfile = "GET /findu-user/api/v1/user/profile/public";

class Market {
  public:
    explicit Market(i18n::Language language) : words{language} {
        platform.answer("GET /v1/agents/ag_mei7x2", {{"agent_id", kPeer}});
        platform.answer(
            "GET /v1/agents/" + std::string(kOurAgent),
            {{"agent_id", kOurAgent},
             {"capabilities",
              {{{"type", words("film", "电影")}, {"domains", {words("wedding", "婚礼")}}}}}});
    }

    void ask(const std::string& name, std::string_view action, const json& arguments) {
        CAPTURE(name);
        const auto facts =
            trade::check_call({platform.client(), action, arguments, true, kAskedAt, folders});
        if (!facts) FAIL(facts.error().message);
        asked.push_back(sample_of(
            name, trade::ask_about_call(kOurAgent, action, arguments, *facts, words.language),
            words.language));
    }
    json listing(const char* owner) const {
        const json info{{"priceType", "FIXED"},
                        {"currency", "CNY"},
                        {"fixedPrice", 28'000},
                        {"serviceMethod", "offline"},
                        {"serviceLocation", words("Shanghai, Xuhui", "上海徐汇")},
                        {"pois", json::array()}};
        return {{"worksId", "WRK-71"},
                {"type", 3},
                {"agentId", owner},
                {"nickname", words("Mei", "小梅")},
                {"title", words("Portrait photography", "人像摄影")},
                {"content", words("One hour, 20 pictures.", "拍摄一小时，精修二十张。")},
                {"extendInfo", info.dump()},
                {"pictures", {"https://files.example/old-cover.jpg"}},
                {"status", "PUBLISHED"},
                {"createdAt", "2026-11-01T08:00:00Z"},
                {"updatedAt", "2026-11-20T08:00:00Z"}};
    }
    json order(OrderState state, OrderRole role, const char* currency = "CNY") const {
        return {{"orderId", "WKS-20"},
                {"status", to_string(state)},
                {"currentType", static_cast<int>(role)},
                {"title", words("Portrait, two hours", "人像拍摄两小时")},
                {"content", long_text(words)},
                {"price", 28'000},
                {"currency", currency},
                {"productId", "WRK-71"},
                {"orderType", 3},
                {"providerId", role == OrderRole::Provider ? kOurAgent : kPeer},
                {"customerId", role == OrderRole::Provider ? kPeer : kOurAgent},
                {"profile",
                 {{"userId", kPeer},
                  {"nickname", words("Mei", "小梅")},
                  {"avatarUrl", "https://files.example/mei.png"}}},
                {"createdAt", "2026-11-21T09:30:00Z"},
                {"gmtCreate", "2026-11-21T09:30:00Z"},
                {"updatedAt", "2026-11-21T09:30:00Z"}};
    }
    json request(const char* creator) const {
        return {{"rfp_id", "rfp-31"},
                {"creator_agent_id", creator},
                {"title", words("Photographer for a wedding", "婚礼摄影师")},
                {"description", long_text(words)},
                {"capability_type", words("photography", "摄影")},
                {"domain_filters", {words("wedding", "婚礼"), words("portrait", "人像")}},
                {"budget", {{"currency", "CNY"}, {"max", 5000}}},
                {"deadline_at", "2026-12-01T10:00:00Z"},
                {"status", "open"},
                {"created_at", "2026-11-20T08:00:00Z"},
                {"updated_at", "2026-11-20T08:00:00Z"}};
    }
    json proposal(const char* supplier, double amount = 4500) const {
        return {{"proposal_id", "prp-8"},
                {"rfp_id", "rfp-31"},
                {"supplier_agent_id", supplier},
                {"status", "pending"},
                {"price", {{"amount", amount}, {"currency", "CNY"}}},
                {"delivery_at", "2026-12-20"},
                {"content", words("A whole day, two photographers.", "全天拍摄，两位摄影师。")},
                {"created_at", "2026-11-21T08:00:00Z"},
                {"updated_at", "2026-11-21T08:00:00Z"}};
    }

    FakePlatform platform{kAskedAt};
    Words words;
    std::vector<std::filesystem::path> folders;
    std::vector<Sample> asked;
};

void ask_listings(Market& market) {
    const Words& words = market.words;
    market.ask("works.publish", "works.publish",
               {{"type", 3},
                {"title", words("Portrait photography", "人像摄影")},
                {"content", long_text(words)},
                {"price_type", "FIXED"},
                {"currency", "CNY"},
                {"fixed_price", 28'000},
                {"service_method", "offline"},
                {"service_location", words("Shanghai, Xuhui", "上海徐汇")},
                {"picture", "https://files.example/cover.jpg"}});
    market.ask("works.publish.range", "works.publish",
               {{"type", 2},
                {"title", words("Looking for a photographer", "寻找摄影师")},
                {"content", words("A birthday, 30 guests.", "生日聚会，三十位来宾。")},
                {"price_type", "NEGOTIABLE"},
                {"currency", "CNY"},
                {"price_min", 20'000},
                {"price_max", 30'000},
                {"service_method", "online"}});
    market.platform.answer(kListing, market.listing(kOurAgent));
    market.ask("works.update", "works.update",
               {{"works_id", "WRK-71"},
                {"type", 3},
                {"title", words("Portrait photography in Shanghai", "上海人像摄影")},
                {"content", long_text(words)},
                {"price_type", "FIXED"},
                {"currency", "CNY"},
                {"fixed_price", 25'000},
                {"service_method", "offline"},
                {"picture", "https://files.example/cover.jpg"}});
    market.ask("works.delete", "works.delete", {{"works_id", "WRK-71"}});
}

void ask_orders(Market& market) {
    const Words& words = market.words;
    market.ask("order.create", "order.create",
               {{"customer_id", kPeer},
                {"title", words("Portrait, two hours", "人像拍摄两小时")},
                {"content", long_text(words)},
                {"price_cent", 28'000},
                {"currency", "CNY"},
                {"product_id", "WRK-71"},
                {"order_type", 3}});
    for (const auto& [action, state, role] :
         {std::tuple("confirm", OrderState::PendingConfirm, OrderRole::Customer),
          std::tuple("reject", OrderState::PendingConfirm, OrderRole::Customer),
          std::tuple("cancel", OrderState::PendingConfirm, OrderRole::Provider),
          std::tuple("confirm-received", OrderState::Confirmed, OrderRole::Provider),
          std::tuple("confirm-service-completed", OrderState::Paid, OrderRole::Customer)}) {
        market.platform.answer(kOrderPath, market.order(state, role));
        market.ask("order.action." + std::string(action), "order.action",
                   {{"order_id", "WKS-20"}, {"action", action}});
    }
    market.platform.answer(kOrderPath,
                           market.order(OrderState::Confirmed, OrderRole::Provider, "USD"));
    market.ask("payment.create_link", "payment.create_link", {{"order_id", "WKS-20"}});
}

void ask_requests(Market& market) {
    const Words& words = market.words;
    market.ask("rfp.create", "rfp.create",
               {{"title", words("Photographer for a wedding", "婚礼摄影师")},
                {"description", long_text(words)},
                {"capability_type", words("photography", "摄影")},
                {"domain_filters", {words("wedding", "婚礼"), words("portrait", "人像")}},
                {"budget", {{"currency", "CNY"}, {"max", 5000}}},
                {"deadline_at", "2026-12-01T18:00:00+08:00"}});
    json second = market.proposal(kOtherPeer, 4200);
    second["proposal_id"] = "prp-9";
    market.platform.answer(kProposals, {{"list", {market.proposal(kPeer), second}}});
    market.platform.answer(kRequest, market.request(kOurAgent));
    market.ask("rfp.update.deadline", "rfp.update",
               {{"rfp_id", "rfp-31"}, {"deadline_at", "2026-12-05T18:00:00+08:00"}});
    market.ask("rfp.update.close", "rfp.update", {{"rfp_id", "rfp-31"}, {"status", "closed"}});
    market.platform.answer(kProposalPath, market.proposal(kPeer));
    for (const char* status : {"accepted", "rejected"}) {
        market.ask("proposal.update." + std::string(status), "proposal.update",
                   {{"proposal_id", "prp-8"}, {"status", status}});
    }
    market.platform.answer(kRequest, market.request(kPeer));
    market.ask("proposal.submit", "proposal.submit",
               {{"rfp_id", "rfp-31"},
                {"price", {{"amount", 4500}, {"currency", "CNY"}}},
                {"delivery_at", "2026-12-20"},
                {"content", long_text(words)}});
    market.platform.answer(kProposalPath, market.proposal(kOurAgent));
    market.ask("proposal.update.withdrawn", "proposal.update",
               {{"proposal_id", "prp-8"}, {"status", "withdrawn"}});
    market.ask("session.create", "session.create",
               {{"agent_id", kPeer}, {"rfp_id", "rfp-31"}, {"proposal_id", "prp-8"}});
}

void ask_posts(Market& market) {
    const Words& words = market.words;
    market.ask("discussion.publish", "discussion.publish",
               {{"title", words("Light in small rooms", "小房间的布光")},
                {"content", long_text(words)},
                {"pictures", {"https://files.example/a.jpg", "https://files.example/b.jpg"}}});
    json post = market.listing(kPeer);
    post["type"] = 4;
    post.erase("extendInfo");
    market.platform.answer(kListing, post);
    json reply{{"worksId", "WRK-72"},
               {"agentId", kOtherPeer},
               {"title", words("My lamp", "我用的灯")},
               {"content", words("One lamp is enough.", "一盏灯就够了。")}};
    market.platform.answer("GET /findu-user/api/v1/user/works/public/WRK-71/replies",
                           {{"list", {reply}}});
    market.ask("discussion.reply", "discussion.reply",
               {{"parent_works_id", "WRK-71"},
                {"title", words("Two lamps", "两盏灯")},
                {"content", long_text(words)}});
}

/// Files are named by their real path, which must be the same on every machine.
void ask_files(Market& market) {
    const std::filesystem::path folder = "/tmp/a2h-cards";
    std::filesystem::create_directories(folder);
    const std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    std::ofstream(folder / "alipay.png") << png;
    std::ofstream(folder / "contract.pdf") << "%PDF-1.7\n";
    market.ask("profile.upload_qrcode", "profile.upload_qrcode",
               {{"file", (folder / "alipay.png").string()}, {"type", "alipay"}});
    market.ask("file.upload", "file.upload",
               {{"file", (folder / "contract.pdf").string()}, {"upload_type", "chatfile"}});
    std::filesystem::remove_all(folder);
    market.platform.answer(kPublicProfile,
                           {{"alipayQrcodeUrl", "https://files.example/alipay.png"},
                            {"wechatPayQrcodeUrl", "https://files.example/wechat.png"},
                            {"defaultPaymentMethod", "alipay"}});
    for (const char* action : {"profile.delete_qrcode", "profile.set_default_payment"})
        market.ask(action, action, {{"type", "alipay"}});
    const Words& words = market.words;
    market.ask("capability.set", "capability.set",
               {{"capabilities",
                 {{{"type", words("photography", "摄影")},
                   {"domains", {words("wedding", "婚礼"), words("portrait", "人像")}}},
                  {{"type", words("film", "摄像")}}}}});
}

}  // namespace

std::vector<Sample> market_samples(i18n::Language language) {
    Market market(language);
    ask_listings(market);
    ask_orders(market);
    ask_requests(market);
    ask_posts(market);
    ask_files(market);
    return std::move(market.asked);
}

}  // namespace a2h::test
