#include "daemon/deals/news.h"

#include <algorithm>

namespace a2h::deals {
namespace {

std::vector<NewsReader>& readers() {
    static std::vector<NewsReader> all;
    return all;
}

}  // namespace

void register_news_reader(NewsReader reader) {
    std::vector<NewsReader>& all = readers();
    if (std::find(all.begin(), all.end(), reader) == all.end()) all.push_back(reader);
}

std::optional<News> read_news(const InboxMessage& message) {
    for (const NewsReader read : readers()) {
        auto news = read(message);
        if (!news) continue;
        for (Act& act : news->acts) {
            act.at_ms = message.received_at_ms;
            act.sent_at_ms = message.received_at_ms;
            act.sureness = certainty(Provenance::Verified);
        }
        return news;
    }
    return std::nullopt;
}

}  // namespace a2h::deals
