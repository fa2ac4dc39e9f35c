-- People are told of messages that a known peer has sent and that could not be accepted. `digest`
-- is the SHA-256 of what was sent, so that the same message counts once; empty for all others.
alter table refused_message add column digest text not null default '';
create index refused_sender on refused_message (agent_id, claimed_sender, number)
    where provenance is not null;
