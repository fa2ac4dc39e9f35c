// The contacts, how each became known, and their keys.
import { get } from "./api.js";
import { h } from "./dom.js";
import { emptyState, fact, time } from "./parts.js";
import { t, tName } from "./texts.js";
import { SingleView } from "./views.js";

export class ContactsView extends SingleView {
    async content() {
        const lists = await Promise.all(
            this.app.agents().map((agent) => get("/api/contacts", { agent })),
        );
        const contacts = lists.flatMap((list) => list.contacts);
        return [
            h("h2", {}, t("contacts")),
            contacts.length
                ? contacts.map((contact) =>
                      h(
                          "section",
                          { class: "card" },
                          h(
                              "div",
                              { class: "row-head" },
                              h("h3", {}, h("bdi", {}, contact.peer_id)),
                              contact.key_changed &&
                                  h("span", { class: "badge unsure" }, t("key_changed")),
                          ),
                          h(
                              "dl",
                              { class: "facts" },
                              fact(t("known_through"), tName("source", contact.source)),
                              contact.introduced_by &&
                                  fact(t("introduced_by"), h("bdi", {}, contact.introduced_by)),
                              contact.role && fact(t("role"), contact.role),
                              fact(
                                  t("key"),
                                  contact.key_id ? h("code", {}, contact.key_id) : t("no_key"),
                              ),
                              fact(t("known_since"), time(contact.added_at_ms)),
                          ),
                          h(
                              "a",
                              { href: `#/chats/${contact.agent_id}/${contact.peer_id}` },
                              t("to_chat"),
                          ),
                      ),
                  )
                : emptyState(t("no_contacts"), ""),
        ];
    }
}
