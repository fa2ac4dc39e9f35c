// The agents of this home, with those that each has created, and the state of their tasks.
import { get } from "./api.js";
import { h, icon } from "./dom.js";
import { emptyState, fact, shortId, time } from "./parts.js";
import { numberText, t, tName } from "./texts.js";
import { inner, ListView } from "./views.js";

/// Deeper levels are not indented further.
const deepest = 5;

/// All agents with their depth in the tree, children below their parents.
function treeOf(roots, made) {
    const rows = [];
    const add = (agent, depth) => {
        rows.push({ ...agent, depth });
        for (const child of made.filter((one) => one.parent_id === agent.agent_id))
            add(child, depth + 1);
    };
    for (const root of roots) add(root, 0);
    return rows;
}

function entryLine(entry) {
    return h(
        "li",
        {},
        h(
            "span",
            { class: "line" },
            h(
                "strong",
                {},
                entry.status ? tName("task", entry.status) : tName("entry", entry.kind),
            ),
            h("span", { class: "small dim" }, time(entry.at_ms)),
        ),
        entry.verdict && h("p", {}, t(`verdict_${entry.verdict}`, { score: entry.score })),
        entry.text && h("p", { dir: "auto", class: "pre" }, entry.text),
    );
}

function taskCard(task) {
    const brief = ["objective", "constraints", "inputs", "outputs", "completion_criteria"];
    return h(
        "section",
        { class: "card" },
        h(
            "div",
            { class: "row-head" },
            h("h2", { dir: "auto" }, task.brief.objective),
            h("span", { class: "badge" }, tName("task", task.state)),
        ),
        h(
            "dl",
            { class: "facts" },
            fact(tName("side", task.side), h("bdi", {}, task.peer_id)),
            brief
                .slice(1)
                .map(
                    (name) =>
                        task.brief[name] &&
                        fact(
                            tName("brief", name),
                            h("span", { dir: "auto", class: "pre" }, task.brief[name]),
                        ),
                ),
        ),
        h("h3", {}, t("story")),
        h("ul", { class: "story" }, task.story.map(entryLine)),
    );
}

export class AgentsView extends ListView {
    title = "agents";
    empty = "no_agents";

    async load() {
        const { agents } = await get("/api/agents");
        const made = new Set(agents.map((agent) => agent.agent_id));
        const roots = this.app
            .agents()
            .filter((id) => !made.has(id))
            .map((agent_id) => ({ agent_id, role: t("owners_agent"), state: "active" }));
        this.items = treeOf(roots, agents);
    }

    row(item) {
        const chosen = item.agent_id === this.ids[0];
        return h(
            "li",
            {
                class: "item",
                "data-chosen": chosen ? "yes" : null,
                "data-depth": Math.min(item.depth, deepest),
            },
            h(
                "a",
                {
                    href: `#/agents/${item.agent_id}`,
                    "aria-current": chosen ? "true" : null,
                },
                h(
                    "span",
                    { class: "line" },
                    h("strong", { dir: "auto" }, item.role),
                    item.state === "stopped" &&
                        h("span", { class: "badge" }, tName("agent", item.state)),
                ),
                h(
                    "span",
                    { class: "line" },
                    h("span", { class: "small dim" }, shortId(item.agent_id)),
                    item.open_tasks > 0 &&
                        h("span", { class: "small dim number" }, numberText(item.open_tasks)),
                ),
            ),
        );
    }

    async showDetail() {
        const [agent] = this.ids;
        const { tasks } = await get("/api/tasks", { agent, limit: 50 });
        if (this.ids[0] !== agent || !this.app.shows(this)) return;
        this.detail.replaceChildren(
            inner(
                h(
                    "div",
                    { class: "row-head" },
                    h(
                        "a",
                        { class: "button light back", href: "#/agents" },
                        icon("back"),
                        t("back"),
                    ),
                    h("h1", { tabindex: -1 }, h("bdi", {}, agent)),
                ),
                tasks.length ? tasks.map(taskCard) : emptyState(t("no_tasks"), ""),
            ),
        );
    }
}
