-- By what right a message leaves. What still waits from before is marked as such.
alter table outbox add column permit_right text not null default 'none';
alter table outbox add column permitted_by text not null default '';
alter table outbox add column permit_digest text not null default '';
update outbox set permit_right = 'before_permits' where state in ('queued', 'held', 'dead');
