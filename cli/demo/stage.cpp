#include "cli/demo/stage.h"

#include <nlohmann/json.hpp>

#include "cli/demo/demo_hand.h"
#include "core/http/client.h"

namespace a2h::cli {

using nlohmann::json;

constexpr int kService = static_cast<int>(ListingType::Service);

Stage::Stage(const Invocation& invocation, Supervisor& supervisor)
    : place_(invocation, supervisor) {}

Result<void> Stage::set_up() {
    A2H_ASSIGN_OR_RETURN(auto phone, Phone::start(wire::new_token()));
    phone_ = std::move(phone);
    A2H_TRY(place_.open());
    seller_ = place_.owner_at("seller");
    buyer_ = place_.owner_at("buyer");
    A2H_ASSIGN_OR_RETURN(const auto seller, place_.make_owner(seller_, place_.text("demo.seller"),
                                                              phone_->settings()));
    seller_id_ = seller.account.agent_id;
    A2H_TRY(publish_listings(seller));
    A2H_ASSIGN_OR_RETURN(const auto buyer,
                         place_.make_owner(buyer_, place_.text("demo.buyer"), kTellNobody));
    buyer_id_ = buyer.account.agent_id;
    for (const auto& [owner, name] :
         {std::pair{&seller_, "a2hd (seller)"}, std::pair{&buyer_, "a2hd (buyer)"}}) {
        A2H_TRY(place_.start_daemon(*owner, name));
        A2H_TRY(place_.wait_connected(*owner, name));
    }
    return {};
}

Result<void> Stage::publish_listings(const platform::AgentIdentity& seller) {
    http::Client http(http::Client::Options{});
    const SystemClock clock;
    platform::Client market(http, clock, seller.account);
    const json photo{{"type", kService},
                     {"title", place_.text("demo.photo_title")},
                     {"content", place_.text("demo.photo_content")},
                     {"expected_price", place_.text("demo.photo_price")},
                     {"service_method", "offline"},
                     {"service_location", place_.text("demo.photo_location")}};
    const json video{{"type", kService},
                     {"title", place_.text("demo.video_title")},
                     {"content", place_.text("demo.video_content")},
                     {"expected_price", place_.text("demo.video_price")},
                     {"service_method", "online"}};
    for (const json& listing : {photo, video}) {
        A2H_ASSIGN_OR_RETURN(const auto request,
                             platform::make_request("works.publish", listing, market.agent_id()));
        const auto published = DemoHand::write(market, request);
        if (!published)
            return fail(published.error().with_context(place_.text("demo.not_published")));
    }
    return {};
}

}  // namespace a2h::cli
