// Answers several questions at once, after everything that they are about was shown.
import { failureText, resultText, sendAnswers } from "./answers.js";
import { h, tell } from "./dom.js";
import { actionName, covered } from "./parts.js";
import { t } from "./texts.js";
import { isMine } from "./votes.js";

function majorUnits({ minor, digits }) {
    const text = String(minor).padStart(digits + 1, "0");
    return digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
}

/// The total in each currency, one line each.
function sums(items) {
    const sums = new Map();
    for (const item of items) {
        if (!item.amount) continue;
        const sum = sums.get(item.currency) ?? { minor: 0n, digits: item.minor_digits };
        sums.set(item.currency, { ...sum, minor: sum.minor + BigInt(item.amount_minor) });
    }
    return [...sums].map(([currency, sum]) =>
        h(
            "p",
            { class: "number" },
            t("together"),
            " ",
            h("strong", {}, `${majorUnits(sum)} ${currency}`),
        ),
    );
}

function summary(item, decision) {
    const text = decision === "approve" ? item.text : item.reject_text;
    return h(
        "section",
        {},
        h("p", { dir: "auto" }, h("strong", {}, item.question)),
        h(
            "p",
            { class: "dim small" },
            item.amount ?? actionName(item.action),
        ),
        text && h("p", { class: "said", dir: "auto" }, text),
        covered(
            item,
            [
                "peer",
                "since",
                "votes",
                "nothing_sent",
                "member",
                "reject_text",
                "options",
                "context",
            ],
            "small",
        ),
    );
}

async function answer(items, decision) {
    try {
        const results = await sendAnswers(
            items.map((item) => ({ approval_id: item.id, digest: item.digest, decision })),
        );
        const failed = results.filter((result) => !result.ok);
        tell(
            failed.length
                ? t("several_some", {
                      good: results.length - failed.length,
                      bad: failed.length,
                      why: resultText(failed[0], decision),
                  })
                : t("several_done", { count: results.length }),
        );
    } catch (error) {
        tell(failureText(error));
    }
}

/// Shows everything that the answer is about, word for word, before it is sent. Resolves to true if
/// it was submitted, and to false if it was cancelled.
export function confirmSeveral(items, decision) {
    return new Promise((resolve) => {
        const hidden = decision === "approve" && items.some((item) => item.text_hides_something);
        const isOthers = decision === "approve" && !items.every(isMine);
        let handedIn = false;
        const ok = h(
            "button",
            {
                class: `button wide ${decision === "approve" ? "yes" : "no"}`,
                type: "button",
                disabled: hidden || isOthers,
                onclick: async () => {
                    ok.disabled = handedIn = true;
                    await answer(items, decision);
                    dialog.close();
                },
            },
            t(`${decision}_several`, { count: items.length }),
        );
        const dialog = h(
            "dialog",
            { "aria-labelledby": "several" },
            h(
                "header",
                {},
                h("h2", { id: "several" }, t(`confirm_${decision}`, { count: items.length })),
                sums(items),
            ),
            h(
                "div",
                { class: "body", tabindex: 0 },
                hidden && h("p", { class: "notice" }, t("hidden_in_several")),
                isOthers && h("p", { class: "notice" }, t("others_in_several")),
                items.map((item) => summary(item, decision)),
            ),
            h(
                "footer",
                { class: "buttons" },
                ok,
                h(
                    "button",
                    { class: "button wide", type: "button", onclick: () => dialog.close() },
                    t("cancel"),
                ),
            ),
        );
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(handedIn);
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}
