// The forms of an open question: approve, refuse, edit, choose, instruct, vote.
import { failureText, learn, resultText, sendAnswers } from "./answers.js";
import { post } from "./api.js";
import { h, tell } from "./dom.js";
import { differenceOf, request } from "./parts.js";
import { isBlank, t } from "./texts.js";
import { hasMyVote, isMine } from "./votes.js";

/// Rows of a field that shows all of `text` on a phone, where a row holds about 40 letters.
function rowsOf(text) {
    const wide = text.replace(/[\u2e80-\uffff]/g, "  ");
    return wide.split("\n").reduce((rows, line) => rows + Math.ceil((line.length + 1) / 40), 3);
}

/// The forms of an open approval. `done(results)` is called after an answer was submitted.
export class Answering {
    constructor(approval, done) {
        this.approval = approval;
        this.done = done;
        this.sent = false;
    }

    async give(decision, more = {}) {
        // Ignores a second click while the first is in progress.
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
            tell(resultText(result, decision), offer);
            const retry =
                !result.ok &&
                result.approval?.status === "pending" &&
                result.approval.digest === this.approval.digest;
            if (!retry) return this.done(result);
        } catch (error) {
            tell(failureText(error));
        }
        this.sent = false;
        for (const button of this.buttons()) button.disabled = false;
    }

    buttons() {
        return this.root.querySelectorAll("button");
    }

    /// A draft that nobody has touched goes without its words: a field changes some characters, and
    /// other words would be a draft of their own.
    approve() {
        const isEmpty = !this.text || isBlank(this.text.value);
        if (!this.isChanged() || (this.approval.sends_nothing && isEmpty))
            return this.give("approve");
        if (isEmpty) return tell(t("emptied"));
        return this.give("approve", { text: this.text.value });
    }

    /// Whether the field holds other words than those that it was filled with.
    isChanged() {
        return Boolean(this.text) && this.text.value !== this.before;
    }

    /// An edit is a yes to other words, so only a person who may still say yes can make one.
    mayEdit() {
        return isMine(this.approval) && !hasMyVote(this.approval);
    }

    editor() {
        const { approval } = this;
        this.text = h("textarea", {
            id: "reply",
            dir: "auto",
            rows: rowsOf(approval.text),
            maxlength: 4000,
            value: approval.text,
            readonly: !this.mayEdit(),
            "aria-describedby": "reply-hint",
            oninput: () => this.showDifference(),
        });
        this.before = this.text.value;
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
            h(
                "p",
                { class: "dim small", id: "reply-hint" },
                this.mayEdit()
                    ? t(approval.sends_nothing ? "write_hint" : "edit_hint")
                    : t("exact_hint"),
            ),
            request(approval),
            approval.text_hides_something &&
                h("p", { class: "notice" }, t("text_hides_something")),
            this.difference,
            this.onNo(),
        );
    }

    showDifference() {
        const { before } = this;
        const after = this.text.value;
        const changed = this.isChanged();
        if (this.yes) this.yes.firstChild.data = changed ? this.changedName() : this.yesName();
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

    /// The effect of a yes in the current state.
    yesName() {
        return t(this.approval.sends_nothing ? "close_unanswered" : "approve");
    }

    /// If other people must agree, their yes is for the new words.
    changedName() {
        if (this.approval.sends_nothing && isBlank(this.text.value)) return this.yesName();
        if (this.approval.sends_nothing && !this.approval.voters.length) return t("send_answer");
        return this.approval.voters.length ? t("ask_changed") : t("approve_changed");
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
            { open: true },
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

    /// An option such as “Make a counter-offer” stands for words that are still to be written.
    choose({ label, kind }) {
        if (this.words && ["counter", "answer"].includes(kind)) return this.focus("instruct");
        this.give("option", { words: label });
    }

    options() {
        if (!this.approval.options.length) return null;
        const whose = this.approval.covers.find((line) => line.kind === "options");
        return h(
            "section",
            { class: "card" },
            h("h2", {}, whose?.label ?? t("options")),
            h(
                "div",
                { class: "buttons" },
                this.approval.options.map((option) =>
                    h(
                        "button",
                        {
                            class: "button wide",
                            type: "button",
                            onclick: () => this.choose(option),
                        },
                        option.label,
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
                            isBlank(this.words.value)
                                ? this.words.focus()
                                : this.give("instruct", { words: this.words.value }),
                    },
                    t("instruct"),
                ),
            ),
        );
    }

    /// Makes the button of a yes, or the one that takes it back.
    makeFirst(key) {
        if (hasMyVote(this.approval)) {
            this.withdraw = h(
                "button",
                {
                    class: "button wide",
                    type: "button",
                    onclick: () => this.give("withdraw"),
                },
                t("withdraw"),
            );
        } else if (isMine(this.approval)) {
            this.yes = h(
                "button",
                {
                    class: "button yes",
                    type: "button",
                    "aria-keyshortcuts": "a",
                    onclick: () => this.approve(),
                },
                this.yesName(),
                key("a"),
            );
        }
    }

    bar() {
        const key = (name) => h("kbd", { "aria-hidden": "true" }, name);
        this.makeFirst(key);
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
                this.yes ?? this.withdraw,
                this.no,
                this.yes &&
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
                this.words &&
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

    /// Moves the focus to where this kind of answer is given; sending it needs another key.
    focus(what) {
        // If an answer can still be written, the page asks for it first.
        const lacksText = this.approval.sends_nothing && this.text && isBlank(this.text.value);
        const place = {
            approve: lacksText ? this.text : (this.yes ?? this.withdraw),
            reject: this.no,
            edit: this.text,
            instruct: this.words,
        }[what];
        place?.focus();
        place?.scrollIntoView({ block: "nearest" });
    }
}
