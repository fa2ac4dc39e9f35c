// Live events of a2hd. The browser reconnects by itself and sends the last id. In the meantime, and
// if that fails, the page updates every ten seconds.

const lookAgainMs = 10_000;

export function follow({ onEvent, onGap, onState }) {
    let connected = false;
    const set = (value) => {
        if (connected !== value) onState(value);
        connected = value;
    };
    const source = new EventSource("/api/live");
    source.addEventListener("open", () => {
        // Events from before the connection are not sent.
        onGap();
        set(true);
    });
    source.addEventListener("error", () => set(false));
    source.addEventListener("gap", onGap);
    source.addEventListener("change", (event) => onEvent(JSON.parse(event.data)));
    const timer = setInterval(() => {
        if (!connected && !document.hidden) onGap();
    }, lookAgainMs);
    return () => {
        clearInterval(timer);
        source.close();
    };
}
