#include "daemon/operations/reading_first.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

namespace a2h::operations {
namespace {

/// The call with a copy of its arguments, which otherwise live only until the handler returns.
struct WaitingCall {
    WaitingCall(const Call& of, Reply answer)
        : arguments(of.arguments),
          call{of.action, of.caller,          of.agent,      arguments,
               of.along,  of.reader_language, of.names_agent},
          reply(std::move(answer)) {}

    const nlohmann::json arguments;
    const Call call;
    const Reply reply;
};

}  // namespace

void read_first(const Sender& sender, std::function<void()> then) {
    sender.unread_mail.read_first(UnreadMail::kReadingMax,
                                  [then = std::move(then)](bool) { then(); });
}

Handler after_reading(const Sender& sender, Handler handler) {
    // Parts of the handler are used after it returns, so it stays where it is as long as the table.
    const auto kept = std::make_shared<const Handler>(std::move(handler));
    return [&sender, kept](const Call& call, const Reply& reply) {
        const auto waiting = std::make_shared<const WaitingCall>(call, reply);
        read_first(sender, [&handler = *kept, waiting] { handler(waiting->call, waiting->reply); });
    };
}

}  // namespace a2h::operations
