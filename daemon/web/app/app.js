// The application: frame, addresses, keyboard, language and appearance.
import { get, leave, takeKey } from "./api.js";
import { h, icon, tell } from "./dom.js";
import { follow } from "./live.js";
import { AgentsView } from "./agents.js";
import { ContactsView } from "./contacts.js";
import { DealsView } from "./deals.js";
import { MandatesView } from "./mandates.js";
import { NegotiationsView } from "./negotiations.js";
import { OpenView } from "./open.js";
import { failure, setMe } from "./parts.js";
import { ChatsView, HistoryView } from "./past.js";
import { StatusView } from "./status.js";
import { currentLanguage, languages, loadTexts, numberText, t } from "./texts.js";

const wide = matchMedia("(min-width: 56rem)");
const dark = matchMedia("(prefers-color-scheme: dark)");

/// Views with a list and one entry beside it.
const twoPanes = ["open", "deals", "history", "chats", "agents", "negotiations"];

function applyTheme() {
    const chosen = localStorage.getItem("a2h.theme");
    document.documentElement.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
}

function shortCount(count) {
    return count > 999 ? "999+" : String(count);
}

/// Choices made in this browser; they are not stored elsewhere.
const languageOf = (person) => localStorage.getItem(`a2h.language.${person}`);

class App {
    /// `firstPage` of the list is requested before anything else is known.
    constructor(session, firstPage) {
        this.session = session;
        this.fetched = firstPage;
        this.count = 0;
        this.views = {
            open: new OpenView(this),
            deals: new DealsView(this),
            history: new HistoryView(this),
            chats: new ChatsView(this),
            contacts: new ContactsView(this),
            agents: new AgentsView(this),
            negotiations: new NegotiationsView(this),
            mandates: new MandatesView(this),
            status: new StatusView(this),
        };
    }

    /// Returns what was fetched in advance, once; afterwards what `fetch` fetches.
    firstPage(fetch) {
        const page = this.fetched ?? fetch();
        this.fetched = undefined;
        return page;
    }

    agents() {
        return this.session.agents.map((agent) => agent.agent_id);
    }

    /// Whether `view` is still the one that is shown: all of them share the panes, so what arrives
    /// late must not be drawn there.
    shows(view) {
        return this.view === view;
    }

    isWide() {
        return wide.matches;
    }

    setCount(count) {
        this.count = count;
        document.title = count ? `(${numberText(count)}) A2H` : "A2H";
        const place = this.root?.querySelector(".nav .count");
        if (!place) return;
        place.textContent = shortCount(count);
        place.hidden = count === 0;
    }

    header() {
        const other = currentLanguage() === "zh" ? "en" : "zh";
        const button = (name, label, onclick) =>
            h(
                "button",
                { type: "button", "aria-label": label, title: label, onclick },
                icon(name),
            );
        return h(
            "header",
            { class: "top" },
            h(
                "div",
                { class: "brand" },
                this.live,
                "A2H",
                h(
                    "span",
                    { class: "dim small" },
                    this.session.person === "human" ? "" : this.session.person,
                ),
            ),
            h(
                "button",
                {
                    class: "lang",
                    type: "button",
                    lang: other === "zh" ? "zh-CN" : "en",
                    onclick: () => this.setLanguage(other),
                },
                languages[other],
            ),
            button("theme", t("theme"), () => this.turnTheme()),
            button("help", t("help"), () => this.help()),
            button("leave", t("leave"), () => this.leave()),
        );
    }

    frame() {
        const here = this.place();
        const entry = (name) =>
            h(
                "a",
                { href: `#/${name}`, "data-view": name },
                icon(name),
                h("span", {}, t(`nav_${name}`)),
                name === "open" &&
                    h(
                        "span",
                        { class: "count number", hidden: this.count === 0 },
                        shortCount(this.count),
                    ),
            );
        this.live = h("span", {
            class: "live",
            role: "img",
            "aria-label": t("live_off"),
            title: t("live_off"),
        });
        this.list = h("section", { class: "pane list", tabindex: 0, "aria-label": t("list") });
        this.detail = h("section", {
            class: "pane detail",
            tabindex: 0,
            "aria-label": t("detail"),
        });
        this.panes = h("main", { class: "panes" }, this.list, this.detail);
        this.root.replaceChildren(
            this.header(),
            h(
                "nav",
                { class: "nav", "aria-label": t("nav") },
                Object.keys(this.views).map(entry),
            ),
            this.panes,
        );
        if (!wide.matches) this.root.append(this.root.querySelector(".nav"));
        this.markNav(here.name);
        this.setLive(this.isLive);
    }

    place() {
        const [, name = "open", ...ids] = location.hash.split("/");
        const known = Object.hasOwn(this.views, name);
        try {
            if (known) return { name, ids: ids.map(decodeURIComponent) };
        } catch {
            // An address that does not exist.
        }
        return { name: "open", ids: [] };
    }

    markNav(name) {
        for (const entry of this.root.querySelectorAll(".nav a")) {
            if (entry.dataset.view === name) entry.setAttribute("aria-current", "page");
            else entry.removeAttribute("aria-current");
        }
    }

