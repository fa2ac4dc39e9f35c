#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/http/client.h"
#include "daemon/model/drafter.h"
#include "daemon/model/settings.h"
#include "daemon/model/sse.h"

namespace a2h::model {

/// The content of a stream so far.
struct StreamedAnswer {
    std::string text;
    std::string model;
    std::optional<std::int64_t> input_tokens;
    std::optional<std::int64_t> output_tokens;
    bool is_complete = false;    ///< the endpoint reported its end and the reason
    bool is_over = false;        ///< nothing more will follow
    std::optional<Error> error;  ///< everything before it is void
};

/// How one API is called and how it answers. Stateless.
///
/// Thread:  any.
class WireFormat {
  public:
    virtual ~WireFormat() = default;

    /// The request for a draft as a stream.
    virtual http::ClientRequest request(const Prompt& prompt, const Settings& settings,
                                        const std::string& key) const = 0;
    /// Processes one event. Unknown events are ignored, as both APIs require.
    virtual void read(const StreamEvent& event, StreamedAnswer& answer) const = 0;
};

/// Source: platform.claude.com/docs, "Messages", "Streaming messages", "Errors".
std::unique_ptr<WireFormat> make_messages_format();
/// Source: platform.openai.com/docs, "Chat completions", "Streaming".
std::unique_ptr<WireFormat> make_chat_completions_format();

/// An endpoint's message about a failure, in the place where both APIs put it: the type, and its
/// words unless they could repeat a part of the key, as with status 401, 403 and 0 (inside a
/// stream). `key` is removed wherever it appears.
///
/// Thread:  any.
std::string failure_words(int status, const std::string& body, const std::string& key = {});

}  // namespace a2h::model
