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

/// What a stream has told up to now.
struct StreamedAnswer {
    std::string text;
    std::string model;
    std::optional<std::int64_t> input_tokens;
    std::optional<std::int64_t> output_tokens;
    bool is_complete = false;    ///< the endpoint said that it ended, and why
    bool is_over = false;        ///< and that nothing comes any more
    std::optional<Error> error;  ///< whatever came before is void
};

/// How one API is asked and how it answers. Without state. Thread: any.
class WireFormat {
  public:
    virtual ~WireFormat() = default;

    /// The request for a draft, as a stream.
    virtual http::ClientRequest request(const Prompt& prompt, const Settings& settings,
                                        const std::string& key) const = 0;
    /// Takes one event in. What is unknown is read over, as both APIs ask.
    virtual void read(const StreamEvent& event, StreamedAnswer& answer) const = 0;
};

/// Source: platform.claude.com/docs, "Messages", "Streaming messages", "Errors".
std::unique_ptr<WireFormat> make_messages_format();
/// Source: platform.openai.com/docs, "Chat completions", "Streaming".
std::unique_ptr<WireFormat> make_chat_completions_format();

/// What an endpoint says about a failure, where both APIs put it: the type, and its words unless
/// they may repeat a part of the key, as with status 401, 403 and 0, which is inside of a stream.
/// `key` is struck out wherever it stands. Thread: any.
std::string failure_words(int status, const std::string& body, const std::string& key = {});

}  // namespace a2h::model
