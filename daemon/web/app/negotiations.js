// Negotiations with many agents: start one, see their states, and follow one live.
import { get, post } from "./api.js";
import { h, icon, tell } from "./dom.js";
import { failure, time } from "./parts.js";
import {
    candidatesCard,
    planActionsCard,
    demandCard,
    gapsCard,
    graphCard,
    planCard,
    roundsCard,
    standing,
    storyLine,
} from "./negotiation.js";
import { followStory } from "./story.js";
import { currentLanguage, isBlank, t } from "./texts.js";
import { inner, ListView } from "./views.js";

/// Events come in bursts; one update shows the effect of all of them.
const lookAfterMs = 200;
const pageSize = 20;
const pageSizeMax = 100;

export class NegotiationsView extends ListView {
    title = "negotiations";
    empty = "no_negotiations";

    /// Runs one after the other, because each continues from the result of the previous one.
    load(more = false) {
        this.loading = (this.loading ?? Promise.resolve())
            .catch(() => {})
            .then(() => this.read(more));
        return this.loading;
    }

    /// Loads the next page, or what is shown again.
    async read(more) {
        const asked = this.app.agents().filter((agent) => !more || this.before.has(agent));
        const shown = Math.max(pageSize, this.items.length);
        const pages = await Promise.all(
            asked.map((agent) =>
                get("/api/negotiations", {
                    agent,
                    limit: more ? pageSize : Math.min(shown, pageSizeMax),
                    before: more ? this.before.get(agent) : "",
                }),
            ),
        );
        this.before = new Map(
            pages.flatMap((page, at) => (page.more ? [[asked[at], page.next_before]] : [])),
        );
        this.more = this.before.size > 0;
        this.items = [...(more ? this.items : []), ...pages.flatMap((page) => page.items)].sort(
            (a, b) => b.created_at.localeCompare(a.created_at),
        );
    }

    /// Keeps the same form while the language is the same, so that typed text survives an update of
    /// the list.
    demandForm() {
        if (this.form?.lang === currentLanguage()) return this.form.element;
        const text = h("textarea", {
            id: "demand",
            rows: 3,
            maxlength: 8000,
            required: true,
            placeholder: t("n_demand_hint"),
        });
        const button = h("button", { class: "button yes", type: "submit" }, t("n_submit"));
        const agents = this.app.agents();
        const asker =
            agents.length > 1 &&
            h(
                "select",
                { "aria-label": t("n_asker") },
                agents.map((id) => h("option", {}, id)),
            );
        const submit = async (event) => {
            event.preventDefault();
            if (isBlank(text.value)) return;
            button.disabled = true;
            try {
                const begun = await post("/api/negotiations", {
                    raw_input: text.value,
                    ...(asker ? { agent: asker.value } : {}),
                });
                text.value = "";
                location.hash = `#/negotiations/${begun.demand_id}`;
            } catch (error) {
                tell(t("error_other", { code: error.message || error.code }));
            }
            button.disabled = false;
        };
        const element = h(
            "form",
            { class: "card demand", onsubmit: submit },
            h("label", { for: "demand" }, t("n_demand")),
            text,
            h("div", { class: "buttons" }, asker, button),
        );
        this.form = { lang: currentLanguage(), element };
        return element;
    }

    /// The form is not moved, because it would lose the focus and a click in progress.
    render() {
        const form = this.demandForm();
        const rows = this.rows();
        if (this.list.contains(form)) this.shown.replaceWith(rows);
        else this.list.replaceChildren(inner(h("h2", {}, t(this.title)), form, rows));
        this.shown = rows;
    }

    row(item) {
        const chosen = item.demand_id === this.ids[0];
        return h(
            "li",
            { class: "item", "data-chosen": chosen ? "yes" : null },
            h(
                "a",
                {
                    href: `#/negotiations/${item.demand_id}`,
                    "aria-current": chosen ? "true" : null,
                },
                h("span", { class: "what", dir: "auto" }, item.surface_demand || item.demand_id),
                h(
                    "span",
                    { class: "line" },
                    h("span", { class: "small" }, standing(item)),
                    h("span", { class: "small dim" }, time(Date.parse(item.created_at))),
                ),
            ),
        );
    }

