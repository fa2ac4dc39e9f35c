-- Every row belongs to one of the agents that the daemon serves (`setting` also to none of them).
-- Times are unix milliseconds, UTC. The path of a message touches each index on it once per
-- commit, so there is an index only where a query of core/store would otherwise walk a table.

create table inbox (
    id integer primary key,              -- grows in order of arrival
    agent_id text not null,
    sender_id text not null,
    message_id text not null,
    message_type text not null,
    trace_id text not null,
    payload_hash text not null,
    provenance text not null,
    source text not null,
    sent_at_ms integer not null,         -- what the sender claims; 0 when unreadable
    received_at_ms integer not null,
    payload_json text not null,
    envelope_json text not null,         -- last: reading a history must not page through it
    -- Enough of the hash to find repeats without walking all that a peer ever wrote.
    payload_key text generated always as (substr(payload_hash, 1, 16)) virtual
) strict;
create unique index inbox_message on inbox (agent_id, sender_id, message_id);
create index inbox_history on inbox (agent_id, sender_id, received_at_ms);
create index inbox_repeat on inbox (agent_id, sender_id, payload_key, received_at_ms);

-- One task a message: they share their id, and one insert cannot be without the other.
create table task (
    inbox_id integer primary key references inbox (id),
    agent_id text not null,
    peer_id text not null,
    state text not null,
    rule_id text not null default '',
    decision text not null default '',
    why text not null default '',
    retry_count integer not null default 0,
    created_at_ms integer not null,
    updated_at_ms integer not null
) strict;
-- The column of the condition is in each index, or every row would be looked up to check it.
create index task_pending on task (inbox_id, agent_id, state) where state = 'pending';
create index task_answered on task (agent_id, peer_id, updated_at_ms, decision)
    where decision = 'answer';

-- Totals a peer, so that `status` and the list of conversations count nothing row by row.
create table conversation (
    agent_id text not null,
    peer_id text not null,
    incoming_count integer not null,
    outgoing_count integer not null,
    last_received_ms integer not null,   -- 0 when the peer never wrote
    last_at_ms integer not null,
    primary key (agent_id, peer_id)
) strict, without rowid;

-- What was not accepted. `number` counts up an agent; only the newest rows are kept.
create table refused_message (
    agent_id text not null,
    number integer not null,
    claimed_sender text not null,
    reason text not null,
    detail text not null,
    size_bytes integer not null,
    received_at_ms integer not null,
    primary key (agent_id, number)
) strict, without rowid;

create table refused_count (
    agent_id text not null,
    reason text not null,
    count integer not null,
    primary key (agent_id, reason)
) strict, without rowid;

create table outbox (
    id integer primary key,              -- the order of sending to one peer
    agent_id text not null,
    target_id text not null,
    message_id text not null,
    message_type text not null,
    trace_id text not null,
    effect_key text,                     -- null: the caller does not repeat itself
    cause text not null,
    state text not null,
    attempts integer not null,
    next_attempt_ms integer not null,
    expires_at_ms integer not null,
    last_error text not null,
    created_at_ms integer not null,
    updated_at_ms integer not null,
    payload_json text not null
) strict;
create unique index outbox_effect on outbox (effect_key) where effect_key is not null;
create index outbox_message on outbox (message_id);
create index outbox_history on outbox (agent_id, target_id, created_at_ms);
create index outbox_queued
    on outbox (agent_id, target_id, id, next_attempt_ms, expires_at_ms, state)
    where state = 'queued';
create index outbox_settled on outbox (agent_id, state, id) where state <> 'queued';

create table contact (
    agent_id text not null,
    peer_id text not null,
    source text not null,
    introduced_by text not null,
    role text not null,
    key_id text not null,                -- empty until a key was pinned
    public_key text not null,
    key_changed integer not null default 0 check (key_changed in (0, 1)),
    added_at_ms integer not null,
    primary key (agent_id, peer_id)
) strict, without rowid;

-- A question to a human. Codes and link tokens are derived from the digest and never stored.
create table approval (
    number integer primary key,          -- the order of asking
    id text not null unique,
    agent_id text not null,
    peer_id text not null,
    task_id integer references task (inbox_id),
    action text not null,
    action_json text not null,
    digest text not null,
    question text not null,
    context text not null,
    options_json text not null,
    reply_text text not null,
    reject_text text not null,
    amount_minor integer,
    currency text not null,
    provenance text not null,
    requested_by text not null,
    status text not null,
    outcome text not null,
    outcome_detail text not null,
    answer_text text not null,
    answered_by text not null,
    surface text,
    code_failures integer not null,
    created_at_ms integer not null,
    answer_by_ms integer not null,
    act_by_ms integer not null,
    answered_at_ms integer not null,     -- 0 while pending
    updated_at_ms integer not null
) strict;
create index approval_digest on approval (agent_id, digest);
create index approval_agent on approval (agent_id, status);
create index approval_pending on approval (answer_by_ms) where status = 'pending';
create index approval_unused on approval (act_by_ms)
    where status = 'approved' and outcome = 'none';
create index approval_executing on approval (number)
    where status = 'approved' and outcome = 'executing';

-- Hash-linked: each row's hash covers the hash of the row before it.
create table audit (
    id integer primary key,
    approval_id text references approval (id),
    what text not null,
    detail_json text not null,
    previous_hash text not null,
    hash text not null,
    created_at_ms integer not null
) strict;
create index audit_approval on audit (approval_id) where approval_id is not null;
create trigger audit_is_never_changed before update on audit
begin
    select raise(abort, 'audit rows are never changed');
end;
create trigger audit_is_never_deleted before delete on audit
begin
    select raise(abort, 'audit rows are never deleted');
end;

create table notification (
    id integer primary key,
    agent_id text not null,
    approval_id text references approval (id),
    channel text not null,
    kind text not null,
    body_json text not null,
    state text not null,
    outcome text not null,
    attempts integer not null,
    next_attempt_ms integer not null,
    created_at_ms integer not null,
    updated_at_ms integer not null
) strict;
create index notification_queued on notification (next_attempt_ms) where state = 'queued';
create index notification_approval on notification (approval_id) where approval_id is not null;

create table event (
    id integer primary key,
    agent_id text not null,
    kind text not null,
    subject text not null,
    detail_json text not null,
    created_at_ms integer not null
) strict;

create table listing (
    agent_id text not null,
    works_id text not null,
    type integer not null,
    title text not null,
    content text not null,
    expected_price text not null,
    service_method text not null,
    service_location text not null,
    pictures_json text not null,
    status text not null,
    updated_at_ms integer not null,
    primary key (agent_id, works_id)
) strict, without rowid;

create table setting (
    agent_id text not null,              -- empty: of the whole daemon
    key text not null,
    value text not null,
    primary key (agent_id, key)
) strict, without rowid;
