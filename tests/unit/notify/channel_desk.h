#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/guarded.h"
#include "daemon/notify/notifier.h"

namespace a2h::test {

using notify::Message;

inline Message question() {
    Message message;
    message.id = 7;
    message.kind = "approval.asked";
    message.priority = Priority::High;
    message.title = "A2H: your answer is needed";
    message.text = "Take *300*? <!channel> 好";
    message.approval_id = "apr_1";
    message.code = "123456";
    message.link = "https://a2h.example/a/apr_1?t=secret_token";
    message.buttons = {{AnswerKind::Approve, "Approve", "7.y.aaaa"},
                       {AnswerKind::Reject, "Reject", "7.n.bbbb"}};
    return message;
}

inline Message final_state() {
    Message message;
    message.id = 7;
    message.title = "A2H: answered";
    message.text = "anna agreed by button.";
    return message;
}

inline notify::Picture picture() {
    return {"shoe\".png", "image/png", std::string("\x89PNG\0\r\n", 7)};
}

inline notify::ChannelSettings settings(std::string kind,
                                        std::vector<std::pair<std::string, std::string>> values) {
    return {"phone", std::move(kind), std::move(values)};
}

/// The pressed button, and the message shown for it.
struct Desk {
    Guarded<std::vector<std::string>> pressed;
    notify::ClickAnswer told{true, "agreed"};

    notify::AnswerClick answer() {
        return [this](const notify::Click& click) {
            pressed.with([&](auto& all) {
                all.push_back(click.channel + " " + click.button_id +
                              (click.is_allowed ? "" : " of somebody else"));
            });
            return told;
        };
    }
    std::vector<std::string> all() {
        return pressed.with([](auto& all) { return all; });
    }
};

/// Runs `listen` until it goes.
class Listening {
  public:
    Listening(notify::Channel& channel, notify::AnswerClick answer)
        : thread_([this, &channel, answer] { channel.listen(stop_, answer); }) {}
    ~Listening() {
        stop_ = true;
        thread_.join();
    }

  private:
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace a2h::test
