// Opens the approval page in a real browser: phone and desktop, English and Chinese, keyboard only.
// `run` starts it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { bringAxe, desk, launch, phone, shoot, violations } from "./browser.mjs";

let server;
let lines;
let home;
let browser;

before(async () => {
    server = spawn(process.env.A2H_PAGE_SERVER, { stdio: ["pipe", "pipe", "inherit"] });
    lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    home = JSON.parse((await lines.next()).value);
    browser = await launch();
});

after(async () => {
    await browser?.close();
    server.stdin.end();
    await once(server, "exit");
});

const address = (id, lang) => `${home.url}/a/${id}?t=${home.tokens[id]}&lang=${lang}`;
const nextAnswer = async () => JSON.parse((await lines.next()).value);

/// Presses a button once it accepts presses: not in the first 0.4 s, so that the second click of a
/// double click has no effect. (Playwright's own waiting needs the script that is off here.)
async function press(page, name) {
    await page.waitForTimeout(450);
    await page.getByRole("button", { name, exact: true }).click();
}

/// A page that fails the test when it loads anything else or anything violates the CSP.
async function open(id, lang, options = {}) {
    const context = await browser.newContext({
        viewport: desk, javaScriptEnabled: false, ...options,
    });
    if (options.javaScriptEnabled) await bringAxe(context);
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
    assert.deepEqual(await violations(page), []);
    await shoot(page, shot, { fullPage: true });
    await page.done();
}

for (const [lang, approve] of [["en", "Approve"], ["zh", "同意"]]) {
    for (const [name, viewport] of [["phone", phone], ["desk", desk]]) {
        for (const scheme of ["light", "dark"]) {
            const shot = `${lang}-${name}-${scheme}`;
            test(`${shot}: nothing is cut off and targets are large enough`,
                () => looksRight(lang, approve, viewport, scheme, shot));
        }
    }
}

test("a yes without touching the text sends it as it stands", async () => {
    const page = await open("apr_yes", "en");
    await press(page, "Approve");
    const expected = { approval_id: "apr_yes", kind: "approve", words: "approve", edited: "" };
    assert.deepEqual(await nextAnswer(), expected);
    await page.getByText("Approved", { exact: true }).waitFor();
    assert.equal(await page.locator("form").count(), 0);
    await shoot(page, "en-approved", { fullPage: true });
    await page.done();
});

test("a draft that a field changes counts as it stands when nobody touched it", async () => {
    const page = await open("apr_tab", "en");
    const shown = await page.getByLabel("If you agree, this is sent").inputValue();
    assert.equal(shown, "\n大\t300\n小[U+200B]\t200");
    await press(page, "Approve");
    assert.equal((await nextAnswer()).edited, "");
    await page.done();
});

test("an edited text is what is approved", async () => {
    const page = await open("apr_edit", "zh");
    await page.getByLabel("如果同意，将发送").fill("280 元，\n不能再低");
    await press(page, "同意");
    assert.equal((await nextAnswer()).edited, "280 元，\n不能再低");
    await page.getByText("已同意", { exact: true }).waitFor();
    await page.done();
});

test("the keyboard alone reaches every control in reading order and refuses", async () => {
    const page = await open("apr_no", "en");
    const reached = [];
    for (let i = 0; i < 7; ++i) {
        await page.keyboard.press("Tab");
        const focused = page.locator(":focus");
        reached.push(await focused.evaluate((e) => e.name || e.value || e.textContent));
    }
    const order = ["中文", "reply_text", "choice", "choice", "option", "text", "choice"];
    assert.deepEqual(reached, order);
    await page.getByRole("button", { name: "Reject", exact: true }).focus();
    await page.keyboard.press("Enter");
    assert.equal((await nextAnswer()).kind, "reject");
    await page.getByText("Rejected", { exact: true }).waitFor();
    await page.done();
});

test("an instruction leads to the draft, which waits for its own yes", async () => {
    const page = await open("apr_instruct", "zh");
    await page.getByLabel("或者说明该怎么做").fill("还价到 420");
    await press(page, "起草回复");
    assert.equal((await nextAnswer()).kind, "instruct");
    await page.waitForURL(/apr_draft/);
    assert.equal(await page.getByLabel("如果同意，将发送").inputValue(), "400 元可以。");
    await page.done();
});

test("two open pages: the second answer is told what became of the first", async () => {
    const first = await open("apr_late", "en");
    const second = await open("apr_late", "en");
    await press(first, "Reject");
    await nextAnswer();
    await press(second, "Approve");
    await second.getByRole("alert").waitFor();
    await second.getByText("Rejected", { exact: true }).waitFor();
    await first.done();
    await second.context().close();
});
