// Creates elements without templates. Text is only ever set as text, so nothing that a peer wrote
// can become markup.

const svgNames = "http://www.w3.org/2000/svg";

/// h("p", {class: "dim", onclick: f, "aria-label": "x"}, "text", child, [children], null)
export function h(tag, props, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "value" || name === "checked") element[name] = value;
        else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child || child === 0));
    return element;
}

const shapes = {
    open: "M4 12l5 5L20 6",
    deals: "M3 8h14l-4-4M21 16H7l4 4",
    history: "M12 7v5l3 3M4 12a8 8 0 108-8 8 8 0 00-6 3M6 3v4h4",
    chats: "M4 5h16v11H9l-5 4z",
    agents: "M12 3v5M5 21v-4h14v4M12 8v9M9 3h6v5H9zM2 21h6M16 21h6",
    contacts: "M12 12a4 4 0 100-8 4 4 0 000 8zM4 20c1-4 4-6 8-6s7 2 8 6",
    mandates: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4",
    status: "M3 12h4l3-8 4 16 3-8h4",
    negotiations: "M8 9a3 3 0 100-6 3 3 0 000 6zM17 9a3 3 0 100-6M2 20q6-13 12 0M16 14q5 0 6 6",
    back: "M15 5l-7 7 7 7",
    theme: "M12 3a9 9 0 100 18V3z",
    help: "M9 9a3 3 0 116 0c0 2-3 2-3 4M12 17v.5",
    leave: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
};

export function icon(name) {
    const svg = document.createElementNS(svgNames, "svg");
    const attributes = {
        viewBox: "0 0 24 24",
        width: 22,
        height: 22,
        fill: "none",
        stroke: "currentColor",
        "stroke-width": 2,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
        "aria-hidden": "true",
    };
    for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
    const path = document.createElementNS(svgNames, "path");
    path.setAttribute("d", shapes[name]);
    svg.append(path);
    return svg;
}

/// A drawing for which assistive technology reads only the label.
export function drawing(label, width, height, ...parts) {
    const svg = shape("svg", {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": label,
        class: "drawing",
    });
    svg.append(...parts.flat(Infinity).filter(Boolean));
    return svg;
}

export function shape(tag, attributes, text) {
    const element = document.createElementNS(svgNames, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
}

/// An http or https address as a link without referrer; anything else as text.
export function link(address) {
    if (!/^https?:\/\//i.test(address)) return h("span", {}, address);
    return h(
        "a",
        { href: address, target: "_blank", rel: "noopener noreferrer nofollow" },
        address,
    );
}

let toldTimer = 0;
/// Announces a sentence, also to screen readers. `action` is [name, function] for a button.
export function tell(text, action) {
    const place = document.getElementById("told");
    const more = action && h("button", { type: "button", onclick: action[1] }, action[0]);
    place.replaceChildren(h("p", {}, text, more));
    clearTimeout(toldTimer);
    toldTimer = setTimeout(() => place.replaceChildren(), action ? 15_000 : 6000);
}
