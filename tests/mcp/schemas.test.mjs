// Every line that a2h-mcp writes is valid by the official schema of the revision spoken.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { officialSchemas, openRaw, startStub, validator } from './support.mjs';

const schemas = officialSchemas();
const clientInfo = { name: 'a2h-tests', version: '1' };

let stub;
before(async () => {
    stub = await startStub();
});
after(() => stub.stop());

/// The schemas do not name their revision; a member that only one of them has reveals it.
const revisions = [
    ['2025-03-26', s => s.definitions && !s.definitions.ResourceLink],
    ['2025-06-18', s => s.definitions?.ResourceLink],
    ['2025-11-25', s => s.$defs?.InitializeResult],
    ['2026-07-28', s => s.$defs?.DiscoverResult],
];

const calls = [
    ['ListToolsResult', 'tools/list', {}],
    ['CallToolResult', 'tools/call', { name: 'a2h_status', arguments: {} }],
    ['CallToolResult', 'tools/call',
        { name: 'a2h_works_publish', arguments: { type: 3, title: 't', content: 'c' } }],
    ['CallToolResult', 'tools/call', { name: 'a2h_send', arguments: {} }],
    ['error', 'tools/call', { name: 'a2h_nothing' }],
    ['ListResourcesResult', 'resources/list', {}],
    ['ListResourceTemplatesResult', 'resources/templates/list', {}],
    ['ReadResourceResult', 'resources/read', { uri: 'a2h://status' }],
    ['ReadResourceResult', 'resources/read', { uri: 'a2h://playbooks/sell.zh_CN' }],
    ['error', 'resources/read', { uri: 'a2h://nothing' }],
    ['ListPromptsResult', 'prompts/list', {}],
    ['GetPromptResult', 'prompts/get',
        { name: 'negotiate', arguments: { peer: 'ag_bob', order: 'WKS1', language: 'zh_CN' } }],
    ['error', 'prompts/get', { name: 'steal' }],
    ['CompleteResult', 'completion/complete',
        { ref: { type: 'ref/prompt', name: 'sell' }, argument: { name: 'peer', value: '' } }],
    ['CompleteResult', 'completion/complete',
        { ref: { type: 'ref/resource', uri: 'a2h://orders/{id}' },
            argument: { name: 'id', value: 'W' } }],
    ['error', 'no/such/method', {}],
];

function checkEnvelope(check, message) {
    if (message.error) {
        const type = check.has('JSONRPCError') ? 'JSONRPCError' : 'JSONRPCErrorResponse';
        check.validate(type, message);
    } else {
        check.validate(
            check.has('JSONRPCResponse') && !check.has('JSONRPCResultResponse')
                ? 'JSONRPCResponse' : 'JSONRPCResultResponse', message);
    }
}

/// A change, reported in the form of the revision; in the modern one also the begin and end of the
/// stream.
async function checkNotices(check, server, modern, meta, ask) {
    const uri = 'a2h://status';
    if (modern) {
        server.say({
            jsonrpc: '2.0', id: 'stream', method: 'subscriptions/listen',
            params: { notifications: { resourceSubscriptions: [uri] }, ...meta },
        });
        check.validate('SubscriptionsAcknowledgedNotification', await server.hear());
    } else {
        await ask('EmptyResult', 'resources/subscribe', { uri });
    }
    server.say({
        jsonrpc: '2.0', id: 'mail', method: 'tools/call',
        params: {
            name: 'a2h_send', arguments: { target_agent_id: 'ag_bob', text: 'mail' }, ...meta,
        },
    });
    // The notice and the answer come in any order.
    const both = [await server.hear(), await server.hear()];
    const notice = both.find(message => message.method);
    check.validate('ResourceUpdatedNotification', notice);
    assert.equal(notice.params.uri, uri);
    if (!modern) await ask('EmptyResult', 'resources/unsubscribe', { uri });
}

for (const [revision, isRevision] of revisions) {
    test(`every line in ${revision} is valid by its schema`, async () => {
        const check = validator(schemas.find(isRevision));
        const server = openRaw(stub.home);
        const modern = revision === '2026-07-28';
        const meta = modern ? {
            _meta: {
                'io.modelcontextprotocol/protocolVersion': revision,
                'io.modelcontextprotocol/clientCapabilities': {},
                'io.modelcontextprotocol/clientInfo': clientInfo,
            },
        } : {};
        const ask = async (type, method, params) => {
            server.say({ jsonrpc: '2.0', id: method, method, params: { ...params, ...meta } });
            const answer = await server.hear();
            checkEnvelope(check, answer);
            assert.equal(answer.id, method);
            assert.equal(answer.error !== undefined, type === 'error', JSON.stringify(answer));
            if (type !== 'error') check.validate(type, answer.result);
            return answer.result;
        };
        if (modern) {
            await ask('DiscoverResult', 'server/discover', {});
        } else {
            const result = await ask('InitializeResult', 'initialize',
                { protocolVersion: revision, capabilities: {}, clientInfo });
            assert.equal(result.protocolVersion, revision);
            server.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
            await ask('EmptyResult', 'ping', {});
        }
        for (const [type, method, params] of calls) await ask(type, method, params);
        await checkNotices(check, server, modern, meta, ask);
        if (modern) {
            server.say({
                jsonrpc: '2.0', id: 'x', method: 'tools/list',
                params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '1900-01-01' } },
            });
            check.validate('UnsupportedProtocolVersionError', await server.hear());
        }
        assert.equal(await server.close(), 0);
    });
}

test('the tools are the same, and input schemas are valid JSON Schema 2020-12, in all eras',
    async () => {
        const { default: Ajv2020 } = await import('ajv/dist/2020.js');
        const server = openRaw(stub.home);
        const names = [];
        for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
            server.say({
                jsonrpc: '2.0', id: 0, method: 'initialize',
                params: { protocolVersion: version, capabilities: {}, clientInfo },
            });
            assert.equal((await server.hear()).result.protocolVersion, version);
            server.say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
            const { tools } = (await server.hear()).result;
            names.push(tools.map(tool => tool.name).join());
            // The older lists are this one with members left out.
            for (const tool of version === '2025-11-25' ? tools : []) {
                new Ajv2020({ strict: false }).compile(tool.inputSchema);
                if (tool.outputSchema) new Ajv2020({ strict: false }).compile(tool.outputSchema);
            }
        }
        assert.equal(new Set(names).size, 1);
        assert.equal(await server.close(), 0);
    });
