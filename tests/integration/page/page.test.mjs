// Opens the approval page in a real browser: phone and desk, English and Chinese, keyboard only.
// Usage: A2H_PAGE_SERVER=PROGRAM [A2H_SCREENSHOTS=DIR] node --test page.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
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
const desk = { width: 1280, height: 900 };
const shots = process.env.A2H_SCREENSHOTS;
let server;
let lines;
let home;
let browser;

before(async () => {
    if (skip) return;
    server = spawn(process.env.A2H_PAGE_SERVER, { stdio: ["pipe", "pipe", "inherit"] });
    lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    home = JSON.parse((await lines.next()).value);
    browser = await playwright.chromium.launch({
        executablePath: chromium, args: ["--no-sandbox"],
    });
});

after(async () => {
    await browser?.close();
    if (!server) return;
    server.stdin.end();
    await once(server, "exit");
});

const address = (id, lang) => `${home.url}/a/${id}?t=${home.tokens[id]}&lang=${lang}`;
const nextAnswer = async () => JSON.parse((await lines.next()).value);

/// A page that fails the test when it loads anything else or anything violates the CSP.
async function open(id, lang, options = {}) {
    const context = await browser.newContext({
        viewport: desk, javaScriptEnabled: false, ...options,
    });
    const page = await context.newPage();
    const foreign = [];
    const complaints = [];
    page.on("request", (request) => {
        if (!request.url().startsWith(`${home.url}/a/`)) foreign.push(request.url());
    });
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(address(id, lang));
    page.done = async () => {
        assert.deepEqual(foreign.filter((url) => !url.endsWith("/favicon.ico")), []);
        assert.deepEqual(complaints.filter((text) => !text.includes("favicon")), []);
        await context.close();
    };
    return page;
}

async function looksRight(lang, approve, viewport, colorScheme, shot) {
    const page = await open("apr_late", lang, { viewport, colorScheme, javaScriptEnabled: true });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= viewport.width, `${width} > ${viewport.width}`);
    const yes = page.getByRole("button", { name: approve, exact: true });
    const { height } = await yes.boundingBox();
    assert.ok(height >= 44, `button is ${height} high`);
    assert.equal(await page.locator("script, img, iframe, link, b").count(), 0);
    if (shots) await page.screenshot({ path: `${shots}/${shot}.png`, fullPage: true });
    await page.done();
}

for (const [lang, approve] of [["en", "Approve"], ["zh", "同意"]]) {
    for (const [name, viewport] of [["phone", phone], ["desk", desk]]) {
        for (const scheme of ["light", "dark"]) {
            const shot = `${lang}-${name}-${scheme}`;
            test(`${shot}: nothing is cut off and targets are large enough`, { skip },
                () => looksRight(lang, approve, viewport, scheme, shot));
        }
    }
}

test("a yes without touching the text sends it as it stands", { skip }, async () => {
    const page = await open("apr_yes", "en");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    const expected = { approval_id: "apr_yes", kind: "approve", words: "approve", edited: "" };
    assert.deepEqual(await nextAnswer(), expected);
    await page.getByText("Approved", { exact: true }).waitFor();
    assert.equal(await page.locator("form").count(), 0);
    if (shots) await page.screenshot({ path: `${shots}/en-approved.png`, fullPage: true });
    await page.done();
});

test("an edited text is what is approved", { skip }, async () => {
    const page = await open("apr_edit", "zh");
    await page.getByLabel("如果同意，将发送").fill("280 元，\n不能再低");
    await page.getByRole("button", { name: "同意", exact: true }).click();
    assert.equal((await nextAnswer()).edited, "280 元，\n不能再低");
    await page.getByText("已同意", { exact: true }).waitFor();
    await page.done();
});

test("the keyboard alone reaches every control in reading order and refuses", { skip },
     async () => {
    const page = await open("apr_no", "en");
    const reached = [];
    for (let i = 0; i < 7; ++i) {
        await page.keyboard.press("Tab");
        const focused = page.locator(":focus");
        reached.push(await focused.evaluate((e) => e.name || e.value || e.textContent));
    }
    const order = ["中文", "reply_text", "choice", "choice", "option", "text", "choice"];
    assert.deepEqual(reached, order);
    await page.getByRole("button", { name: "Refuse", exact: true }).focus();
    await page.keyboard.press("Enter");
    assert.equal((await nextAnswer()).kind, "reject");
    await page.getByText("Refused", { exact: true }).waitFor();
    await page.done();
});

test("an instruction leads to the draft, which waits for its own yes", { skip }, async () => {
    const page = await open("apr_instruct", "zh");
    await page.getByLabel("或者告诉我该怎么做").fill("还价到 420");
    await page.getByRole("button", { name: "起草回复" }).click();
    assert.equal((await nextAnswer()).kind, "instruct");
    await page.waitForURL(/apr_draft/);
    assert.equal(await page.getByLabel("如果同意，将发送").inputValue(), "400 元可以。");
    await page.done();
});

test("two open pages: the second answer is told what became of the first", { skip }, async () => {
    const first = await open("apr_late", "en");
    const second = await open("apr_late", "en");
    await first.getByRole("button", { name: "Refuse", exact: true }).click();
    await nextAnswer();
    await second.getByRole("button", { name: "Approve", exact: true }).click();
    await second.getByRole("alert").waitFor();
    await second.getByText("Refused", { exact: true }).waitFor();
    await first.done();
    await second.context().close();
});
