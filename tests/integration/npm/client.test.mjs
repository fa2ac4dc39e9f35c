// The modules of a published client, unchanged, against a real market and broker. The market, two
// agents and where they may write come from the environment; see npm_test.cpp.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { eventually } from './market_fetch.mjs';
import { A2HApiClient, PlatformError } from './src/api-client.js';
import { createApproval, initApprovalStore, resolveApproval } from './src/approval-store.js';
import { MqttListener } from './src/mqtt-listener.js';
import { MqttTokenClient, buildClientId } from './src/mqtt-token.js';
import { registerAddressTools } from './src/tools/address.js';
import { registerAuthTools } from './src/tools/auth.js';
import { registerDiscussionTools } from './src/tools/discussion.js';
import { registerFileTools } from './src/tools/file.js';
import { registerOrderTools } from './src/tools/order.js';
import { registerPaymentTools } from './src/tools/payment.js';
import { registerProfileTools } from './src/tools/profile.js';
import { registerSendTool } from './src/tools/send.js';
import { registerInboxHistoryTool } from './src/tools/status.js';
import { registerWorksTools } from './src/tools/works.js';

const market = process.env.A2H_MARKET_URL;

/// An agent with the client's tools, as its host would call them.
function agent(name) {
    const credentials = {
        agentId: process.env[`A2H_${name}_ID`], agentKey: process.env[`A2H_${name}_KEY`],
        apiUrl: market, mqttUrl: process.env.A2H_MQTT_URL,
    };
    const client = new A2HApiClient(credentials);
    const tools = new Map();
    const api = { registerTool: tool => tools.set(tool.name, tool) };
    for (const register of [registerAddressTools, registerDiscussionTools, registerFileTools,
        registerInboxHistoryTool, registerOrderTools, registerPaymentTools,
        registerProfileTools, registerWorksTools]) {
        register(api, client);
    }
    registerSendTool(api, credentials);
    return {
        id: credentials.agentId,
        credentials,
        client,
        async call(tool, parameters = {}) {
            const { result } = await tools.get(tool).execute('call', parameters);
            return result === undefined ? undefined : JSON.parse(result);
        },
    };
}

const seller = agent('SELLER');
const buyer = agent('BUYER');
const heard = [];
const silent = { info() {}, warn() {}, error: text => console.error(text) };
const listener = new MqttListener(buyer.credentials, silent);
let service;

before(async () => {
    // The texts to which a human of each side would have said yes in this client.
    initApprovalStore(path.join(homedir(), 'approvals.json'));
    for (const peerId of [seller.id, buyer.id]) {
        const { id } = createApproval({ peerId, sessionKey: 's', question: 'May I?' });
        resolveApproval(id, 'approved', 'yes');
    }
    listener.onMessage(event => heard.push(event));
    await listener.start();
    assert.ok(listener.isConnected());
});
after(() => listener.stop());

test('a token is for the client id that was asked for', async () => {
    const tokens = new MqttTokenClient(market, buyer.id, buyer.credentials.agentKey);
    const token = await tokens.getToken(buildClientId(buyer.id));
    assert.equal(token.clientId, buildClientId(buyer.id));
    assert.ok(token.expireTime > Date.now());
});

test('a wrong key is told by the code that people know', async () => {
    const wrong = new A2HApiClient({ ...buyer.credentials, agentKey: 'wrong' });
    await assert.rejects(wrong.getJSON('/findu-user/api/v1/user/profile/public'), error =>
        error instanceof PlatformError && error.code === 'PLATFORM_90005');
});

test('a message reaches the other agent and both histories', async () => {
    const sent = await seller.call('a2h_send', { target_agent_id: buyer.id, text: '你好 hello' });
    const event = await eventually(() => heard.find(one => one.messageId === sent.message_id));
    assert.equal(event.senderId, seller.id);
    assert.equal(event.text, '你好 hello');
    for (const [reader, peer, direction] of [[seller, buyer, 'sent'], [buyer, seller, 'recv']]) {
        const message = await eventually(async () => {
            const { messages } = await reader.call('a2h_inbox_history', { peer_id: peer.id });
            return messages.find(one => one.message_id === sent.message_id);
        });
        assert.equal(message.text, '你好 hello');
        assert.equal(message.direction, direction);
        assert.ok(Date.parse(message.timestamp) > Date.now() - 60_000);
    }
});

