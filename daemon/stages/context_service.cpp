#include "daemon/stages/context_service.h"

#include <algorithm>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "embedded/playbooks.h"

namespace a2h::stages {
namespace {

using i18n::Language;

// In code points. Chinese characters have three bytes each, and everything has to fit into one
// envelope.
constexpr std::size_t kMessageTextMax = 2'000;
constexpr std::size_t kConversationTextMax = 400;
constexpr std::size_t kListingContentMax = 600;
constexpr std::size_t kListingFieldMax = 100;
constexpr std::size_t kPlaybookTextMax = 1'500;
constexpr std::size_t kListingsMax = 5;

std::string fenced(std::string_view text, std::size_t code_points_max, std::string_view author,
                   std::string_view provenance) {
    return fence(truncate(trim(text), code_points_max), author, provenance);
}

std::string conversation_of(const decide::Input& input, Language language) {
    std::string lines;
    for (auto entry = input.recent.rbegin(); entry != input.recent.rend(); ++entry) {
        if (entry->incoming && entry->provenance == Provenance::Forged) continue;
        const std::string text = wire::view_payload(entry->payload_json).text;
        if (text.empty()) continue;
        lines += "- " +
                 fenced(text, kConversationTextMax, entry->sender_id,
                        entry->incoming ? to_string(entry->provenance) : "ours") +
                 "\n";
    }
    return lines.empty() ? i18n::text(language, "prompt.no_conversation") : lines;
}

/// The section of a playbook that lists what must never happen, without its heading.
std::string conduct_of(const decide::Input& input, Language language) {
    const std::string book = input.payload.offer_amount.empty() ? "sell" : "negotiate";
    const bool is_chinese = language == Language::Chinese;
    const auto text = embedded::playbooks(book + (is_chinese ? ".zh_CN.md" : ".en.md"));
    const std::string heading = "\n" + i18n::text(language, "prompt.conduct_heading") + "\n";
    const std::size_t found = text ? text->find(heading) : std::string_view::npos;
    if (found == std::string_view::npos) return {};
    const std::string_view rest = text->substr(found + heading.size());
    return std::string(truncate(trim(rest.substr(0, rest.find("\n## "))), kPlaybookTextMax));
}

std::string listing_text(const Listing& listing, Language language) {
    const auto shortened = [](const std::string& text) {
        return std::string(truncate(text, kListingFieldMax));
    };
    const std::string text =
        i18n::text(language, "prompt.listing",
                   {{"title", shortened(listing.title)},
                    {"price", shortened(listing.expected_price)},
                    {"method", shortened(listing.service_method)},
                    {"place", shortened(listing.service_location)},
                    {"content", std::string(truncate(listing.content, kListingContentMax))}});
    return "- " + fence(text, listing.works_id, "listing") + "\n";
}

/// The listing that the message names comes first, then the others in order.
std::string listings_of(const decide::Input& input, Language language) {
    std::vector<const Listing*> shown;
    for (const Listing& listing : input.listings)
        shown.push_back(&listing);
    std::stable_partition(shown.begin(), shown.end(), [&](const Listing* listing) {
        return !input.payload.works_id.empty() && listing->works_id == input.payload.works_id;
    });
    if (shown.size() > kListingsMax) shown.resize(kListingsMax);
    std::string text;
    for (const Listing* listing : shown)
        text += listing_text(*listing, language);
    return text.empty() ? i18n::text(language, "prompt.no_listing") : text;
}

std::string task_block(const ContextQuestion& question) {
    const decide::Input& input = question.input;
    const Language language = question.language;
    std::string text =
        i18n::text(language, "prompt.task",
                   {{"message", fenced(input.payload.text, kMessageTextMax, input.message.sender_id,
                                       to_string(input.message.provenance))},
                    {"conversation", conversation_of(input, language)}});
    if (!input.payload.order_id.empty()) {
        text += "\n" + i18n::text(language, "prompt.order",
                                  {{"order", fenced(input.payload.order_id, kListingFieldMax,
                                                    input.message.sender_id,
                                                    to_string(input.message.provenance))}});
    }
    if (!question.previous.empty()) {
        text +=
            "\n" +
            i18n::text(language, "prompt.previous",
                       {{"text", fenced(question.previous, kMessageTextMax, "draft", "unsent")}});
    }
    return text;
}

std::string instruction_block(const ContextQuestion& question) {
    std::string text = i18n::text(question.language, "prompt.instruction");
    if (question.reasons.empty()) return text;
    std::string reasons;
    for (const std::string& reason : question.reasons)
        reasons += "- " + visible(truncate(reason, kListingFieldMax)) + "\n";
    return text + "\n" +
           i18n::text(question.language, "prompt.refused_before", {{"reasons", reasons}});
}

}  // namespace

wire::PromptBlocksResponse build_blocks(const ContextQuestion& question) {
    const Language language = question.language;
    wire::PromptBlocksResponse blocks;
    blocks.system = i18n::text(language, "prompt.system",
                               {{"agent", visible(question.input.message.agent_id)}});
    blocks.task = task_block(question);
    blocks.allowed_tools = "[]";
    blocks.context_data =
        i18n::text(language, "prompt.context",
                   {{"listings", listings_of(question.input, language)},
                    {"conduct", fence(conduct_of(question.input, language), "playbook", "ours")}});
    blocks.instruction = instruction_block(question);
    return blocks;
}

}  // namespace a2h::stages
