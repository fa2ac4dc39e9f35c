// Mandates: what they have used, and how to revoke them.
import { get, post } from "./api.js";
import { h, tell } from "./dom.js";
import { emptyState, fact, personName, time } from "./parts.js";
import { t, tName } from "./texts.js";
import { SingleView } from "./views.js";

const terms = [
    "peer_id",
    "works_id",
    "listing_title",
    "side",
    "strategy",
    "opening",
    "rounds",
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
        // Valid mandates come first, each part newest first.
        this.mandates.sort((a, b) => this.holds(b) - this.holds(a));
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

    /// Our own names in the person's language; amounts, numbers and ids unchanged.
    word(name, value) {
        const isName = name === "side" || name === "strategy";
        return isName ? tName(name, value) : String(value);
    }

    card(mandate) {
        const uses = this.uses.filter((use) => use.mandate_id === mandate.id);
        return h(
            "section",
            { class: "card" },
            h(
                "div",
                { class: "row-head" },
                h("h3", {}, tName("mandate", mandate.action)),
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
                            h("span", { class: "number" }, this.word(name, mandate[name])),
                        ),
                    ),
                mandate.ends_ms &&
                    fact(t("holds"), time(mandate.starts_ms), " – ", time(mandate.ends_ms)),
                fact(
                    t("given_by"),
                    personName(mandate.given_by),
                    " · ",
                    time(mandate.given_at_ms),
                ),
                mandate.revoked_at_ms
                    ? fact(
                          t("revoked"),
                          personName(mandate.revoked_by),
                          " · ",
                          time(mandate.revoked_at_ms),
                      )
                    : null,
            ),
            mandate.listing_changed &&
                h("p", { class: "badge unsure" }, t("mandate_listing_changed")),
            mandate.own_listings_only && h("p", { class: "dim" }, t("own_listings_only")),
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

    /// All mandates, including those added after the page was shown.
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
