// Streamable HTTP in front of a server on stdin and stdout, for test programs that speak HTTP only.
//
// Messages pass as they are. Only ids, progress tokens and subscription ids are made unique within
// a child process and put back on the way out. What HTTP itself asks for is done here and says
// nothing about the server: Host and Origin, sessions, headers that repeat the body, status codes,
// streams.
// Requests of 2026-07-28 share one child; each session of an older revision has a child of its own.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

const code = {
    invalidRequest: -32600, methodNotFound: -32601, invalidParams: -32602,
    headerMismatch: -32020, missingCapability: -32021, unsupportedVersion: -32022,
};

/// One HTTP answer: JSON, unless something has to come before the response.
class Answer {
    constructor(response, headers = {}) {
        this.response = response;
        this.headers = headers;
    }
    stream(message) {
        this.open();
        this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    }
    open() {
        if (this.response.headersSent) return;
        this.response.writeHead(200, {
            'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', ...this.headers,
        });
        this.response.flushHeaders();
    }
    end(message, status = 200) {
        if (this.response.writableEnded) return;
        if (this.response.headersSent) {
            this.stream(message);
            this.response.end();
            return;
        }
        this.response.writeHead(status, { 'Content-Type': 'application/json', ...this.headers });
        this.response.end(JSON.stringify(message));
    }
    empty(status) {
        this.response.writeHead(status, this.headers).end();
    }
}

function refusal(id, number, message) {
    return { jsonrpc: '2.0', id: id ?? null, error: { code: number, message } };
}

/// A running server; `take` gets its messages.
class Child {
    constructor(command, faults, take) {
        this.process = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
        this.process.stdin.on('error', () => {});
        this.ended = once(this.process, 'exit');
        createInterface(this.process.stdout).on('line', line => {
            try {
                take(JSON.parse(line));
            } catch (error) {
                faults.push(`${error.message}: ${line}`);
            }
        });
    }
    say(message) {
        this.process.stdin.write(JSON.stringify(message) + '\n');
    }
    async end() {
        this.process.stdin.end();
        await this.ended;
    }
}

/// Requests of 2026-07-28, all to one child.
class Modern {
    #open = new Map();  // our id -> what the client sent
    #count = 0;

    constructor(command, faults) {
        this.faults = faults;
        this.child = new Child(command, faults, message => this.#take(message));
    }

    request(message, headers, answer) {
        const meta = message.params?._meta ?? {};
        const differs = this.#headerThatDiffers(message, meta, headers);
        if (differs) {
            const words = `${differs} is not the body's`;
            answer.end(refusal(message.id, code.headerMismatch, words), 400);
            return;
        }
        const id = `request ${++this.#count}`;
        const sent = structuredClone(message);
        sent.id = id;
        const open = { id: message.id, answer, token: meta.progressToken };
        open.complete = typeof meta[versionKey] === 'string'
            && typeof meta[capabilitiesKey] === 'object';
        if (open.token !== undefined) sent.params._meta.progressToken = id;
        this.#open.set(id, open);
        answer.response.on('close', () => {
            if (!this.#open.delete(id)) return;
            this.child.say({
                jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id },
            });
        });
        this.child.say(sent);
    }

    #headerThatDiffers(message, meta, headers) {
        const name = message.params?.name ?? message.params?.uri ?? message.params?.taskId;
        return [
            ['MCP-Protocol-Version', meta[versionKey]],
            ['Mcp-Method', headers['mcp-method'] && message.method],
            ['Mcp-Name', headers['mcp-name']?.startsWith('=?') ? undefined
                : headers['mcp-name'] && name],
        ].find(([header, value]) =>
            value !== undefined && headers[header.toLowerCase()] !== value)?.[0];
    }

