// The bundle for desktop clients and the entry for registries, by the official tool and rules.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { packageFile, product, runScript, source, temporaryFolder } from './support.mjs';

const tool = packageFile('@anthropic-ai/mcpb', 'dist/cli/cli.js');
const release = 'https://github.com/example/a2h-mcp/releases/download/v0.1.0';
const version = execFileSync(product, ['--version'], { encoding: 'utf8' }).trim().split(' ')[1];

let build;
let bundle;
before(() => {
    build = temporaryFolder();
    mkdirSync(path.join(build.folder, 'bin'));
    // Any program will do, because only its place in the bundle matters.
    for (const name of ['a2h-mcp', 'a2hd', 'a2h']) {
        symlinkSync(product, path.join(build.folder, 'bin', name));
    }
    bundle = pack();
});
after(() => build.remove());

function pack() {
    return execFileSync(path.join(source, 'packaging/mcpb/pack'), [build.folder, release],
        { encoding: 'utf8' }).trim();
}

async function mcpb(...args) {
    const { status, out, err } = await runScript(tool, args, build.folder);
    assert.equal(status, 0, out + err);
    return out;
}

test('the manifest is valid, and of the version that the programs have', async () => {
    const file = path.join(source, 'packaging/mcpb/manifest.json');
    await mcpb('validate', file);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).version, version);
});

test('the bundle unpacks into programs that run as the manifest says', async () => {
    const folder = path.join(build.folder, 'unpacked');
    await mcpb('unpack', bundle, folder);
    await mcpb('validate', path.join(folder, 'manifest.json'));
    const { server, user_config } = JSON.parse(
        readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
    const filled = text => text.replace('${__dirname}', folder)
        .replace(/\$\{user_config\.(\w+)\}/, (_, name) => String(user_config[name].default))
        .replace('${HOME}', build.folder);
    const program = filled(server.mcp_config.command);
    assert.equal(program, path.join(folder, server.entry_point));
    for (const name of ['a2h-mcp', 'a2hd', 'a2h']) {
        assert.equal(statSync(path.join(folder, 'server', name)).mode & 0o111, 0o111);
    }
    const env = Object.fromEntries(Object.entries(server.mcp_config.env)
        .map(([name, value]) => [name, filled(value)]));
    const tools = JSON.parse(execFileSync(program,
        [...server.mcp_config.args.map(filled), '--list-tools'],
        { encoding: 'utf8', env: { ...process.env, ...env } }));
    assert.equal(tools.length, 19);
    const onlyLooking = JSON.parse(execFileSync(program, ['--list-tools'],
        { encoding: 'utf8', env: { ...process.env, A2H_READ_ONLY: 'true' } }));
    assert.ok(onlyLooking.length < 19);
});

test('the same programs make the same bundle', () => {
    const first = readFileSync(bundle);
    assert.deepEqual(readFileSync(pack()), first);
});

// The rules of the registry's schema of 2025-12-11 that the entry can break.
test('server.json is what a registry takes', () => {
    const entry = JSON.parse(readFileSync(path.join(build.folder, 'mcpb/server.json'), 'utf8'));
    assert.match(entry.$schema, /\/2025-12-11\/server\.schema\.json$/);
    assert.match(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.ok(entry.description.length >= 1 && entry.description.length <= 100);
    assert.equal(entry.version, version);
    assert.deepEqual(Object.keys(entry).filter(name => !['$schema', 'name', 'title', 'description',
        'version', 'packages', 'repository', 'websiteUrl', 'icons', 'remotes', '_meta']
        .includes(name)), []);
    const [{ registryType, identifier, fileSha256, transport }] = entry.packages;
    assert.equal(registryType, 'mcpb');
    assert.deepEqual(transport, { type: 'stdio' });
    // Registries take bundles only from there, and only with "mcp" in the address.
    assert.match(identifier, /^https:\/\/github\.com\/.*mcp.*\.mcpb$/);
    assert.equal(fileSha256, createHash('sha256').update(readFileSync(bundle)).digest('hex'));
});
