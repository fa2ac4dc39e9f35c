// Past decisions and messages.
import { get } from "./api.js";
import { showApproval } from "./detail.js";
import { h, icon } from "./dom.js";
import {
    answeredBy,
    emptyState,
    isClosed,
    messageList,
    outcomeOf,
    shortId,
    stateOf,
    time,
} from "./parts.js";
import { currentLanguage, numberText, t, tName } from "./texts.js";
import { inner, ListView } from "./views.js";

export class HistoryView extends ListView {
    title = "history";
    empty = "nothing_settled";

    async load(more = false) {
        const page = await get("/api/history", {
            cursor: more ? this.cursor : "",
            lang: currentLanguage(),
        });
        this.items = more ? [...this.items, ...page.approvals] : page.approvals;
        this.cursor = page.cursor;
        this.more = page.more;
    }

    row(item) {
        const chosen = item.id === this.ids[0];
        const by = answeredBy(item);
        return h(
            "li",
            { class: "item", "data-chosen": chosen ? "yes" : null },
            h(
                "a",
                { href: `#/history/${item.id}`, "aria-current": chosen ? "true" : null },
                h("span", { class: "what", dir: "auto" }, item.question),
                h(
                    "span",
                    { class: "line" },
                    h(
                        "span",
                        {},
                        stateOf(item),
                        item.status === "approved" &&
                            !isClosed(item) &&
                            h(
                                "span",
                                { class: "dim small" },
                                " · ",
                                outcomeOf(item, "outcome_short"),
                            ),
                    ),
                    h("strong", { class: "number" }, item.amount ?? ""),
                ),
                h(
                    "span",
                    { class: "line small dim" },
                    h("span", {}, by),
                    time(item.answered_at_ms),
                ),
            ),
        );
    }

    async showDetail() {
        const [id] = this.ids;
        const keep = () => this.ids[0] !== id || !this.app.shows(this);
        await showApproval(this.detail, id, { back: "#/history", done: () => {}, keep });
    }
}

export class ChatsView extends ListView {
    title = "chats";
    empty = "nobody_wrote";

    async load() {
        const lists = await Promise.all(
            this.app
                .agents()
                .map(async (agent) =>
                    (await get("/api/conversations", { agent, limit: 100 })).conversations.map(
                        (item) => ({ ...item, agent }),
                    ),
                ),
        );
        this.items = lists.flat().sort((a, b) => b.last_at_ms - a.last_at_ms);
    }

    row(item) {
        const chosen = item.agent === this.ids[0] && item.peer_id === this.ids[1];
        return h(
            "li",
            { class: "item", "data-chosen": chosen ? "yes" : null },
            h(
                "a",
                {
                    href: `#/chats/${item.agent}/${item.peer_id}`,
                    "aria-current": chosen ? "true" : null,
                },
                h(
                    "span",
                    { class: "line" },
                    h("strong", {}, shortId(item.peer_id)),
                    h("span", { class: "small dim" }, time(item.last_at_ms)),
                ),
                h(
                    "span",
                    { class: "line" },
                    h("span", { dir: "auto" }, item.text),
                    h("span", { class: "small dim number" }, numberText(item.incoming)),
                ),
            ),
        );
    }

    async showDetail(pages = 1) {
        const [agent, peer] = this.ids;
        const all = [];
        let more = true;
        for (let page = 1; page <= pages && more; ++page) {
            const got = await get("/api/messages", { agent, peer, page, limit: 50 });
            all.push(...got.messages);
            more = got.more;
        }
        if (this.ids[1] !== peer || !this.app.shows(this)) return;
        this.detail.replaceChildren(
            inner(
                h(
                    "div",
                    { class: "row-head" },
                    h(
                        "a",
                        { class: "button light back", href: "#/chats" },
                        icon("back"),
                        t("back"),
                    ),
                    h("h1", { tabindex: -1 }, h("bdi", {}, peer)),
                ),
                more &&
                    h(
                        "button",
                        {
                            class: "button light",
                            type: "button",
                            onclick: () => this.showDetail(pages + 1),
                        },
                        t("older"),
                    ),
                all.length ? messageList(all) : emptyState(t("no_text"), ""),
            ),
        );
        if (pages === 1) this.detail.scrollTop = this.detail.scrollHeight;
    }
}
