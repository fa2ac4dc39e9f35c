// The history of one negotiation, live. Unlike the browser's own reconnection, it gives up after a
// while and reports that. Nothing is lost, because it reconnects with the last id.

const attemptsMax = 5;
const firstDelayMs = 3000;
const backOff = 1.5;

/// `onState` gets "on", "off" while it reconnects, and "over" when it has given up.
export function followStory(demandId, { onEvent, onGap, onState }) {
    const path = `/api/v1/events/negotiations/${encodeURIComponent(demandId)}/stream`;
    let last = "";
    let attempts = 0;
    let timer = 0;
    let source;
    const open = () => {
        source = new EventSource(last ? `${path}?last_event_id=${last}` : path);
        source.addEventListener("open", () => {
            attempts = 0;
            onState("on");
        });
        source.addEventListener("message", (event) => {
            last = event.lastEventId || last;
            onEvent(JSON.parse(event.data));
        });
        source.addEventListener("gap", onGap);
        source.addEventListener("error", () => {
            source.close();
            if (attempts >= attemptsMax) return onState("over");
            onState("off");
            timer = setTimeout(open, firstDelayMs * backOff ** attempts);
            ++attempts;
        });
    };
    open();
    return {
        again() {
            attempts = 0;
            open();
        },
        stop() {
            clearTimeout(timer);
            source.close();
        },
    };
}
