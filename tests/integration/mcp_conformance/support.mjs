// Helpers of the tests in this folder: programs, and a stand-in for the daemon.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const build = process.env.A2H_BUILD;
export const product = path.join(build, 'bin/a2h-mcp');
export const fixture = path.join(build, 'tests/mcp_fixture');
export const source = process.env.A2H_SOURCE;

/// A file of an npm package.
export function packageFile(name, file) {
    return createRequire(import.meta.url).resolve.paths('x')
        .map(folder => path.join(folder, name, file))[0];
}

/// Runs a script with this Node.js; a separate home keeps it out of the user's.
export function runScript(script, args, home) {
    return new Promise(resolve => {
        const env = { ...process.env, ...(home && { HOME: home }) };
        execFile(process.execPath, [script, ...args], { env, maxBuffer: 64 * 1024 * 1024 },
            (error, out, err) => resolve({ status: error?.code ?? 0, out, err }));
    });
}

export function temporaryFolder() {
    const folder = mkdtempSync(path.join(tmpdir(), 'a2h-conformance-'));
    return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/// A temporary home with a stand-in for the daemon listening in it.
export async function startStub() {
    const { folder, remove } = temporaryFolder();
    const daemon = spawn(path.join(build, 'tests/stub_a2hd'), ['--home', folder],
        { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface(daemon.stdout), 'line');
    return {
        home: folder,
        async stop() {
            daemon.kill();
            await once(daemon, 'exit');
            remove();
        },
    };
}
