-- Everybody's discussions, and a search without words for one kind: few among many others.
create index works_of_type on works(type, created_at_ms desc, works_id);
