// One approval: everything a person needs to decide, and the ways to answer.
import { get, post } from "./api.js";
import { h, icon, tell } from "./dom.js";
import {
    answeredBy,
    askedBy,
    deadline,
    differenceOf,
    fact,
    failure,
    messageList,
    provenance,
    shortId,
    stateOf,
    time,
} from "./parts.js";
import { t, tName } from "./texts.js";

/// Hands answers in; resolves with one result an answer, in their order.
export async function sendAnswers(answers) {
    return (await post("/api/answers", { answers })).results;
}

/// What became of one answer, in a sentence.
export function resultText(result) {
    if (result.ok)
        return result.next ? t("result_draft") : tName("result", result.approval.status);
    if (result.code !== "conflict") return tName("refused", result.code);
    const now = result.approval;
    if (!now || now.status === "pending") return t("refused_changed");
    return t("refused_late", { status: tName("status", now.status), who: answeredBy(now) });
}

/// Puts what was said into the listing, so that nobody has to be asked again.
export async function learn(id) {
    try {
        await post("/api/learn", { approval_id: id });
        tell(t("learned"));
    } catch (error) {
        tell(error.status === 403 ? t("error_key") : t("not_learned"));
    }
}

function peerFacts(approval) {
    if (!approval.peer_id) return [];
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
            approval.action !== "reply.send" && fact(t("action"), h("code", {}, approval.action)),
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
        approval.answered_at_ms
            ? h(
                  "p",
                  { class: "dim" },
                  time(approval.answered_at_ms),
                  answeredBy(approval) && ` · ${answeredBy(approval)}`,
              )
            : null,
        approval.status === "approved" &&
            h(
                "p",
                {},
                tName("outcome", approval.outcome),
                " ",
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

function context(approval) {
    const messages = approval.messages ?? [];
    if (!messages.length && !approval.context) return null;
    return h(
        "section",
        { class: "card" },
        h("h2", {}, t("last_messages")),
        messages.length
            ? messageList(messages, approval.created_at_ms)
            : h("p", { class: "said", dir: "auto" }, approval.context),
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
        h("li", {}, time(row.at_ms), h("span", {}, tName("audit", row.what))),
    );
    return h(
        "details",
        { class: "card" },
        h("summary", {}, t("trail")),
        h("ul", { class: "trail" }, rows, told),
        h("p", { class: "dim small" }, t("fingerprint"), " ", h("code", {}, approval.digest)),
    );
}

function request(approval) {
    if (approval.action === "reply.send") return null;
    return [
        h("p", {}, t("will_do", { action: approval.action })),
        h(
            "dl",
            { class: "facts" },
            approval.request.map((row) => fact(row.name, row.value)),
        ),
    ];
}

/// The forms of an open approval. `done(results)` is called after an answer was handed in.
class Answering {
    constructor(approval, done) {
        this.approval = approval;
        this.done = done;
        this.sent = false;
    }

    async give(decision, more = {}) {
        // A second click finds the first under way.
        if (this.sent) return;
        this.sent = true;
        for (const button of this.buttons()) button.disabled = true;
        const answer = {
            approval_id: this.approval.id,
            digest: this.approval.digest,
            decision,
            ...more,
        };
        try {
            const [result] = await sendAnswers([answer]);
            const offer = result.can_learn && [t("learn"), () => learn(result.approval_id)];
            tell(resultText(result), offer);
            const retry =
                !result.ok &&
                result.approval?.status === "pending" &&
                result.approval.digest === this.approval.digest;
            if (!retry) return this.done(result);
        } catch (error) {
            tell(
                error.status === 401
                    ? t("error_session")
                    : error.status === 403
                      ? t("error_key")
                      : t("error_unsure"),
            );
        }
        this.sent = false;
        for (const button of this.buttons()) button.disabled = false;
    }

    buttons() {
        return this.root.querySelectorAll("button");
    }

    approve() {
        if (!this.text) return this.give("approve");
        if (this.approval.text && !this.text.value.trim()) return tell(t("emptied"));
        return this.give("approve", { text: this.text.value });
    }

    editor() {
        const { approval } = this;
        this.text = h("textarea", {
            id: "reply",
            dir: "auto",
            maxlength: 4000,
            value: approval.text,
            "aria-describedby": "reply-hint",
            oninput: () => this.showDifference(),
        });
        this.difference = h("div", { "aria-live": "polite" });
        return h(
            "section",
            { class: "card" },
            h(
                "label",
                { class: "title", for: "reply" },
                approval.text ? t("on_yes") : t("write_reply"),
            ),
            this.text,
            h("p", { class: "dim small", id: "reply-hint" }, t("edit_hint")),
            approval.text_hides_something &&
                h("p", { class: "notice" }, t("text_hides_something")),
            this.difference,
            this.onNo(),
        );
    }

    showDifference() {
        const before = this.approval.text;
        const after = this.text.value;
        const changed = after !== before;
        this.yes.firstChild.data = changed ? t("approve_changed") : t("approve");
        clearTimeout(this.timer);
        if (!changed) return this.difference.replaceChildren();
        const print = h("code", {}, "…");
        this.timer = setTimeout(() => this.showFingerprint(after, print), 250);
        this.difference.replaceChildren(
            h("h2", {}, t("difference")),
            differenceOf(before, after),
            h("p", { class: "dim small" }, t("new_fingerprint"), " ", print),
            this.approval.amount && h("p", { class: "notice small" }, t("edit_drops_amount")),
            h(
                "button",
                {
                    class: "button light",
                    type: "button",
                    onclick: () => {
                        this.text.value = before;
                        this.showDifference();
                        this.text.focus();
                    },
                },
                t("undo_changes"),
            ),
        );
    }

    async showFingerprint(text, place) {
        try {
            const asked = { approval_id: this.approval.id, text };
            place.textContent = (await post("/api/fingerprint", asked)).digest.slice(0, 16);
        } catch {
            place.textContent = "–";
        }
    }

    onNo() {
        if (!this.approval.reject_text)
            return h("p", { class: "dim small" }, t("no_sends_nothing"));
        return h(
            "details",
            {},
            h("summary", {}, t("on_no")),
            h("p", { class: "said", dir: "auto" }, this.approval.reject_text),
        );
    }

    fixed() {
        const { approval } = this;
        return h(
            "section",
            { class: "card" },
            h("h2", {}, t("if_you_agree")),
            request(approval) ?? h("p", {}, t("yes_sends_nothing")),
            this.onNo(),
        );
    }

    options() {
        if (!this.approval.options.length) return null;
        return h(
            "section",
            { class: "card" },
            h("h2", {}, t("options")),
            h(
                "div",
                { class: "buttons" },
                this.approval.options.map((option) =>
                    h(
                        "button",
                        {
                            class: "button wide",
                            type: "button",
                            onclick: () => this.give("option", { words: option }),
                        },
                        option,
                    ),
                ),
            ),
        );
    }

    instructor() {
        this.words = h("textarea", {
            id: "words",
            class: "short",
            dir: "auto",
            maxlength: 4000,
            "aria-describedby": "words-hint",
        });
        return h(
            "section",
            { class: "card" },
            h("label", { class: "title", for: "words" }, t("instruct_label")),
            this.words,
            h("p", { class: "dim small", id: "words-hint" }, t("instruct_hint")),
            h(
                "div",
                { class: "buttons" },
                h(
                    "button",
                    {
                        class: "button wide",
                        type: "button",
                        onclick: () =>
                            this.words.value.trim()
                                ? this.give("instruct", { words: this.words.value })
                                : this.words.focus(),
                    },
                    t("instruct"),
                ),
            ),
        );
    }

    bar() {
        const key = (name) => h("kbd", { "aria-hidden": "true" }, name);
        this.yes = h(
            "button",
            {
                class: "button yes",
                type: "button",
                "aria-keyshortcuts": "a",
                onclick: () => this.approve(),
            },
            t("approve"),
            key("a"),
        );
        this.no = h(
            "button",
            {
                class: "button no",
                type: "button",
                "aria-keyshortcuts": "r",
                onclick: () => this.give("reject"),
            },
            t("reject"),
            key("r"),
        );
        return h(
            "div",
            { class: "bar" },
            h(
                "div",
                { class: "buttons" },
                this.yes,
                this.no,
                this.approval.can_edit &&
                    h(
                        "button",
                        {
                            class: "button",
                            type: "button",
                            "aria-keyshortcuts": "e",
                            onclick: () => this.focus("edit"),
                        },
                        t("edit"),
                        key("e"),
                    ),
                h(
                    "button",
                    {
                        class: "button",
                        type: "button",
                        "aria-keyshortcuts": "i",
                        onclick: () => this.focus("instruct"),
                    },
                    t("instruct_short"),
                    key("i"),
                ),
            ),
        );
    }

    /// Goes to where an answer of this kind is given; the answer itself takes one more key.
    focus(what) {
        const place = {
            approve: this.yes,
            reject: this.no,
            edit: this.text,
            instruct: this.words,
        }[what];
        place?.focus();
        place?.scrollIntoView({ block: "nearest" });
    }
}

/// Fills `pane` with the approval `id`. Returns what the keyboard may do there.
export async function showApproval(pane, id, { back, done, keep = () => false, before = null }) {
    const backLink = h("a", { class: "button light back", href: back }, icon("back"), t("back"));
    let approval;
    try {
        approval = await get(`/api/approvals/${encodeURIComponent(id)}`);
    } catch (error) {
        const text =
            error.status === 404
                ? h("div", { class: "notice", role: "alert" }, t("no_approval"))
                : failure(error, () => showApproval(pane, id, { back, done }));
        pane.replaceChildren(h("div", { class: "inner" }, backLink, text));
        return null;
    }
    // Asked again after the wait: meanwhile somebody may have begun to write.
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
        facts(approval),
        context(approval),
        open
            ? [
                  approval.can_edit ? answering.editor() : answering.fixed(),
                  answering.options(),
                  answering.instructor(),
              ]
            : [
                  approval.status !== "rejected" &&
                      approval.text &&
                      h(
                          "section",
                          { class: "card" },
                          h("h2", {}, t("text_of_it")),
                          h("p", { class: "said", dir: "auto" }, approval.text),
                      ),
                  approval.action !== "reply.send" &&
                      h("section", { class: "card" }, request(approval)),
              ],
        trail(approval),
    );
    pane.replaceChildren(inner, ...(open ? [answering.bar()] : []));
    if (answering) Object.assign(answering, { root: pane, print });
    pane.scrollTop = 0;
    return answering;
}
