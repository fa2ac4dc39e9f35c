#include <string>
#include <vector>

#include "core/base/check.h"
#include "daemon/decide/draft_text.h"
#include "daemon/model/answer.h"
#include "daemon/model/sse.h"
#include "daemon/model/wire_format.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

constexpr std::size_t kEventBytesMax = 4096;

struct Streamed {
    std::vector<model::StreamEvent> events;
    bool too_large = false;
};

Streamed streamed(std::string_view bytes, std::size_t piece) {
    model::EventStream stream(kEventBytesMax);
    Streamed all;
    for (std::size_t i = 0; i < bytes.size() && !all.too_large; i += piece) {
        const auto pushed = stream.push(bytes.substr(i, piece), [&](model::StreamEvent event) {
            all.events.push_back(std::move(event));
            return true;
        });
        all.too_large = !pushed;
    }
    return all;
}

}  // namespace

/// The first byte says into which pieces the rest is cut.
void model_stream(std::string_view input) {
    if (input.empty()) return;
    const std::size_t piece = static_cast<unsigned char>(input[0]) + std::size_t{1};
    input.remove_prefix(1);
    const Streamed whole = streamed(input, input.size() + 1);
    const Streamed cut = streamed(input, piece);
    A2H_CHECK(whole.events.size() == cut.events.size() && whole.too_large == cut.too_large);
    for (std::size_t i = 0; i < whole.events.size(); ++i) {
        A2H_CHECK(whole.events[i].name == cut.events[i].name);
        A2H_CHECK(whole.events[i].data == cut.events[i].data);
    }
    for (const auto& format : {model::make_messages_format, model::make_chat_completions_format}) {
        model::StreamedAnswer answer;
        for (const auto& event : whole.events)
            if (!answer.error) format()->read(event, answer);
        const auto draft = model::parse_answer(answer.text);
        if (!draft || draft->wish != model::Wish::Reply) continue;
        A2H_CHECK(!draft->text.empty() && !decide::has_invisible_characters(draft->text));
    }
}

}  // namespace a2h::fuzz
