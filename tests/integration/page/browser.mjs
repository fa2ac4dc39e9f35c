// The browser of all tests of the pages. `run` installs what it needs and names it.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.env.A2H_PAGE_MODULES}/`);
const { chromium } = require("playwright-core");

export const phone = { width: 375, height: 740 };
export const desk = { width: 1280, height: 860 };

const folder = process.env.A2H_SCREENSHOTS;
if (folder) mkdirSync(folder, { recursive: true });

export function launch() {
    return chromium.launch({
        executablePath: process.env.A2H_CHROMIUM,
        args: ["--no-sandbox"],
    });
}

/// Saves a screenshot if they are wanted.
export async function shoot(page, name, options = {}) {
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, ...options });
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/// Call it before the first page is opened, because the pages' own policy admits no script later.
export function bringAxe(context) {
    return context.addInitScript({ content: axe });
}

/// The violations of WCAG 2.1 AA on the current page, one line each.
export async function violations(page) {
    const found = await page.evaluate(async () => {
        const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
        const { violations: rules } = await globalThis.axe.run(document, {
            runOnly: { type: "tag", values: tags },
            resultTypes: ["violations"],
        });
        return rules.map((rule) => ({
            id: rule.id,
            nodes: rule.nodes.map((node) => `${node.target} ${node.failureSummary}`),
        }));
    });
    return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node}`));
}
