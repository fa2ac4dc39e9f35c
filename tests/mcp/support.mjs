// Shared by the tests of a2h-mcp: a home folder with a daemon, clients of both generations, and
// the official schemas.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { createInterface } from 'node:readline';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const build = process.env.A2H_BUILD;
export const program = path.join(build, 'bin/a2h-mcp');
const me = { name: 'a2h-tests', version: '1' };

// The SDKs hand down a few variables only; in a sanitizer build these must come with them.
const sanitizerOptions = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.endsWith('SAN_OPTIONS')));

/// A temporary home with a stand-in for the daemon listening in it.
export async function startStub() {
    const home = mkdtempSync(path.join(tmpdir(), 'a2h-mcp-'));
    const daemon = spawn(path.join(build, 'tests/stub_a2hd'), ['--home', home],
        { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface(daemon.stdout), 'line');
    return {
        home,
        async stop() {
            daemon.kill();
            await once(daemon, 'exit');
            rmSync(home, { recursive: true });
        },
    };
}

/// Every way in which the official clients connect. `open` returns a connected client; it shows
/// dialogs when it is given `dialog`, which takes the params and returns the human's answer.
export const clients = [
    {
        name: 'SDK v1',
        version: '2025-11-25',
        open: (home, dialog) => connect(new ClientV1(me, capabilities(dialog)), StdioV1, home,
            client => client.setRequestHandler(ElicitRequestSchema, ask => dialog(ask.params)),
            dialog),
    },
    ...['legacy', 'auto', { pin: '2026-07-28' }].map(mode => ({
        name: `SDK v2 ${mode.pin ?? mode}`,
        version: mode === 'legacy' ? '2025-11-25' : '2026-07-28',
        open: (home, dialog) => connect(
            new ClientV2(me, { versionNegotiation: { mode }, ...capabilities(dialog) }), StdioV2,
            home,
            client => client.setRequestHandler('elicitation/create', ask => dialog(ask.params)),
            dialog),
    })),
];

function capabilities(dialog) {
    return dialog ? { capabilities: { elicitation: { form: {} } } } : {};
}

async function connect(client, Transport, home, showDialogs, dialog) {
    if (dialog) showDialogs(client);
    const errors = [];
    client.onerror = error => errors.push(String(error));
    await client.connect(new Transport({
        command: program, args: ['--home', home, '--no-start'], env: sanitizerOptions,
        stderr: 'inherit',
    }));
    return { client, errors };
}

/// Calls a tool; both generations take the same arguments.
export function call({ client }, name, args = {}) {
    return client.callTool({ name, arguments: args });
}

/// A plain connection to a2h-mcp, line by line.
export function openRaw(home) {
    const child = spawn(program, ['--home', home, '--no-start'],
        { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return {
        say: message => child.stdin.write(
            (typeof message === 'string' ? message : JSON.stringify(message)) + '\n'),
        hear: async () => JSON.parse((await lines.next()).value),
        async close() {
            child.stdin.end();
            const [code] = await once(child, 'exit');
            return code;
        },
    };
}

/// The official JSON schemas from 2025-03-26 on. The conformance suite's package carries them as
/// literals inside its one bundled file, and no package carries them as files.
export function officialSchemas() {
    const entry = createRequire(import.meta.url).resolve.paths('x')
        .map(folder => path.join(folder, '@modelcontextprotocol/conformance/dist/index.js'));
    const text = entry.map(file => {
        try {
            return readFileSync(file, 'utf8');
        } catch {
            return '';
        }
    }).join('');
    const literal = /=(\{\$schema:`[^`]+`,(?:definitions|\$defs):\{Annotations:)/g;
    const schemas = [];
    for (const match of text.matchAll(literal)) {
        schemas.push(vm.runInNewContext(`(${literalAt(text, match.index + 1)})`));
    }
    return schemas;
}

/// The object literal that begins at `begin`, found by its brackets.
function literalAt(text, begin) {
    let depth = 0;
    for (let at = begin; at < text.length; at++) {
        const c = text[at];
        if (c === '`' || c === '"' || c === "'") {
            for (at++; text[at] !== c; at++) if (text[at] === '\\') at++;
        } else if (c === '{' || c === '[') {
            depth++;
        } else if ((c === '}' || c === ']') && --depth === 0) {
            return text.slice(begin, at + 1);
        }
    }
    throw new Error('a schema in the conformance package has no end');
}

/// `validate(type, value)` fails with ajv's findings unless `value` is a `type` of the schema.
export function validator(schema) {
    const modern = schema.$schema.includes('2020-12');
    const options = { strict: false, allErrors: true, allowUnionTypes: true };
    const ajv = modern ? new Ajv2020(options) : new Ajv(options);
    addFormats(ajv);
    ajv.addFormat('byte', true);
    ajv.addSchema({ ...schema, $id: 'mcp' });
    const definitions = modern ? '$defs' : 'definitions';
    return {
        has: type => type in schema[definitions],
        validate(type, value) {
            const check = ajv.getSchema(`mcp#/${definitions}/${type}`);
            if (!check(value)) {
                const found = ajv.errorsText(check.errors);
                throw new Error(`${type}: ${found}\n${JSON.stringify(value)}`);
            }
        },
    };
}
