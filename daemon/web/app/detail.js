// One approval with everything that a person needs to decide.
import { Answering } from "./answering.js";
import { learn } from "./answers.js";
import { get } from "./api.js";
import { h, icon } from "./dom.js";
import {
    actionName,
    answeredBy,
    askedBy,
    byText,
    covered,
    deadline,
    differenceOf,
    fact,
    failure,
    isClosed,
    outcomeOf,
    messageList,
    provenance,
    request,
    shortId,
    stateOf,
    time,
} from "./parts.js";
import { currentLanguage, t, tName } from "./texts.js";
import { votesCard } from "./votes.js";

function peerFacts(approval) {
    if (!approval.peer_id) {
        const all = approval.covers.find((line) => line.kind === "peer");
        return all ? [fact(t("peer"), h("bdi", { class: "value" }, all.value))] : [];
    }
    const contact = approval.contact;
    const out = [
        fact(t("peer"), h("bdi", {}, approval.peer_id), " ", provenance(approval.provenance)),
    ];
    if (contact) out.push(fact(t("known_since"), time(contact.added_at_ms)));
    if (contact?.key_changed) {
        out.push(fact(t("key"), h("span", { class: "badge unsure" }, t("key_changed"))));
    }
    return out;
}

function facts(approval) {
    return h(
        "section",
        { class: "card" },
        approval.amount && h("p", { class: "amount number" }, approval.amount),
        h(
            "dl",
            { class: "facts" },
            peerFacts(approval),
            fact(
                t("asked_by"),
                askedBy(approval.requested_by),
                " · ",
                time(approval.created_at_ms),
            ),
            approval.status === "pending" &&
                fact(
                    t("answer_by"),
                    time(approval.answer_by_ms),
                    " ",
                    deadline(approval.answer_by_ms),
                ),
            approval.status === "pending" &&
                approval.priority === "high" &&
                fact(t("priority"), h("span", { class: "badge high" }, t("priority_high"))),
            !approval.answers_peer && fact(
                    t("action"),
                    actionName(approval.action),
                    " ",
                    h("code", { class: "dim" }, approval.action),
                ),
        ),
    );
}

function outcome(approval) {
    const edited = approval.audit.find((row) => row.what === "edited");
    const own = ["instructed", "rejected"].includes(approval.status) && approval.answer;
    return h(
        "section",
        { class: "card" },
        h("p", {}, stateOf(approval)),
        approval.closed_text && h("p", {}, approval.closed_text),
        approval.standing_id &&
            h("p", {}, h("a", { href: `#/open/${approval.standing_id}` }, t("standing"))),
        approval.answered_at_ms
            ? h(
                  "p",
                  { class: "dim" },
                  time(approval.answered_at_ms),
                  answeredBy(approval) && ` · ${answeredBy(approval)}`,
              )
            : null,
        approval.status === "approved" &&
            !isClosed(approval) &&
            h(
                "p",
                {},
                outcomeOf(approval, "outcome"),
                " ",
                !approval.answers_peer &&
                    h("span", { class: "dim small" }, approval.outcome_detail),
            ),
        approval.can_learn &&
            h(
                "button",
                { class: "button light", type: "button", onclick: () => learn(approval.id) },
                t("learn"),
            ),
        own && [
            h("h2", {}, t("words_given")),
            h("p", { class: "said", dir: "auto" }, approval.answer),
        ],
        edited &&
            approval.text &&
            edited.detail.text_before !== undefined && [
                h("h2", {}, t("what_was_changed")),
                differenceOf(edited.detail.text_before, approval.text),
            ],
    );
}

/// Returns what the peer has written since it was first asked, and earlier questions.
function since(approval) {
    const lines = covered(approval, ["since"]);
    return lines && h("section", { class: "notice" }, lines);
}

/// The complete message in question. The list of messages below shows less of each.
function background(approval) {
    const words = approval.covers.find((line) => line.kind === "context")?.value;
    return (
        words &&
        h(
            "section",
            { class: "card" },
            h("h2", {}, t("background")),
            h("p", { class: "said", dir: "auto" }, words),
        )
    );
}

function conversation(approval) {
    const messages = approval.messages ?? [];
    return (
        messages.length > 0 &&
        h(
            "section",
            { class: "card" },
            h("h2", {}, t("last_messages")),
            messageList(messages, approval.created_at_ms),
        )
    );
}

function trail(approval) {
    const told = approval.notified.map((row) =>
        h(
            "li",
            {},
            time(row.at_ms),
            h(
                "span",
                {},
                t("told_through", { channel: row.channel }),
                " – ",
                tName("told", row.state),
                " ",
                h("span", { class: "dim small" }, row.outcome),
            ),
        ),
    );
    const rows = approval.audit.map((row) =>
        h(
            "li",
            {},
            time(row.at_ms),
            h(
                "span",
                {},
                tName("audit", row.what),
                row.detail?.by ? h("bdi", {}, ` (${byText(row.detail.by)})`) : null,
            ),
        ),
    );
    return h(
        "details",
        { class: "card" },
        h("summary", {}, t("trail")),
        h("ul", { class: "trail" }, rows, told),
        h("p", { class: "dim small" }, t("fingerprint"), " ", h("code", {}, approval.digest)),
    );
}

/// Shows the approval `id` in `pane`. Returns the keyboard commands available there.
export async function showApproval(pane, id, { back, done, keep = () => false, before = null }) {
    const backLink = h("a", { class: "button light back", href: back }, icon("back"), t("back"));
    let approval;
    try {
        approval = await get(`/api/approvals/${encodeURIComponent(id)}`, {
            lang: currentLanguage(),
        });
    } catch (error) {
        if (keep()) return before;
        const text =
            error.status === 404
                ? h("div", { class: "notice", role: "alert" }, t("no_approval"))
                : failure(error, () => showApproval(pane, id, { back, done }));
        pane.replaceChildren(h("div", { class: "inner" }, backLink, text));
        return null;
    }
    // Checked again after the wait, because the person may have begun to write.
    if (keep()) return before;
    const print = JSON.stringify(approval);
    if (before?.print === print && pane.contains(before.yes)) return before;
    const open = approval.status === "pending";
    const answering = open ? new Answering(approval, done) : null;
    const inner = h(
        "div",
        { class: "inner" },
        h(
            "div",
            { class: "row-head" },
            backLink,
            approval.agent_id &&
                h(
                    "span",
                    { class: "dim small" },
                    t("for_agent"),
                    " ",
                    shortId(approval.agent_id),
                ),
        ),
        h("h1", { dir: "auto", tabindex: -1 }, approval.question),
        !open && outcome(approval),
        open && since(approval),
        facts(approval),
        background(approval),
        open && votesCard(approval),
        open && (approval.can_edit ? answering.editor() : answering.fixed()),
        conversation(approval),
        open
            ? [answering.options(), approval.takes_words && answering.instructor()]
            : [
                  approval.status !== "rejected" &&
                      approval.text &&
                      h(
                          "section",
                          { class: "card" },
                          h("h2", {}, t("text_of_it")),
                          h("p", { class: "said", dir: "auto" }, approval.text),
                      ),
                  !approval.answers_peer &&
                      h("section", { class: "card" }, request(approval)),
              ],
        trail(approval),
    );
    pane.replaceChildren(inner, ...(open ? [answering.bar()] : []));
    if (answering) Object.assign(answering, { root: pane, print });
    pane.scrollTop = 0;
    return answering;
}
