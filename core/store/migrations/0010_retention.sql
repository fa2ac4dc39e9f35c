-- What the stages said to each other is kept for a while: `bytes` of the case's messages, so that
-- nobody has to read them to know what they take.
alter table stage_case add column bytes integer not null default 0;
update stage_case set bytes = (
    select coalesce(sum(length(cast(message_json as blob))), 0) from stage_message
    where stage_message.task_id = stage_case.task_id);
create index stage_case_closed on stage_case (updated_at_ms, task_id, bytes)
    where stage = 'closed';

-- The market's own messages: few, and no other message touches this index.
create index inbox_platform on inbox (agent_id) where source = 'platform';