test('works are published, found, listed, updated and shown', async () => {
    const published = await seller.call('a2h_works_publish', {
        type: 3, title: '修电脑 laptop repair', content: '上门服务，当天修好', price_type: 'fixed',
        currency: 'USD', fixed_price: 280, confirm_human_reviewed: true,
    });
    service = published.worksId;
    assert.match(service, /^[0-9a-f]{16,}(a7ee|7e18|169b)$/);
    for (const keyword of ['电脑', 'laptop']) {
        const { result } = await buyer.call('a2h_works_search', { keyword, type: 3 });
        assert.equal(result[0].worksId, service);
        assert.equal(result[0].agentId, seller.id);
    }
    const { items } = await seller.call('a2h_works_list', { type: 3 });
    assert.deepEqual(items.map(item => item.worksId), [service]);
    await seller.call('a2h_works_update', { works_id: service, type: 3, title: '修手机' });
    const shown = await buyer.call('a2h_works_get', { works_id: service });
    assert.equal(shown.title, '修手机');
    assert.equal(shown.content, '上门服务，当天修好');
    assert.equal(shown.extendInfo.fixedPrice, 280);
});

test('an order is created, confirmed, paid and completed, and both are told', async () => {
    const order = await seller.call('a2h_order_create', {
        customer_id: buyer.id, title: '修手机', content: '今天', price_cent: 28000, currency: 'USD',
        product_id: service, order_type: 3,
    });
    assert.match(order.orderId, /^WKS[a-f0-9]{30,}$/i);
    const { orderId } = order;
    const act = (by, action) => by.call('a2h_order_action', { order_id: orderId, action });
    await assert.rejects(act(seller, 'confirm'), error => error.code === 'PLATFORM_401');
    assert.equal((await act(buyer, 'confirm')).status, 'CONFIRMED');
    const link = await seller.call('a2h_payment_create_link', { order_id: orderId });
    assert.equal(link.sandbox, true);
    // Signed without the order id, as this client does it.
    const payment = await buyer.call('a2h_payment_status', { order_id: orderId });
    assert.equal(payment.status, 'PENDING');
    assert.equal((await act(seller, 'confirm-received')).status, 'PAID');
    assert.equal((await act(buyer, 'confirm-service-completed')).status, 'COMPLETED');
    const detail = await buyer.call('a2h_order_get', { order_id: orderId });
    assert.equal(detail.currentType, 1);
    assert.equal(detail.price, 28000);
    const { list, total } = await buyer.call('a2h_order_list', { role: 'purchase' });
    assert.equal(total, 1);
    assert.equal(list[0].orderId, orderId);
    const done = await seller.call('a2h_order_list', { role: 'sales', status: 'COMPLETED' });
    assert.equal(done.list[0].orderId, orderId);
    const told = await eventually(() => heard.find(one =>
        one.payload.orderId === orderId && one.payload.order?.status === 'COMPLETED'));
    assert.ok(told.text.includes(orderId));
});

test('a file is uploaded and everybody can read it', async () => {
    const file = path.join(homedir(), 'note 说明.txt');
    writeFileSync(file, '说明 note\n');
    const uploaded = await seller.call('a2h_file_upload', { file });
    const response = await fetch(uploaded.url);
    assert.equal(response.status, 200);
    assert.equal(await response.text(), '说明 note\n');
});

test('a payment code is bound to the profile', async () => {
    const file = path.join(homedir(), 'code.png');
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA'
        + 'WjR9awAAAABJRU5ErkJggg==';
    writeFileSync(file, Buffer.from(png, 'base64'));
    await seller.call('a2h_profile_upload_qrcode', { file, type: 'alipay' });
    const profile = await seller.call('a2h_profile_get');
    assert.equal((await fetch(profile.alipayQrcodeUrl)).status, 200);
    const methods = await seller.call('a2h_payment_methods', { order_currency: 'CNY' });
    assert.ok(methods.methods.some(one => one.type === 'alipay' && one.ready));
});

test('addresses and discussions are kept', async () => {
    const created = await buyer.call('a2h_discussion_publish', { title: '求助', content: '如何' });
    await seller.call('a2h_discussion_reply',
        { parent_works_id: created.worksId, title: '答', content: '这样' });
    const { items } = await buyer.call('a2h_discussion_list');
    assert.equal(items[0].worksId, created.worksId);
    assert.ok(await buyer.call('a2h_address_list'));
});

test('logging in waits for its human', async () => {
    mkdirSync(path.join(homedir(), '.openclaw'), { recursive: true });
    const tools = new Map();
    registerAuthTools({ registerTool: tool => tools.set(tool.name, tool) });
    const { result } = await tools.get('a2h_auth_login').execute('call', {});
    const { auth_code, auth_url } = JSON.parse(result);
    // The client makes a code up when it gets none; then the address is not the market's.
    assert.ok(auth_url.startsWith(market), auth_url);
    const poll = await fetch(
        `https://web.a2hmarket.ai/findu-user/api/v1/public/user/agent/auth?code=${auth_code}`);
    assert.ok(!(await poll.json()).data?.agentId);
});
