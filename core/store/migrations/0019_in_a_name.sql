-- What nobody could check counts apart from what its sender has certainly sent (R49), and takes no
-- id away from it; an id of a peer's task is that peer's alone.
create table assignment_new (
    number integer primary key,          -- the order of coming to know it
    agent_id text not null,
    task_id text not null,
    peer_id text not null,
    is_authentic integer not null check (is_authentic in (0, 1)),
    side text not null,
    parent_task_id text not null,
    mandate_id text not null,
    state text not null,
    created_at_ms integer not null,
    updated_at_ms integer not null,
    brief_json text not null,
    outcome_json text not null default '',
    unique (agent_id, task_id, peer_id, is_authentic)
) strict;
insert into assignment_new select number, agent_id, task_id, peer_id,
    coalesce((select i.provenance in ('verified', 'vouched') from assignment_entry e
        join inbox i on i.agent_id = e.agent_id and i.sender_id = a.peer_id
        and i.message_id = e.message_id where e.agent_id = a.agent_id
        and e.task_id = a.task_id and e.kind = 'assigned' limit 1), 1),
    side, parent_task_id, mandate_id, state, created_at_ms, updated_at_ms, brief_json, outcome_json
    from assignment a;
drop table assignment;
alter table assignment_new rename to assignment;
create index assignment_agent on assignment (agent_id, number);
create index assignment_part on assignment (agent_id, parent_task_id) where parent_task_id <> '';
create index assignment_live on assignment (agent_id, side, number)
    where state in ('offered', 'open');

-- Whose task of that id the story is of.
alter table assignment_entry add column peer_id text not null default '';
alter table assignment_entry add column is_authentic integer not null default 1;
update assignment_entry set (peer_id, is_authentic) = (select peer_id, is_authentic
    from assignment a where a.agent_id = assignment_entry.agent_id
    and a.task_id = assignment_entry.task_id)
where exists (select 1 from assignment a where a.agent_id = assignment_entry.agent_id
    and a.task_id = assignment_entry.task_id);

create table introduction_new (
    number integer primary key,
    agent_id text not null,
    peer_id text not null,
    side text not null,
    id text not null,
    is_authentic integer not null check (is_authentic in (0, 1)),
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
    unique (agent_id, peer_id, side, id, is_authentic)
) strict;
insert into introduction_new select number, agent_id, peer_id, side, id,
    coalesce((select i.provenance in ('verified', 'vouched') from inbox i
        where i.agent_id = n.agent_id and i.sender_id = n.peer_id and i.message_id = n.id
        and n.side = 'asked'), 1),
    state, reason, required_capability, contact_id, contact_role, services, input_format,
    output_format, examples_json, refusal, at_ms from introduction n;
drop table introduction;
alter table introduction_new rename to introduction;
create index introduction_agent on introduction (agent_id, number);
