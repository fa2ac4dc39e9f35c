-- What a requester said beside the demand, or beside the plan, that an invitation is about now.
-- Both are kept as they were received from here on: a card shows all that its yes covers.
alter table invitation add column besides_json text not null default '';
