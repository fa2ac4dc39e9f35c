#include "daemon/web/negotiation_feed.h"

#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/demand_store.h"
#include "core/wire/json_text.h"
#include "daemon/collab/view.h"
#include "daemon/web/event_stream.h"

namespace a2h::web {
namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr int kEventsOfAll = 500;
/// A history is sent in parts, so that a long one does not look like a slow reader.
constexpr int kEventsOfOne = 50;
constexpr std::size_t kPartBytes = 64 * 1024;

struct Reader {
    std::shared_ptr<http::Stream> stream;
    std::int64_t last_id = 0;
    bool is_behind = true;  ///< reads separately until it has everything
    std::function<bool()> still_allowed;
    Time next_heartbeat;
};

struct Piece {
    std::int64_t id = 0;
    std::string text;
};

Piece piece_of(const NegotiationEvent& event) {
    // The page shows it.
    const nlohmann::json view = wire::shown_whole(collab::event_view(event));
    return {event.id,
            event_piece(view["event_id"].get_ref<const std::string&>(), {},
                        view.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))};
}

}  // namespace

/// All members except `loop` belong to the loop.
struct NegotiationFeed::State : std::enable_shared_from_this<State> {
    State(Loop& the_loop, store::Database& the_reader, kernel::Metrics& the_metrics)
        : loop(the_loop), database(the_reader), metrics(the_metrics) {}

    void add(Reader reader, const std::string& demand_id, const std::string& last_event_id) {
        if (count >= kReadersMax) return reader.stream->close();
        const auto newest = store::newest_negotiation_event(database);
        if (!newest) return reader.stream->close();
        if (!last_event_id.empty()) take_up(reader, demand_id, last_event_id);
        reader.next_heartbeat = std::chrono::steady_clock::now() + kHeartbeat;
        if (count == 0) {
            position = *newest;
            check_later();
        }
        if (!catch_up(demand_id, reader)) return cut(reader);
        readers[demand_id].push_back(std::move(reader));
        metrics.stream_readers.set(++count);
    }

    /// Continues from the reader's last event if it belongs to this history. Otherwise reports a
    /// gap and sends everything that is stored.
    void take_up(Reader& reader, const std::string& demand_id, const std::string& last_event_id) {
        const auto last = collab::read_event_id(last_event_id);
        if (last == 0) return;
        if (last && is_kept(demand_id, *last)) {
            reader.last_id = *last;
        } else {
            reader.stream->send(
                event_piece({}, "gap", nlohmann::json{{"demand_id", demand_id}}.dump()));
        }
    }

    bool is_kept(const std::string& demand_id, std::int64_t id) {
        const auto kept = store::negotiation_events(database, demand_id, id - 1, 1);
        return kept && !kept->empty() && kept->front().id == id;
    }

    void check_later() {
        loop.call_after(kCheckEvery, [weak = weak_from_this()] {
            if (const auto state = weak.lock()) state->check();
        });
    }

    void check() {
        const std::map<std::string, std::vector<Piece>> news = read_news();
        const Time now = std::chrono::steady_clock::now();
        for (auto& [demand_id, those] : readers) {
            const auto found = news.find(demand_id);
            static const std::vector<Piece> kNone;
            const std::vector<Piece>& pieces = found == news.end() ? kNone : found->second;
            count -= std::erase_if(those, [&, &demand = demand_id](Reader& reader) {
                return !serve(demand, reader, pieces, now);
            });
        }
        std::erase_if(readers, [](const auto& entry) { return entry.second.empty(); });
        metrics.stream_readers.set(count);
        if (count > 0) check_later();
    }

    /// Reads the new events once for all readers that are up to date. Only events of negotiations
    /// that somebody follows are converted to text.
    std::map<std::string, std::vector<Piece>> read_news() {
        std::map<std::string, std::vector<Piece>> news;
        const auto events = store::all_negotiation_events(database, position, kEventsOfAll);
        if (!events) return news;
        for (const NegotiationEvent& event : *events) {
            position = event.id;
            if (readers.contains(event.demand_id)) news[event.demand_id].push_back(piece_of(event));
        }
        return news;
    }

    /// False if this reader has to be removed.
    bool serve(const std::string& demand_id, Reader& reader, const std::vector<Piece>& news,
               Time now) {
        if (reader.is_behind) {
            if (!catch_up(demand_id, reader)) return gone(reader);
        } else {
            std::string text;
            for (const Piece& piece : news) {
                if (piece.id <= reader.last_id) continue;
                reader.is_behind = text.size() >= kPartBytes;
                if (reader.is_behind) break;
                reader.last_id = piece.id;
                text += piece.text;
            }
            if (!text.empty() && !reader.stream->send(std::move(text))) return gone(reader);
        }
        if (now < reader.next_heartbeat) return true;
        reader.next_heartbeat = now + kHeartbeat;
        if (!reader.still_allowed()) {
            reader.stream->close();
            return false;
        }
        return reader.stream->send(std::string(kHeartbeatPiece)) || gone(reader);
    }

    /// False if the reader does not accept the data.
    bool catch_up(const std::string& demand_id, Reader& reader) {
        const auto events =
            store::negotiation_events(database, demand_id, reader.last_id, kEventsOfOne);
        if (!events) return true;
        reader.is_behind = static_cast<int>(events->size()) == kEventsOfOne;
        std::string text;
        for (const NegotiationEvent& event : *events) {
            if (text.size() >= kPartBytes) {
                reader.is_behind = true;
                break;
            }
            reader.last_id = event.id;
            text += piece_of(event).text;
        }
        return text.empty() || reader.stream->send(std::move(text));
    }

    bool gone(const Reader& reader) {
        cut(reader);
        return false;
    }

    void cut(const Reader& reader) {
        if (reader.stream->was_too_slow()) metrics.stream_cuts.add();
    }

    Loop& loop;
    store::Database& database;
    kernel::Metrics& metrics;
    std::map<std::string, std::vector<Reader>> readers;  ///< keyed by demand
    std::size_t count = 0;
    std::int64_t position = 0;  ///< the newest event that was read
};

NegotiationFeed::NegotiationFeed(Loop& loop, store::Database& reader, kernel::Metrics& metrics)
    : state_(std::make_shared<State>(loop, reader, metrics)) {}

NegotiationFeed::~NegotiationFeed() = default;

void NegotiationFeed::add(std::shared_ptr<http::Stream> stream, std::string demand_id,
                          std::string_view last_event_id, std::function<bool()> still_allowed) {
    Reader reader{std::move(stream), 0, true, std::move(still_allowed), {}};
    state_->loop.post([weak = std::weak_ptr(state_), reader = std::move(reader),
                       demand = std::move(demand_id), last = std::string(last_event_id)] {
        if (const auto state = weak.lock()) state->add(reader, demand, last);
    });
}

}  // namespace a2h::web
