// Negotiations of many parties in a real browser at a real a2hd.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clickUntil, enter as enterAs, Server, until } from "./app.mjs";
import { launch, phone, shoot } from "./browser.mjs";

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

const enter = (options = {}) => enterAs(browser, server, options);

test("a demand is begun on the page and followed to its end", async () => {
    const page = await enter({ hash: "#/negotiations" });
    await page.getByLabel("What do you want?").fill("A party in Beijing that nobody can give");
    await page.getByRole("button", { name: "Find agents" }).click();
    await until(page, () => /^#\/negotiations\/d-/.test(location.hash));
    await page.locator(".detail").getByText("It failed").waitFor();
    const reason = "failed: no matching agent was found";
    await page.locator(".detail").getByText(reason, { exact: true }).waitFor();
    await page.locator(".list").getByText(reason).first().waitFor();
    assert.equal(await page.getByLabel("What do you want?").inputValue(), "");
    await page.done();
});

test("what is being typed stays while the list is read again", async () => {
    const page = await enter({ hash: "#/negotiations" });
    const wanted = page.getByLabel("What do you want?");
    await wanted.fill("A party in");
    await page.evaluate(() => {
        document.querySelector(".list .rows").dataset.seen = "before";
    });
    await server.tell("ask apr_elsewhere 60");
    await until(page, () => document.querySelector(".list .rows").dataset.seen !== "before");
    await page.keyboard.type(" Beijing");
    assert.equal(await wanted.inputValue(), "A party in Beijing");
    await page.done();
});

test("a long list goes on by pages", async () => {
    const page = await enter({ hash: "#/negotiations" });
    const wanted = page.getByLabel("What do you want?");
    for (let begun = 1; begun <= 21; begun += 1) {
        await wanted.fill(`Something that nobody has, ${begun}`);
        await page.getByRole("button", { name: "Find agents" }).click();
        await until(page, () => document.getElementById("demand").value === "");
    }
    await page.reload();
    const rows = page.locator(".list .item");
    const more = page.getByRole("button", { name: "More" });
    await more.waitFor();
    assert.equal(await rows.count(), 20);
    // An update of the list may replace the button during a click.
    while ((await rows.count()) <= 21) {
        await more.click();
        await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await more.waitFor({ state: "detached" });
    await page.done();
});

test("candidates, plans, rounds, gaps and what is below stand on one page", async () => {
    const page = await enter({ hash: "#/negotiations/d-party" });
    const detail = page.locator(".detail");
    for (const words of [
        "agreed in part",
        "Only if: not on a Sunday",
        "Changed: the room is smaller",
        "Changes since version 1",
        "my room takes 50",
        "did not answer; counted as a yes that commits nobody",
        "The party without pictures",
        "Agreed with 2 after 2 rounds",
    ]) {
        await detail.getByText(words).first().waitFor();
    }
    await detail.locator("ol.story").getByText("Lin wants changes: my room takes 50").waitFor();
    assert.equal(await detail.locator("del").count(), 1);
    assert.equal(await detail.locator("img, script").count(), 0, "what others wrote stays text");
    assert.equal(await detail.locator("svg.drawing .node").count(), 2);
    const below = detail.getByRole("link", { name: "A photographer for one evening" });
    await clickUntil(page, below, () => location.hash === "#/negotiations/d-photo");
    await page.done();
});

test("a plan is made real: it is shown first, then each part waits for its own yes", async () => {
    const page = await enter({ hash: "#/negotiations/d-party" });
    const detail = page.locator(".detail");
    const actions = detail.locator(".plan-actions > li");
    await actions.getByText("not asked yet").nth(1).waitFor();
    assert.equal(await actions.count(), 2, "an offer and a request, nothing of a presumed yes");
    await actions.getByText("1,500 CNY").waitFor();
    await shoot(page, "plan-before");
    await detail.getByRole("button", { name: "Carry it out" }).click();
    await page.getByText("Each of them waits for your approval.").waitFor();
    await actions.getByText("Waits for your approval").nth(1).waitFor();
    await detail
        .getByRole("button", { name: "Carry it out" })
        .waitFor({ state: "detached" });
    await shoot(page, "plan-asked");
    const ids = await actions
        .getByRole("link")
        .evaluateAll((links) => links.map((link) => link.hash.split("/").at(-1)));
    assert.equal(new Set(ids).size, 2);
    const offer = await server.show(ids[0]);
    assert.equal(offer.amount_minor, 150_000);
    assert.equal(offer.status, "pending");
    // The page follows what is answered elsewhere.
    await server.tell(`approve ${ids[0]}`);
    await actions.getByText("done", { exact: true }).waitFor();
    assert.equal((await server.show(ids[1])).status, "pending");
    await actions.getByRole("link", { name: "Waits for your approval" }).click();
    await until(page, () => location.hash.startsWith("#/open/apr_"));
    await page.locator(".detail").getByText("Publish the request for proposals").first().waitFor();
    await page.done();
    for (const lang of ["en", "zh"]) {
        const small = await enter({ hash: "#/negotiations/d-party", viewport: phone, lang });
        await small.locator(".plan-actions > li").nth(1).waitFor();
        await until(small, () => {
            const actions = document.querySelector(".plan-actions");
            actions?.scrollIntoView();
            return actions !== null;
        });
        await shoot(small, `plan-phone-${lang}`);
        await small.done();
    }
});

test("a lost connection is tried five times, then the page says so", async () => {
    const page = await enter();
    // The waiting times of the page pass at once.
    await page.clock.install();
    let tries = 0;
    let lost = true;
    const story = "**/api/v1/events/**";
    await page.route(story, (route) => {
        ++tries;
        return lost ? route.fulfill({ status: 204 }) : route.continue();
    });
    await page.evaluate(() => {
        location.hash = "#/negotiations/d-party";
    });
    const over = page.locator(".detail").getByText("could not be restored");
    await page.locator(".detail").getByText("trying again").waitFor();
    for (let second = 0; second < 600 && !(await over.isVisible()); second += 1)
        await page.clock.runFor(1000);
    assert.equal(tries, 6);
    lost = false;
    await page.locator(".detail").getByRole("button", { name: "Try again" }).click();
    await page.locator(".detail").getByText("Agreed with 2").waitFor();
    await over.waitFor({ state: "detached" });
    await page.done();
});
