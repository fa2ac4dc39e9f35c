#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Callers kHumanOnly{.assistant = false, .human = true};
constexpr Hints kReads{
    .read_only = true, .destructive = false, .idempotent = true, .open_world = false};

constexpr std::string_view kOutboxId = R"({
  "type": "object",
  "properties": {
    "id": {"type": "integer", "minimum": 1, "description": "Number of the row in outbox.list"},
    "all_held": {"type": "boolean",
      "description": "In place of an id: all that a restore held"}
  },
  "additionalProperties": false
})";

constexpr Operation kInboxList{
    .action = "inbox.list",
    .tool = {},
    .title = "Conversations",
    .summary = "Returns the conversations with the last message of each, newest first.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 20,
      "description": "Conversations at most"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kApprovalAnswer{
    .action = "approval.answer",
    .tool = {},
    .title = "Answer an approval with the PIN",
    .summary = "Answers an approval at the terminal. The PIN proves that a human does.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "approval_id": {"type": "string", "maxLength": 64, "pattern": "^apr_[0-9A-Za-z]+$",
      "description": "Id of the approval, apr_…"},
    "decision": {"type": "string", "minLength": 1, "maxLength": 2000,
      "description": "approve, reject, one of the options, or an instruction"},
    "person": {"type": "string", "minLength": 1, "maxLength": 32, "pattern": "^[a-z0-9_-]+$",
      "description": "Whose PIN it is, and who answers; the owner when left out"},
    "pin": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The human's PIN"},
    "reply_text": {"type": "string", "minLength": 1, "maxLength": 16000,
      "description": "Text to be sent, word for word, instead of the proposed one"},
    "digest": {"type": "string", "maxLength": 64, "pattern": "^[0-9a-f]{64}$",
      "description": "Digest of what the human was shown; another one is refused"}
  },
  "required": ["approval_id", "decision", "pin"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "approvals",
    .hints = {.read_only = false, .destructive = true, .idempotent = true, .open_world = true},
    .callers = kHumanOnly,
};

constexpr Operation kApprovalElicit{
    .action = "approval.elicit",
    .tool = {},
    .title = "Answer in a dialog of the assistant's program",
    .summary =
        "Passes on the answer from a dialog of the assistant's program: a no counts; a yes "
        "counts with its code, or if the owner trusts such dialogs.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "approval_id": {"type": "string", "maxLength": 64, "pattern": "^apr_[0-9A-Za-z]+$",
      "description": "Id of the approval, apr_…"},
    "decision": {"type": "string", "enum": ["approve", "reject"], "description": "Yes or no"},
    "digest": {"type": "string", "maxLength": 64, "pattern": "^[0-9a-f]{64}$",
      "description": "Digest of what the dialog showed; another one is refused"},
    "code": {"type": "string", "maxLength": 6, "pattern": "^[0-9]{6}$",
      "description": "Six digits from the notification"}
  },
  "required": ["approval_id", "decision", "digest"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "approvals",
    .hints = {.read_only = false, .destructive = true, .idempotent = true, .open_world = true},
    .callers = kHumanOnly,
};

constexpr Operation kListingLearn{
    .action = "listing.learn",
    .tool = {},
    .title = "Add an answer to the listing",
    .summary = "Adds what an approved reply said to the listing concerned, with the PIN.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "approval_id": {"type": "string", "maxLength": 64, "pattern": "^apr_[0-9A-Za-z]+$",
      "description": "Id of the approval of the reply, apr_…"},
    "text": {"type": "string", "minLength": 1, "maxLength": 2000,
      "description": "The line to add; leave out for the reply itself"},
    "person": {"type": "string", "minLength": 1, "maxLength": 32, "pattern": "^[a-z0-9_-]+$",
      "description": "Whose PIN it is, and who answers; the owner when left out"},
    "pin": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The human's PIN"}
  },
  "required": ["approval_id", "pin"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "works",
    .hints = {.read_only = false, .destructive = false, .idempotent = true, .open_world = true},
    .callers = kHumanOnly,
};

