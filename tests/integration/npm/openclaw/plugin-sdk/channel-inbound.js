// The host program's treatment of a message: it asks its model. plugin_host.mjs acts as the model.

export function dispatchInboundDirectDmWithRuntime(inbound) {
    return globalThis.askModel(inbound);
}
