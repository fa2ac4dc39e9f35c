-- Messages are deleted by their time, and history counts only those that are kept.
create index message_by_time on message(recorded_at_ms);
drop index message_of_session;
create index message_of_session on message(session_id, row_id, recorded_at_ms);
