// The application in a real browser against a real a2hd: phone and desk, light and dark, English
// and Chinese. Usage: A2H_APP_SERVER=PROGRAM [A2H_SCREENSHOTS=DIR] node --test app.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

const browsers = ["/usr/bin/chromium", "/usr/bin/google-chrome"];
const chromium = browsers.find((path) => existsSync(path));
let playwright;
try {
    playwright = await import("playwright-core");
} catch {
    // Not installed: every test is skipped below.
}
const skip = !chromium || !playwright ? "needs Chromium and playwright-core" : false;
const phone = { width: 375, height: 740 };
const desk = { width: 1280, height: 860 };
const shots = process.env.A2H_SCREENSHOTS;
if (shots) mkdirSync(shots, { recursive: true });

/// A daemon of its own, so that no test waits for what another one left behind.
class Server {
    async start(language = "en") {
        this.child = spawn(process.env.A2H_APP_SERVER, [language], {
            stdio: ["pipe", "pipe", "inherit"],
        });
        this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
        this.home = JSON.parse((await this.lines.next()).value);
        return this;
    }
    async tell(line) {
        this.child.stdin.write(`${line}\n`);
        return JSON.parse((await this.lines.next()).value);
    }
    async show(id) {
        return (await this.tell(`show ${id}`)).data.approvals[0];
    }
    async stop() {
        this.child.stdin.end();
        await once(this.child, "exit");
    }
}

let browser;
let server;

before(async () => {
    if (skip) return;
    browser = await playwright.chromium.launch({
        executablePath: chromium,
        args: ["--no-sandbox"],
    });
    server = await new Server().start();
});

after(async () => {
    await browser?.close();
    await server?.stop();
});

