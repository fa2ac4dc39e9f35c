-- What the peer has written since a question was first asked, and what it had asked before.
alter table approval add column since_text text not null default '';
alter table approval add column also_text text not null default '';
-- The newest message of the peer that the card shows or that was there when it was asked.
alter table approval add column seen_inbox_id integer not null default 0;
update approval set seen_inbox_id = coalesce(task_id, (select max(id) from inbox), 0)
where status = 'pending';