    async route() {
        const { name, ids } = this.place();
        const view = this.views[name];
        const two = twoPanes.includes(name);
        const changed = this.view !== view;
        this.view = view;
        this.panes.dataset.shape = two ? "two" : "one";
        this.panes.dataset.shows = this.root.dataset.shows =
            two && ids.length ? "detail" : "list";
        this.markNav(name);
        if (changed) this.list.scrollTop = 0;
        await view.show(this.list, this.detail, ...ids);
        if (this.view !== view || document.querySelector("dialog[open]")) return;
        if (two && ids.length) this.detail.querySelector("h1")?.focus({ preventScroll: true });
        else if (changed && !this.first) this.list.focus({ preventScroll: true });
        this.list.querySelector("[data-chosen]")?.scrollIntoView({ block: "nearest" });
        this.first = false;
    }

    async setLanguage(language) {
        localStorage.setItem(`a2h.language.${this.session.person}`, language);
        await loadTexts(language);
        this.frame();
        await this.route();
    }

    turnTheme() {
        const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
        localStorage.setItem("a2h.theme", next);
        applyTheme();
    }

    async leave() {
        try {
            await leave();
            location.replace("/");
        } catch {
            tell(t("error_key"));
        }
    }

    help() {
        if (document.querySelector("dialog[open]")) return;
        const keys = [
            ["j k", t("key_move")],
            ["a", t("key_approve")],
            ["r", t("key_reject")],
            ["e", t("key_edit")],
            ["i", t("key_instruct")],
            ["x", t("key_pick")],
            ["1 – 9", t("key_views")],
            ["Esc", t("key_escape")],
            ["?", t("key_help")],
        ];
        const dialog = h(
            "dialog",
            { "aria-labelledby": "help" },
            h("header", {}, h("h2", { id: "help" }, t("help"))),
            h(
                "div",
                { class: "body" },
                h(
                    "table",
                    {},
                    h(
                        "tbody",
                        {},
                        keys.map(([name, text]) =>
                            h("tr", {}, h("td", {}, h("kbd", {}, name)), h("td", {}, text)),
                        ),
                    ),
                ),
            ),
            h(
                "footer",
                { class: "buttons" },
                h(
                    "button",
                    { class: "button wide", type: "button", onclick: () => dialog.close() },
                    t("close"),
                ),
            ),
        );
        dialog.addEventListener("close", () => dialog.remove());
        document.body.append(dialog);
        dialog.showModal();
    }

    onKey(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
        if (document.querySelector("dialog[open]")) return;
        const typing = event.target.matches?.("textarea, input:not([type=checkbox]), select");
        if (event.key === "Escape") {
            if (typing) this.detail.querySelector("h1")?.focus();
            else if (this.place().ids.length) location.hash = `#/${this.place().name}`;
            return;
        }
        if (typing) return;
        const views = Object.keys(this.views);
        if (event.key === "?") this.help();
        else if (views[Number(event.key) - 1])
            location.hash = `#/${views[Number(event.key) - 1]}`;
        else if (!this.view?.key(event.key)) return;
        event.preventDefault();
    }

    setLive(on) {
        this.isLive = on;
        this.live.dataset.on = on ? "yes" : "no";
        const text = on ? t("live_on") : t("live_off");
        this.live.setAttribute("aria-label", text);
        this.live.title = text;
    }

    /// Events come in bursts; one update shows the effect of all of them.
    look(subject) {
        this.subjects = (this.subjects ?? new Set()).add(subject ?? "");
        if (this.looking) return;
        this.looking = setTimeout(async () => {
            const subjects = this.subjects;
            this.subjects = undefined;
            this.looking = 0;
            if (this.view !== this.views.open) await this.views.open.load().catch(() => {});
            await this.view?.refresh(subjects.size === 1 ? [...subjects][0] : "");
        }, 60);
    }

    start(root) {
        this.root = root;
        this.first = true;
        this.frame();
        addEventListener("hashchange", () => this.route());
        addEventListener("keydown", (event) => this.onKey(event));
        wide.addEventListener("change", () => {
            this.frame();
            this.route();
        });
        follow({
            onEvent: (event) => this.look(event.subject),
            onGap: () => this.look(),
            onState: (on) => this.setLive(on),
        });
        return this.route();
    }
}

async function begin() {
    applyTheme();
    dark.addEventListener("change", applyTheme);
    takeKey();
    const root = document.getElementById("app");
    const asked = new URLSearchParams(location.search).get("lang");
    // All in parallel; one after the other would take longer.
    const firstPage = get("/api/approvals");
    firstPage.catch(() => {}); // the caller reports it
    const texts = loadTexts(asked ?? (navigator.language.startsWith("zh") ? "zh" : "en"));
    try {
        const [session] = await Promise.all([get("/api/session"), texts]);
        const language = asked ?? languageOf(session.person) ?? session.language;
        if (language !== currentLanguage()) await loadTexts(language);
        if (asked) history.replaceState(null, "", `/${location.hash}`);
        setMe(session.person);
        await new App(session, firstPage).start(root);
        if (!session.may_change) tell(t("error_key"));
    } catch (error) {
        await texts.catch(() => {});
        root.replaceChildren(
            h(
                "main",
                { class: "inner" },
                failure(error, () => location.reload()),
            ),
        );
    }
}

begin();
