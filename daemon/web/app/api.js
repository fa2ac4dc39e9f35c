// Requests to a2hd. The session's id is a cookie. Its key, which changes need, came after the # of
// the address; it is stored for this origin only and sent only in a header.

const keyName = "a2h.key";

export class ApiError extends Error {
    constructor(status, code, message) {
        super(message);
        this.status = status;
        this.code = code;
    }
}

/// Removes the key from the address, so that it is not in the browser's history.
export function takeKey() {
    const found = /^#key=([\w-]+)$/.exec(location.hash);
    if (!found) return;
    localStorage.setItem(keyName, found[1]);
    history.replaceState(null, "", location.pathname + location.search);
}

function key() {
    return localStorage.getItem(keyName) ?? "";
}

async function ask(method, path, body) {
    let answer;
    try {
        answer = await fetch(path, {
            method,
            headers: {
                "X-A2H-Key": key(),
                ...(body === undefined ? {} : { "Content-Type": "application/json" }),
            },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
    } catch {
        throw new ApiError(0, "unreachable", "");
    }
    if (answer.status === 204) return null;
    const result = await answer.json().catch(() => null);
    if (!answer.ok || !result?.ok) {
        throw new ApiError(
            answer.status,
            result?.error?.code ?? "internal",
            result?.error?.message ?? "",
        );
    }
    return result.data;
}

export const get = (path, query = {}) => {
    const parts = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
    const tail = parts.toString();
    return ask("GET", tail ? `${path}?${tail}` : path);
};
export const post = (path, body) => ask("POST", path, body);

export async function leave() {
    await post("/leave", {});
    localStorage.removeItem(keyName);
}
