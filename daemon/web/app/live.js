// What happens in a2hd, as it happens. The browser connects again by itself and says where it
// stopped; meanwhile, and where that fails, the page looks again every ten seconds.

const lookAgainMs = 10_000;

export function follow({ onEvent, onGap, onState }) {
    let connected = false;
    const set = (value) => {
        if (connected !== value) onState(value);
        connected = value;
    };
    const source = new EventSource("/api/live");
    source.addEventListener("open", () => {
        // What happened before the connection stood is in nothing that it sends.
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
