#include "core/http/pieces.h"

#include <utility>

namespace a2h::http {

bool Pieces::send(std::string piece) {
    const bool taken = queue_.with([&](Queue& queue) {
        if (queue.ended) return false;
        if (queue.bytes + piece.size() > kWaitingBytesMax) {
            queue = Queue{{}, 0, true, true};
            return false;
        }
        queue.bytes += piece.size();
        queue.pieces.push_back(std::move(piece));
        return true;
    });
    wake_();
    return taken;
}

void Pieces::close() {
    queue_.with([](Queue& queue) { queue.ended = true; });
    wake_();
}

bool Pieces::was_too_slow() const {
    return queue_.with([](const Queue& queue) { return queue.too_slow; });
}

std::optional<std::string> Pieces::take() {
    return queue_.with([](Queue& queue) -> std::optional<std::string> {
        if (queue.pieces.empty()) return std::nullopt;
        std::string piece = std::move(queue.pieces.front());
        queue.pieces.pop_front();
        queue.bytes -= piece.size();
        return piece;
    });
}

bool Pieces::ended() const {
    return queue_.with([](const Queue& queue) { return queue.ended; });
}

void Pieces::cut() {
    queue_.with([](Queue& queue) { queue = Queue{{}, 0, true, queue.too_slow}; });
}

}  // namespace a2h::http
