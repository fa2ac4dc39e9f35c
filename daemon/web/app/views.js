// Common parts of all views except the open questions.
import { h, tell } from "./dom.js";
import { emptyState, failure } from "./parts.js";
import { t } from "./texts.js";

export const inner = (...content) => h("div", { class: "inner" }, content);

/// Common to views with two panes: a list with pages, and one entry beside it.
export class ListView {
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
            if (!this.app.shows(this)) return;
            this.render();
        } catch (error) {
            if (!this.app.shows(this)) return;
            list.replaceChildren(inner(failure(error, () => this.show(list, detail, ...ids))));
            return;
        }
        if (ids[0]) await this.showDetail();
        else detail.replaceChildren(emptyState(t("choose_one"), ""));
    }

    render() {
        this.list.replaceChildren(inner(h("h2", {}, t(this.title)), this.rows()));
    }

    /// The list itself and the button for its next page.
    rows() {
        const rows = this.items.map((item) => this.row(item));
        const more = async () => {
            await this.load(true).catch(() => tell(t("error_unreachable")));
            if (this.app.shows(this)) this.render();
        };
        return h(
            "div",
            { class: "rows" },
            rows.length ? h("ul", { class: "items" }, rows) : emptyState(t(this.empty), ""),
            this.more &&
                h("button", { class: "button", type: "button", onclick: more }, t("load_more")),
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
        const links = [...this.list.querySelectorAll(".item > a:first-of-type")];
        const at = links.findIndex((link) => link.getAttribute("aria-current"));
        const to = links[at < 0 ? 0 : at + (name === "j" ? 1 : -1)];
        if (to) location.hash = to.hash;
        return true;
    }
}

/// A view with one pane.
export class SingleView {
    constructor(app) {
        this.app = app;
    }

    async show(list) {
        this.list = list;
        try {
            const content = await this.content();
            if (this.app.shows(this)) list.replaceChildren(inner(content));
        } catch (error) {
            if (!this.app.shows(this)) return;
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
