// Submits answers and describes the results.
import { post } from "./api.js";
import { tell } from "./dom.js";
import { answeredBy, isClosed } from "./parts.js";
import { t, tName } from "./texts.js";

/// Submits answers; resolves with one result for each, in order.
export async function sendAnswers(answers) {
    return (await post("/api/answers", { answers })).results;
}

/// The text for an answer after which the question is still open.
function openText(result, decision) {
    if (decision === "withdraw") return t("result_withdrawn");
    if (!result.votes) return t("result_edited");
    return t("result_voted", { missing: result.approval.votes_needed - result.votes.length });
}

/// The result of one answer in a sentence.
export function resultText(result, decision) {
    if (result.ok && result.next) return t("result_draft");
    if (result.ok && result.approval.status === "pending") return openText(result, decision);
    if (result.ok && isClosed(result.approval)) return t("result_closed");
    if (result.ok && result.approval.not_yet_sent) return t("result_queued");
    if (result.ok) return tName("result", result.approval.status);
    if (result.unseen) return t("refused_unseen", result.unseen);
    if (result.code !== "conflict") return tName("refused", result.code);
    const now = result.approval;
    if (now?.status === "pending" && result.over) return t("refused_over");
    if (now?.status === "pending" && result.as_shown)
        return t("refused_because", { why: result.message });
    if (!now || now.status === "pending") return t("refused_changed");
    if (now.status === "expired") return t("refused_over");
    if (now.closed_by) return t("refused_newer");
    return t("refused_late", { status: tName("status", now.status), who: answeredBy(now) });
}

/// The text if the whole request failed.
export function failureText(error) {
    return { 401: t("error_session"), 403: t("error_key") }[error.status] ?? t("error_unsure");
}

/// Adds what was said to the listing, so that nobody has to be asked again.
export async function learn(id) {
    try {
        await post("/api/learn", { approval_id: id });
        tell(t("learned"));
    } catch (error) {
        tell(error.status === 403 ? t("error_key") : t("not_learned"));
    }
}
