// The open questions: the list, one of them beside it, and several answered at once.
import { get } from "./api.js";
import { showApproval } from "./detail.js";
import { h, tell } from "./dom.js";
import { actionName, deadline, emptyState, failure, provenance, shortId } from "./parts.js";
import { confirmSeveral } from "./several.js";
import { currentLanguage, numberText, t } from "./texts.js";
import { votesBadge } from "./votes.js";

const atOnceMax = 50;

export class OpenView {
    constructor(app) {
        this.app = app;
        this.items = [];
        this.cursor = "";
        this.more = false;
        this.open = 0;
        this.loading = Promise.resolve();
        this.picked = new Set();
        this.grouped = localStorage.getItem("a2h.grouped") === "yes";
    }

    /// Loads the next page, or without `more` everything that was shown again. Calls run one after
    /// the other, so that an update does not discard a requested page.
    load(more = false) {
        const loaded = this.loading.catch(() => {}).then(() => this.read(more));
        this.loading = loaded;
        return loaded;
    }

    async read(more) {
        const wanted = more ? 0 : this.items.length;
        const items = more ? [...this.items] : [];
        let cursor = more ? this.cursor : "";
        let page;
        do {
            page = await this.app.firstPage(() =>
                get("/api/approvals", {
                    cursor,
                    limit: wanted > items.length + 50 ? 100 : "",
                    lang: currentLanguage(),
                }),
            );
            items.push(...page.approvals);
            cursor = page.cursor;
        } while (page.more && items.length < wanted);
        Object.assign(this, { items, cursor, more: page.more, open: page.open });
        const present = new Set(this.items.map((item) => item.id));
        for (const id of this.picked) if (!present.has(id)) this.picked.delete(id);
        this.app.setCount(this.open);
    }

    async show(list, detail, id) {
        this.list = list;
        this.detail = detail;
        this.id = id;
        try {
            if (!this.loaded) await this.load();
            this.loaded = true;
        } catch (error) {
            if (!this.app.shows(this)) return;
            list.replaceChildren(
                h(
                    "div",
                    { class: "inner" },
                    failure(error, () => this.show(list, detail, id)),
                ),
            );
            return;
        }
        if (!this.app.shows(this)) return;
        this.render();
        await this.showDetail();
    }

    /// The person is writing: the form must not change.
    isWriting() {
        const focused = document.activeElement;
        if (this.detail.contains(focused) && focused.matches("textarea")) return true;
        const words = this.detail.querySelector("textarea#words");
        return Boolean(words?.value) || Boolean(this.answering?.isChanged());
    }

    async showDetail(moveFocus = false, keep = () => false) {
        if (!this.id) {
            this.answering = null;
            this.detail.replaceChildren(emptyState(t("choose_one"), t("choose_one_hint")));
            return;
        }
        const { id } = this;
        const before = this.answering;
        const shown = await showApproval(this.detail, id, {
            back: "#/open",
            done: (result) => this.answered(result),
            keep: () => this.id !== id || !this.app.shows(this) || keep(),
            before,
        });
        if (this.id !== id || !this.app.shows(this)) return;
        this.answering = shown;
        if (moveFocus) this.detail.querySelector("h1")?.focus();
    }

    /// After an answer: shows the draft that an instruction became, otherwise the next question if
    /// the list is shown beside it, otherwise the list. A person who has moved elsewhere stays
    /// there.
    async answered(result) {
        const at = this.inOrder().findIndex((item) => item.id === result.approval_id);
        const before = location.hash;
        await this.load().catch(() => {});
        if (location.hash !== before) return;
        if (!result.ok || result.approval.status === "pending") {
            this.render();
            return this.showDetail(true);
        }
        const left = this.inOrder();
        const next = result.next ?? left[Math.min(Math.max(at, 0), left.length - 1)];
        const go = result.next || (this.app.isWide() && next) ? `#/open/${next.id}` : "#/open";
        if (location.hash === go) this.show(this.list, this.detail, this.id);
        else location.hash = go;
    }

    /// Something changed elsewhere. Text that is being written is kept.
    async refresh(subject) {
        if (!this.list?.isConnected) return this.load().catch(() => {});
        await this.load().catch(() => {});
        if (!this.app.shows(this)) return;
        this.render();
        if (this.id && (!subject || subject === this.id) && !this.isWriting()) {
            await this.showDetail(false, () => this.isWriting());
        }
    }

    row(item) {
        const chosen = item.id === this.id;
        return h(
            "li",
            { class: "item", "data-chosen": chosen ? "yes" : null },
            h(
                "label",
                { class: "pick" },
                h("span", { class: "hidden" }, t("pick")),
                h("input", {
                    type: "checkbox",
                    checked: this.picked.has(item.id),
                    onchange: (event) => this.pick(item.id, event.target.checked),
                }),
            ),
            h(
                "a",
                { href: `#/open/${item.id}`, "aria-current": chosen ? "true" : null },
                h("span", { class: "what", dir: "auto" }, item.question),
                h(
                    "span",
                    { class: "line" },
                    h(
                        "span",
                        { class: "number" },
                        h("strong", {}, item.amount ?? actionName(item.action)),
                        item.priority === "high" &&
                            h("span", { class: "badge high" }, t("priority_high")),
                    ),
                    deadline(item.answer_by_ms),
                ),
                h(
                    "span",
                    { class: "line small dim" },
                    item.peer_id ? shortId(item.peer_id) : h("span"),
                    h("span", { class: "badges" }, votesBadge(item), provenance(item.provenance)),
                ),
            ),
        );
    }

