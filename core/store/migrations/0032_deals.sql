-- What an agent and a peer are about: the terms to which each of them stands, what both have agreed
-- to, and the acts from which this follows. See core/domain/deal.h.
create table deal (
    number integer primary key,
    id text not null unique,
    agent_id text not null,
    peer_id text not null,
    subject_kind text not null,
    subject_id text not null,
    version integer not null,
    phase text not null,
    ended text not null,
    is_over integer not null,
    is_stale integer not null default 0,
    sureness integer not null,
    newest_sent_ms integer not null,
    our_message_id text,
    our_price_minor integer,
    our_currency text,
    our_conditions text,
    our_payload_hash text,
    our_valid_until_ms integer,
    our_made_at_ms integer,
    their_message_id text,
    their_price_minor integer,
    their_currency text,
    their_conditions text,
    their_payload_hash text,
    their_valid_until_ms integer,
    their_made_at_ms integer,
    agreed_accept_id text,
    agreed_offer_id text,
    agreed_offered_by text,
    agreed_price_minor integer,
    agreed_currency text,
    agreed_conditions text,
    agreed_at_ms integer,
    agreed_taken_back integer,
    order_id text,
    order_state text,
    order_delivered integer,
    created_at_ms integer not null,
    updated_at_ms integer not null
);
-- A subject has one deal that is not over.
create unique index deal_open on deal (agent_id, peer_id, subject_kind, subject_id)
    where is_over = 0;
create index deal_newest on deal (agent_id, updated_at_ms);
create index deal_order on deal (agent_id, order_id) where order_id is not null;

create table deal_act (
    number integer primary key,
    deal_id text not null references deal (id),
    source text not null unique,
    outbox_id integer,
    is_void integer not null default 0,
    kind text not null,
    made_by text not null,
    price_minor integer,
    currency text,
    conditions text not null,
    message_id text not null,
    payload_hash text not null,
    offer_message_id text not null,
    offer_payload_hash text not null,
    replaces_message_id text not null,
    valid_until_ms integer not null,
    at_ms integer not null,
    sent_at_ms integer not null,
    sureness integer not null,
    order_id text,
    order_state text,
    order_delivered integer
);
create index deal_acts on deal_act (deal_id, number);
create index deal_act_of_outbox on deal_act (outbox_id) where outbox_id is not null;

-- What a message of ours does counts unless it never left. `is_stale` means that the deal has to be
-- put together from its acts again.
create trigger deal_act_left after update of state on outbox
    when (old.state in ('dead', 'dropped')) <> (new.state in ('dead', 'dropped'))
begin
    update deal set is_stale = 1
        where id in (select deal_id from deal_act where outbox_id = new.id);
    update deal_act set is_void = new.state in ('dead', 'dropped') where outbox_id = new.id;
end;
create trigger deal_forgotten before delete on deal
begin
    delete from deal_act where deal_id = old.id;
end;
