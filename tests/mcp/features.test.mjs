// Resources, prompts, completion, notices and tasks, as the official clients use them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { call, clients, openRaw, startStub } from './support.mjs';

let stub;
before(async () => {
    stub = await startStub();
});
after(() => stub.stop());

/// The URI of the next notice of a change.
function nextNotice(name, client) {
    return new Promise(resolve => {
        const take = notice => resolve(notice.params.uri);
        if (name.startsWith('SDK v1')) {
            client.setNotificationHandler(ResourceUpdatedNotificationSchema, take);
        } else {
            client.setNotificationHandler('notifications/resources/updated', take);
        }
    });
}

for (const { name, version, open } of clients) {
    test(`${name} reads resources, picks prompts, completes and hears of changes`, async () => {
        const connection = await open(stub.home);
        const { client, errors } = connection;
        try {
            const { resources, nextCursor } = await client.listResources();
            assert.equal(nextCursor, undefined);
            const uris = resources.map(resource => resource.uri);
            for (const uri of ['a2h://status', 'a2h://playbooks/sell.en', 'a2h://inbox/ag_bob']) {
                assert.ok(uris.includes(uri), uri);
            }
            const { resourceTemplates } = await client.listResourceTemplates();
            assert.equal(resourceTemplates.length, 4);

            const status = await client.readResource({ uri: 'a2h://status' });
            assert.equal(JSON.parse(status.contents[0].text).agent_id, 'ag_stub');
            const inbox = await client.readResource({ uri: 'a2h://inbox/ag_bob' });
            assert.match(inbox.contents[0].text, /⟦ag_bob, verified: Ten slides/);
            await assert.rejects(client.readResource({ uri: 'a2h://nothing' }), /not found/);

            const { prompts } = await client.listPrompts();
            assert.deepEqual(prompts.map(prompt => prompt.name).sort(),
                ['agents', 'browse', 'buy', 'negotiate', 'onboarding', 'order', 'report', 'sell']);
            const chinese = await client.getPrompt(
                { name: 'sell', arguments: { language: 'zh_CN', peer: 'ag_bob' } });
            assert.match(chinese.messages[0].content.text, /^# 卖服务/);
            assert.equal(chinese.messages[1].content.resource.uri, 'a2h://inbox/ag_bob');
            await assert.rejects(client.getPrompt({ name: 'steal' }), /Unknown prompt/);

            const { completion } = await client.complete({
                ref: { type: 'ref/resource', uri: 'a2h://orders/{id}' },
                argument: { name: 'id', value: 'W' },
            });
            assert.deepEqual(completion, { values: ['WKS1'], total: 1, hasMore: false });

            const noticed = nextNotice(name, client);
            const uri = 'a2h://status';
            let stream;
            if (version === '2026-07-28') {
                stream = await client.listen({ resourceSubscriptions: [uri, 'a2h://nothing'] });
                assert.deepEqual(stream.honoredFilter, { resourceSubscriptions: [uri] });
            } else {
                await client.subscribeResource({ uri });
            }
            await call(connection, 'a2h_send', { target_agent_id: 'ag_bob', text: 'mail' });
            assert.equal(await noticed, uri);
            if (stream) {
                await stream.close();
            } else {
                await client.unsubscribeResource({ uri });
            }
            await call(connection, 'a2h_status');
        } finally {
            await client.close();
        }
        assert.deepEqual(errors, []);
    });
}

test('a waiting tool becomes a task for a client that takes tasks, polled to its end', async () => {
    const server = openRaw(stub.home);
    const meta = {
        _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities':
                { extensions: { 'io.modelcontextprotocol/tasks': {} } },
        },
    };
    const ask = async (method, params) => {
        server.say({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...meta } });
        return (await server.hear()).result;
    };
    const handle = await ask('tools/call', { name: 'a2h_approval_wait', arguments: {} });
    assert.equal(handle.resultType, 'task');
    assert.equal(handle.status, 'working');
    assert.ok(Date.parse(handle.createdAt) > 0);
    let task;
    do {
        task = await ask('tasks/get', { taskId: handle.taskId });
        assert.equal(task.resultType, 'complete');
    } while (task.status === 'working');
    assert.equal(task.status, 'completed');
    assert.equal(task.result.isError, false);
    assert.deepEqual(await ask('tasks/cancel', { taskId: handle.taskId }).then(r => r.resultType),
        'complete');
    assert.equal(await server.close(), 0);
});

test('the end of input ends open streams with their results', async () => {
    const server = openRaw(stub.home);
    server.say({
        jsonrpc: '2.0', id: 'stream', method: 'subscriptions/listen',
        params: {
            notifications: {},
            _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientCapabilities': {},
            },
        },
    });
    assert.equal((await server.hear()).method, 'notifications/subscriptions/acknowledged');
    const closed = server.close();
    const last = await server.hear();
    assert.equal(last.id, 'stream');
    assert.equal(last.result.resultType, 'complete');
    assert.equal(await closed, 0);
});

for (const { name, open } of clients) {
    test(`${name}: a call that is too large is refused at once, and the next one works`,
        async () => {
            const connection = await open(stub.home);
            try {
                await assert.rejects(call(connection, 'a2h_send',
                    { target_agent_id: 'ag_bob', text: 'x'.repeat(300_000) }), /262144 bytes/);
                assert.equal((await call(connection, 'a2h_status')).isError, false);
            } finally {
                await connection.client.close();
            }
            assert.deepEqual(connection.errors, []);
        });
}

test('a response is not answered, whatever is wrong with it', async () => {
    const server = openRaw(stub.home);
    server.say({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
    server.say({ jsonrpc: '2.0', id: null, result: {} });
    server.say({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    assert.deepEqual(await server.hear(), { jsonrpc: '2.0', id: 'p', result: {} });
    assert.equal(await server.close(), 0);
});

test('a revision that is refused is not among those that are offered', async () => {
    const server = openRaw(stub.home);
    for (const revision of ['2025-11-25', '2024-11-05', '2027-01-01']) {
        const _meta = {
            'io.modelcontextprotocol/protocolVersion': revision,
            'io.modelcontextprotocol/clientCapabilities': {},
        };
        server.say({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } });
        const { code, data } = (await server.hear()).error;
        assert.equal(code, -32022);
        assert.ok(data.supported.length > 0 && !data.supported.includes(revision));
    }
    assert.equal(await server.close(), 0);
});
