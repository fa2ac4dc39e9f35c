// The whole published plugin, from its own entry point: its tools, its service, and its use of a
// model's answers. Only the host program is a stand-in, plugin_host.mjs. Two plugins go from the
// login to a completed order.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from './market_fetch.mjs';

const market = process.env.A2H_MARKET_URL;
const fromPeer = id => `[收到来自A2H Market的IM消息，发送方(${id})`;
const fromMarket = '[收到来自A2H Market的系统消息';

/// The plugin in a process and home folder of its own.
class Host {
    constructor(name) {
        this.name = name;
        this.inbound = [];
    }

    start() {
        const home = path.join(homedir(), this.name);
        mkdirSync(home, { recursive: true });
        this.waiting = new Map();
        this.process = fork(fileURLToPath(new URL('plugin_host.mjs', import.meta.url)),
            { env: { ...process.env, HOME: home } });
        this.process.on('message', message => {
            if (message.inbound) return this.inbound.push(message.inbound);
            const { resolve, reject } = this.waiting.get(message.id);
            if (message.error) return reject(new Error(message.error));
            return resolve(message.value);
        });
    }

    ask(action, rest = {}) {
        const id = this.waiting.size;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.process.send({ id, do: action, ...rest });
        });
    }

    call(tool, parameters = {}) {
        return this.ask('call', { tool, parameters });
    }

    /// The inbound message that contains `text`.
    hears(text) {
        return eventually(() => this.inbound.find(({ rawBody }) => rawBody.includes(text)),
            `${this.name} hears ${text}`);
    }

    async stop() {
        if (!this.process?.connected) return;
        const ended = once(this.process, 'exit');
        await this.ask('stop');
        this.process.kill();
        await ended;
    }
}

/// Does what a person does in the browser.
async function confirm(url, name) {
    const page = await fetch(url);
    const cookie = page.headers.get('set-cookie').split(';')[0];
    const [, token] = (await page.text()).match(/name="form_token" value="([^"]+)"/);
    const answer = await fetch(url, {
        method: 'POST',
        headers: { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ form_token: token, choice: 'create', name }),
    });
    assert.equal(answer.status, 200);
}

const seller = new Host('Seller');
const buyer = new Host('Buyer');
let marketId;

before(async () => {
    marketId = (await (await fetch(`${market}/v1/market`)).json()).data.agent_id;
});
after(() => Promise.all([seller.stop(), buyer.stop()]));

test('a new user logs in, and the plugin has all its tools', async () => {
    for (const host of [seller, buyer]) {
        host.start();
        assert.deepEqual(await host.ask('tools'), ['a2h_auth_login', 'a2h_auth_poll']);
        const { auth_url, auth_code } = await host.call('a2h_auth_login');
        await confirm(auth_url, host.name);
        const polled = await host.call('a2h_auth_poll', { auth_code });
        assert.equal(polled.status, 'success');
        assert.equal(polled.nickname, host.name);
        await host.stop();
        host.start();
        const tools = await host.ask('tools');
        assert.ok(tools.length >= 30, String(tools.length));
        host.id = (await host.call('a2h_status')).agent_id;
        assert.equal(host.id, polled.agent_id);
        await host.ask('serve');
    }
});

let service;

test('a question reaches the seller, and what its model replies reaches the buyer', async () => {
    const published = await seller.call('a2h_works_publish', {
        type: 3, title: '修电脑', content: '上门，当天修好', price_type: 'FIXED', currency: 'CNY',
        fixed_price: 28000,
    });
    service = published.worksId;
    const { result } = await buyer.call('a2h_works_search', { keyword: '修电脑', type: 3 });
    assert.equal(result[0].worksId, service);
    await seller.ask('say', { text: '[REPLY] 280 元，明天可以\n[HUMAN] 有人询价\n[THINK] 等回复' });
    // A service that has just been told to start may not listen yet.
    await eventually(async () => {
        await buyer.call('a2h_send',
            { target_agent_id: seller.id, text: '多少钱？', works_id: service });
        return seller.inbound.length > 0;
    }, 'the first message');
    const asked = await seller.hears('多少钱？');
    assert.ok(asked.rawBody.startsWith(fromPeer(buyer.id)));
    assert.ok(asked.rawBody.includes(`[worksId: ${service}]`));
    const replied = await buyer.hears('280 元，明天可以');
    assert.ok(replied.rawBody.startsWith(fromPeer(seller.id)));
    assert.ok(!replied.rawBody.includes('有人询价'));
});

/// The confirmation that the plugin requires before it creates or moves an order.
async function approve(host, peer_id) {
    await host.ask('say', { text: '' });
    const { approval_id } = await host.call('a2h_create_approval', { peer_id, question: '可以吗？' });
    const { approvals } = await host.call('a2h_approval_list');
    assert.ok(approvals.some(({ id }) => id === approval_id));
    const answered = await host.call('a2h_approval_response', { approval_id, decision: 'approve' });
    assert.equal(answered.status, 'approved');
}

test('an order is completed, and nobody answers what the market tells of it', async () => {
    await approve(seller, buyer.id);
    await approve(buyer, seller.id);
    for (const host of [seller, buyer]) {
        host.inbound.length = 0;
        await host.ask('say', { text: '[REPLY] 谢谢您的消息' });
    }
    const { orderId } = await seller.call('a2h_order_create', {
        customer_id: buyer.id, title: '修电脑', content: '明天', price_cent: 28000,
        currency: 'CNY', product_id: service, order_type: 3,
    });
    const steps = [[buyer, 'confirm', 'CONFIRMED'], [seller, 'confirm-received', 'PAID'],
        [buyer, 'confirm-service-completed', 'COMPLETED']];
    for (const [host, action, status] of steps) {
        const order = await host.call('a2h_order_action', { order_id: orderId, action });
        assert.equal(order.status, status);
    }
    for (const host of [seller, buyer]) {
        // One for the order and one for each step.
        await eventually(() => host.inbound.length >= 4, `${host.name} hears of all steps`);
        for (const { rawBody } of host.inbound) {
            assert.ok(rawBody.startsWith(fromMarket), rawBody);
            assert.ok(rawBody.includes(`[orderId: ${orderId}]`));
        }
        // The market records what its broker carries, perhaps after the receiver has it.
        let messages = [];
        await eventually(async () => {
            ({ messages } = await host.call('a2h_inbox_history', { peer_id: marketId }));
            return messages.length >= 4;
        }, `${host.name} has stored all steps`);
        assert.equal(messages.length, 4);
        assert.ok(messages.every(({ direction }) => direction === 'recv'));
    }
});

test('addresses, profile and history of a peer are there, too', async () => {
    const created = await buyer.call('a2h_address_create', {
        receiverName: '王小明', phoneNumber: '138', province: '上海市', city: '上海市',
        district: '浦东新区', detailAddress: '世纪大道 1 号',
    });
    const { items } = await buyer.call('a2h_address_list');
    assert.equal(items[0].addressId, created.addressId);
    assert.equal((await buyer.call('a2h_profile_get')).nickname, 'Buyer');
    const { messages } = await buyer.call('a2h_inbox_history', { peer_id: seller.id });
    assert.ok(messages.some(({ text }) => text === '280 元，明天可以'));
});
