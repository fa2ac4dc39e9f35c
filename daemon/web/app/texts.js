// The texts of the page in the selected language, and the format of times.

let texts = {};
let language = "en";

export const languages = { en: "English", zh: "中文" };

export function currentLanguage() {
    return language;
}

export async function loadTexts(wanted) {
    language = wanted === "zh" ? "zh" : "en";
    const answer = await fetch(new URL(`texts.${language}.json`, import.meta.url));
    texts = await answer.json();
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}

/// t("app.sent_to", {peer}); a missing text shows its key.
export function t(key, values = {}) {
    const text = texts[`app.${key}`] ?? key;
    return text.replace(/\{(\w+)\}/g, (all, name) =>
        name in values ? String(values[name]) : all,
    );
}

/// Whether `text` has nothing but spaces and line breaks. A character that nobody sees is neither:
/// a2hd names it, so the text must reach it.
export function isBlank(text) {
    return /^[\t\n\r\p{Zs}]*$/u.test(text);
}

/// The text of `prefix_value`, or the value itself if a newer daemon sends one that this page does
/// not know.
export function tName(prefix, value) {
    const key = `${prefix}_${String(value).replaceAll(".", "_")}`;
    return texts[`app.${key}`] ?? value;
}

function locale() {
    return language === "zh" ? "zh-CN" : "en";
}

export function timeText(ms) {
    if (!ms) return "–";
    const day = new Date(ms).toDateString() === new Date().toDateString();
    const form = day ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    return new Intl.DateTimeFormat(locale(), form).format(ms);
}

/// "in 3 hours", "5 minutes ago"; in hours up to two days.
export function relativeText(ms, now = Date.now()) {
    const seconds = Math.round((ms - now) / 1000);
    const units = [
        ["day", 2 * 86400, 86400],
        ["hour", 3600],
        ["minute", 60],
        ["second", 1],
    ];
    const [unit, from, length = from] =
        units.find(([, size]) => Math.abs(seconds) >= size) ?? units.at(-1);
    // "Tomorrow" would be wrong for a time 40 hours away.
    return new Intl.RelativeTimeFormat(locale(), { numeric: "always" }).format(
        Math.trunc(seconds / length),
        unit,
    );
}

export function numberText(value) {
    return new Intl.NumberFormat(locale()).format(value ?? 0);
}
