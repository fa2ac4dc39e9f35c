// What the host program does with a message: it asks its model. plugin_host.mjs plays the model.

export function dispatchInboundDirectDmWithRuntime(inbound) {
    return globalThis.askModel(inbound);
}
