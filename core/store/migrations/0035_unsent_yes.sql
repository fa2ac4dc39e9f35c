-- How many messages of an answer still wait in the outbox (R75).
alter table approval add column unsent integer not null default 0;
update approval set unsent = waiting.messages from
    (select substr(cause, 10) as approval_id, count(*) as messages from outbox
        where state in ('queued', 'held') and cause glob 'approval:*' group by cause) as waiting
    where approval.id = waiting.approval_id;
create trigger approval_message_queued after insert on outbox
    when new.state in ('queued', 'held') and new.cause glob 'approval:*'
begin
    update approval set unsent = unsent + 1 where id = substr(new.cause, 10);
end;
create trigger approval_message_left after update of state on outbox
    when (old.state in ('queued', 'held')) <> (new.state in ('queued', 'held'))
        and new.cause glob 'approval:*'
begin
    update approval set unsent = unsent + iif(new.state in ('queued', 'held'), 1, -1)
        where id = substr(new.cause, 10);
end;
