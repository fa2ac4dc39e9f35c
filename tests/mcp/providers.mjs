// The rules that the providers of models document for tools. A request that violates one of these
// rules is refused as a whole, so that the model gets no tool at all.

/// OpenAI: function names and descriptions. Anthropic: names, and the names of properties.
const nameForm = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const descriptionMax = 1024;
const propertyForm = /^[A-Za-z0-9_.-]{1,64}$/;
const toolsMax = 128;

/// Gemini: the fields of a `Schema` in `parameters`, and `additionalProperties`, which the clients
/// that use `parameters` leave out.
const knownFields = new Set(['additionalProperties', 'anyOf', 'default', 'description', 'enum',
    'example', 'format', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minItems',
    'minLength', 'minProperties', 'minimum', 'nullable', 'pattern', 'properties',
    'propertyOrdering', 'required', 'title', 'type']);
const knownTypes = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

function problemsOfSchema(schema, where, isRoot = false) {
    const problems = [];
    const say = text => problems.push(`${where}: ${text}`);
    for (const field of Object.keys(schema)) {
        if (field !== '$schema' && !knownFields.has(field)) say(`${field} is unknown to Gemini`);
    }
    if (!knownTypes.has(schema.type)) say(`type is ${JSON.stringify(schema.type)}, not one name`);
    if (schema.enum && (schema.type !== 'string'
        || schema.enum.some(choice => typeof choice !== 'string' || choice === ''))) {
        say('Gemini takes an enum of texts only');
    }
    if (schema.description?.length > descriptionMax) say('the description is too long');
    if (schema.type === 'array' && !schema.items) say('an array without items');
    if (schema.items) problems.push(...problemsOfSchema(schema.items, `${where}[]`));
    if (schema.type === 'object' && !schema.properties) say('OpenAI wants an object\'s properties');
    const properties = schema.properties ?? {};
    // A tool without arguments is declared without parameters there.
    if (schema.type === 'object' && !isRoot && Object.keys(properties).length === 0) {
        say('Gemini refuses an object without properties');
    }
    for (const [name, property] of Object.entries(properties)) {
        if (!propertyForm.test(name)) say(`${name} is no name for Anthropic`);
        problems.push(...problemsOfSchema(property, `${where}.${name}`));
    }
    for (const name of schema.required ?? []) {
        if (!(name in properties)) say(`${name} is required and no property`);
    }
    return problems;
}

/// The violations in a tool {name, description, schema} that a provider would refuse.
export function problemsOf({ name, description, schema }) {
    const problems = [];
    if (!nameForm.test(name)) problems.push(`${name} is no name`);
    if (!description) problems.push('no description');
    if (description?.length > descriptionMax) {
        problems.push(`the description has ${description.length} characters`);
    }
    if (schema.type !== 'object') problems.push('the schema is no object');
    for (const field of ['anyOf', 'oneOf', 'allOf', 'enum', 'not']) {
        if (field in schema) problems.push(`${field} on the top`);
    }
    return [...problems, ...problemsOfSchema(schema, name, true)];
}

/// The number of tools that OpenAI accepts in a request.
export function isTooMany(tools) {
    return tools.length > toolsMax;
}
