// Acts as the host program of the published plugin and its model, in a process of its own, because
// the plugin keeps its agent in module variables. The parent sends {id, do, ...} and gets {id,
// ...}.

import './market_fetch.mjs';
import plugin from './index.js';

const tools = new Map();
const services = [];
const log = { info() {}, warn: text => console.error(text), error: text => console.error(text) };
let words = '';  // the model's reply to every message

globalThis.askModel = async ({ senderId, rawBody, messageId, deliver }) => {
    process.send({ inbound: { senderId, rawBody, messageId } });
    if (words) await deliver({ text: words });
};

plugin.register({
    runtime: {
        config: { loadConfig: () => ({}), writeConfigFile: async () => {} },
        channel: {
            text: {
                resolveMarkdownTableMode: () => 'off',
                convertMarkdownTables: text => text,
            },
        },
    },
    logger: log,
    on() {},
    registerTool: tool => tools.set(tool.name, tool),
    registerService: service => services.push(service),
});

const actions = {
    tools: () => [...tools.keys()],
    // A service runs until it is stopped.
    serve: () => void services.forEach(service => service.start({ config: {}, logger: log })),
    stop: () => Promise.all(services.map(service => service.stop({}))),
    say: ({ text }) => {
        words = text;
    },
    async call({ tool, parameters }) {
        const { result } = await tools.get(tool).execute('call', parameters);
        return result === undefined ? undefined : JSON.parse(result);
    },
};

process.on('message', async ({ id, do: action, ...rest }) => {
    try {
        process.send({ id, value: await actions[action](rest) });
    } catch (error) {
        process.send({ id, error: error.message });
    }
});