    async show(list, detail, ...ids) {
        if (this.story && this.story.id !== ids[0]) this.stop();
        await super.show(list, detail, ...ids);
    }

    stop() {
        this.story?.following.stop();
        this.story = undefined;
    }

    async showDetail() {
        const [id] = this.ids;
        try {
            this.one = await get(`/api/negotiations/${encodeURIComponent(id)}`);
        } catch (error) {
            if (!this.app.shows(this)) return;
            this.detail.replaceChildren(inner(failure(error, () => this.refresh())));
            return;
        }
        if (this.ids[0] !== id || !this.app.shows(this)) return;
        if (!this.story) this.begin(id);
        this.draw();
    }

    begin(id) {
        const story = { id, events: [], state: "on", looking: 0 };
        this.story = story;
        const look = () => {
            if (story.looking) return;
            story.looking = setTimeout(() => {
                story.looking = 0;
                if (!this.app.shows(this)) return this.stop();
                if (this.story === story) this.refresh();
            }, lookAfterMs);
        };
        story.following = followStory(id, {
            onEvent: (event) => {
                story.events.push(event);
                look();
            },
            onGap: () => {
                story.events = [];
                look();
            },
            onState: (state) => {
                story.state = state;
                if (this.story === story && this.app.shows(this)) this.draw();
            },
        });
    }

    connection() {
        const { state, following } = this.story;
        if (state === "on") return null;
        if (state === "off")
            return h("p", { class: "notice", role: "status" }, t("n_reconnecting"));
        return h(
            "div",
            { class: "notice", role: "alert" },
            h("p", {}, t("n_gave_up")),
            h(
                "button",
                { class: "button light", type: "button", onclick: () => following.again() },
                t("again"),
            ),
        );
    }

    cancelButton() {
        if (this.one.status !== "processing") return null;
        const cancel = async () => {
            await post("/api/negotiations/cancel", { demand_id: this.one.demand_id }).catch(
                (error) => tell(t("error_other", { code: error.message || error.code })),
            );
            this.refresh();
        };
        return h(
            "button",
            { class: "button light", type: "button", onclick: cancel },
            t("n_cancel"),
        );
    }

    /// Asks about each part of the plan. Nothing is done before its own yes.
    async apply(demand) {
        if (this.applying) return;
        this.applying = true;
        this.draw();
        try {
            const { items } = await post("/api/negotiations/apply", { demand_id: demand });
            const refused = items.find((item) => !item.ok);
            const why = refused?.error?.message;
            tell(refused ? t("n_plan_action_refused", { why }) : t("n_applied"));
        } catch (error) {
            tell(t("error_other", { code: error.message || error.code }));
        }
        this.applying = false;
        this.refresh();
    }

    draw() {
        const one = this.one;
        const lines = this.story.events.map((event) => storyLine(event, one)).filter(Boolean);
        this.detail.replaceChildren(
            inner(
                h(
                    "div",
                    { class: "row-head" },
                    h(
                        "a",
                        { class: "button light back", href: "#/negotiations" },
                        icon("back"),
                        t("back"),
                    ),
                    h("h1", { tabindex: -1, dir: "auto" }, one.surface_demand || one.demand_id),
                    this.cancelButton(),
                ),
                this.connection(),
                demandCard(one),
                planCard(one),
                planActionsCard(one, () => this.apply(one.demand_id), this.applying),
                candidatesCard(one),
                roundsCard(one),
                gapsCard(one),
                graphCard(one),
                h(
                    "section",
                    { class: "card" },
                    h("h2", {}, t("n_story")),
                    h("ol", { class: "story" }, lines),
                ),
            ),
        );
    }
}
