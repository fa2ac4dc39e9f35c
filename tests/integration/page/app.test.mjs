// People answer in a real browser at a real a2hd: by touch, by keyboard, several at once, too late.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enter as enterAs, go, pressUntil, Server, until } from "./app.mjs";
import { phone, launch, shoot } from "./browser.mjs";

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

test("one thumb on a phone: the list, the question, yes, and back", async () => {
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
    async () => {
        const own = await new Server().start();
        const page = await enter({}, own);
        await page.locator(".item").first().waitFor();
        await page.keyboard.press("j");
        await until(page, () => location.hash === "#/open/apr_haggle");
        await page.locator(".detail .bar").waitFor();
        await until(page, () => document.activeElement?.matches(".detail h1"));
        await page.keyboard.press("a");
        assert.equal((await own.show("apr_haggle")).status, "pending");
        // The focus is visible.
        await until(
            page,
            () => getComputedStyle(document.activeElement).outlineStyle === "solid",
        );
        await page.keyboard.press("Enter");
        await until(page, () => location.hash === "#/open/apr_hostile");
        assert.equal((await own.show("apr_haggle")).status, "approved");
        // The page shows the next question and nothing of the previous one.
        await until(page, () => document.activeElement?.matches(".detail h1"));
        await page.keyboard.press("r");
        await page.keyboard.press("Enter");
        await page.getByText("Rejected.").waitFor();
        assert.equal((await own.show("apr_hostile")).status, "rejected");
        await page.keyboard.press("?");
        await page.getByRole("dialog").waitFor();
        await shoot(page, "app-help");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await pressUntil(page, "2", () => location.hash === "#/deals");
        await page.done();
        await own.stop();
    },
);

test(
    "an edit shows its difference and its fingerprint, and is what is approved",
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
        await shoot(page, "app-edit");
        await page.getByRole("button", { name: "Approve the changed text" }).click();
        await page.getByText("Approved.").waitFor();
        const stored = await server.show("apr_edit");
        assert.equal(stored.reply_text, "好的，320 元可以，五天内交付。");
        assert.notEqual(stored.digest, before.digest);
        assert.ok(stored.digest.startsWith(print));
        await go(page, "#/history/apr_edit");
        await page.getByText("What was changed before it was sent").waitFor();
        await shoot(page, "app-edited");
        await page.done();
    },
);

test("an emptied text box sends nothing", async () => {
    await server.tell("ask apr_empty 600");
    const page = await enter({ hash: "#/open/apr_empty" });
    await page.locator("#reply").fill("  ");
    await page.locator(".bar .yes").click();
    await page.getByText("Nothing was sent").waitFor();
    assert.equal((await server.show("apr_empty")).status, "pending");
    await page.done();
});

