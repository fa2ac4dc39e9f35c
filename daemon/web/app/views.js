// History, conversations, contacts, mandates and status.
import { get, post } from "./api.js";
import { showApproval } from "./detail.js";
import { h, icon, tell } from "./dom.js";
import {
    answeredBy,
    emptyState,
    fact,
    failure,
    messageList,
    shortId,
    stateOf,
    time,
} from "./parts.js";
import { numberText, t, tName } from "./texts.js";

const inner = (...content) => h("div", { class: "inner" }, content);

/// What two panes share: a list that grows by pages and one of it beside it.
class ListView {
    constructor(app) {
        this.app = app;
        this.items = [];
        this.more = false;
    }

    async show(list, detail, ...ids) {
        this.list = list;
        this.detail = detail;
        this.ids = ids;
        try {
            await this.load();
            this.render();
        } catch (error) {
            list.replaceChildren(inner(failure(error, () => this.show(list, detail, ...ids))));
            return;
        }
        if (ids[0]) await this.showDetail();
        else detail.replaceChildren(emptyState(t("choose_one"), ""));
    }

    render() {
        const rows = this.items.map((item) => this.row(item));
        this.list.replaceChildren(
            inner(
                h("h2", {}, t(this.title)),
                rows.length ? h("ul", { class: "items" }, rows) : emptyState(t(this.empty), ""),
                this.more &&
                    h(
                        "button",
                        {
                            class: "button",
                            type: "button",
                            onclick: async () => {
                                await this.load(true).catch(() => tell(t("error_unreachable")));
                                this.render();
                            },
                        },
                        t("load_more"),
                    ),
            ),
        );
    }

    async refresh() {
        if (!this.list?.isConnected) return;
        const { scrollTop } = this.list;
        await this.show(this.list, this.detail, ...this.ids);
        this.list.scrollTop = scrollTop;
    }

    key(name) {
        if (name !== "j" && name !== "k") return false;
        const links = [...this.list.querySelectorAll(".item a")];
        const at = links.findIndex((link) => link.getAttribute("aria-current"));
        const to = links[at < 0 ? 0 : at + (name === "j" ? 1 : -1)];
        if (to) location.hash = to.hash;
        return true;
    }
}

export class HistoryView extends ListView {
    title = "history";
    empty = "nothing_settled";

