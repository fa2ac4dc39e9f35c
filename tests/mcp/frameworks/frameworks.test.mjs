// The MCP clients of five agent frameworks list all tools of a2h-mcp and call some of them, against
// the real a2hd of A2H_TEST_HOME. The tools that they pass on are accepted by the providers of
// models.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as AiSdkStdio } from '@ai-sdk/mcp/mcp-stdio';
import { asSchema } from 'ai';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { MCPClient as MastraClient } from '@mastra/mcp';
import { MCPServerStdio, getAllMcpTools } from '@openai/agents-core';
import { MCPClient as McpUseClient } from 'mcp-use/client';
import { toJSONSchema } from 'zod';
import { problemsOf } from './providers.mjs';

const command = path.join(process.env.A2H_BUILD, 'bin/a2h-mcp');
const args = ['--home', process.env.A2H_TEST_HOME, '--no-start', '--toolsets', 'all'];
const env = Object.fromEntries(Object.entries(process.env)
    .filter(([name]) => name === 'PATH' || name.endsWith('SAN_OPTIONS')));

const listed = JSON.parse(
    execFileSync(command, ['--toolsets', 'all', '--list-tools'], { env, maxBuffer: 1 << 24 }));

/// Of each framework: opens a connection and answers `tools` as {name, description, schema}, `call`
/// with the text of the result, and `close`.
const frameworks = {
    async 'AI SDK'() {
        const client = await createMCPClient({
            transport: new AiSdkStdio({ command, args, env }),
        });
        const tools = await client.tools();
        return {
            tools: await Promise.all(Object.entries(tools).map(async ([name, tool]) => ({
                name,
                description: tool.description,
                schema: await asSchema(tool.inputSchema).jsonSchema,
            }))),
            call: async (name, input) => {
                const result = await tools[name].execute(input, { toolCallId: '1', messages: [] });
                return result.content[0].text;
            },
            close: () => client.close(),
        };
    },

    async LangChain() {
        const client = new MultiServerMCPClient({
            throwOnLoadError: true,
            mcpServers: { a2h: { transport: 'stdio', command, args, env } },
        });
        const tools = await client.getTools();
        return {
            tools: tools.map(({ name, description, schema }) => ({ name, description, schema })),
            call: async (name, input) => {
                const result = await tools.find(tool => tool.name === name).invoke(input);
                return typeof result === 'string' ? result : (result[0] ?? result).text;
            },
            close: () => client.close(),
        };
    },

    async Mastra() {
        const client = new MastraClient({ servers: { a2h: { command, args, env } } });
        const tools = await client.listTools();
        return {
            tools: Object.entries(tools).map(([name, tool]) => ({
                name: name.replace(/^a2h_(?=a2h_)/, ''),
                description: tool.description,
                schema: jsonSchemaOf(tool.inputSchema),
            })),
            call: async (name, input) => {
                const result = await tools[`a2h_${name}`].execute(input, {});
                return result.content ? result.content[0].text : JSON.stringify(result);
            },
            close: () => client.disconnect(),
        };
    },

    async 'mcp-use'() {
        const client = McpUseClient.fromDict({ mcpServers: { a2h: { command, args, env } } });
        const session = await client.createSession('a2h');
        const tools = await session.listTools();
        return {
            tools: tools.map(({ name, description, inputSchema: schema }) =>
                ({ name, description, schema })),
            call: async (name, input) => (await session.callTool(name, input)).content[0].text,
            close: () => client.closeAllSessions(),
        };
    },

    async 'OpenAI Agents'() {
        const server = new MCPServerStdio({ name: 'a2h', command, args, env });
        await server.connect();
        const tools = await getAllMcpTools({ mcpServers: [server] });
        return {
            tools: tools.map(({ name, description, parameters: schema }) =>
                ({ name, description, schema })),
            call: async (name, input) => (await server.callTool(name, input))[0].text,
            close: () => server.close(),
        };
    },
};

/// Mastra passes on its own kind of schema.
function jsonSchemaOf(schema) {
    const standard = schema?.['~standard']?.jsonSchema;
    if (standard) return standard.input({ target: 'draft-2020-12' });
    return schema?._zod ? toJSONSchema(schema) : schema;
}

/// The smallest value that `schema` accepts.
function least(schema) {
    if (schema.enum) return schema.enum[0];
    if (schema.type === 'object') {
        return Object.fromEntries((schema.required ?? [])
            .map(name => [name, least(schema.properties[name])]));
    }
    if (schema.type === 'array') return schema.minItems ? [least(schema.items)] : [];
    if (schema.type === 'boolean') return false;
    if (schema.type !== 'string') return schema.minimum ?? 0;
    const texts = ['x'.repeat(schema.minLength ?? 0), 'ag_nobody', 'CNY', 'https://x.invalid/x',
        'apr_1', 'deal_0', 'xxx', '123456'];
    return texts.find(text => text.length >= (schema.minLength ?? 0)
        && new RegExp(schema.pattern ?? '').test(text));
}

/// Some tools wait for people.
function argumentsFor({ properties, ...schema }) {
    const { timeout_seconds: time } = properties;
    return { ...least({ properties, ...schema }), ...(time && { timeout_seconds: least(time) }) };
}

/// Some frameworks throw a tool's refusal, prefixed with words of their own.
function textOfError({ message }) {
    return message.slice(message.indexOf('{'));
}

for (const [name, open] of Object.entries(frameworks)) {
    test(`${name} lists all tools as providers of models accept them, and calls them`, async () => {
        const { tools, call, close } = await open();
        try {
            assert.deepEqual(tools.map(tool => tool.name).sort(),
                listed.map(tool => tool.name).sort());
            for (const tool of tools) assert.deepEqual(problemsOf(tool), [], tool.name);

            const status = JSON.parse(await call('a2h_status', {}));
            assert.equal(status.ok, true);
            assert.equal(status.data.agent_id, 'ag_seller');

            // Most are refused or wait for a yes; each comes back as the daemon's envelope.
            for (const { name: tool, inputSchema } of listed) {
                const text = await call(tool, argumentsFor(inputSchema)).catch(textOfError);
                const { ok, action, error } = JSON.parse(text);
                assert.ok(action, tool);
                assert.ok(ok || error.next, `${tool}: ${error?.message}`);
            }
        } finally {
            await close();
        }
    });
}