test("an instruction becomes a draft that waits for its own yes", async () => {
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
    async () => {
        await server.tell("ask apr_twice 600");
        await server.tell("ask apr_late 600");
        const page = await enter({ hash: "#/open/apr_twice" });
        await page.locator(".bar .yes").dblclick();
        await page.getByText("Approved.").waitFor();
        const other = await enter({ hash: "#/open/apr_late" });
        await other.locator(".bar .yes").waitFor();
        // Somebody answers elsewhere just before a click: typed text keeps the form open.
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

test("what happens elsewhere is seen at once", async () => {
    const page = await enter();
    await page.locator(".live[data-on=yes]").waitFor();
    await until(page, () => Number(document.querySelector(".nav .count")?.textContent) > 0);
    const count = Number(await page.locator(".nav .count").textContent());
    await server.tell("ask apr_live 600");
    const asked = Date.now();
    await page.getByText("Asked while you look: apr_live").waitFor();
    assert.ok(Date.now() - asked < 2000, "live, not looked up every ten seconds");
    assert.equal(Number(await page.locator(".nav .count").textContent()), count + 1);
    await go(page, "#/open/apr_live");
    await page.locator(".detail .bar").waitFor();
    await page.locator(".list").focus();
    await server.tell("approve apr_live");
    await page.locator(".detail").getByText("Approved", { exact: true }).waitFor();
    await page.locator(".detail").getByText("you, in the terminal").waitFor();
    await page.done();
});

test("several are answered together after all of them were shown", async () => {
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
    await shoot(page, "app-several");
    await dialog.getByRole("button", { name: "同意 3 项" }).click();
    await page.getByText("已答复 3 项。").waitFor();
    for (const id of ["apr_more1", "apr_more2", "apr_more3"]) {
        assert.equal((await own.show(id)).status, "approved");
    }
    assert.equal((await own.show("apr_more4")).status, "pending");
    await page.done();
    await own.stop();
});

test("the sum of several answers leaves out a yes that sends nothing", async () => {
    const own = await new Server().start("zh");
    const page = await enter({ lang: "zh" }, own);
    await page.getByRole("button", { name: "按对方分组" }).click();
    for (const id of ["apr_more1", "apr_more6"]) {
        await page.locator(`.item:has(a[href="#/open/${id}"]) input`).check();
    }
    await page.getByRole("button", { name: "同意 2 项" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("strong", { hasText: /^201\.00 CNY$/ }).waitFor();
    await dialog.getByRole("button", { name: "取消" }).click();
    await page.done();
    await own.stop();
});

test("a card shows all that its yes covers", async () => {
    const page = await enter();
    const cards = await page.evaluate(async () => {
        const { get } = await import("/app/api.js");
        const { approvals } = await get("/api/approvals", { lang: "en" });
        return Promise.all(approvals.map(({ id }) => get(`/api/approvals/${id}`, { lang: "en" })));
    });
    assert.ok(cards.length > 8);
    const plain = (text) => text.replace(/\s+/g, " ").trim();
    for (const card of cards) {
        await go(page, `#/open/${card.id}`);
        await page.locator(".detail h1", { hasText: plain(card.question) }).waitFor();
        const shown = await page.locator(".detail").evaluate((detail) => {
            const fields = [...detail.querySelectorAll("textarea")].map((field) => field.value);
            return `${detail.innerText} ${fields.join(" ")}`;
        });
        for (const { kind, value } of card.covers) {
            if (["peer", "amount", "action", "reject_text"].includes(kind)) continue;
            if (kind === "nothing_sent") {
                // The page says it in other words beside the empty text.
                assert.match(plain(shown), /closed without an answer|A yes sends nothing/, card.id);
                continue;
            }
            // The editable text is shown unchanged; a notice reports hidden characters.
            const words = kind === "text" && card.can_edit ? card.text : value;
            for (const line of words.split("\n"))
                assert.ok(plain(shown).includes(plain(line)), `${card.id}: ${kind}: ${line}`);
        }
    }
    await page.done();
});

test("what a peer wrote stays text", async () => {
    const page = await enter({ hash: "#/open/apr_hostile" });
    await page.locator(".detail .bar").waitFor();
    await go(page, `#/chats`);
    await page.locator(".item a[href^='#/chats/']", { hasText: "<img" }).click();
    await page.locator(".messages").waitFor();
    await page.locator(".messages").getByText("<b>bill</b>.pdf").waitFor();
    assert.equal(await page.locator("img, iframe, script:not([src^='/app/'])").count(), 0);
    assert.equal(await page.locator("a[href^='javascript']").count(), 0);
    assert.match(await page.title(), /A2H/);
    await page.done();
});

test("ten thousand open questions do not slow the page down", async () => {
    const own = await new Server().start();
    await own.tell("fill 10000");
    const page = await enter({}, own);
    await page.reload();
    await page.locator(".item").nth(40).waitFor();
    assert.equal(await page.locator(".item").count(), 50, "a page of them, however many there are");
    assert.equal(await page.locator(".nav .count").textContent(), "999+");
    await page.getByRole("button", { name: /More \(50 of 10,0\d\d\)/ }).click();
    await page.locator(".item").nth(90).waitFor();
    // Changes from elsewhere remove nothing that was shown.
    await own.tell("ask apr_new 600");
    await page.getByText("Asked while you look: apr_new").waitFor();
    assert.ok((await page.locator(".item").count()) >= 100);
    await page.done();
    await own.stop();
});

test("a session that has ended says how to open a new one", async () => {
    const page = await enter();
    await page.getByRole("button", { name: "End this session" }).click();
    await page.getByText("a2h page").waitFor();
    await shoot(page, "app-no-session");
    await page.context().close();
});

test("the one-time link: a button first, used once", async () => {
    const { link } = await server.tell("link");
    const context = await browser.newContext({ viewport: phone });
    const page = await context.newPage();
    await page.goto(link);
    await shoot(page, "app-enter");
    await page.reload();
    await page.getByRole("button", { name: "Open" }).click();
    await page.locator(".nav").waitFor();
    assert.ok(!page.url().includes("key="), "the key does not stay in the address");
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(link);
    await stranger.getByText("This link has expired").waitFor();
    await stranger.context().close();
    await context.close();
});
