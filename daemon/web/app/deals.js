// The deals: what somebody and we are about, the offers of both, and what waits for an answer.
import { get } from "./api.js";
import { h, icon } from "./dom.js";
import { deadline, emptyState, failure, messageList, shortId, time } from "./parts.js";
import { t, tName } from "./texts.js";
import { inner, ListView } from "./views.js";

const pageSize = 50;

/// The name that the other side gives itself, which nobody has checked, or else its id.
function who(deal) {
    if (!deal.peer_name) return h("strong", { class: "who" }, shortId(deal.peer_id));
    return h("strong", { class: "who" }, h("bdi", { title: deal.peer_id }, deal.peer_name));
}

function nameMark(deal) {
    return (
        deal.peer_name &&
        h("span", { class: "badge unsure", title: t("deal_name_hint") }, t("deal_name"))
    );
}

/// The title of our own listing, or what is known instead.
function about(deal) {
    const { kind, id, title } = deal.subject ?? {};
    if (!id) return h("span", { class: "dim" }, t("deal_about_nothing"));
    if (title) return h("bdi", {}, title);
    return [tName("deal_about", kind), " ", shortId(id)];
}

function box(name, value, look = "") {
    return h(
        "span",
        { class: `box ${look}` },
        h("span", { class: "small dim" }, name),
        " ",
        h("span", { class: "number" }, value),
    );
}

function price(terms) {
    if (!terms) return h("span", { class: "dim" }, t("deal_no_offer"));
    return h("strong", {}, terms.price ?? t("deal_no_price"));
}

/// What both sides offer, beside each other and the listed price; or what they have agreed to.
function offers(deal) {
    const { agreed, their_offer: theirs, our_offer: ours } = deal;
    const listed = deal.subject?.price;
    return h(
        "span",
        { class: "boxes" },
        agreed && box(t("deal_agreed"), price(agreed), "agreed"),
        (theirs || !agreed) && box(t("deal_theirs"), price(theirs)),
        (ours || !agreed) && box(t("deal_ours"), price(ours)),
        listed && box(t("deal_listed"), h("bdi", {}, listed)),
    );
}

/// The conditions of one side, each word for word.
function conditions(label, terms) {
    return (terms?.conditions ?? []).map((words) =>
        h(
            "span",
            { class: "small pre" },
            h("span", { class: "dim" }, label),
            h("bdi", {}, t("deal_words", { words })),
        ),
    );
}

function until(label, terms) {
    if (!terms?.valid_until) return null;
    const ms = Date.parse(terms.valid_until);
    return h(
        "span",
        { class: "small" },
        h("span", { class: "dim" }, label),
        " ",
        time(ms),
        " ",
        deadline(ms),
    );
}

/// Whether the market has made a deal of what was agreed.
function recorded(agreed) {
    return agreed.market_deal_id
        ? t("deal_recorded", { id: agreed.market_deal_id })
        : t("deal_unrecorded");
}

function terms(deal) {
    const { agreed, their_offer: theirs, our_offer: ours } = deal;
    return [
        offers(deal),
        conditions(t("deal_agreed_condition"), agreed),
        agreed && h("span", { class: "small" }, recorded(agreed)),
        deal.earlier_market_deals &&
            h(
                "span",
                { class: "small" },
                t("deal_earlier", { ids: deal.earlier_market_deals.join(", ") }),
            ),
        agreed?.taken_back && h("span", { class: "small" }, t("deal_taken_back")),
        conditions(t("deal_their_condition"), theirs),
        until(t("deal_their_until"), theirs),
        conditions(t("deal_our_condition"), ours),
        until(t("deal_our_until"), ours),
    ];
}

function phase(deal) {
    return h("span", { class: "badge phase" }, tName("deal_phase", deal.phase));
}

/// Leads to the question that waits, where it is answered.
function answerLink(deal) {
    const count = deal.approval_ids.length;
    if (!count) return null;
    return h(
        "a",
        { class: "button answer", href: `#/open/${deal.approval_ids[0]}` },
        count === 1 ? t("deal_answer") : t("deal_answer_several", { count }),
    );
}

/// Those that wait for an answer first, then the newest.
function inOrder(deals) {
    const waits = (deal) => Number(deal.approval_ids.length > 0);
    return deals.sort(
        (a, b) => waits(b) - waits(a) || b.updated_at.localeCompare(a.updated_at),
    );
}

export class DealsView extends ListView {
    title = "deals";
    empty = "no_deals";
    all = false;
    pages = 1;

