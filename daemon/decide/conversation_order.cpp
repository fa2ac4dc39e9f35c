#include "daemon/decide/conversation_order.h"

#include <algorithm>

#include "daemon/reading/lexicon.h"

namespace a2h::decide {
namespace {

constexpr std::size_t kHexDigitsMax = 64;

bool is_order_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// The order that a stored message names. Its payload is parsed only if it could contain one.
std::string order_named_by(const HistoryEntry& entry, std::string& works_id) {
    const std::string_view payload = entry.payload_json;
    const bool may_name = payload.find("orderId") != std::string_view::npos ||
                          payload.find("WKS") != std::string_view::npos ||
                          payload.find("wks") != std::string_view::npos;
    if (!may_name) return {};
    const wire::PayloadView view = wire::view_payload(payload);
    works_id = view.works_id;
    if (!view.order_id.empty()) return view.order_id;
    return order_id_in(Lexicon().comparable(view.text));
}

}  // namespace

bool is_order_id(std::string_view id) {
    if (!id.starts_with("WKS")) return false;
    id.remove_prefix(id.starts_with("WKS_") ? 4 : 3);
    return !id.empty() && id.size() <= kHexDigitsMax &&
           std::all_of(id.begin(), id.end(),
                       [](char c) { return is_order_digit(c) || (c >= 'A' && c <= 'F'); });
}

std::string order_id_in(std::string_view text) {
    constexpr std::size_t kHexDigitsMin = 30;
    for (std::size_t at = text.find("wks"); at != std::string_view::npos;
         at = text.find("wks", at + 1)) {
        std::size_t end = at + 3;
        while (end < text.size() && end - at - 3 < kHexDigitsMax && is_order_digit(text[end])) {
            ++end;
        }
        if (end - at - 3 < kHexDigitsMin) continue;
        return "WKS" + std::string(text.substr(at + 3, end - at - 3));
    }
    return {};
}

std::string order_of_conversation(const Input& input, std::string_view works_id) {
    std::string order_id;
    bool is_proved = false;
    for (const HistoryEntry& entry : input.recent) {
        if (entry.incoming && entry.provenance == Provenance::Forged) continue;
        std::string named_with;
        const std::string named = order_named_by(entry, named_with);
        if (named.empty()) continue;
        const bool is_other_listing =
            !works_id.empty() && !named_with.empty() && named_with != works_id;
        if (is_other_listing || (!order_id.empty() && named != order_id)) return {};
        order_id = named;
        is_proved = is_proved || !entry.incoming || entry.provenance != Provenance::Unverified;
    }
    return is_proved && is_order_id(order_id) ? order_id : std::string();
}

}  // namespace a2h::decide
