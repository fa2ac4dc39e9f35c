// The published client has two addresses built in; here they lead to the market of A2H_MARKET_URL.
// Every answer is written to A2H_RECORD, and npm_test.cpp checks it against the market's document.

import { appendFileSync } from 'node:fs';

const market = process.env.A2H_MARKET_URL;
const builtIn = ['https://api.a2hmarket.ai', 'https://web.a2hmarket.ai'];
const realFetch = globalThis.fetch;

globalThis.fetch = async (address, options) => {
    const text = String(address);
    const base = builtIn.find(known => text.startsWith(known));
    const url = base ? market + text.slice(base.length) : text;
    const answer = await realFetch(url, options);
    const { pathname } = new URL(url);
    const body = await answer.clone().text();
    const method = options?.method ?? 'GET';
    appendFileSync(process.env.A2H_RECORD,
        JSON.stringify({ method, path: pathname, status: answer.status, body }) + '\n');
    return answer;
};

/// Polls until `condition` returns a value.
export async function eventually(condition, what = 'it') {
    for (const end = Date.now() + 15_000; Date.now() < end;) {
        const value = await condition();
        if (value) return value;
        await new Promise(resolve => setTimeout(resolve, 50));
    }
    throw new Error(`${what} did not happen in time`);
}
