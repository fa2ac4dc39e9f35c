#pragma once

#include <optional>
#include <vector>

#include "core/domain/deal.h"
#include "core/domain/message.h"
#include "daemon/deals/book.h"

namespace a2h::deals {

// What the market's news do in deals. Each feature that reads a kind of news registers a reader.
//
// Source:  docs/protocol.md, "Order events" and "Events of the exchange".

/// What one piece of news does in the deal that `named` means.
struct News {
    Named named;
    std::vector<Act> acts;  ///< without times, source and sureness
};

/// Reads one kind of the market's news; nullopt for any other message.
using NewsReader = std::optional<News> (*)(const InboxMessage& message);

/// Adds a feature's reader, once. Call before other threads start.
void register_news_reader(NewsReader reader);

/// What `message`, which the market has sent, does in a deal, with times and sureness: what the
/// market says of an agent counts as said by that agent. nullopt: nothing.
///
/// Thread:  any.
std::optional<News> read_news(const InboxMessage& message);

}  // namespace a2h::deals
