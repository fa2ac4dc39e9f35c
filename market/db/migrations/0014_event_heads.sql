-- The oldest event of each receiver, and what waits for one of them.
create index event_to on event(target_id, event_id);
