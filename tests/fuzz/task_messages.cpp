#include "core/wire/task_messages.h"

#include "core/base/check.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

/// A message that was read can be written, and is then read as the same message.
template <typename Message>
void check_message(std::string_view input) {
    const auto read = wire::read_task_message<Message>(input);
    if (!read) {
        A2H_CHECK(!read.error().message.empty());
        return;
    }
    const auto written = wire::write_task_message(*read);
    A2H_CHECK(written.has_value());
    const auto again = wire::read_task_message<Message>(*written);
    A2H_CHECK(again.has_value());
    A2H_CHECK(wire::write_task_message(*again).value() == *written);
}

}  // namespace

void task_messages(std::string_view input) {
    check_message<wire::TaskEvent>(input);
    check_message<wire::RetryEvent>(input);
    check_message<wire::GetContextRequest>(input);
    check_message<wire::PromptBlocksResponse>(input);
    check_message<wire::ReportResultRequest>(input);
    check_message<wire::EvaluationRequest>(input);
    check_message<wire::EvaluationResponse>(input);
}

}  // namespace a2h::fuzz
