-- What an agent may spend of what its maker may: a mandate that is cut from another one. What is
-- used under it counts for every mandate above it.
alter table mandate add column parent_mandate_id text not null default '';   -- empty: a human's own
create index mandate_share on mandate (parent_mandate_id, id) where parent_mandate_id <> '';
