// The difference of two texts by words, or by characters in Chinese, which has no spaces.

const cellsMax = 4_000_000;

export function tokens(text) {
    return text.match(/[\u3400-\u9fff\uf900-\ufaff]|[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
}

function push(parts, kind, text) {
    if (!text) return;
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
}

/// Lengths of the longest common subsequences of all suffixes of `a` and `b`.
function table(a, b) {
    const width = b.length + 1;
    const cells = new Uint16Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; --i) {
        for (let j = b.length - 1; j >= 0; --j) {
            cells[i * width + j] =
                a[i] === b[j]
                    ? cells[(i + 1) * width + j + 1] + 1
                    : Math.max(cells[(i + 1) * width + j], cells[i * width + j + 1]);
        }
    }
    return cells;
}

function walk(a, b, parts) {
    if (a.length * b.length > cellsMax) {
        push(parts, "removed", a.join(""));
        push(parts, "added", b.join(""));
        return;
    }
    const cells = table(a, b);
    const width = b.length + 1;
    let i = 0;
    let j = 0;
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && a[i] === b[j]) {
            push(parts, "same", a[i++]);
            ++j;
        } else if (
            i < a.length &&
            (j === b.length || cells[(i + 1) * width + j] >= cells[i * width + j + 1])
        ) {
            push(parts, "removed", a[i++]);
        } else {
            push(parts, "added", b[j++]);
        }
    }
}

/// [{kind: "same" | "removed" | "added", text}]; all texts that are not removed, joined, are
/// `after`.
export function difference(before, after) {
    const a = tokens(before);
    const b = tokens(after);
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) ++start;
    let end = 0;
    while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end))
        ++end;
    const parts = [];
    push(parts, "same", a.slice(0, start).join(""));
    walk(a.slice(start, a.length - end), b.slice(start, b.length - end), parts);
    push(parts, "same", a.slice(a.length - end).join(""));
    return parts;
}