    groupHead(peer, items) {
        const all = items.every((item) => this.picked.has(item.id));
        return h(
            "li",
            { class: "group" },
            peer ? shortId(peer) : h("bdi", {}, t("without_peer")),
            h(
                "button",
                {
                    class: "button light",
                    type: "button",
                    onclick: () => {
                        for (const item of items) this.choose(item.id, !all);
                        this.render();
                    },
                },
                all ? t("pick_none") : t("pick_all", { count: items.length }),
            ),
        );
    }

    /// Grouped by peer, the nearest deadline first.
    groups() {
        const groups = new Map();
        for (const item of this.items) {
            const group = groups.get(item.peer_id);
            if (group) group.push(item);
            else groups.set(item.peer_id, [item]);
        }
        return [...groups];
    }

    /// In the order of the list.
    inOrder() {
        return this.grouped ? this.groups().flatMap(([, items]) => items) : this.items;
    }

    rows() {
        if (!this.grouped) return this.items.map((item) => this.row(item));
        return this.groups().flatMap(([peer, items]) => [
            this.groupHead(peer, items),
            ...items.map((item) => this.row(item)),
        ]);
    }

    head() {
        return h(
            "div",
            { class: "row-head" },
            h("h2", {}, t("open_count", { count: numberText(this.open) })),
            h(
                "button",
                {
                    class: "button light",
                    type: "button",
                    "aria-pressed": String(this.grouped),
                    onclick: () => {
                        this.grouped = !this.grouped;
                        localStorage.setItem("a2h.grouped", this.grouped ? "yes" : "no");
                        this.render();
                    },
                },
                t("group_by_peer"),
            ),
        );
    }

    bulkBar() {
        if (!this.picked.size) return null;
        return h(
            "div",
            { class: "bar" },
            h(
                "div",
                { class: "buttons" },
                h(
                    "button",
                    {
                        class: "button yes",
                        type: "button",
                        onclick: () => this.confirm("approve"),
                    },
                    t("approve_several", { count: this.picked.size }),
                ),
                h(
                    "button",
                    { class: "button no", type: "button", onclick: () => this.confirm("reject") },
                    t("reject_several", { count: this.picked.size }),
                ),
            ),
        );
    }

    render() {
        const { scrollTop } = this.list;
        const focused = document.activeElement?.closest?.(".item")?.querySelector("a")?.hash;
        const content = this.items.length
            ? [
                  h("ul", { class: "items" }, this.rows()),
                  this.more &&
                      h(
                          "button",
                          { class: "button", type: "button", onclick: () => this.loadMore() },
                          t("more", {
                              shown: numberText(this.items.length),
                              all: numberText(this.open),
                          }),
                      ),
              ]
            : emptyState(t("nothing_open"), t("nothing_open_hint"));
        this.list.replaceChildren(
            h("div", { class: "inner" }, this.head(), content),
            this.bulkBar() ?? "",
        );
        this.list.scrollTop = scrollTop;
        if (focused)
            this.list.querySelector(`a[href="${focused}"]`)?.focus({ preventScroll: true });
    }

    async loadMore() {
        const had = this.items.length;
        try {
            await this.load(true);
        } catch {
            return tell(t("error_unreachable"));
        }
        this.render();
        this.list.querySelectorAll(".item a")[had]?.focus();
    }

    choose(id, on) {
        if (!on) this.picked.delete(id);
        else if (this.picked.size < atOnceMax) this.picked.add(id);
        else if (!this.picked.has(id)) tell(t("at_once_max", { count: atOnceMax }));
    }

    pick(id, on) {
        this.choose(id, on);
        this.render();
    }

    async confirm(decision) {
        const items = this.inOrder().filter((item) => this.picked.has(item.id));
        if (!(await confirmSeveral(items, decision))) return;
        this.picked.clear();
        await this.refresh();
    }

    /// Keyboard: j and k move through the list, other keys go to the answer.
    key(name) {
        if (name === "j" || name === "k") {
            const items = this.inOrder();
            const at = items.findIndex((item) => item.id === this.id);
            const to = items[at < 0 ? 0 : at + (name === "j" ? 1 : -1)];
            if (to) location.hash = `#/open/${to.id}`;
            return true;
        }
        if (name === "x" && this.id) {
            this.pick(this.id, !this.picked.has(this.id));
            return true;
        }
        const focus = { a: "approve", r: "reject", e: "edit", i: "instruct" }[name];
        if (!focus || !this.answering) return false;
        this.answering.focus(focus);
        return true;
    }
}
