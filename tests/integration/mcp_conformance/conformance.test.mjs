// The official conformance program: every scenario that it requires of a server, revision by
// revision. What HTTP asks for (dns-rebinding-protection, server-sse-multiple-streams, headers and
// status codes) is answered by bridge.mjs and says nothing about us.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { startBridge } from './bridge.mjs';
import { fixture, packageFile, product, runScript, startStub } from './support.mjs';

const suite = '@modelcontextprotocol/conformance';

/// The list of one revision in the package's own words.
function required(revision) {
    const text = readFileSync(packageFile(suite, `requirements/${revision}.yaml`), 'utf8');
    const list = text.match(/^server:\n((?: +- .*\n)+)/m)[1];
    return [...list.matchAll(/- (\S+)/g)].map(match => match[1]);
}

/// Scenario -> whether it passed, from the program's summary.
async function run(command, args) {
    const bridge = await startBridge(command);
    try {
        const { out, err } = await runScript(packageFile(suite, 'dist/index.js'),
            ['server', '--url', bridge.url, ...args]);
        const passed = {};
        for (const [, name, good, bad] of
            (out + err).matchAll(/^. ([\w-]+): (\d+) passed, (\d+) failed/gm)) {
            passed[name] = good > 0 && bad === '0';
        }
        return { passed, text: out + err };
    } finally {
        await bridge.close();
        assert.deepEqual(bridge.faults, []);
    }
}

for (const [revision, count] of [['2025-11-25', 30], ['2026-07-28', 37]]) {
    test(`the ${count} scenarios that ${revision} requires pass on our library`, async t => {
        const scenarios = required(revision);
        assert.equal(scenarios.length, count);
        const { passed, text } = await run([fixture], ['--requirements', revision]);
        const missed = scenarios.filter(name => !passed[name]);
        t.diagnostic(text.match(/^Total: .*$/m)?.[0]);
        assert.deepEqual(missed, [], text);
    });
}

test('the scenarios of the tasks extension pass on our library', async t => {
    const missed = [];
    for (const scenario of ['lifecycle', 'capability-negotiation', 'wire-fields',
        'request-state-removal', 'mrtr-input', 'dispatch-and-envelope', 'required-task-error',
        'mrtr-composition']) {
        const { text } = await run([fixture], ['--scenario', `tasks-${scenario}`]);
        const total = text.match(/^Passed: .*$/m)?.[0];
        t.diagnostic(`${scenario}: ${total}`);
        if (!/Passed: ([1-9]\d*)\/\1, 0 failed/.test(text)) missed.push(text);
    }
    assert.deepEqual(missed, []);
});

let stub;
before(async () => {
    stub = await startStub();
});
after(() => stub.stop());

// The scenarios that need no fixture.
const onProduct = [
    ['2025-11-25', ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list']],
    ['2026-07-28', ['tools-list', 'resources-list', 'prompts-list', 'caching',
        'sep-2164-resource-not-found', 'input-required-result-unsupported-methods']],
];
for (const [revision, scenarios] of onProduct) {
    for (const scenario of scenarios) {
        test(`${scenario} of ${revision} passes on a2h-mcp itself`, async () => {
            const { text } = await run(
                [product, '--home', stub.home, '--no-start', '--toolsets', 'all'],
                ['--scenario', scenario, '--spec-version', revision]);
            assert.match(text, /Passed: (\d+)\/\1, 0 failed/, text);
        });
    }
}
