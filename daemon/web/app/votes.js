// For questions that need several people: who has said yes, and who is missing.
import { h } from "./dom.js";
import { isMe, personName, time } from "./parts.js";
import { t } from "./texts.js";

function voteOf(approval, person) {
    return approval.votes?.find((vote) => vote.person === person);
}

export function hasMyVote(approval) {
    return Boolean(approval.votes?.some((vote) => isMe(vote.person)));
}

/// Whether the yes of the current person counts.
export function isMine(approval) {
    return !approval.voters.length || approval.voters.some(isMe);
}

/// The number of votes, for a line of a list.
export function votesBadge(approval) {
    if (!approval.votes) return null;
    const text = hasMyVote(approval)
        ? t("votes_yours", { given: approval.votes.length, needed: approval.votes_needed })
        : t("votes_short", { given: approval.votes.length, needed: approval.votes_needed });
    return h("span", { class: "badge" }, text);
}

function voter(approval, person) {
    const vote = voteOf(approval, person);
    return h(
        "li",
        {},
        h("bdi", {}, personName(person)),
        vote
            ? h("span", { class: "badge sure" }, t("vote_given"), " · ", time(vote.at_ms))
            : h("span", { class: "dim small" }, t("vote_missing")),
    );
}

/// Nothing if one yes is enough.
export function votesCard(approval) {
    if (!approval.voters.length) return null;
    const missing = approval.votes_needed - (approval.votes?.length ?? 0);
    return h(
        "section",
        { class: "card votes" },
        h("h2", {}, approval.covers.find((line) => line.kind === "votes")?.value),
        h("p", {}, t("votes_missing", { missing })),
        h(
            "ul",
            { class: "voters" },
            approval.voters.map((person) => voter(approval, person)),
        ),
        !isMine(approval) &&
            h(
                "p",
                { class: "notice" },
                isMe(approval.asked_by) ? t("vote_own") : t("vote_not_yours"),
            ),
    );
}
