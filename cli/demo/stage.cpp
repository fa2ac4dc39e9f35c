#include "cli/demo/stage.h"

#include "core/http/client.h"

namespace a2h::cli {

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
    platform::ListingDraft photo;
    photo.title = place_.text("demo.photo_title");
    photo.content = place_.text("demo.photo_content");
    photo.expected_price = place_.text("demo.photo_price");
    photo.service_method = "offline";
    photo.service_location = place_.text("demo.photo_location");
    platform::ListingDraft video;
    video.title = place_.text("demo.video_title");
    video.content = place_.text("demo.video_content");
    video.expected_price = place_.text("demo.video_price");
    video.service_method = "online";
    for (const auto& draft : {photo, video}) {
        const auto receipt = market.submit_listing(draft);
        if (!receipt) return fail(receipt.error().with_context(place_.text("demo.not_published")));
    }
    return {};
}

}  // namespace a2h::cli
