-- A notification that was too long for its channel was delivered without the code for a yes.
alter table notification add column shows_code integer not null default 1;
