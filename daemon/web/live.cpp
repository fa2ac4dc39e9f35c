#include "daemon/web/live.h"

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/event_store.h"
#include "daemon/web/event_stream.h"

namespace a2h::web {
namespace {

constexpr int kEventsAtOnce = 200;

std::string change(const Event& event) {
    const nlohmann::json data{{"kind", event.kind},
                              {"subject", event.subject},
                              {"agent_id", event.agent_id},
                              {"at_ms", event.created_at_ms}};
    return event_piece(std::to_string(event.id), "change",
                       data.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

std::string gap(std::int64_t newest) {
    return event_piece(std::to_string(newest), "gap", "{}");
}

/// -1 if the text is not an id.
std::int64_t read_id(std::string_view text) {
    std::int64_t id = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    return error == std::errc() && end == text.data() + text.size() ? id : -1;
}

struct Listener {
    std::shared_ptr<http::Stream> stream;
    std::int64_t last_id = 0;
    std::function<bool()> still_allowed;
    std::chrono::steady_clock::time_point next_heartbeat;
};

}  // namespace

/// All members except `loop` belong to the loop.
struct LiveFeed::State : std::enable_shared_from_this<State> {
    State(Loop& the_loop, store::Database& the_reader) : loop(the_loop), reader(the_reader) {}

    void add(Listener listener, const std::string& last_event_id) {
        const auto range = store::event_range(reader);
        if (!range || listeners.size() >= kListenersMax) return listener.stream->close();
        // The browser tries again after 2 s and sends the last id.
        listener.stream->send("retry: 2000\n\n");
        listener.last_id = last_event_id.empty() ? range->newest : read_id(last_event_id);
        const bool known =
            listener.last_id >= range->oldest - 1 && listener.last_id <= range->newest;
        if (!known) {
            listener.last_id = range->newest;
            listener.stream->send(gap(range->newest));
        }
        listener.next_heartbeat = std::chrono::steady_clock::now() + kHeartbeat;
        listeners.push_back(std::move(listener));
        if (listeners.size() == 1) check_later();
    }

    void check_later() {
        loop.call_after(kCheckEvery, [weak = weak_from_this()] {
            if (const auto state = weak.lock()) state->check();
        });
    }

    void check() {
        const auto now = std::chrono::steady_clock::now();
        std::erase_if(listeners, [&](Listener& listener) { return !serve(listener, now); });
        if (!listeners.empty()) check_later();
    }

    /// False if this listener has to be removed.
    bool serve(Listener& listener, std::chrono::steady_clock::time_point now) {
        const auto events = store::events_after(reader, "", listener.last_id, kEventsAtOnce);
        if (!events) return true;
        std::string piece;
        for (const Event& event : *events) {
            listener.last_id = event.id;
            piece += change(event);
        }
        if (now >= listener.next_heartbeat) {
            listener.next_heartbeat = now + kHeartbeat;
            if (!listener.still_allowed()) {
                listener.stream->close();
                return false;
            }
            piece += kHeartbeatPiece;
        }
        return piece.empty() || listener.stream->send(std::move(piece));
    }

    Loop& loop;
    store::Database& reader;
    std::vector<Listener> listeners;
};

LiveFeed::LiveFeed(Loop& loop, store::Database& reader)
    : state_(std::make_shared<State>(loop, reader)) {}

LiveFeed::~LiveFeed() = default;

void LiveFeed::add(std::shared_ptr<http::Stream> stream, std::string_view last_event_id,
                   std::function<bool()> still_allowed) {
    Listener listener{std::move(stream), 0, std::move(still_allowed), {}};
    state_->loop.post([weak = std::weak_ptr(state_), listener = std::move(listener),
                       last = std::string(last_event_id)] {
        if (const auto state = weak.lock()) state->add(listener, last);
    });
}

}  // namespace a2h::web
