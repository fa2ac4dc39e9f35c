// The official clients against a real a2hd, whose home is A2H_TEST_HOME. Started by
// tests/integration/mcp; broker and market cannot be reached there, so no message ever leaves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { call, clients } from './support.mjs';

const home = process.env.A2H_TEST_HOME;

/// No question of this client stays open, because the open questions of an assistant are limited
/// and every text to a peer waits while a question about that peer is open.
async function refuseAll(connection) {
    const list = await call(connection, 'a2h_approval_list', { status: 'pending', limit: 100 });
    for (const { approval_id } of list.structuredContent.data.approvals) {
        await call(connection, 'a2h_approval_response', { approval_id, decision: '拒绝' });
    }
}

const greetings = ['Hello', 'Hello!', 'Good morning', 'Good morning!', 'Good evening'];

for (const [at, { name, open }] of clients.entries()) {
    test(`${name}: the daemon answers, asks its human, and takes no yes from an assistant`,
        async () => {
            const connection = await open(home);
            const ok = async (tool, args) => {
                const result = await call(connection, tool, args);
                assert.equal(result.isError, false, result.content[0].text);
                return result.structuredContent.data;
            };
            const refused = async (tool, args) => {
                const result = await call(connection, tool, args);
                assert.equal(result.isError, true, result.content[0].text);
                const { error } = result.structuredContent;
                assert.ok(error.message && error.next);
                return error;
            };
            try {
                // "No mail" and "not connected" are different answers.
                const status = await ok('a2h_status');
                assert.equal(status.agent_id, 'ag_seller');
                assert.equal(status.connection.connected, false);
                assert.ok(status.problems.length > 0);
                const none = await ok('a2h_inbox_history', { peer_id: 'ag_nobody' });
                assert.deepEqual(none.items, []);

                // The peer's new mail has not been read, so even a greeting waits.
                const held = await refused('a2h_send',
                    { target_agent_id: 'ag_buyer', text: greetings[at] });
                assert.equal(held.code, 'PLATFORM_CONFIRMATION_REQUIRED');
                assert.match(held.message, /mailbox is offline/);
                const history = await ok('a2h_inbox_history', { peer_id: 'ag_buyer', limit: 1 });
                assert.deepEqual(history.items, []);

                // A price that no listing holds needs a yes, and so does every listing.
                const price = await refused('a2h_send',
                    { target_agent_id: 'ag_buyer', text: `I sell it for 300 CNY, ${name}` });
                assert.equal(price.code, 'PLATFORM_CONFIRMATION_REQUIRED');
                const works = { type: 3, title: `Slides (${name})`, content: 'Ten slides' };
                const publish = await refused('a2h_works_publish', works);
                assert.equal(publish.code, 'PLATFORM_CONFIRMATION_REQUIRED');
                const again = await refused('a2h_works_publish', works);
                assert.equal(again.approval_id, publish.approval_id);

                const asked = await ok('a2h_create_approval', {
                    peer_id: 'ag_buyer', question: 'They offer 300 CNY. Accept?',
                    options: ['accept', 'reject'], reply_text: 'Agreed.',
                });
                const list = async status =>
                    (await ok('a2h_approval_list', { status, limit: 100 })).approvals;
                const open_ids = (await list('pending')).map(approval => approval.approval_id);
                for (const id of [price.approval_id, publish.approval_id, asked.approval_id]) {
                    assert.ok(open_ids.includes(id));
                }

                const approve = { approval_id: asked.approval_id, decision: 'approve' };
                await refused('a2h_approval_response', approve);
                await refused('a2h_approval_response', { ...approve, code: '000000' });
                assert.ok((await list('pending'))
                    .some(approval => approval.approval_id === asked.approval_id));
                const no = await ok('a2h_approval_response', { ...approve, decision: '拒绝' });
                assert.equal(no.status, 'rejected');

                await refused('a2h_works_search', { keyword: 'slides' });
            } finally {
                await refuseAll(connection);
                await connection.client.close();
            }
            assert.deepEqual(connection.errors, []);
        });
}

