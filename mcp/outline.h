#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::mcp {

/// The facts about a line that are known before it is checked: which messages it holds and of which
/// kind they are. It is known for text that the parser refuses afterwards as well, so that a
/// refusal names its request, and nothing else is answered.
struct Outline {
    struct Item {
        enum class Kind { Request, Notification, Response, Unknown };

        Kind kind = Kind::Unknown;
        std::string id;  ///< as written; empty if it has none, or one that no answer can repeat
        std::size_t begin = 0;
        std::size_t size = 0;  ///< of its text

        bool is_answered() const { return kind == Kind::Request || kind == Kind::Unknown; }
    };

    bool is_blank = false;     ///< nothing but blanks
    bool is_batch = false;     ///< the line is an array
    bool is_complete = false;  ///< brackets, commas and colons are where JSON has them
    bool is_part = false;      ///< more of the line follows
    std::size_t count = 0;     ///< number of messages, earlier parts included
    std::vector<Item> items;   ///< without those of earlier parts
};

/// Reads the outline of one line, which may arrive in parts. It keeps only what it reports, and
/// with `take_part` less, so the size of a line does not matter.
///
/// Thread:  one at a time.
class OutlineReader {
  public:
    void take(std::string_view part);
    /// The messages so far of a batch that is too long, which are then forgotten here; nullopt if
    /// it is not, or if there are no new ones.
    std::optional<Outline> take_part();
    /// The outline of everything that was taken and not reported before; call it once.
    Outline finish();

  private:
    enum class Expects { Value, ValueOrEnd, Name, NameOrEnd, Colon, CommaOrEnd, Nothing };
    enum class Text { None, String, Escape, Plain };
    enum class Member { Other, Id, Method, Answer };
    /// The members of the present message that decide what it is.
    struct Seen {
        std::size_t ids = 0;
        std::string id;
        bool method = false;
        bool method_is_text = false;
        bool answer = false;  ///< `result` or `error`
    };

    void take_char(char c);
    void take_structure(char c);
    void begin_text(Text kind, char c);
    void end_text();
    bool begin_value(char c);
    void end_value(std::size_t end);
    void open(char bracket);
    void close(char bracket);
    void end_message(std::size_t end);
    void keep(char c);

    /// The number of arrays around a message.
    std::size_t outer() const { return outline_.is_batch ? 1 : 0; }
    bool in_object() const { return !open_.empty() && open_.back(); }
    bool at_member() const { return in_object() && open_.size() == outer() + 1; }

    Outline outline_;
    std::vector<bool> open_;  ///< true for an object, false for an array
    Expects expects_ = Expects::Value;
    Text text_ = Text::None;
    bool is_broken_ = false;
    bool is_name_ = false;  ///< the present text is a name
    bool is_kept_ = false;  ///< the present text is copied to `kept_`
    std::string kept_;
    Member member_ = Member::Other;  ///< whose value comes next
    bool in_message_ = false;
    Seen seen_;
    std::size_t position_ = 0;
    std::size_t begin_ = 0;  ///< of the present message
};

/// The outline of a whole line.
Outline outline_of(std::string_view line);

}  // namespace a2h::mcp
