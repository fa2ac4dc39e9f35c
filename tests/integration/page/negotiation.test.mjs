// Negotiations of many parties in a real browser at a real a2hd.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enter as enterAs, Server, until } from "./app.mjs";
import { launch } from "./browser.mjs";

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
    await page.locator(".detail").getByText("It came to nothing").waitFor();
    await page.locator(".detail").getByText("failed: nobody was found who fits").waitFor();
    await page.locator(".list").getByText("failed: nobody was found who fits").first().waitFor();
    assert.equal(await page.getByLabel("What do you want?").inputValue(), "");
    await page.done();
});

test("candidates, plans, rounds, gaps and what is below stand on one page", async () => {
    const page = await enter({ hash: "#/negotiations/d-party" });
    const detail = page.locator(".detail");
    for (const words of [
        "agreed in part",
        "Only if: not on a Sunday",
        "Changed: the room is smaller",
        "What is different from version 1",
        "my room takes 50",
        "did not answer; counted as a yes that binds nobody",
        "The party without pictures",
        "Agreed with 2 after 2 rounds",
    ]) {
        await detail.getByText(words).first().waitFor();
    }
    assert.equal(await detail.locator("del").count(), 1);
    assert.equal(await detail.locator("img, script").count(), 0, "what others wrote stays text");
    assert.equal(await detail.locator("svg.drawing .node").count(), 2);
    await detail.getByRole("link", { name: "A photographer for one evening" }).click();
    await until(page, () => location.hash === "#/negotiations/d-photo");
    await page.done();
});

test("a lost connection is tried five times, then the page says so", async () => {
    const page = await enter();
    // The waits of the page pass at once.
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
    const over = page.locator(".detail").getByText("did not come back");
    await page.locator(".detail").getByText("trying again").waitFor();
    while (!(await over.isVisible())) await page.clock.runFor(1000);
    assert.equal(tries, 6);
    lost = false;
    await page.locator(".detail").getByRole("button", { name: "Try again" }).click();
    await page.locator(".detail").getByText("Agreed with 2").waitFor();
    await over.waitFor({ state: "detached" });
    await page.done();
});