    async load(more = false) {
        if (more) this.pages += 1;
        const lists = await Promise.all(this.app.agents().map((agent) => this.read(agent)));
        this.items = inOrder(lists.flatMap((list) => list.items));
        this.more = lists.some((list) => list.more);
    }

    /// All pages of one agent that are shown.
    async read(agent) {
        const items = [];
        let more = true;
        for (let page = 1; page <= this.pages && more; page += 1) {
            const query = { agent, page, limit: pageSize, all: this.all ? "1" : "" };
            const got = await get("/api/deals", query);
            items.push(...got.items);
            more = got.more;
        }
        return { items, more };
    }

    head() {
        const turn = async () => {
            this.all = !this.all;
            this.pages = 1;
            await this.refresh();
            this.list.querySelector("[aria-pressed]")?.focus();
        };
        return h(
            "div",
            { class: "row-head" },
            h("h2", {}, t(this.title)),
            h(
                "button",
                {
                    class: "button light",
                    type: "button",
                    "aria-pressed": String(this.all),
                    onclick: turn,
                },
                t("deals_all"),
            ),
        );
    }

    /// What has not changed stays, with its focus and a click in progress.
    render() {
        const print = JSON.stringify([this.items, this.more, this.all, this.ids]);
        if (print === this.print && this.shown.isConnected) return;
        const focused = this.list.contains(document.activeElement)
            ? document.activeElement.hash
            : "";
        this.print = print;
        this.shown = inner(this.head(), this.rows());
        this.list.replaceChildren(this.shown);
        if (focused)
            this.list.querySelector(`a[href="${focused}"]`)?.focus({ preventScroll: true });
    }

    row(deal) {
        const chosen = deal.deal_id === this.ids[0];
        return h(
            "li",
            { class: "item deal", "data-chosen": chosen ? "yes" : null },
            h(
                "a",
                {
                    href: `#/deals/${deal.deal_id}`,
                    "aria-current": chosen ? "true" : null,
                },
                h(
                    "span",
                    { class: "line" },
                    who(deal),
                    nameMark(deal),
                    phase(deal),
                ),
                h(
                    "span",
                    { class: "line" },
                    h("span", { class: "what", dir: "auto" }, about(deal)),
                    h("span", { class: "small dim" }, deal.peer_name && shortId(deal.peer_id)),
                ),
                terms(deal),
            ),
            answerLink(deal),
        );
    }

    async showDetail() {
        const [id] = this.ids;
        const isHere = () => this.app.shows(this) && this.ids[0] === id;
        try {
            const one = await get(`/api/deals/${encodeURIComponent(id)}`);
            if (isHere()) this.draw(one);
        } catch (error) {
            if (!isHere()) return;
            const text =
                error.status === 404
                    ? emptyState(t("no_deal"), "")
                    : failure(error, () => this.showDetail());
            this.detail.replaceChildren(inner(this.backLink(), text));
        }
    }

    backLink() {
        return h(
            "a",
            { class: "button light back", href: "#/deals" },
            icon("back"),
            t("back"),
        );
    }

    draw(one) {
        const print = JSON.stringify(one);
        if (print === this.cardPrint && this.card.isConnected) return;
        this.cardPrint = print;
        this.card = this.cardOf(one);
        this.detail.replaceChildren(this.card);
    }

    cardOf({ deal, messages }) {
        const chat = `#/chats/${deal.agent_id}/${deal.peer_id}`;
        return inner(
            h(
                "div",
                { class: "row-head" },
                this.backLink(),
                h("h1", { tabindex: -1 }, who(deal), " ", nameMark(deal)),
                phase(deal),
            ),
            h(
                "section",
                { class: "card deal" },
                deal.peer_name && h("span", { class: "small dim" }, h("bdi", {}, deal.peer_id)),
                h("h2", { dir: "auto" }, about(deal)),
                terms(deal),
                deal.order &&
                    h(
                        "span",
                        { class: "small" },
                        h("span", { class: "dim" }, tName("deal_about", "order")),
                        " ",
                        shortId(deal.order.order_id),
                        " · ",
                        tName("order_state", deal.order.state.toLowerCase()),
                    ),
                answerLink(deal),
            ),
            h(
                "section",
                { class: "card" },
                h("h2", {}, t("last_messages")),
                messages.length ? messageList(messages) : h("p", { class: "dim" }, t("no_text")),
                h("a", { href: chat }, t("deal_chat")),
            ),
        );
    }
}
