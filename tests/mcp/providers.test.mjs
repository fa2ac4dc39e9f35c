// The tools are listed as OpenAI, Anthropic and Gemini accept them, whichever are chosen.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { isTooMany, problemsOf } from './providers.mjs';
import { program } from './support.mjs';

function list(...options) {
    return JSON.parse(execFileSync(program, [...options, '--list-tools'], { maxBuffer: 1 << 24 }));
}

test('every tool of every toolset is accepted by the providers of models', () => {
    const tools = list('--toolsets', 'all');
    assert.ok(tools.length > 70 && !isTooMany(tools));
    for (const { name, description, inputSchema: schema } of tools) {
        assert.deepEqual(problemsOf({ name, description, schema }), []);
    }
});

test('what a provider refuses is seen', () => {
    const tool = { name: 'a', description: 'd', schema: { type: 'object', properties: {} } };
    assert.deepEqual(problemsOf(tool), []);
    const refused = [
        { ...tool, name: 'a.b' },
        { ...tool, description: 'd'.repeat(1025) },
        { ...tool, schema: { ...tool.schema, oneOf: [] } },
        ...[
            { type: 'integer', enum: [2, 3] },
            { type: ['string', 'null'] },
            { type: 'array' },
            { type: 'object' },
            { type: 'array', items: { type: 'object' } },
            { type: 'string', const: 'x' },
            { type: 'object', properties: { 'a b': { type: 'string' } } },
        ].map(property => ({ ...tool, schema: { type: 'object', properties: { property } } })),
    ];
    for (const each of refused) assert.ok(problemsOf(each).length > 0, JSON.stringify(each));
});
