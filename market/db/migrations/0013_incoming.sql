-- What was sent to an agent, by whomever, in the order of recording.
create index message_to on message(target_id, row_id);