/// A page with a session of its own, that fails the test when it loads anything from elsewhere,
/// breaks the policy or throws.
async function enter(options = {}, at = server) {
    const { lang = "en", hash = "", ...rest } = options;
    const context = await browser.newContext({ viewport: desk, ...rest });
    await context.addInitScript((language) => {
        if (!localStorage.getItem("a2h.language")) localStorage.setItem("a2h.language", language);
    }, lang);
    const page = await context.newPage();
    const faults = [];
    page.on("request", (request) => {
        if (!request.url().startsWith(at.home.url)) faults.push(`loads ${request.url()}`);
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    const { link } = await at.tell("link");
    await page.goto(link);
    await page.getByRole("button").click();
    await page.locator(".nav").waitFor();
    if (hash)
        await page.evaluate((to) => {
            location.hash = to;
        }, hash);
    page.done = async () => {
        assert.deepEqual(faults, []);
        await context.close();
    };
    return page;
}

/// Waits for what holds in the page. (Playwright's own way needs eval, which the policy forbids.)
async function until(page, condition) {
    for (const end = Date.now() + 15_000; Date.now() < end; ) {
        if (await page.evaluate(condition).catch(() => false)) return;
        await new Promise((resolve) => setTimeout(resolve, 40));
    }
    assert.fail(`never: ${condition}`);
}

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

/// Buttons and links that a thumb would miss.
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
    question: "#/open/apr_haggle",
    hostile: "#/open/apr_hostile",
    order: "#/open/apr_order",
    history: "#/history/apr_done",
    chats: "#/chats",
    contacts: "#/contacts",
    mandates: "#/mandates",
    status: "#/status",
};

async function looksRight(page, name, width) {
    await page.evaluate((to) => {
        location.hash = to;
    }, places[name]);
    if (name === "chats") {
        await page.locator(".item a").first().click();
        await page.locator(".messages").waitFor();
    }
    await until(page, () => !document.querySelector("[role=alert]"));
    if (/\/apr_/.test(places[name])) await page.locator(".detail h1").waitFor();
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
}

for (const lang of ["en", "zh"]) {
    for (const [device, viewport] of [
        ["phone", phone],
        ["desk", desk],
    ]) {
        for (const colorScheme of ["light", "dark"]) {
            const name = `app-${lang}-${device}-${colorScheme}`;
            test(`${name}: every view fits, is legible and can be hit`, { skip }, async () => {
                const page = await enter({
                    lang,
                    viewport,
                    colorScheme,
                    hasTouch: device === "phone",
                    isMobile: device === "phone",
                });
                for (const place of Object.keys(places)) {
                    await looksRight(page, place, viewport.width);
                    if (shots) await page.screenshot({ path: `${shots}/${name}-${place}.png` });
                }
                await page.done();
            });
        }
    }
}

test("one thumb on a phone: the list, the question, yes, and back", { skip }, async () => {
    await server.tell("ask apr_thumb 600");
    const page = await enter({ viewport: phone, hasTouch: true, isMobile: true });
    await page.getByText("Asked while you look: apr_thumb").tap();
    const yes = page.getByRole("button", { name: "Approve", exact: false }).first();
    await yes.waitFor();
    const box = await yes.boundingBox();
    assert.ok(box.y > phone.height * 0.6, "the buttons are where a thumb is");
    await yes.tap();
    await page.getByRole("status").getByText("Approved.").waitFor();
    await until(page, () => location.hash === "#/open");
    assert.equal((await server.show("apr_thumb")).status, "approved");
    await page.done();
});

test(
    "keyboard on a desk: j goes on, a and Enter approve, r and Enter refuse",
    { skip },
    async () => {
        const own = await new Server().start();
        const page = await enter({}, own);
        await page.locator(".item").first().waitFor();
        await page.keyboard.press("j");
        await until(page, () => location.hash === "#/open/apr_haggle");
        await page.locator(".detail .bar").waitFor();
        await page.keyboard.press("a");
        assert.equal((await own.show("apr_haggle")).status, "pending");
        const outline = await page.evaluate(
            () => getComputedStyle(document.activeElement).outlineStyle,
        );
        assert.equal(outline, "solid", "the focus is visible");
        await page.keyboard.press("Enter");
        await until(page, () => location.hash === "#/open/apr_hostile");
        assert.equal((await own.show("apr_haggle")).status, "approved");
        await page.locator(".detail h1").waitFor();
        await page.keyboard.press("r");
        await page.keyboard.press("Enter");
        await page.getByText("Refused.").waitFor();
        assert.equal((await own.show("apr_hostile")).status, "rejected");
        await page.keyboard.press("?");
        await page.getByRole("dialog").waitFor();
        if (shots) await page.screenshot({ path: `${shots}/app-help.png` });
        await page.keyboard.press("Escape");
        await page.keyboard.press("2");
        await until(page, () => location.hash === "#/history");
        await page.done();
        await own.stop();
    },
);

test(
    "an edit shows its difference and its fingerprint, and is what is approved",
    { skip },
    async () => {
        await server.tell("ask apr_edit 600");
        const before = await server.show("apr_edit");
        const page = await enter({ hash: "#/open/apr_edit" });
        await page.locator(".detail .bar").waitFor();
        await page.keyboard.press("e");
        const box = page.getByLabel("If you agree, this is sent");
        assert.ok(await box.evaluate((element) => element === document.activeElement));
        await box.fill("好的，320 元可以，五天内交付。");
        assert.deepEqual(await page.locator(".difference del").allTextContents(), [
            "removed: 300",
            "removed: 三",
        ]);
        assert.deepEqual(await page.locator(".difference ins").allTextContents(), [
            "added: 320",
            "added: 五",
        ]);
        await until(page, () =>
            /^[0-9a-f]{16}$/.test(
                document.querySelector(".difference ~ p code")?.textContent ?? "",
            ),
        );
        const print = await page.locator(".difference ~ p code").textContent();
        if (shots) await page.screenshot({ path: `${shots}/app-edit.png` });
        await page.getByRole("button", { name: "Approve the changed text" }).click();
        await page.getByText("Approved.").waitFor();
        const stored = await server.show("apr_edit");
        assert.equal(stored.reply_text, "好的，320 元可以，五天内交付。");
        assert.notEqual(stored.digest, before.digest);
        assert.ok(stored.digest.startsWith(print));
        await page.evaluate(() => {
            location.hash = "#/history/apr_edit";
        });
        await page.getByText("What was changed before it was sent").waitFor();
        if (shots) await page.screenshot({ path: `${shots}/app-edited.png` });
        await page.done();
    },
);

test("an emptied text box sends nothing", { skip }, async () => {
    await server.tell("ask apr_empty 600");
    const page = await enter({ hash: "#/open/apr_empty" });
    await page.locator("#reply").fill("  ");
    await page.locator(".bar .yes").click();
    await page.getByText("Nothing was sent").waitFor();
    assert.equal((await server.show("apr_empty")).status, "pending");
    await page.done();
});

test("an instruction becomes a draft that waits for its own yes", { skip }, async () => {
    await server.tell("ask apr_instruct 600");
    const page = await enter({ hash: "#/open/apr_instruct" });
    await page.getByLabel("Or say what to do instead").fill("还价到 420");
    await page.getByRole("button", { name: "Make a draft" }).click();
    await page.getByText("This is the draft").waitFor();
    await until(
        page,
        () => /^#\/open\/apr_/.test(location.hash) && location.hash !== "#/open/apr_instruct",
    );
    assert.equal((await server.show("apr_instruct")).status, "instructed");
    await page.done();
});

test(
    "a double click answers once, and a late click is told who was first",
    { skip },
    async () => {
        await server.tell("ask apr_twice 600");
        await server.tell("ask apr_late 600");
        const page = await enter({ hash: "#/open/apr_twice" });
        await page.locator(".bar .yes").dblclick();
        await page.getByText("Approved.").waitFor();
        const other = await enter({ hash: "#/open/apr_late" });
        await other.locator(".bar .yes").waitFor();
        // Somebody answers elsewhere while a hand is on its way: what is typed keeps the form open.
        await other.locator("#reply").fill("310");
        await server.tell("approve apr_late");
        await other.locator(".bar .yes").click();
        await other.getByText("came too late").waitFor();
        await other.locator(".detail").getByText("Approved", { exact: true }).waitFor();
        assert.notEqual((await server.show("apr_late")).reply_text, "310");
        await page.done();
        await other.done();
    },
);

test("what happens elsewhere is seen at once", { skip }, async () => {
    const page = await enter();
    await page.locator(".live[data-on=yes]").waitFor();
    const count = Number(await page.locator(".nav .count").textContent());
    await server.tell("ask apr_live 600");
    const asked = Date.now();
    await page.getByText("Asked while you look: apr_live").waitFor();
    assert.ok(Date.now() - asked < 2000, "live, not looked up every ten seconds");
    assert.equal(Number(await page.locator(".nav .count").textContent()), count + 1);
    await page.evaluate(() => {
        location.hash = "#/open/apr_live";
    });
    await page.locator(".detail .bar").waitFor();
    await page.locator(".list").focus();
    await server.tell("approve apr_live");
    await page.locator(".detail").getByText("Approved", { exact: true }).waitFor();
    await page.locator(".detail").getByText("you, in the terminal").waitFor();
    await page.done();
});

test("several are answered together after all of them were shown", { skip }, async () => {
    const own = await new Server().start("zh");
    const page = await enter({ lang: "zh" }, own);
    await page.getByRole("button", { name: "按对方分组" }).click();
    for (const id of ["apr_more1", "apr_more2", "apr_more3"]) {
        await page.locator(`.item:has(a[href="#/open/${id}"]) input`).check();
    }
    await page.getByRole("button", { name: "同意 3 项" }).click();
    const dialog = page.getByRole("dialog");
    assert.equal(await dialog.locator("section").count(), 3);
    await dialog.getByText("606.00 CNY").waitFor();
    if (shots) await page.screenshot({ path: `${shots}/app-several.png` });
    await dialog.getByRole("button", { name: "同意 3 项" }).click();
    await page.getByText("已答复 3 项。").waitFor();
    for (const id of ["apr_more1", "apr_more2", "apr_more3"]) {
        assert.equal((await own.show(id)).status, "approved");
    }
    assert.equal((await own.show("apr_more4")).status, "pending");
    await page.done();
    await own.stop();
});

test("what a peer wrote stays text", { skip }, async () => {
    const page = await enter({ hash: "#/open/apr_hostile" });
    await page.locator(".detail .bar").waitFor();
    await page.evaluate(() => {
        location.hash = `#/chats`;
    });
    await page.locator(".item a", { hasText: "<img" }).click();
    await page.locator(".messages").waitFor();
    await page.getByText("<b>bill</b>.pdf").waitFor();
    assert.equal(await page.locator("img, iframe, script:not([src^='/app/'])").count(), 0);
    assert.equal(await page.locator("a[href^='javascript']").count(), 0);
    assert.match(await page.title(), /A2H/);
    await page.done();
});

test("ten thousand open questions do not slow the page down", { skip }, async () => {
    const own = await new Server().start();
    await own.tell("fill 10000");
    const page = await enter({}, own);
    const start = Date.now();
    await page.reload();
    await page.locator(".item").nth(40).waitFor();
    const took = Date.now() - start;
    const fetched = await page.evaluate(() =>
        performance
            .getEntriesByType("resource")
            .filter((entry) => entry.name.includes("/api/approvals"))
            .map((entry) => entry.duration),
    );
    console.log(
        `10 000 open: page with its list after ${took} ms, ` +
            `list fetched in ${fetched[0].toFixed(1)} ms`,
    );
    assert.ok(fetched[0] < 100);
    assert.equal(await page.locator(".nav .count").textContent(), "999+");
    await page.getByRole("button", { name: "More (50 of 10,009)" }).click();
    await page.locator(".item").nth(90).waitFor();
    await page.done();
    await own.stop();
});

test("a session that has ended says how to open a new one", { skip }, async () => {
    const page = await enter();
    await page.getByRole("button", { name: "End this session" }).click();
    await page.getByText("a2h page").waitFor();
    if (shots) await page.screenshot({ path: `${shots}/app-no-session.png` });
    await page.context().close();
});

test("the one-time link: a button first, used once", { skip }, async () => {
    const { link } = await server.tell("link");
    const context = await browser.newContext({ viewport: phone });
    const page = await context.newPage();
    await page.goto(link);
    if (shots) await page.screenshot({ path: `${shots}/app-enter.png` });
    await page.reload();
    await page.getByRole("button", { name: "Open" }).click();
    await page.locator(".nav").waitFor();
    assert.ok(!page.url().includes("key="), "the key does not stay in the address");
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(link);
    await stranger.getByText("This link is over").waitFor();
    await stranger.context().close();
    await context.close();
});
