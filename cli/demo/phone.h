#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/guarded.h"
#include "core/base/result.h"
#include "core/http/server.h"

namespace a2h::cli {

/// One notification that reached the human.
struct Notified {
    std::string approval_id;  ///< empty if it is not about an approval
    std::string title;
    std::string text;
    std::string code;
    std::string link;
};

/// The demo human's own channel: receives a2hd's webhook notifications on loopback, like a chat
/// service, and refuses those that are not signed with the secret.
class Phone {
  public:
    /// Errors: those of http::Server::start.
    static Result<std::unique_ptr<Phone>> start(std::string secret);

    /// `[notify]` of a config.toml that sends an owner's notifications here.
    std::string settings() const;
    /// The next notification about an approval that `take` has not returned yet.
    std::optional<Notified> take();

  private:
    explicit Phone(std::string secret) : secret_(std::move(secret)) {}
    http::Response receive(const http::Request& request);

    std::string secret_;
    Guarded<std::vector<Notified>> received_;
    std::unique_ptr<http::Server> server_;  // last, so that its threads end first
};

/// One HTML form in the form in which a browser would send it.
struct Form {
    std::string action;
    std::vector<std::pair<std::string, std::string>> fields;  ///< inputs and text areas
    std::vector<std::pair<std::string, std::string>> buttons;
};

/// The forms of a page. Only the elements of our own pages: inputs, text areas and buttons.
std::vector<Form> read_forms(std::string_view html);

/// `name=value&…` of the fields and the pressed button.
std::string form_body(const Form& form, std::string_view button, std::string_view value);

/// Opens the page of `link` and presses `button` = `value` in the form that has it. An empty text
/// area named `reply_text` is filled with `reply_text` first.
///
/// Errors:  those of http::Client; NotFound if there is no such form; Conflict with the HTTP status
///          if the page refuses.
Result<void> answer_on_page(const std::string& link, std::string_view button,
                            std::string_view value, const std::string& reply_text);

}  // namespace a2h::cli
