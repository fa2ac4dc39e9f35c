// The difference of texts that the page shows before an edited reply is sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "../../../daemon/web/app/diff.js";

const joined = (parts, without) =>
    parts
        .filter((part) => part.kind !== without)
        .map((part) => part.text)
        .join("");

test("what is not removed is the new text, what is not added the old one", () => {
    const texts = [
        "",
        "a",
        "300 is fine",
        "310 is fine, see you",
        "好的，300 元可以。",
        "好的，310 元。",
        "a b\n\nc",
        "  ",
        "👍🏽 ok",
        "😀😀",
        "é",
        "x".repeat(3000),
    ];
    for (const before of texts) {
        for (const after of texts) {
            const parts = difference(before, after);
            assert.equal(joined(parts, "added"), before);
            assert.equal(joined(parts, "removed"), after);
        }
    }
});

test("words change as words, Chinese by the character", () => {
    assert.deepEqual(difference("300 is fine", "310 is fine"), [
        { kind: "removed", text: "300" },
        { kind: "added", text: "310" },
        { kind: "same", text: " is fine" },
    ]);
    assert.deepEqual(difference("三天内交付", "五天内交付"), [
        { kind: "removed", text: "三" },
        { kind: "added", text: "五" },
        { kind: "same", text: "天内交付" },
    ]);
});

test("the same text has no difference", () => {
    assert.deepEqual(difference("同意", "同意"), [{ kind: "same", text: "同意" }]);
    assert.deepEqual(difference("", ""), []);
});

test("texts of the greatest length are compared at once", () => {
    const before = Array.from({ length: 4000 }, (_, i) =>
        String.fromCodePoint(0x4e00 + (i % 997)),
    ).join("");
    const after = [...before].reverse().join("");
    const start = performance.now();
    const parts = difference(before, after);
    assert.ok(performance.now() - start < 1000);
    assert.equal(joined(parts, "removed"), after);
});
