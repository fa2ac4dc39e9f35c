// Parts that several views share.
import { h, link } from "./dom.js";
import { difference } from "./diff.js";
import { relativeText, t, timeText, tName } from "./texts.js";

export function time(ms) {
    if (!ms) return h("span", {}, "–");
    return h(
        "time",
        { datetime: new Date(ms).toISOString(), title: new Date(ms).toLocaleString() },
        timeText(ms),
    );
}

export function provenance(name) {
    if (!name) return null;
    const sure = name === "verified" || name === "vouched";
    return h("span", { class: `badge ${sure ? "sure" : "unsure"}` }, tName("provenance", name));
}

/// The end of an id distinguishes it; the whole id is shown on demand.
export function shortId(id) {
    const short = id.length > 16 ? `${id.slice(0, 7)}…${id.slice(-5)}` : id;
    return h("bdi", { title: id }, short);
}

/// The action in words.
export function actionName(action) {
    return tName("act", action);
}

export function fact(name, ...content) {
    return [h("dt", {}, name), h("dd", {}, ...content)];
}

export function differenceOf(before, after) {
    const marks = { same: "span", removed: "del", added: "ins" };
    return h(
        "div",
        { class: "difference", dir: "auto" },
        difference(before, after).map((part) =>
            h(
                marks[part.kind],
                {},
                part.kind === "same"
                    ? null
                    : h("span", { class: "hidden" }, t(`diff_${part.kind}`)),
                part.text,
            ),
        ),
    );
}

export function message(item) {
    const meta = [time(item.at_ms)];
    if (item.incoming) meta.push(provenance(item.provenance));
    else meta.push(h("span", {}, tName("sent", item.state)));
    if (item.type && !item.is_chat) meta.push(h("span", {}, item.type));
    const extras = [];
    if (item.offer_amount) {
        extras.push(
            h(
                "p",
                { class: "small" },
                `${t("offer")} ${item.offer_amount} ${item.offer_currency ?? ""}`,
            ),
        );
    }
    if (item.attachment_url) {
        extras.push(
            h(
                "p",
                { class: "small" },
                `${item.attachment_name ?? t("attachment")} `,
                link(item.attachment_url),
            ),
        );
    }
    if (item.payment_qr)
        extras.push(h("p", { class: "small" }, `${t("payment_qr")} `, link(item.payment_qr)));
    return h(
        "li",
        { class: item.incoming ? "message" : "message ours" },
        h("span", { class: "hidden" }, item.incoming ? t("they_wrote") : t("we_wrote")),
        h(
            "p",
            { class: "text", dir: "auto" },
            item.text || h("span", { class: "dim" }, t("no_text")),
        ),
        extras,
        h("p", { class: "meta" }, meta),
    );
}

/// `newestFirst` in reading order. A line separates what came after `askedAtMs`.
export function messageList(newestFirst, askedAtMs = 0) {
    const items = [];
    let divided = !askedAtMs;
    for (const item of [...newestFirst].reverse()) {
        if (!divided && item.at_ms > askedAtMs) {
            divided = true;
            if (items.length) items.push(h("li", { class: "divider" }, t("after_question")));
        }
        items.push(message(item));
    }
    return h("ul", { class: "messages" }, items);
}

export function deadline(ms) {
    const late = ms - Date.now() < 2 * 3600_000;
    return h("span", { class: late ? "badge high" : "dim small" }, relativeText(ms));
}

/// Somebody has said yes to a question without a text, so that nothing was sent or done.
export function isClosed(approval) {
    return approval.status === "approved" && approval.sends_nothing;
}

export function stateOf(approval) {
    const look = { approved: "yes", rejected: "no" }[approval.status] ?? "";
    if (isClosed(approval)) return h("span", { class: "state" }, t("closed_unanswered"));
    return h("span", { class: `state ${look}` }, tName("status", approval.status));
}

/// What came of a yes; `form` is "outcome" or "outcome_short".
export function outcomeOf(approval, form) {
    return tName(form, approval.not_yet_sent ? "queued" : approval.outcome);
}

export function askedBy(by) {
    const at = by.indexOf(":");
    const kind = at < 0 ? by : by.slice(0, at);
    const name = at < 0 ? "" : by.slice(at + 1);
    if (kind === "rule") return t("by_rule", { rule: name });
    if (kind === "tool" && name.startsWith("terminal/")) return t("by_terminal");
    if (kind === "tool") return t("by_tool", { tool: name });
    if (kind === "approval") return t("by_instruction");
    return by;
}

let me = "";
/// Sets the person who uses the page.
export function setMe(person) {
    me = person;
}
export function isMe(person) {
    return person === me;
}

export function personName(person) {
    if (isMe(person)) return t("you");
    return person === "human" ? t("owner") : person;
}

/// Those who answered, or whose yes it took: "anna, bert".
export function byText(by) {
    if (by.startsWith("mandate:")) return t("mandate_name");
    const names = by.split(", ").map((name) => tName("who", name));
    return names.map(personName).join(t("and_also"));
}

/// Says who gave an answer, and where: "you, on the page".
export function answeredBy(approval) {
    if (approval.status === "expired") return "";
    if (approval.surface === "mandate") return tName("on", approval.surface);
    const who = byText(approval.answered_by);
    if (!approval.surface) return who;
    return t("answered_by_on", { who, where: tName("on", approval.surface) });
}

export function emptyState(text, hint) {
    return h("div", { class: "empty" }, h("p", { class: "state" }, text), h("p", {}, hint));
}

export function failure(error, again) {
    const text = { 0: t("error_unreachable"), 401: t("error_session"), 503: t("error_busy") };
    return h(
        "div",
        { class: "notice", role: "alert" },
        h("p", {}, text[error.status] ?? t("error_other", { code: error.code ?? error.message })),
        again && h("button", { class: "button light", onclick: again }, t("again")),
    );
}

/// The lines of these kinds among all that a yes covers; null if there are none.
export function covered(approval, kinds, look = "") {
    const lines = approval.covers.filter((line) => kinds.includes(line.kind));
    if (!lines.length) return null;
    return h(
        "dl",
        { class: `facts ${look}` },
        lines.map((line) =>
            fact(
                h("bdi", {}, line.label ?? line.member),
                h("span", { class: "value", dir: "auto" }, line.value),
            ),
        ),
    );
}

/// All parameters of a platform action, which a yes covers.
export function request(approval) {
    if (approval.answers_peer) return covered(approval, ["member"]);
    const action = approval.covers.find((line) => line.kind === "action");
    return [
        h("p", {}, t("will_do", { action: action?.value ?? actionName(approval.action) })),
        covered(approval, ["text", "member"]),
    ];
}
