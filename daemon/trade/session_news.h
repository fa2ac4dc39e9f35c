#pragma once

namespace a2h::trade {

/// Registers what the market's news of a session of two agents do in their deal: what the other one
/// has said over HTTP, a deal that the market has made, and an answer that it has not taken.
///
/// Source:  docs/protocol.md, "Events of the exchange"; R77.
void register_session_news();

}  // namespace a2h::trade
