-- A negotiation under a mandate. One mandate, peer and listing have one: who was refused cannot
-- begin again to find out where the limit lies.
create table negotiation (
    id integer primary key,
    agent_id text not null,
    peer_id text not null,
    works_id text not null,
    mandate_id text not null references mandate (id),
    state text not null check (state in ('open', 'agreed', 'closed', 'handed_over')),
    language text not null,              -- of the peer
    listing_hash text not null,          -- of our own listing when it began; else empty
    committed_minor integer not null,    -- our last offer, or what was agreed
    committed_at_ms integer not null,
    close_at_ms integer not null,        -- when our unanswered offer ends; 0: none is
    unique (mandate_id, peer_id, works_id)
) strict;
create unique index negotiation_open on negotiation (agent_id, peer_id, works_id)
    where state = 'open';
create index negotiation_silent on negotiation (close_at_ms)
    where state = 'open' and close_at_ms > 0;
create index negotiation_counted on negotiation (mandate_id, committed_at_ms, committed_minor)
    where state in ('open', 'agreed');

create table negotiation_move (
    negotiation_id integer not null references negotiation (id),
    number integer not null,             -- 1, 2, 3 …
    is_ours integer not null check (is_ours in (0, 1)),
    kind text not null check (kind in ('offer', 'accept', 'close')),
    amount_minor integer not null,
    message_id text not null,
    at_ms integer not null,
    primary key (negotiation_id, number)
) strict, without rowid;
