// The application's server and a simulated person, for all tests of the application.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { bringAxe, desk } from "./browser.mjs";

/// A daemon of its own; see a2h_app_server for its options.
export class Server {
    static #running = new Set();
    /// For `after`: a test that failed before it stopped its own must not keep the run alive.
    static async stopAll() {
        for (const server of Server.#running) await server.stop();
    }
    async start(...options) {
        this.child = spawn(process.env.A2H_APP_SERVER, options, {
            stdio: ["pipe", "pipe", "inherit"],
        });
        this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
        Server.#running.add(this);
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
        Server.#running.delete(this);
        const gone = this.child.exitCode === null && once(this.child, "exit");
        this.child.stdin.end();
        await gone;
    }
}

/// A page of `server` with a session of its own, in English unless `lang` says otherwise (null: as
/// the person's own). Its `done` fails the test when it has loaded anything from elsewhere, broken
/// the policy or thrown.
export async function enter(browser, server, options = {}) {
    const { lang = "en", hash = "", person = "", axe = false, ...rest } = options;
    const context = await browser.newContext({ viewport: desk, ...rest });
    if (axe) await bringAxe(context);
    if (lang) {
        await context.addInitScript(([language, person]) => {
            const key = `a2h.language.${person || "human"}`;
            if (!localStorage.getItem(key)) localStorage.setItem(key, language);
        }, [lang, person]);
    }
    const page = await context.newPage();
    const faults = [];
    page.on("request", (request) => {
        if (!request.url().startsWith(server.home.url)) faults.push(`loads ${request.url()}`);
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) faults.push(message.text());
    });
    const { link } = await server.tell(`link ${person}`);
    await page.goto(link);
    await page.getByRole("button").click();
    await page.locator(".nav").waitFor();
    if (hash) await go(page, hash);
    page.done = async () => {
        assert.deepEqual(faults, []);
        await context.close();
    };
    return page;
}

export async function go(page, hash) {
    await page.evaluate((to) => {
        location.hash = to;
    }, hash);
}

/// Waits until a condition holds in the page. (Playwright's own function needs eval, which the
/// policy forbids.)
export async function until(page, condition) {
    for (const end = Date.now() + 15_000; Date.now() < end; ) {
        if (await page.evaluate(condition).catch(() => false)) return;
        await new Promise((resolve) => setTimeout(resolve, 40));
    }
    assert.fail(`never: ${condition}`);
}

/// Clicks until the effect is visible: a click is lost if the view is drawn again under it.
export async function clickUntil(page, target, condition) {
    for (let tries = 0; tries < 5; tries += 1) {
        await target.click();
        for (const end = Date.now() + 3_000; Date.now() < end; ) {
            if (await page.evaluate(condition).catch(() => false)) return;
            await new Promise((resolve) => setTimeout(resolve, 40));
        }
    }
    assert.fail(`no click led to: ${condition}`);
}

/// Presses a key until its effect is visible: a busy browser may lose a key that is pressed while a
/// dialog closes.
export async function pressUntil(page, key, condition) {
    for (let tries = 0; tries < 10; tries += 1) {
        await page.keyboard.press(key);
        for (const end = Date.now() + 2_000; Date.now() < end; ) {
            if (await page.evaluate(condition).catch(() => false)) return;
            await new Promise((resolve) => setTimeout(resolve, 40));
        }
    }
    assert.fail(`${key} never led to: ${condition}`);
}
