// The state of the daemon, and statistics of the human's answers.
import { get } from "./api.js";
import { h } from "./dom.js";
import { fact, time } from "./parts.js";
import { currentLanguage, numberText, t, tName } from "./texts.js";
import { SingleView } from "./views.js";

const works = (ok) =>
    h("span", { class: `badge ${ok ? "sure" : "unsure"}` }, ok ? t("works") : t("fails"));

/// Before the first self-test has ended, none has failed.
function selfTest(test) {
    const at = test?.at ? time(Date.parse(test.at)) : "";
    if (!test?.ok && !test?.at && !test?.detail) return t("self_test_none");
    return [works(test.ok), " ", at];
}

const number = (value, name) =>
    h("div", { class: "card" }, h("strong", { class: "number" }, value), name);

function seconds(value) {
    if (value < 90) return t("seconds", { count: numberText(Math.round(value)) });
    if (value < 5400) return t("minutes", { count: numberText(Math.round(value / 60)) });
    return t("hours", { count: numberText(Math.round(value / 3600)) });
}

/// From this number of answers on, nearly always a quick yes means that nobody reads the questions
/// any more.
const tired = { answers: 10, yesPercent: 95, medianSeconds: 5 };

function isTired(stats) {
    const answers = stats.approved + stats.rejected + stats.instructed;
    return (
        answers >= tired.answers &&
        stats.yes_percent >= tired.yesPercent &&
        stats.yes_median_s <= tired.medianSeconds
    );
}

/// The share of yes, and how fast it is given.
function statistics(stats) {
    const count = (value, name) => number(numberText(value), name);
    return h(
        "section",
        { class: "stats" },
        h("h3", {}, t("stats", { days: stats.days })),
        isTired(stats) &&
            h(
                "div",
                { class: "notice" },
                h("p", {}, t("stats_tired")),
                h("p", {}, h("a", { href: "#/mandates" }, t("mandates"))),
            ),
        h(
            "div",
            { class: "numbers" },
            count(stats.asked, t("stats_asked")),
            number(`${numberText(stats.yes_percent)} %`, t("stats_yes")),
            number(stats.approved ? seconds(stats.yes_median_s) : "–", t("stats_median")),
            count(stats.yes_within_5s, t("stats_fast")),
            count(stats.edited, t("stats_edited")),
            count(stats.rejected, t("stats_rejected")),
            count(stats.expired, t("stats_expired")),
            count(stats.closed, t("stats_closed")),
            count(stats.closed_without_answer, t("stats_closed_unanswered")),
            count(stats.by_mandate, t("stats_by_mandate")),
        ),
    );
}

export class StatusView extends SingleView {
    async content() {
        const all = await Promise.all(
            this.app
                .agents()
                .map((agent) =>
                    Promise.all([get("/api/status", { agent }), get("/api/stats", { agent })]),
                ),
        );
        return [
            h("h2", {}, t("status")),
            all.flatMap(([status, stats]) => [...this.agent(status), statistics(stats)]),
        ];
    }

    agent(status) {
        return [
            h(
                "h3",
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
                    // Messages of programs are in English.
                    currentLanguage() === "en" && h("p", { class: "small" }, problem.message),
                    h("p", { class: "small" }, tName("next", problem.code)),
                ),
            ),
            h(
                "div",
                { class: "numbers" },
                number(numberText(status.backlog?.approvals), t("n_open")),
                number(numberText(status.counts?.received), t("n_received")),
                number(numberText(status.counts?.refused), t("n_refused")),
                number(numberText(status.backlog?.queued), t("n_queued")),
                number(numberText(status.backlog?.dead), t("n_dead")),
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
                    fact(t("self_test"), selfTest(status.last_self_test)),
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
