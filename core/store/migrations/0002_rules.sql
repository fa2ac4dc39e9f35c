-- Limits under which the answer is yes without asking. A mandate is never changed: it is revoked
-- and another one given, so what was spent under it always was spent under these terms.
create table mandate (
    number integer primary key,          -- the order of giving; the first that covers is used
    id text not null unique,
    agent_id text not null,
    action text not null,
    terms_json text not null,            -- canonical, with a salt
    given_by text not null,
    surface text not null,
    given_at_ms integer not null,
    revoked_by text not null default '',
    revoked_at_ms integer not null default 0   -- 0 while it holds
) strict;
create index mandate_live on mandate (agent_id, action) where revoked_at_ms = 0;

-- One row an automatic yes: what a mandate has used is the sum of these.
create table mandate_use (
    approval_id text primary key references approval (id),
    mandate_id text not null references mandate (id),
    amount_minor integer not null,
    used_at_ms integer not null
) strict, without rowid;
create index mandate_used on mandate_use (mandate_id, used_at_ms, amount_minor);

alter table approval add column priority text not null default 'normal';
-- Several people: fixed when the question is asked, whatever the configuration becomes.
alter table approval add column asked_by text not null default '';
alter table approval add column votes_needed integer not null default 1;
alter table approval add column voters_json text not null default '[]';
alter table approval add column escalated_at_ms integer not null default 0;   -- 0: not yet
create index approval_not_escalated on approval (created_at_ms)
    where status = 'pending' and escalated_at_ms = 0;

-- A yes that is not enough alone. It counts for the digest that its giver saw.
create table vote (
    approval_id text not null references approval (id),
    person text not null,
    digest text not null,
    surface text not null,
    given_at_ms integer not null,
    primary key (approval_id, person)
) strict, without rowid;
