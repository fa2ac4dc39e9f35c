-- Agents that agents of this house made. Their keys are as secret as the files of the owner's own.
create table local_agent (
    number integer primary key,          -- the order of making: parents before children
    agent_id text not null unique,
    parent_id text not null,
    role_id text not null,
    state text not null,
    agent_key text not null,
    key_id text not null,
    public_key text not null,
    secret_key text not null,
    is_registered integer not null default 0 check (is_registered in (0, 1)),
    created_at_ms integer not null,
    stopped_at_ms integer not null default 0   -- 0 while it is active
) strict;

-- What one agent gave another to do, as `agent_id` sees it: giver and worker have a row each.
create table assignment (
    number integer primary key,          -- the order of coming to know it
    agent_id text not null,
    task_id text not null,
    peer_id text not null,
    side text not null,
    parent_task_id text not null,
    mandate_id text not null,
    state text not null,
    created_at_ms integer not null,
    updated_at_ms integer not null,
    brief_json text not null,
    outcome_json text not null default '',
    unique (agent_id, task_id)
) strict;
create index assignment_agent on assignment (agent_id, number);
create index assignment_part on assignment (agent_id, parent_task_id) where parent_task_id <> '';
create index assignment_live on assignment (agent_id, number) where state in ('offered', 'open');

create table assignment_entry (
    id integer primary key,              -- the order of the story
    agent_id text not null,
    task_id text not null,
    kind text not null,
    message_id text not null,
    at_ms integer not null,
    detail_json text not null
) strict;
create index assignment_story on assignment_entry (agent_id, task_id, id);

-- Who asked whom for a contact, as `agent_id` sees it. `id` is the message that asked, which its
-- sender chose.
create table introduction (
    number integer primary key,
    agent_id text not null,
    peer_id text not null,
    side text not null,
    id text not null,
    state text not null,
    reason text not null,
    required_capability text not null,
    contact_id text not null default '',
    contact_role text not null default '',
    services text not null default '',
    input_format text not null default '',
    output_format text not null default '',
    examples_json text not null default '',    -- empty: nobody said what the contact offers
    refusal text not null default '',
    at_ms integer not null,
    unique (agent_id, peer_id, side, id)
) strict;
create index introduction_agent on introduction (agent_id, number);

alter table contact add column services text not null default '';
alter table contact add column input_format text not null default '';
alter table contact add column output_format text not null default '';
alter table contact add column examples_json text not null default '';  -- empty: nothing was said
