// The parts of one negotiation: participants, plan, answers, gaps.
import { drawing, h, shape } from "./dom.js";
import { differenceOf, fact, time } from "./parts.js";
import { numberText, t, tName } from "./texts.js";

const list = (items) => (Array.isArray(items) ? items : []);
const ms = (iso) => (iso ? Date.parse(iso) : 0);
const dim = (...content) => h("span", { class: "small dim" }, content);

export function who(row) {
    const name = row.display_name || row.agent_id;
    return h("bdi", { title: row.agent_id }, name);
}

export function price(of) {
    if (!of) return "";
    const digits = new Intl.NumberFormat("en", {
        style: "currency",
        currency: of.currency,
    }).resolvedOptions().maximumFractionDigits;
    return `${numberText(of.amount_minor / 10 ** digits)} ${of.currency}`;
}

export function standing(one) {
    if (!one.outcome) return tName("n_state", one.state);
    const outcome = tName("n_outcome", one.outcome);
    return one.reason ? `${outcome}${t("n_colon")}${tName("n_reason", one.reason)}` : outcome;
}

function section(key, ...content) {
    return h("section", { class: "card" }, h("h2", {}, t(key)), content);
}

export function demandCard(one) {
    const wanted = one.understanding ?? {};
    return h(
        "section",
        { class: "card" },
        h("p", { class: "pre", dir: "auto" }, one.raw_input),
        h(
            "dl",
            { class: "facts" },
            fact(t("n_standing"), standing(one)),
            one.round > 0 && fact(t("n_round"), `${one.round} / ${one.max_rounds}`),
            one.deadline && fact(t("n_until"), time(ms(one.deadline))),
            list(wanted.capability_tags).length > 0 &&
                fact(t("n_wanted"), wanted.capability_tags.join(t("n_comma"))),
            fact(t("n_id"), h("bdi", {}, one.demand_id)),
        ),
    );
}

function partyState(party) {
    return tName("n_party", party.left_out ? "left_out" : party.state);
}

function offer(party) {
    const made = party.offer;
    if (!made) return null;
    const words = made.contribution || made.decline_reason;
    return [
        words && h("p", { dir: "auto" }, words),
        made.price && h("p", { class: "number" }, price(made.price)),
        list(made.conditions).length > 0 &&
            h(
                "p",
                { dir: "auto" },
                t("n_only_if", { text: made.conditions.join(t("n_semicolon")) }),
            ),
    ];
}

export function candidatesCard(one) {
    const parties = list(one.candidates);
    if (!parties.length) return null;
    return section(
        "n_candidates",
        h(
            "ul",
            { class: "story" },
            parties.map((party) =>
                h(
                    "li",
                    {},
                    h(
                        "span",
                        { class: "line" },
                        h("strong", {}, who(party)),
                        h("span", { class: "badge" }, partyState(party)),
                    ),
                    dim(party.reason),
                    offer(party),
                ),
            ),
        ),
    );
}

function milestoneText(one) {
    return [one.date, one.name, one.deliverable].filter(Boolean).join(" – ");
}

/// A plan as text, for comparing two versions.
function planText(plan) {
    const parts = list(plan.assignments).map((part) =>
        [part.display_name || part.agent_id, part.role, part.responsibility, price(part.price)]
            .filter(Boolean)
            .join(" – "),
    );
    const dates = list(plan.timeline?.milestones).map(milestoneText);
    return [plan.summary, ...parts, ...dates].filter(Boolean).join("\n");
}

function assignment(part) {
    return h(
        "tr",
        {},
        h("td", {}, who(part)),
        h("td", { dir: "auto" }, part.role),
        h("td", { dir: "auto" }, part.responsibility),
        h("td", { class: "number" }, price(part.price)),
    );
}

function marks(key, texts) {
    return list(texts).map((text) => h("p", { dir: "auto" }, t(key, { text })));
}