constexpr Operation kApprovalAnswerMany{
    .action = "approval.answer_many",
    .tool = {},
    .title = "Answer several approvals with one PIN",
    .summary = "Answers up to 50 approvals at once, each as it was shown to the human.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "answers": {"type": "array", "maxItems": 50, "description": "What is answered",
      "items": {"type": "object",
        "properties": {
          "approval_id": {"type": "string", "maxLength": 64, "pattern": "^apr_[0-9A-Za-z]+$",
            "description": "Id of the approval, apr_…"},
          "digest": {"type": "string", "maxLength": 64, "pattern": "^[0-9a-f]{64}$",
            "description": "Digest of what the human was shown"}
        },
        "required": ["approval_id", "digest"], "additionalProperties": false}},
    "decision": {"type": "string", "enum": ["approve", "reject"], "description": "Of all of them"},
    "person": {"type": "string", "minLength": 1, "maxLength": 32, "pattern": "^[a-z0-9_-]+$",
      "description": "Whose PIN it is, and who answers; the owner when left out"},
    "pin": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The human's PIN"}
  },
  "required": ["answers", "decision", "pin"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "approvals",
    .hints = {.read_only = false, .destructive = true, .idempotent = true, .open_world = true},
    .callers = kHumanOnly,
};

constexpr Operation kApprovalStats{
    .action = "approval.stats",
    .tool = {},
    .title = "How approvals are answered",
    .summary = "Returns the number of approvals, how they ended, and the time to a yes.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "days": {"type": "integer", "minimum": 1, "maximum": 3660, "default": 30,
      "description": "How far back"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "approvals",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kAuditExport{
    .action = "audit.export",
    .tool = {},
    .title = "Export the audit",
    .summary = "Returns rows of the hash-linked history of approvals as lines, oldest first.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "after_row": {"type": "integer", "minimum": 0, "default": 0,
      "description": "last_row of the previous answer; 0 for the beginning"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "approvals",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kBackupCreate{
    .action = "backup.create",
    .tool = {},
    .title = "Write a backup",
    .summary =
        "Copies database, identities and settings of this home while a2hd runs, and checks "
        "the copy.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "to": {"type": "string", "minLength": 1, "maxLength": 4096,
      "description": "Absolute path: a folder that is there gets a new one in it, another name becomes the backup, FILE.db only the database; left out: backups/ of the home"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = false, .idempotent = false, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kBackupExport{
    .action = "backup.export",
    .tool = {},
    .title = "Export everything",
    .summary = "Writes all data of this home in open formats to a new folder.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "to": {"type": "string", "minLength": 1, "maxLength": 4096,
      "description": "Absolute path: in an existing folder a new one is created; another name becomes the export"},
    "with_secrets": {"type": "boolean", "default": false,
      "description": "Also keys, PIN hashes and the configuration"}
  },
  "required": ["to"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = false, .idempotent = false, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kBackupRestore{
    .action = "backup.restore",
    .tool = {},
    .title = "Restore a backup",
    .summary =
        "Puts a backup in the place of this home's database, identities and settings. Only "
        "while no a2hd serves the home.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "from": {"type": "string", "minLength": 1, "maxLength": 4096,
      "description": "Absolute path of a backup: a folder, or a database file"}
  },
  "required": ["from"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kOutboxList{
    .action = "outbox.list",
    .tool = {},
    .title = "Outgoing messages",
    .summary = "Returns outgoing messages and their state, newest first.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "state": {"type": "string", "enum": ["queued", "sent", "delivered", "dead", "dropped", "held"],
      "description": "Only messages in this state; all when left out"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kOutboxRequeue{
    .action = "outbox.requeue",
    .tool = {},
    .title = "Send a dead or held message",
    .summary =
        "Gives a message whose lifetime is over, or that a restore held, a new lifetime and "
        "sends it.",
    .input_schema = kOutboxId,
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = false, .idempotent = true, .open_world = true},
    .callers = kHumanOnly,
};

constexpr Operation kOutboxDrop{
    .action = "outbox.drop",
    .tool = {},
    .title = "Discard a message",
    .summary = "Discards a message that is still waiting, dead or held; it will not be sent.",
    .input_schema = kOutboxId,
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = true, .idempotent = true, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kEventsList{
    .action = "events.list",
    .tool = {},
    .title = "Events",
    .summary =
        "Returns what happened after event `after_id`, oldest first. With `wait_seconds` it "
        "answers when something did, or time is up.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "after_id": {"type": "integer", "minimum": 0,
      "description": "last_id of the previous answer; left out: the beginning, or, waiting, now"},
    "wait_seconds": {"type": "integer", "minimum": 0, "maximum": 50,
      "description": "How long to wait for the first event"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100,
      "description": "Events at most"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kPageLink{
    .action = "page.link",
    .tool = {},
    .title = "Open the page",
    .summary = "Creates a link that opens the page in a browser: once, within five minutes.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "pin": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The human's PIN"},
    "person": {"type": "string", "minLength": 1, "maxLength": 32, "pattern": "^[a-z0-9_-]+$",
      "description": "Person of the PIN and of the session; default: the owner"}
  },
  "required": ["pin"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = false, .idempotent = false, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kPinCode{
    .action = "pin.code",
    .tool = {},
    .title = "Send a person the code to set their PIN",
    .summary = "Sends a code to a person's own channels, with which they set their PIN.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "person": {"type": "string", "minLength": 1, "maxLength": 32, "pattern": "^[a-z0-9_-]+$",
      "description": "Person whose PIN to set; not the owner"}
  },
  "required": ["person"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "approvals",
    .hints = {.read_only = false, .destructive = false, .idempotent = false, .open_world = true},
    .callers = kHumanOnly,
};

constexpr Operation kPinSet{
    .action = "pin.set",
    .tool = {},
    .title = "Set a PIN",
    .summary = "Sets a person's PIN, with the code that they received or the previous PIN.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "person": {"type": "string", "minLength": 1, "maxLength": 32, "pattern": "^[a-z0-9_-]+$",
      "description": "Person whose PIN to set; default: the owner"},
    "code": {"type": "string", "maxLength": 6, "pattern": "^[0-9]{6}$",
      "description": "Six digits from the notification; not for the owner"},
    "pin": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The previous PIN"},
    "new_pin": {"type": "string", "minLength": 6, "maxLength": 64, "description": "The new PIN"}
  },
  "required": ["new_pin"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "approvals",
    .hints = {.read_only = false, .destructive = true, .idempotent = true, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kDaemonStop{
    .action = "daemon.stop",
    .tool = {},
    .title = "Stop a2hd",
    .summary = "Stops the daemon after it has stored its state.",
    .input_schema = R"({"type": "object", "properties": {}, "additionalProperties": false})",
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = true, .idempotent = true, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kMessageExplain{
    .action = "message.explain",
    .tool = {},
    .title = "Explain a decision",
    .summary = "Explains the decision about a message, and how it would be decided today.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "message_id": {"type": "string", "minLength": 1, "maxLength": 200,
      "description": "Id of a received message"}
  },
  "required": ["message_id"],
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kMessageDecided{
    .action = "message.decided",
    .tool = {},
    .title = "Decided messages",
    .summary = "Returns decided messages with all that was known then, oldest first.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "since": {"type": "string", "maxLength": 40, "description": "ISO 8601; all when left out"},
    "after_id": {"type": "integer", "minimum": 0, "default": 0,
      "description": "last_id of the previous answer"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 100,
      "description": "Messages at most"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kPlaybookContext{
    .action = "playbook.context",
    .tool = {},
    .title = "Input of a decision",
    .summary = "Returns the listings and what is known about a peer, as rules would see it now.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "peer_id": {"type": "string", "maxLength": 200, "description": "The agent that would write"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kPlaybookTrades{
    .action = "playbook.trades",
    .tool = {},
    .title = "Trades whose words are read",
    .summary =
        "Returns the trades whose words a2hd can read messages with, and which of them it reads.",
    .input_schema = kNoArguments,
    .output_schema = R"({
  "type": "object",
  "properties": {
    "data": {
      "type": "object",
      "properties": {
        "trades": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": {"type": "string", "title": "Trade"},
              "is_read": {"type": "boolean", "title": "Read"},
              "is_owners": {"type": "boolean", "title": "Your own"}
            }
          }
        }
      }
    }
  }
})",
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
    .command = "playbook trades",
};

constexpr Operation kPlaybookReload{
    .action = "playbook.reload",
    .tool = {},
    .title = "Read the owner's rules again",
    .summary = "Reads rules.toml of the home folder again; an unusable one changes nothing.",
    .input_schema = kNoArguments,
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = false, .idempotent = true, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kConfigReload{
    .action = "config.reload",
    .tool = {},
    .title = "Read the configuration again",
    .summary =
        "Reads config.toml of the home folder again. One with an error changes nothing; what "
        "needs a restart is named.",
    .input_schema = kNoArguments,
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = false, .idempotent = true, .open_world = false},
    .callers = kHumanOnly,
};

constexpr Operation kConfigShow{
    .action = "config.show",
    .tool = {},
    .title = "The configuration",
    .summary = "Every setting that holds, and where it comes from; no secrets.",
    .input_schema = kNoArguments,
    .output_schema = {},
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kNotifyTest{
    .action = "notify.test",
    .tool = {},
    .title = "Try the channels",
    .summary =
        "Sends a test notification on every channel that somebody is told on, or on one, "
        "and fails unless each took it.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "channel": {"type": "string", "minLength": 1, "maxLength": 32,
      "description": "Only this channel"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = false, .idempotent = false, .open_world = true},
    .callers = kHumanOnly,
};

constexpr Operation kNotifyList{
    .action = "notify.list",
    .tool = {},
    .title = "Notifications",
    .summary =
        "Returns who was to be told what, on which channel, and what came of it, newest "
        "first.",
    .input_schema = kNoArguments,
    .output_schema = {},
    .toolset = "core",
    .hints = kReads,
    .callers = kHumanOnly,
};

constexpr Operation kDoctorRun{
    .action = "doctor.run",
    .tool = {},
    .title = "Look through everything",
    .summary =
        "Checks home, configuration, network, market, broker, database and channels, one line a "
        "finding; repairs what is safe to repair when asked, after a backup.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "full": {"type": "boolean", "default": false, "description": "What takes long, too"},
    "notify": {"type": "boolean", "default": false,
      "description": "Send a test notification on each channel"},
    "fix": {"type": "boolean", "default": false,
      "description": "Repair what is safe to repair, after a backup"},
    "language": {"type": "string", "enum": ["en", "zh"],
      "description": "Of the findings; the owner's when left out"},
    "cli_version": {"type": "string", "maxLength": 64, "description": "Version of the caller"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = {.read_only = false, .destructive = false, .idempotent = true, .open_world = true},
    .callers = kHumanOnly,
};

constexpr Operation kHumanRows[] = {
    kInboxList,      kApprovalAnswer,  kApprovalElicit, kApprovalAnswerMany, kApprovalStats,
    kListingLearn,   kAuditExport,     kOutboxList,     kOutboxRequeue,      kOutboxDrop,
    kEventsList,     kPinCode,         kPinSet,         kPageLink,           kDaemonStop,
    kNotifyTest,     kNotifyList,      kPlaybookReload, kPlaybookTrades,     kMessageExplain,
    kMessageDecided, kPlaybookContext, kConfigReload,   kConfigShow,         kDoctorRun,
    kBackupCreate,   kBackupExport,    kBackupRestore,
};

}  // namespace

std::span<const Operation> human_rows() {
    return kHumanRows;
}

}  // namespace a2h::catalogue
