// The official inspector without its browser: its lists, calls and findings.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { packageFile, product, runScript, startStub, temporaryFolder } from './support.mjs';

const golden = join(process.env.A2H_SOURCE, 'tests/golden/mcp/tools.json');
const toolsOfAll = JSON.parse(readFileSync(golden, 'utf8')).length;
const inspector = packageFile('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');

let stub;
let own;
before(async () => {
    stub = await startStub();
    own = temporaryFolder();
});
after(async () => {
    await stub.stop();
    own.remove();
});

async function inspect(era, options, toolsets = 'all') {
    const { status, out, err } = await runScript(inspector, ['--cli', product, '--home', stub.home,
        '--no-start', '--toolsets', toolsets, '--format', 'json', '--protocol-era', era,
        ...options], own.folder);
    assert.equal(status, 0, `${status}: ${err}${out}`);
    return { result: JSON.parse(out).result, err };
}

for (const era of ['legacy', 'auto', 'modern']) {
    test(`${era}: no tool's schema is one that some client cannot read`, async () => {
        const { result, err } = await inspect(era, ['--method', 'tools/list', '--strict']);
        assert.equal(result.tools.length, toolsOfAll);
        assert.equal(err, '');
    });

    test(`${era}: a tool is called, resources and prompts are listed`, async () => {
        const { result } = await inspect(era,
            ['--method', 'tools/call', '--tool-name', 'a2h_status'], 'core');
        assert.equal(result.structuredContent.data.agent_id, 'ag_stub');
        const resources = await inspect(era, ['--method', 'resources/list']);
        assert.ok(resources.result.resources.some(({ uri }) => uri === 'a2h://status'));
        const prompts = await inspect(era, ['--method', 'prompts/list']);
        assert.ok(prompts.result.prompts.some(({ name }) => name === 'sell'));
    });
}
