// The tokens that a model is charged for, counted by a published tokenizer.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countTokens } from '@anthropic-ai/tokenizer';
import { call, clients, startStub } from './support.mjs';

let stub;
let connection;
before(async () => {
    stub = await startStub();
    connection = await clients[0].open(stub.home);
});
after(async () => {
    await connection.client.close();
    await stub.stop();
});

function note(t, what, tokens) {
    t.diagnostic(`${what}: ${tokens} tokens`);
    return tokens;
}

test('the tools that are listed without a choice cost less than 8 000 tokens', async t => {
    const { tools } = await connection.client.listTools();
    assert.ok(note(t, 'tools/list', countTokens(JSON.stringify(tools))) < 8000);
    // The tokens of each request: clients do not pass hints and output schemas on.
    const paid = tools.map(({ name, description, inputSchema }) =>
        ({ name, description, input_schema: inputSchema }));
    assert.ok(note(t, 'in a request', countTokens(JSON.stringify(paid))) <= 5340);
});

test('a long list costs less than 4 000 tokens and says how to get the rest', async t => {
    const seen = [];
    let cursor;
    for (let calls = 0; calls < 3; calls++) {
        const result = await call(connection, 'a2h_inbox_history',
            { peer_id: 'ag_bob', limit: 50, ...(cursor && { cursor }) });
        const { text } = result.content[0];
        const tokens = note(t, `call ${calls}`, countTokens(text));
        assert.ok(tokens < 4000 && tokens > 1500, String(tokens));
        assert.match(text.split('\n').at(-1), /call a2h_inbox_history again with cursor "n\d+"/);
        const { items, next_cursor } = result.structuredContent.data;
        seen.push(...items.map(item => item.message_id));
        cursor = next_cursor;
    }
    assert.equal(new Set(seen).size, seen.length);
});

test('detail "full" shortens nothing and stays below what clients refuse', async t => {
    const result = await call(connection, 'a2h_inbox_history',
        { peer_id: 'ag_bob', limit: 50, detail: 'full' });
    const { text } = result.content[0];
    assert.ok(note(t, 'full', countTokens(text)) < 16000);
    assert.ok(!text.includes('characters)'));
});
