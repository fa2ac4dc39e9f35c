// Every view of the application fits, is legible, has large enough targets and violates no rule of
// WCAG 2.1 AA: on a phone and a desktop, light and dark, in English and Chinese.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enter as enterAs, go, pressUntil, Server, until } from "./app.mjs";
import { desk, launch, phone, shoot, violations } from "./browser.mjs";

let browser;
let server;

before(async () => {
    browser = await launch();
    server = await new Server().start();
});

after(async () => {
    await browser?.close();
    await Server.stopAll();
});

const enter = (options = {}, at = server) => enterAs(browser, at, options);

/// Contrast of all visible text with what is behind it, by WCAG 2.1.
function lowContrast() {
    const parse = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) =>
        [r, g, b]
            .map((c) => c / 255)
            .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const color = parse(getComputedStyle(at).backgroundColor);
            if (color.length === 3 || color[3] > 0.99) return color;
        }
        return [255, 255, 255];
    };
    const bad = [];
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        const style = getComputedStyle(element);
        if (!own || style.visibility === "hidden" || !element.getClientRects().length) continue;
        if (element.closest("[disabled], .hidden, noscript")) continue;
        const [a, b] = [light(parse(style.color)), light(behind(element))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        const large =
            parseFloat(style.fontSize) >= 24 ||
            (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (large ? 3 : 4.5)) {
            bad.push(
                `${ratio.toFixed(2)} ${element.tagName}.${element.className} ` +
                    element.textContent.slice(0, 30),
            );
        }
    }
    return bad;
}

/// Buttons and links that are too small for a thumb.
function smallTargets() {
    return [...document.querySelectorAll("button, .nav a, .item > a, .pick, a.button")]
        .filter((element) => element.getClientRects().length)
        .map((element) => [element, element.getBoundingClientRect()])
        .filter(([, box]) => box.height < 43.5 || box.width < 40)
        .map(
            ([element, box]) =>
                `${Math.round(box.width)}x${Math.round(box.height)} ${element.textContent}`,
        );
}

const places = {
    open: "#/open",
    deals: "#/deals",
    deal: "#/deals",
    question: "#/open/apr_haggle",
    hostile: "#/open/apr_hostile",
    order: "#/open/apr_order",
    votes: "#/open/apr_votes",
    history: "#/history/apr_done",
    chats: "#/chats",
    contacts: "#/contacts",
    agents: "#/agents/ag_5researcherLi",
    negotiations: "#/negotiations",
    negotiation: "#/negotiations/d-party",
    mandates: "#/mandates",
    status: "#/status",
};

/// The dialogs above a view: the confirmation of several answers, and the list of keys.
async function dialogsLookRight(page, name) {
    await go(page, places.open);
    for (const at of [0, 1, 2]) await page.locator(".pick input").nth(at).check();
    await page.locator(".list .bar .yes").click();
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await page.evaluate(smallTargets), [], "several: targets");
    assert.deepEqual(await violations(page), [], "several: WCAG");
    await shoot(page, `${name}-several`);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator(".list").focus();
    await pressUntil(page, "?", () => document.querySelector("dialog") !== null);
    assert.deepEqual(await violations(page), [], "keys: WCAG");
    await shoot(page, `${name}-keys`);
}

async function looksRight(page, name, width) {
    await go(page, places[name]);
    if (name === "deals") await page.locator(".item.deal").first().waitFor();
    if (name === "chats" || name === "deal") {
        await page.locator(".item a").first().click();
        await page.locator(".messages").waitFor();
    }
    await until(page, () => !document.querySelector("[role=alert]"));
    if (/\/(apr_|d-)/.test(places[name])) await page.locator(".detail h1").waitFor();
    await page.waitForTimeout(150);
    const overflow = await page.evaluate(() =>
        [...document.querySelectorAll("body, .pane, .card")]
            .filter((e) => e.scrollWidth > e.clientWidth + 1)
            .map((e) => e.className || e.tagName),
    );
    assert.deepEqual(overflow, [], `${name} is wider than its place`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    assert.deepEqual(await page.evaluate(lowContrast), [], `${name}: contrast`);
    assert.deepEqual(await page.evaluate(smallTargets), [], `${name}: targets`);
    assert.deepEqual(await violations(page), [], `${name}: WCAG`);
}

for (const lang of ["en", "zh"]) {
    for (const [device, viewport] of [
        ["phone", phone],
        ["desk", desk],
    ]) {
        for (const colorScheme of ["light", "dark"]) {
            const name = `app-${lang}-${device}-${colorScheme}`;
            test(`${name}: every view fits, is legible and can be hit`, async () => {
                const page = await enter({
                    axe: true,
                    lang,
                    viewport,
                    colorScheme,
                    hasTouch: device === "phone",
                    isMobile: device === "phone",
                });
                for (const place of Object.keys(places)) {
                    await looksRight(page, place, viewport.width);
                    await shoot(page, `${name}-${place}`);
                }
                await dialogsLookRight(page, name);
                await page.done();
            });
        }
    }
}