    async load(more = false) {
        const page = await get("/api/history", { cursor: more ? this.cursor : "" });
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
                            h(
                                "span",
                                { class: "dim small" },
                                " · ",
                                tName("outcome_short", item.outcome),
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
        await showApproval(this.detail, this.ids[0], { back: "#/history", done: () => {} });
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

/// A view of one pane.
class SingleView {
    constructor(app) {
        this.app = app;
    }

    async show(list) {
        this.list = list;
        try {
            list.replaceChildren(inner(await this.content()));
        } catch (error) {
            list.replaceChildren(inner(failure(error, () => this.show(list))));
        }
    }

    async refresh() {
        if (this.list?.isConnected) await this.show(this.list);
    }

    key() {
        return false;
    }
}

export class ContactsView extends SingleView {
    async content() {
        const lists = await Promise.all(
            this.app.agents().map((agent) => get("/api/contacts", { agent })),
        );
        const contacts = lists.flatMap((list) => list.contacts);
        return [
            h("h2", {}, t("contacts")),
            contacts.length
                ? contacts.map((contact) =>
                      h(
                          "section",
                          { class: "card" },
                          h(
                              "div",
                              { class: "row-head" },
                              h("h2", {}, h("bdi", {}, contact.peer_id)),
                              contact.key_changed &&
                                  h("span", { class: "badge unsure" }, t("key_changed")),
                          ),
                          h(
                              "dl",
                              { class: "facts" },
                              fact(t("known_through"), tName("source", contact.source)),
                              contact.introduced_by &&
                                  fact(t("introduced_by"), h("bdi", {}, contact.introduced_by)),
                              contact.role && fact(t("role"), contact.role),
                              fact(
                                  t("key"),
                                  contact.key_id ? h("code", {}, contact.key_id) : t("no_key"),
                              ),
                              fact(t("known_since"), time(contact.added_at_ms)),
                          ),
                          h(
                              "a",
                              { href: `#/chats/${contact.agent_id}/${contact.peer_id}` },
                              t("to_chat"),
                          ),
                      ),
                  )
                : emptyState(t("no_contacts"), ""),
        ];
    }
}

export class StatusView extends SingleView {
    async content() {
        const all = await Promise.all(
            this.app.agents().map((agent) => get("/api/status", { agent })),
        );
        return [h("h2", {}, t("status")), ...all.flatMap((status) => this.agent(status))];
    }

    agent(status) {
        const number = (value, name) =>
            h(
                "div",
                { class: "card" },
                h("strong", { class: "number" }, numberText(value)),
                name,
            );
        const works = (ok) =>
            h("span", { class: `badge ${ok ? "sure" : "unsure"}` }, ok ? t("works") : t("fails"));
        return [
            h(
                "h2",
                {},
                status.name ?? "",
                " ",
                h("bdi", { class: "dim small" }, status.agent_id),
            ),
            (status.problems ?? []).map((problem) =>
                h(
                    "div",
                    { class: "notice" },
                    h("p", {}, h("strong", {}, tName("problem", problem.code))),
                    h("p", { class: "small" }, problem.message),
                    h("p", { class: "small" }, problem.next),
                ),
            ),
            h(
                "div",
                { class: "numbers" },
                number(status.backlog?.approvals, t("n_open")),
                number(status.counts?.received, t("n_received")),
                number(status.counts?.refused, t("n_refused")),
                number(status.backlog?.queued, t("n_queued")),
                number(status.backlog?.dead, t("n_dead")),
            ),
            h(
                "section",
                { class: "card" },
                h(
                    "dl",
                    { class: "facts" },
                    fact(
                        t("broker"),
                        works(status.connection?.connected),
                        " ",
                        status.connection?.since ? time(Date.parse(status.connection.since)) : "",
                    ),
                    fact(t("market"), works(status.market?.ok)),
                    fact(t("store"), works(status.store?.ok)),
                    fact(
                        t("self_test"),
                        works(status.last_self_test?.ok),
                        " ",
                        status.last_self_test?.at
                            ? time(Date.parse(status.last_self_test.at))
                            : "",
                    ),
                    fact(
                        t("last_received"),
                        status.last_received_at ? time(Date.parse(status.last_received_at)) : "–",
                    ),
                    fact(t("version"), status.version),
                ),
            ),
        ];
    }
}

const terms = [
    "peer_id",
    "works_id",
    "amount_from",
    "amount_to",
    "count_per_day",
    "count_per_week",
    "sum_per_day",
    "sum_per_week",
    "count_today",
    "count_this_week",
    "sum_today",
    "sum_this_week",
];

export class MandatesView extends SingleView {
    async content() {
        const lists = await Promise.all(
            this.app.agents().map((agent) => get("/api/mandates", { agent })),
        );
        this.mandates = lists.flatMap((list) => list.mandates);
        this.uses = lists.flatMap((list) => list.uses);
        const now = Date.now();
        this.holds = (mandate) =>
            !mandate.revoked_at_ms && mandate.understood && mandate.ends_ms > now;
        return [
            h(
                "div",
                { class: "row-head" },
                h("h2", {}, t("mandates")),
                this.mandates.some(this.holds) &&
                    h(
                        "button",
                        { class: "button no", type: "button", onclick: () => this.revokeAll() },
                        t("revoke_all"),
                    ),
            ),
            h("p", { class: "dim" }, t("mandates_hint")),
            this.mandates.length
                ? this.mandates.map((mandate) => this.card(mandate))
                : emptyState(t("no_mandates"), t("no_mandates_hint")),
        ];
    }

    state(mandate) {
        if (this.holds(mandate)) {
            return h(
                "button",
                {
                    class: "button light no",
                    type: "button",
                    onclick: () => this.revoke([mandate]),
                },
                t("revoke"),
            );
        }
        const name = mandate.revoked_at_ms
            ? "revoked"
            : mandate.understood
              ? "over"
              : "not_understood";
        return h("span", { class: "badge unsure" }, t(name));
    }

    card(mandate) {
        const uses = this.uses.filter((use) => use.mandate_id === mandate.id);
        return h(
            "section",
            { class: "card" },
            h(
                "div",
                { class: "row-head" },
                h("h2", {}, tName("mandate", mandate.action)),
                this.state(mandate),
            ),
            h(
                "dl",
                { class: "facts" },
                terms
                    .filter((name) => mandate[name] || mandate[name] === 0)
                    .map((name) =>
                        fact(
                            tName("term", name),
                            h("span", { class: "number" }, String(mandate[name])),
                        ),
                    ),
                mandate.ends_ms &&
                    fact(t("holds"), time(mandate.starts_ms), " – ", time(mandate.ends_ms)),
                fact(
                    t("given_by"),
                    mandate.given_by === "human" ? t("you") : mandate.given_by,
                    " · ",
                    time(mandate.given_at_ms),
                ),
                mandate.revoked_at_ms
                    ? fact(
                          t("revoked"),
                          mandate.revoked_by === "human" ? t("you") : mandate.revoked_by,
                          " · ",
                          time(mandate.revoked_at_ms),
                      )
                    : null,
            ),
            uses.length > 0 &&
                h(
                    "details",
                    {},
                    h("summary", {}, t("uses", { count: uses.length })),
                    h(
                        "ul",
                        { class: "trail" },
                        uses.map((use) =>
                            h(
                                "li",
                                {},
                                time(use.at_ms),
                                h("a", { href: `#/history/${use.approval_id}` }, use.approval_id),
                            ),
                        ),
                    ),
                ),
        );
    }

    async revoke(mandates) {
        try {
            for (const mandate of mandates) {
                await post("/api/mandates/revoke", {
                    agent_id: mandate.agent_id,
                    mandate_id: mandate.id,
                });
            }
            tell(t("revoked_done", { count: mandates.length }));
        } catch (error) {
            tell(error.status === 403 ? t("error_key") : t("error_unsure"));
        }
        await this.show(this.list);
    }

    /// All, also those that came after the page was shown.
    async revokeAll() {
        try {
            const done = await Promise.all(
                this.app
                    .agents()
                    .map((agent_id) => post("/api/mandates/revoke", { agent_id, all: true })),
            );
            tell(t("revoked_done", { count: done.reduce((sum, one) => sum + one.revoked, 0) }));
        } catch (error) {
            tell(error.status === 403 ? t("error_key") : t("error_unsure"));
        }
        await this.show(this.list);
    }
}
