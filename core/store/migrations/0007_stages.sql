-- A task that is drafted or reviewed by others before anything leaves. One case a task.
create table stage_case (
    task_id integer primary key references task (inbox_id),
    agent_id text not null,
    peer_id text not null,
    task_uuid text not null,
    kind text not null,
    stage text not null,
    slice integer not null,
    retry_count integer not null,
    max_attempts integer not null,
    version integer not null,            -- one more with each change
    context_reads integer not null,
    trace_id text not null,              -- of the present try: what an answer must keep
    deadline_ms integer not null,
    outcome text not null,               -- empty while it is open
    created_at_ms integer not null,
    updated_at_ms integer not null,
    decision_json text not null,
    event_json text not null,
    blocks_json text not null,
    results_json text not null,
    reasons_json text not null
) strict;
create index stage_case_open on stage_case (task_id) where stage <> 'closed';

-- What its stages said to each other, each row written before it is handed on.
create table stage_message (
    id integer primary key,
    task_id integer not null references stage_case (task_id),
    type text not null,
    author text not null,
    target text not null,
    created_at_ms integer not null,
    message_json text not null
) strict;
create index stage_message_task on stage_message (task_id);