function planBody(plan, before) {
    const adjusted = plan.adjustment_summary ?? {};
    const head = ["n_who", "n_role", "n_does", "n_price"];
    return [
        h("p", { dir: "auto" }, plan.summary),
        h(
            "div",
            { class: "scroll", tabindex: 0, role: "region", "aria-label": t("n_assignments") },
            h(
                "table",
                { class: "plan" },
                h("thead", {}, h("tr", {}, head.map((key) => h("th", { scope: "col" }, t(key))))),
                h("tbody", {}, list(plan.assignments).map(assignment)),
            ),
        ),
        list(plan.timeline?.milestones).map((one) =>
            h("p", { dir: "auto" }, milestoneText(one)),
        ),
        marks("n_changed", adjusted.changes_made),
        marks("n_granted", adjusted.requests_addressed),
        marks("n_not_granted", adjusted.requests_declined),
        before && h("h3", {}, t("n_difference", { version: before.version })),
        before && differenceOf(planText(before), planText(plan)),
    ];
}

/// The newest version is shown open, older ones collapsed.
export function planCard(one) {
    const plans = list(one.proposals);
    if (!plans.length) return null;
    const newest = plans.at(-1);
    return section(
        "n_plan",
        h("p", { class: "small dim" }, t("n_version", { version: newest.version })),
        planBody(newest, plans.at(-2)),
        plans
            .slice(0, -1)
            .reverse()
            .map((plan) =>
                h(
                    "details",
                    {},
                    h("summary", {}, t("n_version", { version: plan.version })),
                    planBody(plan),
                ),
            ),
    );
}

export function roundsCard(one) {
    const rounds = list(one.rounds);
    if (!rounds.length) return null;
    const names = new Map(list(one.candidates).map((party) => [party.agent_id, party]));
    const line = (said) =>
        h(
            "li",
            {},
            h(
                "span",
                { class: "line" },
                h("strong", {}, who(names.get(said.agent_id) ?? said)),
                h(
                    "span",
                    { class: said.presumed ? "small dim" : "badge" },
                    tName(said.presumed ? "n_presumed" : "n_feedback", said.feedback_type),
                ),
            ),
            h("p", { dir: "auto" }, said.adjustment_request || said.reasoning),
            said.requested_price && h("p", { class: "number" }, price(said.requested_price)),
        );
    return section(
        "n_says",
        rounds.map((round) => [
            h("h3", {}, t("n_round_number", { round: round.round })),
            h("ul", { class: "story" }, list(round.feedback).map(line)),
        ]),
    );
}

export function gapsCard(one) {
    const gaps = list(one.gaps);
    const compromise = one.compromise;
    if (!gaps.length && !compromise) return null;
    return section(
        "n_gaps",
        gaps.map((gap) =>
            h("p", { dir: "auto" }, h("strong", {}, gap.gap_type), " ", dim(gap.reason)),
        ),
        compromise?.summary && h("p", { dir: "auto" }, compromise.summary),
        marks("n_unresolved", compromise?.unresolved),
        marks("n_suggestion", compromise?.suggestions),
    );
}

function planActionState(action) {
    if (!action.status) return h("span", { class: "badge" }, t("n_plan_action_new"));
    if (action.status === "pending")
        return h(
            "a",
            { href: `#/open/${action.approval_id}`, class: "button light" },
            t("n_plan_action_pending"),
        );
    const approved = action.status === "approved";
    const prefix = approved ? "outcome_short" : "status";
    return h("span", { class: "badge" }, tName(prefix, approved ? action.outcome : action.status));
}

/// The actions of a final plan: what they would be, and later which of them wait for a yes. `apply`
/// asks for all of them; `busy` is set while it does.
export function planActionsCard(one, apply, busy) {
    const actions = list(one.deeds);
    if (!actions.length) return null;
    const line = (action) =>
        h(
            "li",
            {},
            h(
                "span",
                { class: "line" },
                h("strong", {}, tName("n_make", action.as)),
                planActionState(action),
            ),
            h(
                "p",
                { dir: "auto" },
                action.as === "rfps"
                    ? action.subject
                    : who({ agent_id: action.subject, display_name: action.display_name }),
                action.price && action.as === "offers" && [" · ", price(action.price)],
            ),
            action.text && h("p", { class: "small dim", dir: "auto" }, action.text),
        );
    return section(
        "n_plan_actions",
        h("p", { class: "small dim" }, t("n_plan_actions_hint")),
        h("ul", { class: "story plan-actions" }, actions.map(line)),
        actions.some((action) => action.may_be_asked) &&
            h(
                "div",
                { class: "buttons" },
                h(
                    "button",
                    { class: "button yes", type: "button", disabled: busy, onclick: apply },
                    t("n_apply"),
                ),
            ),
    );
}

