// The official clients of both generations list and call the tools of a2h-mcp.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, clients, startStub } from './support.mjs';

const tools = ['a2h_status', 'a2h_inbox_history', 'a2h_send', 'a2h_deal_list', 'a2h_deal_get',
    'a2h_works_search', 'a2h_works_get', 'a2h_works_list', 'a2h_works_publish',
    'a2h_works_update', 'a2h_works_delete',
    'a2h_order_create', 'a2h_order_action', 'a2h_order_get', 'a2h_order_list',
    'a2h_approval_list', 'a2h_create_approval', 'a2h_approval_response',
    'a2h_approval_wait'];

let stub;
before(async () => {
    stub = await startStub();
});
after(() => stub.stop());

for (const { name, version, open } of clients) {
    test(`${name} agrees on ${version}, lists the tools and calls them`, async () => {
        const connection = await open(stub.home);
        const { client, errors } = connection;
        try {
            if (client.getNegotiatedProtocolVersion) {
                assert.equal(client.getNegotiatedProtocolVersion(), version);
            }
            assert.equal(client.getServerVersion().name, 'a2h');
            assert.match(client.getInstructions(), /a2h_status/);

            const listed = await client.listTools();
            assert.deepEqual(listed.tools.map(tool => tool.name), tools);
            assert.equal(listed.nextCursor, undefined);
            for (const tool of listed.tools) {
                assert.equal(tool.inputSchema.additionalProperties, false);
                assert.equal(typeof tool.annotations.destructiveHint, 'boolean');
            }

            const status = await call(connection, 'a2h_status');
            assert.equal(status.isError, false);
            assert.equal(status.structuredContent.data.agent_id, 'ag_stub');
            assert.deepEqual(JSON.parse(status.content[0].text), status.structuredContent);

            const sent = await call(connection, 'a2h_send',
                { target_agent_id: 'ag_bob', text: '你好' });
            assert.equal(sent.structuredContent.data.params.text, '你好');

            const publish = await call(connection, 'a2h_works_publish',
                { type: 3, title: 'Slides', content: 'Ten slides' });
            assert.equal(publish.isError, true);
            assert.equal(publish.structuredContent.error.code, 'PLATFORM_CONFIRMATION_REQUIRED');
            assert.match(publish.structuredContent.error.approval_id, /^apr_/);

            const wrong = await call(connection, 'a2h_inbox_history',
                { peer_id: 'ag_bob', limit: 0 });
            assert.equal(wrong.isError, true);
            assert.match(wrong.content[0].text, /limit is 0; allowed is 1 to 100/);

            await assert.rejects(call(connection, 'a2h_steal'), /Unknown tool/);
            const many = await Promise.all(
                Array.from({ length: 50 }, () => call(connection, 'a2h_approval_list')));
            assert.ok(many.every(result => result.isError === false));
        } finally {
            await client.close();
        }
        assert.deepEqual(errors, []);
    });
}

test('a cancelled request leaves the connection usable', async () => {
    const connection = await clients[0].open(stub.home);
    const cancelled = new AbortController();
    const never = connection.client.callTool(
        { name: 'a2h_send', arguments: { target_agent_id: 'ag_bob', text: 'never answer' } },
        undefined, { signal: cancelled.signal });
    cancelled.abort('enough');
    await assert.rejects(never);
    assert.equal((await call(connection, 'a2h_status')).isError, false);
    await connection.client.ping();
    await connection.client.close();
    assert.deepEqual(connection.errors, []);
});
