// Measures how fast a2h-mcp answers, compared with a server that only echoes numbers and a widely
// used one. Started by mcp_bench, which has a real a2hd running: A2H_BENCH_HOME is its home. Each
// side runs in turn, with the same client; medians are printed.
//   node mcp_calls.mjs BUILD MODULES [--quick]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [build, modules] = process.argv.slice(2, 4).map(folder => path.resolve(folder));
const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 5;
const calls = quick ? 300 : 2000;
const inFlight = [1, 16];

const require = createRequire(path.join(modules, 'package.json'));
const load = name => import(pathToFileURL(require.resolve(name)).href);
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');

const answerFile = path.join(tmpdir(), `a2h-bench-answer-${process.pid}.json`);

const subjects = {
    ours: {
        name: 'a2h-mcp', tool: 'a2h_status', args: {}, starts: 20, expect: '"ok":true',
        command: [path.join(build, 'bin/a2h-mcp'), '--home', process.env.A2H_BENCH_HOME,
            '--no-start'],
    },
    floor: {
        name: 'echo of ids', tool: 'echo', args: {}, starts: 20, expect: 'hello',
        command: [path.join(build, 'bench/mcp_floor')],
    },
    // Gives the same answers as a2h-mcp: the difference between the two is a2h-mcp's own cost, the
    // rest is the client's.
    sameBytes: {
        name: 'echo with our answer', tool: 'echo', args: {}, starts: 5, expect: '"ok":true',
        command: [path.join(build, 'bench/mcp_floor'), answerFile],
    },
    everything: {
        name: 'server-everything', tool: 'echo', args: { message: 'hello' }, starts: 5,
        expect: 'hello',
        command: [process.execPath, path.join(modules,
            'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
    },
};

/// The official client, or plain lines without a client: then the server's share is larger.
const clients = {
    async sdk({ command, tool, args }) {
        const client = new Client({ name: 'bench', version: '1' });
        const transport = new StdioClientTransport(
            { command: command[0], args: command.slice(1), stderr: 'ignore' });
        await client.connect(transport);
        return {
            pid: transport.pid,
            call: () => client.callTool({ name: tool, arguments: args }),
            close: () => client.close(),
        };
    },
    async lines({ command, tool, args }) {
        const child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
        const waiting = new Map();
        createInterface(child.stdout).on('line', line => {
            const { id, result } = JSON.parse(line);
            waiting.get(id)?.(result);
            waiting.delete(id);
        });
        let count = 0;
        const ask = (method, params) => new Promise(resolve => {
            waiting.set(++count, resolve);
            child.stdin.write(
                JSON.stringify({ jsonrpc: '2.0', id: count, method, params }) + '\n');
        });
        await ask('initialize', {
            protocolVersion: '2025-11-25', capabilities: {},
            clientInfo: { name: 'bench', version: '1' },
        });
        child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
        return {
            pid: child.pid,
            call: () => ask('tools/call', { name: tool, arguments: args }),
            async close() {
                child.stdin.end();
                await once(child, 'exit');
            },
        };
    },
};

function median(values) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
}

async function callsPerSecond(connection, width, expect) {
    let left = calls;
    const work = async () => {
        while (left-- > 0) {
            const { content } = await connection.call();
            if (!content[0].text.includes(expect)) throw new Error(content[0].text);
        }
    };
    const begun = performance.now();
    await Promise.all(Array.from({ length: width }, work));
    return calls / (performance.now() - begun) * 1000;
}

/// rates[subject][client][width], resident memory in MiB afterwards.
async function measureCalls(client) {
    const open = {};
    const rates = {};
    for (const [key, subject] of Object.entries(subjects)) {
        open[key] = await clients[client](subject);
        rates[key] = Object.fromEntries(inFlight.map(width => [width, []]));
        await callsPerSecond(open[key], 4, subject.expect);
    }
    for (let round = 0; round < rounds; round++) {
        for (const width of inFlight) {
            for (const [key, { expect }] of Object.entries(subjects)) {
                rates[key][width].push(await callsPerSecond(open[key], width, expect));
            }
        }
    }
    const resident = {};
    for (const [key, connection] of Object.entries(open)) {
        const status = readFileSync(`/proc/${connection.pid}/status`, 'utf8');
        resident[key] = Number(status.match(/^VmRSS:\s+(\d+)/m)[1]) / 1024;
        await connection.close();
        for (const width of inFlight) rates[key][width] = median(rates[key][width]);
    }
    return { rates, resident };
}

/// From the start of the program to the first result of its tool, in ms.
async function measureStart(subject) {
    const times = [];
    for (let i = 0; i < (quick ? 3 : subject.starts); i++) {
        const begun = performance.now();
        const connection = await clients.lines(subject);
        await connection.call();
        times.push(performance.now() - begun);
        await connection.close();
    }
    return median(times);
}

let missed = 0;
function row(what, ours, other, ratio, target, met) {
    if (!met) missed++;
    console.log(`| ${what} | ${ours} | ${other} | ${ratio} | ${target} | ${met ? 'yes' : 'no'} |`);
}

console.log(`a2h-mcp: load ${loadavg().map(load => load.toFixed(1)).join(' ')}, `
    + `node ${process.versions.node}, ${rounds} rounds of ${calls} calls\n`);
console.log('| | a2h-mcp | baseline | result | target | met |\n|---|---|---|---|---|---|');
{
    const connection = await clients.lines(subjects.ours);
    writeFileSync(answerFile, JSON.stringify(await connection.call()));
    await connection.close();
}
const least = { sdk: { 1: 2 }, lines: { 16: 3.5 } };
for (const client of ['sdk', 'lines']) {
    const { rates, resident } = await measureCalls(client);
    const name = client === 'sdk' ? 'SDK v1 client' : 'raw lines';
    for (const width of inFlight) {
        for (const [other, target] of [['floor', 0.7], ['sameBytes', undefined],
            ['everything', least[client][width]]]) {
            const ratio = rates.ours[width] / rates[other][width];
            row(`calls/s, ${name}, ${width} in flight`, Math.round(rates.ours[width]),
                `${Math.round(rates[other][width])} (${subjects[other].name})`,
                `${ratio.toFixed(2)} ×`, target ? `≥ ${target} ×` : '', ratio >= (target ?? 0));
        }
    }
    if (client === 'lines') {
        const { ours, everything } = resident;
        row('resident afterwards', `${ours.toFixed(1)} MiB`,
            `${everything.toFixed(1)} MiB (server-everything)`,
            `1/${(everything / ours).toFixed(1)}`, '< 6 MiB, ≤ 1/10',
            ours < 6 && everything / ours >= 10);
    }
}
rmSync(answerFile);
delete subjects.sameBytes;
const start = {};
for (const [key, subject] of Object.entries(subjects)) start[key] = await measureStart(subject);
row('start to first result', `${start.ours.toFixed(1)} ms`,
    `${start.everything.toFixed(0)} ms (server-everything), ${start.floor.toFixed(1)} ms (echo)`,
    `1/${(start.everything / start.ours).toFixed(0)}`, '< 10 ms, ≤ 1/30',
    start.ours < 10 && start.everything / start.ours >= 30);
console.log(missed === 0 ? '\nAll targets are met.' : `\n${missed} targets are not met.`);