const nodeWidth = 220;
const nodeHeight = 44;
const gapX = 60;
const gapY = 16;

function node(text, state, x, y) {
    const short = text.length > 26 ? `${text.slice(0, 25)}…` : text;
    return [
        shape("rect", {
            x,
            y,
            width: nodeWidth,
            height: nodeHeight,
            rx: 8,
            class: `node ${state}`,
        }),
        shape("text", { x: x + 10, y: y + 27 }, short),
    ];
}

/// The demand on the left, the negotiations of its sub-demands on the right.
export function graphCard(one) {
    const below = list(one.sub_negotiations);
    if (!below.length) return null;
    const rows = below.length;
    const height = rows * (nodeHeight + gapY) - gapY + 4;
    const middle = height / 2 - nodeHeight / 2;
    const parts = below.map((sub, at) => {
        const y = 2 + at * (nodeHeight + gapY);
        const from = nodeWidth + 2;
        const to = nodeWidth + gapX;
        const [fromY, toY] = [middle + nodeHeight / 2, y + nodeHeight / 2];
        const line = `M${from} ${fromY} C${from + 30} ${fromY} ${to - 30} ${toY} ${to} ${toY}`;
        return [
            shape("path", { d: line, class: "edge" }),
            node(sub.surface_demand || sub.demand_id, sub.status, to, y),
        ];
    });
    return section(
        "n_below",
        drawing(
            t("n_graph", { count: rows }),
            2 * nodeWidth + gapX + 4,
            height,
            node(one.surface_demand || one.demand_id, one.status, 2, middle),
            parts,
        ),
        h(
            "ul",
            { class: "story" },
            below.map((sub) =>
                h(
                    "li",
                    {},
                    h(
                        "a",
                        { href: `#/negotiations/${sub.demand_id}`, dir: "auto" },
                        sub.surface_demand || sub.demand_id,
                    ),
                    " ",
                    dim(standing(sub)),
                ),
            ),
        ),
    );
}

/// One line of the history; null for events that are not shown to people.
export function storyLine(event, one) {
    const type = event.event_type.replace(/^towow\./, "").replaceAll(".", "_");
    const key = `n_story_${type}`;
    const paid = event.payload ?? {};
    const names = new Map(list(one?.candidates).map((party) => [party.agent_id, party]));
    const party = names.get(paid.agent_id) ?? paid;
    const choice = paid.decision
        ? tName("n_decision", paid.decision)
        : tName(paid.presumed ? "n_presumed" : "n_feedback", paid.feedback_type ?? "");
    const text = t(key, {
        who: party.display_name || paid.agent_id || "",
        choice,
        text: paid.contribution || paid.adjustment_request || paid.reasoning || "",
        demand: paid.surface_demand ?? "",
        tags: list(paid.capability_tags).join(t("n_comma")) || t("n_wanted_any"),
        names: list(paid.candidates)
            .map((found) => found.display_name || found.agent_id)
            .join(t("n_comma")),
        count:
            paid.candidates_count ??
            paid.recipients_count ??
            paid.offers_count ??
            paid.participants_count ??
            "",
        round: paid.round ?? paid.rounds_taken ?? "",
        of: paid.max_rounds ?? "",
        summary: (paid.final_proposal ?? paid.proposal)?.summary ?? "",
        accepts: paid.accepts ?? "",
        rejects: paid.rejects ?? "",
        negotiates: paid.negotiates ?? "",
        reason: tName("n_reason", paid.reason ?? ""),
        gaps: list(paid.gaps)
            .map((gap) => gap.gap_type)
            .join(t("n_comma")),
        gap: paid.gap_type ?? "",
        below: paid.sub_demand_id ?? "",
    });
    if (text === key) return null;
    return h(
        "li",
        {},
        h("span", { dir: "auto" }, text.replace(/[:：]\s*$/, "")),
        " ",
        dim(time(ms(event.timestamp))),
    );
}
