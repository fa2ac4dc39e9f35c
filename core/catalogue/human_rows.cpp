#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr std::string_view kOutboxId = R"(
  "id": ["integer 1-", "Number of the row in outbox.list"],
  "all_held": ["flag", "In place of an id: all that a restore held"]
)";

constexpr Operation kHumanRows[] = {
    {
        .action = "inbox.list",
        .title = "Conversations",
        .summary = "Returns the conversations with the last message of each, newest first.",
        .arguments = R"(
  "limit": ["integer 1-1000 = 20", "Conversations at most"]
)",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "approval.answer",
        .title = "Answer an approval with the PIN",
        .summary = "Answers an approval at the terminal. The PIN proves that a human does.",
        .arguments = R"(
  "approval_id!": ["approval", "Id of the approval, apr_…"],
  "decision!": ["text 1-2000", "approve, reject, one of the options, or an instruction"],
  "as_instruction": ["flag", "The decision is an instruction, even if it reads like a yes or a no"],
  "person": ["person", "Whose PIN it is, and who answers; the owner when left out"],
  "pin!": ["text 1-64", "The human's PIN"],
  "reply_text": ["text 1-16000", "Text to be sent, word for word, instead of the proposed one"],
  "digest": ["digest", "Digest of what the human was shown; another one is refused"]
)",
        .toolset = "approvals",
        .hints = kChanges,
    },
    {
        .action = "approval.elicit",
        .title = "Answer in a dialog of the assistant's program",
        .summary =
            "Passes on the answer from a dialog of the assistant's program: a no counts; a yes "
            "counts with its code, or if the owner trusts such dialogs.",
        .arguments = R"(
  "approval_id!": ["approval", "Id of the approval, apr_…"],
  "decision!": ["one of approve reject", "Yes or no"],
  "digest!": ["digest", "Digest of what the dialog showed; another one is refused"],
  "code": ["code", "Six digits from the notification"]
)",
        .toolset = "approvals",
        .hints = kChanges,
    },
    {
        .action = "approval.answer_many",
        .title = "Answer several approvals with one PIN",
        .summary = "Answers up to 50 approvals at once, each as it was shown to the human.",
        .arguments = R"(
  "answers!": {"type": "array", "maxItems": 50, "description": "What is answered",
    "items": {"type": "object",
      "properties": {
        "approval_id": {"type": "string", "maxLength": 64, "pattern": "^apr_[0-9A-Za-z]+$",
          "description": "Id of the approval, apr_…"},
        "digest": {"type": "string", "maxLength": 64, "pattern": "^[0-9a-f]{64}$",
          "description": "Digest of what the human was shown"}
      },
      "required": ["approval_id", "digest"], "additionalProperties": false}},
  "decision!": ["one of approve reject", "Of all of them"],
  "person": ["person", "Whose PIN it is, and who answers; the owner when left out"],
  "pin!": ["text 1-64", "The human's PIN"]
)",
        .toolset = "approvals",
        .hints = kChanges,
    },
    {
        .action = "approval.stats",
        .title = "How approvals are answered",
        .summary = "Returns the number of approvals, how they ended, and the time to a yes.",
        .arguments = R"(
  "days": ["integer 1-3660 = 30", "How far back"]
)",
        .toolset = "approvals",
        .hints = kReadsHome,
    },
    {
        .action = "listing.learn",
        .title = "Add an answer to the listing",
        .summary = "Adds what an approved reply said to the listing concerned, with the PIN.",
        .arguments = R"(
  "approval_id!": ["approval", "Id of the approval of the reply, apr_…"],
  "text": ["text 1-2000", "The line to add; leave out for the reply itself"],
  "person": ["person", "Whose PIN it is, and who answers; the owner when left out"],
  "pin!": ["text 1-64", "The human's PIN"]
)",
        .toolset = "works",
        .hints = kAsks,
    },
    {
        .action = "audit.export",
        .title = "Export the audit",
        .summary = "Returns rows of the hash-linked history of approvals as lines, oldest first.",
        .arguments = R"(
  "after_row": ["integer 0- = 0", "last_row of the previous answer; 0 for the beginning"]
)",
        .toolset = "approvals",
        .hints = kReadsHome,
    },
    {
        .action = "outbox.list",
        .title = "Outgoing messages",
        .summary = "Returns outgoing messages and their state, newest first.",
        .arguments = R"(
  "state": ["one of queued sent delivered dead dropped held",
    "Only messages in this state; all when left out"]
)",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "outbox.requeue",
        .title = "Send a dead or held message",
        .summary =
            "Gives a message whose lifetime is over, or that a restore held, a new lifetime and "
            "sends it.",
        .arguments = kOutboxId,
        .toolset = "core",
        .hints = kAsks,
        .needs_proof = true,
    },
    {
        .action = "outbox.drop",
        .title = "Discard a message",
        .summary = "Discards a message that is still waiting, dead or held; it will not be sent.",
        .arguments = kOutboxId,
        .toolset = "core",
        .hints = kChangesHome,
        .needs_proof = true,
    },
    {
        .action = "events.list",
        .title = "Events",
        .summary =
            "Returns what happened after event `after_id`, oldest first. With `wait_seconds` it "
            "answers when something did, or time is up.",
        .arguments = R"(
  "after_id": ["integer 0-",
    "last_id of the previous answer; left out: the beginning, or, waiting, now"],
  "wait_seconds": ["integer 0-50", "How long to wait for the first event"],
  "limit": ["integer 1-1000 = 100", "Events at most"]
)",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "pin.code",
        .title = "Send a person the code to set their PIN",
        .summary = "Sends a code to a person's own channels, with which they set their PIN.",
        .arguments = R"(
  "person!": ["person", "Person whose PIN to set; not the owner"]
)",
        .toolset = "approvals",
        .hints = kAdds,
    },
    {
        .action = "pin.set",
        .title = "Set a PIN",
        .summary = "Sets a person's PIN, with the code that they received or the previous PIN.",
        .arguments = R"(
  "person": ["person", "Person whose PIN to set; default: the owner"],
  "code": ["code", "Six digits from the notification; not for the owner"],
  "pin": ["text 1-64", "The previous PIN"],
  "new_pin!": ["text 6-64", "The new PIN"]
)",
        .toolset = "approvals",
        .hints = kChangesHome,
    },
    {
        .action = "page.link",
        .title = "Open the page",
        .summary = "Creates a link that opens the page in a browser: once, within five minutes.",
        .arguments = R"(
  "pin!": ["text 1-64", "The human's PIN"],
  "person": ["person", "Person of the PIN and of the session; default: the owner"]
)",
        .toolset = "core",
        .hints = kAddsAtHome,
    },
    {
        .action = "agent.remove",
        .title = "Remove an agent from the home",
        .summary =
            "Takes one of the owner's own agents out of this home, with the PIN. Its account "
            "at the market stays.",
        .arguments = R"(
  "agent_id!": ["agent", "From a2h_agent_list"],
  "pin!": ["text 1-64", "The human's PIN"]
)",
        .toolset = "agents",
        .hints = kChangesHome,
    },
    {
        .action = "daemon.stop",
        .title = "Stop a2hd",
        .summary = "Stops the daemon after it has stored its state.",
        .arguments = R"(

)",
        .toolset = "core",
        .hints = kChangesHome,
    },
    {
        .action = "notify.test",
        .title = "Try the channels",
        .summary =
            "Sends a test notification on every channel that somebody is told on, or on one, "
            "and fails unless each took it.",
        .arguments = R"(
  "channel": ["text 1-32", "Only this channel"]
)",
        .toolset = "core",
        .hints = kAdds,
    },
    {
        .action = "notify.list",
        .title = "Notifications",
        .summary = "Returns who was to be told what, on which channel, and what came of it, newest "
                   "first.",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "playbook.trades",
        .title = "Trades whose words are read",
        .summary =
            "Returns the trades whose words a2hd can read messages with, and which of them it "
            "reads.",
        .toolset = "core",
        .hints = kReadsHome,
        .command = "playbook trades",
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
    },
    {
        .action = "playbook.reload",
        .title = "Read the owner's rules again",
        .summary = "Reads rules.toml of the home folder again; an unusable one changes nothing.",
        .toolset = "core",
        .hints = kSetsAtHome,
    },
    {
        .action = "message.explain",
        .title = "Explain a decision",
        .summary = "Explains the decision about a message, and how it would be decided today.",
        .arguments = R"(
  "message_id!": ["text 1-200", "Id of a received message"]
)",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "why",
        .title = "By what right something left",
        .summary =
            "Returns by what right a message left the home, what a question has released, or "
            "which yes changed something at the market.",
        .arguments = R"(
  "id!": ["text 1-200", "Id of a message, a question, a listing, an order or a request"]
)",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "message.decided",
        .title = "Decided messages",
        .summary = "Returns decided messages with all that was known then, oldest first.",
        .arguments = R"(
  "since": ["text 40", "ISO 8601; all when left out"],
  "after_id": ["integer 0- = 0", "last_id of the previous answer"],
  "limit": ["integer 1-200 = 100", "Messages at most"]
)",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "playbook.context",
        .title = "Input of a decision",
        .summary =
            "Returns the listings and what is known about a peer, as rules would see it now.",
        .arguments = R"(
  "peer_id": ["text 200", "The agent that would write"]
)",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "config.reload",
        .title = "Read the configuration again",
        .summary =
            "Reads config.toml of the home folder again. One with an error changes nothing; what "
            "needs a restart is named.",
        .toolset = "core",
        .hints = kSetsAtHome,
    },
    {
        .action = "config.show",
        .title = "The configuration",
        .summary = "Every setting that holds, and where it comes from; no secrets.",
        .toolset = "core",
        .hints = kReadsHome,
    },
    {
        .action = "doctor.run",
        .title = "Look through everything",
        .summary = "Checks home, configuration, network, market, broker, database and channels, "
                   "one line a "
                   "finding; repairs what is safe to repair when asked, after a backup.",
        .arguments = R"(
  "full": ["flag = false", "What takes long, too"],
  "notify": ["flag = false", "Send a test notification on each channel"],
  "fix": ["flag = false", "Repair what is safe to repair, after a backup"],
  "language": ["one of en zh", "Of the findings; the owner's when left out"],
  "cli_version": ["text 64", "Version of the caller"]
)",
        .toolset = "core",
        .hints = kAsks,
    },
    {
        .action = "backup.create",
        .title = "Write a backup",
        .summary =
            "Copies database, identities and settings of this home while a2hd runs, and checks "
            "the copy.",
        .arguments = R"(
  "to": ["text 1-4096",
    "Absolute path: a folder that is there gets a new one in it, another name becomes the backup, FILE.db only the database; left out: backups/ of the home"]
)",
        .toolset = "core",
        .hints = kAddsAtHome,
    },
    {
        .action = "backup.export",
        .title = "Export everything",
        .summary = "Writes all data of this home in open formats to a new folder.",
        .arguments = R"(
  "to!": ["text 1-4096",
    "Absolute path: in an existing folder a new one is created; another name becomes the export"],
  "with_secrets": ["flag = false", "Also keys, PIN hashes and the configuration"]
)",
        .toolset = "core",
        .hints = kAddsAtHome,
    },
    {
        .action = "backup.restore",
        .title = "Restore a backup",
        .summary =
            "Puts a backup in the place of this home's database, identities and settings. Only "
            "while no a2hd serves the home.",
        .arguments = R"(
  "from!": ["text 1-4096", "Absolute path of a backup: a folder, or a database file"]
)",
        .toolset = "core",
        .hints =
            {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
    },
};

}  // namespace

std::span<const Operation> human_rows() {
    return kHumanRows;
}

}  // namespace a2h::catalogue
