// The deals as a person sees them: who offers what against what, live, on a phone and a desk.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enter as enterAs, Server, until } from "./app.mjs";
import { launch, shoot } from "./browser.mjs";

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

const enter = (options = {}, at = server) => enterAs(browser, at, { hash: "#/deals", ...options });

test("a deal shows who, what about, both offers, the listed price and the conditions", async () => {
    const page = await enter();
    const lin = page.locator(".item.deal", { hasText: "林小雨" });
    await lin.waitFor();
    const shown = (await lin.textContent()).replace(/\s+/g, " ");
    for (const part of [
        "name not checked",
        "ag_7Kq2…erLin",
        "offered",
        "PPT 设计 20 页",
        "They offer 300.00 CNY",
        "You offer 400.00 CNY",
        "Listed at 450 CNY",
        "Their condition: “急用，明天就要”",
        "Your condition: “三天内交付，改稿两次”",
        "Their offer holds until",
    ])
        assert.ok(shown.includes(part), `${part} in: ${shown}`);
    const printer = page.locator(".item.deal", { hasText: "ag_4pri" });
    assert.match((await printer.textContent()).replace(/\s+/g, " "), /Agreed 120\.00 CNY/);
    await page.done();
});

test("deals that wait for an answer come first and lead to their question", async () => {
    const page = await enter();
    await page.locator(".item.deal").first().waitFor();
    const waits = await page.locator(".item.deal").evaluateAll((items) =>
        items.map((item) => item.querySelector(".button.answer") !== null),
    );
    assert.deepEqual(waits, [...waits].sort((a, b) => b - a));
    assert.ok(waits[0] && !waits.at(-1));
    const stranger = page.locator(".item.deal", { hasText: "<img" });
    await stranger.getByRole("link", { name: "Answer the question" }).click();
    await until(page, () => location.hash === "#/open/apr_hostile");
    await page.locator(".detail .bar").waitFor();
    await page.done();
});

test("a deal appears as soon as a message has begun it", async () => {
    const own = await new Server().start();
    const page = await enter({}, own);
    await page.locator(".live[data-on=yes]").waitFor();
    await page.locator(".item.deal").nth(2).waitFor();
    const count = await page.locator(".item.deal").count();
    await own.tell("offer msg_90 30");
    const told = Date.now();
    await page.locator(".item.deal").getByText("90.00 CNY").waitFor();
    assert.ok(Date.now() - told < 2000, "live, not looked up every ten seconds");
    assert.equal(await page.locator(".item.deal").count(), count + 1);
    await page.done();
    await own.stop();
});

test("names and conditions of a peer with markup in them stay text", async () => {
    const page = await enter();
    const stranger = page.locator(".item.deal", { hasText: "<script>" });
    await stranger.getByText("“<img src=x onerror=alert(1)>").waitFor();
    // A character that nobody sees is shown by its code.
    await stranger.getByText("“<img").getByText("[U+202E]").waitFor();
    await stranger.locator("a").first().click();
    await page.locator(".detail .messages").waitFor();
    await page.locator(".detail h1").getByText("<img").waitFor();
    assert.equal(await page.locator("main :is(img, iframe, script, b)").count(), 0);
    assert.match(await page.title(), /A2H/);
    await page.done();
});

test("the keyboard moves through the deals and leads to the conversation", async () => {
    const page = await enter();
    await page.locator(".item.deal").first().waitFor();
    await page.locator(".list").focus();
    const [first, second] = await page
        .locator(".item.deal > a:first-child")
        .evaluateAll((links) => links.map((link) => link.hash));
    for (const hash of [first, second]) {
        await page.keyboard.press("j");
        await page.locator(`.item.deal a[href="${hash}"][aria-current]`).waitFor();
    }
    await page.keyboard.press("k");
    await page.locator(`.item.deal a[href="${first}"][aria-current]`).waitFor();
    await until(page, () => document.activeElement?.matches(".detail h1"));
    await page.getByRole("link", { name: "The whole conversation" }).press("Enter");
    await until(page, () => location.hash.startsWith("#/chats/"));
    await page.locator(".detail .messages").waitFor();
    await page.done();
});

test("deals that have ended are one click away", async () => {
    const page = await enter();
    await page.locator(".item.deal").first().waitFor();
    const all = page.getByRole("button", { name: "Show ended ones, too" });
    assert.equal(await all.getAttribute("aria-pressed"), "false");
    await all.press("Enter");
    await page.locator("[aria-pressed=true]").waitFor();
    await page.locator(".item.deal").getByText("declined").waitFor();
    await page.done();
});

test("a deal fits the height of a phone, with its question in sight", async () => {
    for (const lang of ["en", "zh"]) {
        const page = await enter({
            lang,
            viewport: { width: 390, height: 844 },
            hasTouch: true,
            isMobile: true,
        });
        const first = page.locator(".item.deal").first();
        await first.waitFor();
        await until(page, () => {
            const box = document.querySelector(".button.answer").getBoundingClientRect();
            return box.height > 0 && box.bottom < 700;
        });
        await shoot(page, `app-deals-390-${lang}`);
        await page.locator(".item.deal > a", { hasText: "林小雨" }).tap();
        await page.locator(".detail .messages").waitFor();
        await shoot(page, `app-deal-390-${lang}`);
        await page.done();
    }
});

test("a list that arrives late does not cover the view that was chosen meanwhile", async () => {
    const page = await enter({ hash: "#/open" });
    let release;
    const held = new Promise((resolve) => {
        release = resolve;
    });
    await page.route("**/api/approvals*", async (route) => {
        await held;
        await route.continue();
    });
    await page.reload();
    await page.locator(".nav").waitFor();
    await page.locator(".nav a[href='#/deals']").click();
    await page.locator(".item.deal").first().waitFor();
    const late = page.waitForResponse("**/api/approvals*");
    release();
    await late;
    await until(page, () => Number(document.querySelector(".nav .count")?.textContent) > 0);
    await page.waitForTimeout(200);
    assert.equal(await page.locator(".list h2").textContent(), "Deals");
    await page.done();
});