for (const { name, version, open } of clients) {
    test(`${name}: what changes in the daemon is told, and what waits says that it does`,
        async () => {
            const connection = await open(home);
            const { client } = connection;
            const told = new Set();
            let statusTold;
            const status = new Promise(resolve => {
                statusTold = resolve;
            });
            const noticed = notice => {
                told.add(notice.params.uri);
                if (notice.params.uri === 'a2h://status') statusTold();
            };
            if (name.startsWith('SDK v1')) {
                client.setNotificationHandler(ResourceUpdatedNotificationSchema, noticed);
            } else {
                client.setNotificationHandler('notifications/resources/updated', noticed);
            }
            const uris = ['a2h://status', 'a2h://inbox/ag_buyer', 'a2h://playbooks/sell'];
            try {
                if (version === '2026-07-28') {
                    await client.listen({ resourceSubscriptions: uris });
                } else {
                    for (const uri of uris) await client.subscribeResource({ uri });
                }
                const asked = await call(connection, 'a2h_create_approval',
                    { peer_id: 'ag_buyer', question: `May I? (${name})` });
                const { approval_id } = asked.structuredContent.data;
                await status;
                const uri = `a2h://approvals/${approval_id}`;
                const read = await client.readResource({ uri });
                const approval = JSON.parse(read.contents[0].text);
                assert.equal(approval.status, 'pending');
                const words = `Your assistant asks: “May I? (${name})”`;
                assert.equal(approval.question, `⟦assistant, unverified: ${words}⟧`);
                const { resources } = await client.listResources();
                assert.ok(resources.some(resource => resource.uri === uri));
                const { completion } = await client.complete({
                    ref: { type: 'ref/resource', uri: 'a2h://approvals/{id}' },
                    argument: { name: 'id', value: approval_id },
                });
                assert.deepEqual(completion.values, [approval_id]);
                await assert.rejects(
                    client.readResource({ uri: 'a2h://approvals/apr_0' }), /not found/);
                await assert.rejects(client.readResource({ uri: 'a2h://orders/WKS1' }));

                const progress = [];
                const options = { onprogress: step => progress.push(step) };
                const wait = {
                    name: 'a2h_approval_wait', arguments: { approval_id, timeout_seconds: 4 },
                };
                const waited = name.startsWith('SDK v1')
                    ? await client.callTool(wait, undefined, options)
                    : await client.callTool(wait, options);
                assert.equal(waited.structuredContent.data.timed_out, true);
                assert.ok(progress.length >= 1);
                assert.ok(progress[0].message.length > 0);
                assert.ok(!told.has('a2h://playbooks/sell'));
            } finally {
                await refuseAll(connection);
                await client.close();
            }
            assert.deepEqual(connection.errors, []);
        });
}

for (const { name, open } of clients) {
    test(`${name}: a dialog brings a no; a yes without the code, or none, releases nothing`,
        async () => {
            const answers = [];
            let shown;
            const connection = await open(home, params => {
                shown = params;
                return answers.shift();
            });
            const ask = async (title, answer) => {
                answers.push(answer);
                const result = await call(connection, 'a2h_works_publish',
                    { type: 3, title: `${title} (${name})`, content: 'Ten slides' });
                return result.structuredContent;
            };
            const state = async id => (await call(connection, 'a2h_approval_list',
                { approval_id: id })).structuredContent.data.approvals[0];
            const filled = content => ({ action: 'accept', content });
            try {
                const yes = await ask('One', filled({ decision: 'approve' }));
                assert.equal(yes.ok, false);
                assert.match(yes.error.message, /code/);
                assert.match(shown.message, /One/);
                assert.deepEqual(shown.requestedSchema.required, ['decision']);

                const guessed = await ask('Two', filled({ decision: 'approve', code: '000000' }));
                assert.equal(guessed.ok, false);
                for (const action of ['decline', 'cancel']) {
                    const none = await ask(action, { action });
                    assert.equal(none.error.code, 'PLATFORM_CONFIRMATION_REQUIRED');
                    assert.equal((await state(none.error.approval_id)).status, 'pending');
                }
                const no = await ask('Four', filled({ decision: 'reject' }));
                assert.equal(no.ok, true, JSON.stringify(no));
                assert.equal(no.data.approval.status, 'rejected');
                assert.equal(no.data.approval.answered_by, "assistant's dialog");
            } finally {
                await refuseAll(connection);
                await connection.client.close();
            }
            assert.deepEqual(connection.errors, []);
        });
}

for (const { name, version, open } of clients) {
    test(`${name}: a call whose approval is answered beside its dialog says so`, async () => {
        let stays;
        const connection = await open(home, async () => {
            // A no needs no proof, so it stands for what people decide at the terminal.
            const { structuredContent } = await call(connection, 'a2h_approval_list',
                { status: 'pending' });
            for (const { approval_id } of structuredContent.data.approvals) {
                await call(connection, 'a2h_approval_response',
                    { approval_id, decision: 'reject' });
            }
            return stays ? new Promise(() => {}) : { action: 'decline' };
        });
        const ask = title => call(connection, 'a2h_works_publish',
            { type: 3, title: `${title} (${name})`, content: 'Ten slides' });
        try {
            // Up to 2025-11-25 the dialog is a request of the server, which withdraws it.
            for (stays of version === '2025-11-25' ? [false, true] : [false]) {
                const { structuredContent } = await ask(`Beside ${stays}`);
                assert.equal(structuredContent.ok, true, JSON.stringify(structuredContent));
                const { status, answered_by } = structuredContent.data.approval;
                assert.equal(status, 'rejected');
                assert.equal(answered_by, 'assistant');
            }
        } finally {
            await connection.client.close();
        }
        assert.deepEqual(connection.errors, []);
    });
}
