-- Tables and columns get the names of docs/glossary.md: the work that a message causes is a job.
alter table task rename to job;
drop index task_pending;
drop index task_answered;
create index job_pending on job (inbox_id, agent_id, state) where state = 'pending';
create index job_answered on job (agent_id, peer_id, updated_at_ms, decision)
    where decision = 'answer';
alter table approval rename column task_id to job_id;
alter table stage_case rename column task_id to job_id;
alter table stage_message rename column task_id to job_id;
drop index stage_message_task;
create index stage_message_job on stage_message (job_id);
alter table invitation rename column thought_task_id to thought_job_id;

-- Haggling with one peer is a bargain; a negotiation is what many agents say about one demand.
alter table negotiation rename to bargain;
alter table negotiation_move rename to bargain_move;
alter table bargain_move rename column negotiation_id to bargain_id;
drop index negotiation_open;
drop index negotiation_silent;
drop index negotiation_counted;
create unique index bargain_open on bargain (agent_id, peer_id, works_id) where state = 'open';
create index bargain_silent on bargain (close_at_ms) where state = 'open' and close_at_ms > 0;
create index bargain_counted on bargain (mandate_id, committed_at_ms, committed_minor)
    where state in ('open', 'agreed');

alter table channel rename to negotiation;
alter table negotiation rename column channel_id to negotiation_id;
alter table negotiation rename column parent_channel_id to parent_negotiation_id;
alter table party rename column channel_id to negotiation_id;
alter table proposal rename column channel_id to negotiation_id;
alter table feedback rename column channel_id to negotiation_id;
alter table deed rename column channel_id to negotiation_id;
alter table invitation rename column channel_id to negotiation_id;
drop index channel_agent;
drop index channel_parent;
drop index channel_live;
create index negotiation_agent on negotiation (agent_id, number);
create index negotiation_parent on negotiation (parent_negotiation_id)
    where parent_negotiation_id <> '';
create index negotiation_live on negotiation (number) where state not in ('finalized', 'failed');
