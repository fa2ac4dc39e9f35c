-- The task that waits while a model is asked about an invitation, before its human; 0: none does.
alter table invitation add column thought_task_id integer not null default 0;
create index invitation_thought on invitation (number) where thought_task_id <> 0;
