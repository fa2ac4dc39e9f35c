// Measures in Chromium how long the page stays empty while 10 000 questions are open: until the
// first paint, and until the list is complete. Usage: tests/integration/page/run BUILD --plain
// page_paint.mjs [--quick]
import { enter, Server } from "../integration/page/app.mjs";
import { launch } from "../integration/page/browser.mjs";

const open = 10_000;
const targetMs = 100;
const loads = process.argv.includes("--quick") ? 10 : 50;

function row(name, times) {
    times.sort((a, b) => a - b);
    const at = (share) => times[Math.floor(share * (times.length - 1))];
    const cell = (ms) => `${ms.toFixed(2).padStart(8)} ms`;
    const met = at(0.99) < targetMs ? "yes" : "NO ";
    console.log(
        `| ${name.padEnd(44)} | ${cell(at(0.5))} | ${cell(at(0.99))} | < ${targetMs} ms | ${met} |`,
    );
}

const head = "10 000 questions open".padEnd(44);
console.log(`| ${head} | p50         | p99         | target   | met |`);
const browser = await launch();
const server = await new Server().start();
await server.tell(`fill ${open}`);
const page = await enter(browser, server);
// When the list was complete, as measured by the browser itself.
await page.context().addInitScript(() => {
    new MutationObserver((_changes, observer) => {
        if (!document.querySelector(".item")) return;
        observer.disconnect();
        requestAnimationFrame(() => {
            globalThis.listedAt = performance.now();
        });
    }).observe(document, { childList: true, subtree: true });
});
const painted = [];
const listed = [];
for (let i = 0; i < loads; ++i) {
    await page.reload();
    await page.locator(".item").nth(40).waitFor();
    const [first, list] = await page.evaluate(async () => {
        const paints = () => performance.getEntriesByName("first-contentful-paint");
        while (!paints().length || !globalThis.listedAt)
            await new Promise(requestAnimationFrame);
        return [paints()[0].startTime, globalThis.listedAt];
    });
    painted.push(first);
    listed.push(list);
}
row("in Chromium: first contentful paint", painted);
row("in Chromium: the list stands", listed);
await browser.close();
await server.stop();