    #take(message) {
        if (message.method === undefined) return this.#takeResponse(message);
        if (message.id !== undefined) {
            this.faults.push(`a request on the modern wire: ${JSON.stringify(message)}`);
            return;
        }
        const params = message.params ?? {};
        const id = params._meta?.[subscriptionKey] ?? params.progressToken;
        // A log message does not name its request.
        const open = this.#open.get(id) ?? (id === undefined && [...this.#open.values()].at(-1));
        if (!open) {
            this.faults.push(`for nobody: ${JSON.stringify(message)}`);
            return;
        }
        if (params._meta?.[subscriptionKey] !== undefined) params._meta[subscriptionKey] = open.id;
        if (params.progressToken !== undefined) params.progressToken = open.token;
        open.answer.stream(message);
    }

    #takeResponse(message) {
        const open = this.#open.get(message.id);
        if (!open) {
            this.faults.push(`an answer to nothing: ${JSON.stringify(message)}`);
            return;
        }
        this.#open.delete(message.id);
        message.id = open.id;
        if (message.result?._meta?.[subscriptionKey] !== undefined) {
            message.result._meta[subscriptionKey] = open.id;
        }
        open.answer.end(message, this.#status(message.error?.code, open.complete));
    }

    #status(number, complete) {
        if (number === code.methodNotFound) return 404;
        if (number === code.missingCapability || number === code.unsupportedVersion) return 400;
        return number === code.invalidParams && !complete ? 400 : 200;
    }
}

/// One session of an older revision.
class Session {
    constructor(command, faults) {
        this.id = randomUUID();
        this.headers = { 'Mcp-Session-Id': this.id };
        this.posts = new Map();
        this.listener = undefined;
        this.waiting = [];
        this.child = new Child(command, faults, message => this.#take(message));
    }
    post(message, answer) {
        if (message.method !== undefined && message.id !== undefined) {
            this.posts.set(message.id, answer);
            answer.response.on('close', () => this.posts.delete(message.id));
        } else {
            answer.empty(202);
        }
        this.child.say(message);
    }
    listen(answer) {
        this.listener?.response.end();
        this.listener = answer;
        answer.open();
        for (const message of this.waiting.splice(0)) answer.stream(message);
    }
    #take(message) {
        if (message.method === undefined) {
            const answer = this.posts.get(message.id);
            this.posts.delete(message.id);
            answer?.open();
            answer?.end(message);
            return;
        }
        const answer = [...this.posts.values()].at(-1) ?? this.listener;
        if (answer) answer.stream(message);
        else this.waiting.push(message);
    }
}

async function bodyOf(request) {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    return JSON.parse(text);
}

function isLocal(request) {
    const name = host => ['localhost', '127.0.0.1', '[::1]'].includes(host);
    const origin = request.headers.origin;
    const own = (request.headers.host ?? '').replace(/:\d+$/, '');
    return name(own) && (!origin || (URL.canParse(origin) && name(new URL(origin).hostname)));
}

/// `command`: program and arguments. `faults` of the result lists violations.
export async function startBridge(command) {
    const faults = [];
    const sessions = new Map();
    let modern;

    const take = async (request, response) => {
        const answer = new Answer(response);
        if (!isLocal(request)) {
            answer.end(refusal(null, code.invalidRequest, 'not from this machine'), 403);
            return;
        }
        const id = request.headers['mcp-session-id'];
        const session = sessions.get(id);
        if (session) answer.headers = session.headers;
        if (id !== undefined && !session) return answer.empty(404);
        if (request.method === 'DELETE' && session) {
            sessions.delete(id);
            await session.child.end();
            return answer.empty(200);
        }
        if (request.method === 'GET' && session) return session.listen(answer);
        if (request.method !== 'POST') return answer.empty(405);
        const message = await bodyOf(request);
        if (session) return session.post(message, answer);
        if (message.method === 'initialize' && !message.params?._meta?.[versionKey]) {
            const begun = new Session(command, faults);
            sessions.set(begun.id, begun);
            answer.headers = begun.headers;
            return begun.post(message, answer);
        }
        if (message.id === undefined) return answer.empty(202);
        modern ??= new Modern(command, faults);
        modern.request(message, request.headers, answer);
    };
    const server = createServer((request, response) =>
        take(request, response).catch(error => {
            new Answer(response).end(refusal(null, code.invalidRequest, error.message), 400);
        }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
        url: `http://127.0.0.1:${server.address().port}/mcp`,
        faults,
        async close() {
            const children = [...sessions.values(), modern].filter(Boolean);
            await Promise.all(children.map(({ child }) => child.end()));
            server.closeAllConnections();
            server.close();
        },
    };
}
