#include "tests/unit/decide/fixtures.h"

#include <doctest/doctest.h>

#include <fstream>

namespace a2h::decide {
namespace {

Listing listing(std::string id, std::string title, std::string content, std::string price,
                std::string method, std::string location) {
    Listing result;
    result.works_id = std::move(id);
    result.agent_id = "ag_seller";
    result.title = std::move(title);
    result.content = std::move(content);
    result.expected_price = std::move(price);
    result.service_method = std::move(method);
    result.service_location = std::move(location);
    return result;
}

Listing deck() {
    return listing("works_deck", "Presentation design (PPT)",
                   "Clean slides for talks and pitches, up to 20 pages, two rounds of changes.",
                   "280 CNY", "online", "Shanghai");
}

Listing ppt(std::string price) {
    return listing("works_ppt", "PPT设计制作", "商务PPT设计，20页以内，可修改两次。",
                   std::move(price), "online", "上海");
}

Listing demand(std::string title, std::string price) {
    Listing result = listing("works_demand", std::move(title), "", std::move(price), "", "");
    result.type = ListingType::Demand;
    return result;
}

}  // namespace

std::vector<Listing> listings_named(std::string_view name) {
    if (name == "none") return {};
    if (name == "deck") return {deck()};
    if (name == "ppt") return {ppt("280 CNY")};
    if (name == "logo") {
        return {listing("works_logo", "Logo design", "Simple marks for small firms.", "", "", "")};
    }
    if (name == "two") {
        return {deck(), listing("works_tutor", "English tutoring", "Conversation for adults.",
                                "150 CNY per hour", "offline", "Pudong, Shanghai")};
    }
    if (name == "two_zh") {
        return {ppt("280元"), listing("works_piano", "钢琴陪练", "少儿钢琴陪练，一对一。",
                                      "150元/小时", "offline", "上海浦东")};
    }
    if (name == "studio") {
        return {
            listing(
                "works_photo", "Portrait photo session",
                "One hour in the studio with one photographer; ten edited pictures within a week.",
                "280 CNY", "offline", "Chengdu"),
            listing("works_video", "Wedding video editing",
                    "A five-minute film from up to four hours of your own recordings.", "800 CNY",
                    "offline", "")};
    }
    if (name == "studio_zh") {
        return {listing("works_photo", "个人写真拍摄",
                        "棚内拍摄一小时，一位摄影师，一周内交付十张精修照片。", "280 CNY",
                        "offline", "成都"),
                listing("works_video", "婚礼视频剪辑",
                        "用你提供的素材（最多四小时）剪成五分钟短片。", "800 CNY", "offline", "")};
    }
    if (name == "demand") return {demand("Wanted: company website", "2000 CNY")};
    REQUIRE(name == "demand_zh");
    return {demand("求做公司网站", "2000元")};
}

store::HistoryEntry sent_text(const std::string& text) {
    store::HistoryEntry entry;
    entry.incoming = false;
    entry.payload_json = nlohmann::json{{"text", text}}.dump();
    return entry;
}

Input input_with(std::string_view text, std::string_view listings) {
    Input input;
    input.message.agent_id = "ag_seller";
    input.message.sender_id = "ag_buyer";
    input.message.message_type = "chat.request";
    input.message.provenance = Provenance::Verified;
    input.payload.type = "text";
    input.payload.text = std::string(text);
    input.listings = listings_named(listings);
    input.messages_last_minute = 1;
    return input;
}

Input input_of(const nlohmann::json& line) {
    Input input =
        input_with(line.at("text").get<std::string>(), line.at("listings").get<std::string>());
    input.payload.payment_qr = line.value("payment_qr", "");
    input.payload.order_id = line.value("order_id", "");
    input.payload.works_id = line.value("works_id", "");
    input.payload.attachment_url = line.value("attachment", "");
    input.payload.type = line.value("payload_type", "text");
    if (line.contains("offer")) {
        input.payload.type = "offer";
        input.payload.offer_amount = line["offer"][0];
        input.payload.offer_currency = line["offer"][1];
    }
    input.message.message_type = line.value("message_type", "chat.request");
    input.message.provenance = *parse_provenance(line.value("provenance", "verified"));
    if (line.value("own_echo", false)) input.message.sender_id = input.message.agent_id;
    input.same_payload_count = line.value("repeated", 0);
    input.answers_last_day = line.value("answers", 0);
    input.messages_last_minute = line.value("per_minute", 1);
    if (line.contains("last_sent")) input.recent.push_back(sent_text(line["last_sent"]));
    if (line.contains("recent_works_id")) {
        store::HistoryEntry entry;
        entry.payload_json =
            nlohmann::json{{"text", "hi"}, {"worksId", line["recent_works_id"]}}.dump();
        input.recent.push_back(entry);
    }
    return input;
}

std::vector<nlohmann::json> golden_lines(std::string_view file) {
    const std::string path =
        std::string(A2H_SOURCE_DIR) + "/tests/golden/decide/" + std::string(file);
    std::ifstream in(path);
    REQUIRE_MESSAGE(in.good(), path);
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    REQUIRE_FALSE(lines.empty());
    return lines;
}

}  // namespace a2h::decide
