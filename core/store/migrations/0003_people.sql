-- Who is told, on which step of the person's channels, and what became of what the channel shows.
alter table notification add column news text not null default '';
alter table notification add column person text not null default 'human';
alter table notification add column step integer not null default 0;
alter table notification add column priority integer not null default 1;
alter table notification add column receipt text not null default '';
alter table notification add column card text not null default '';
alter table notification add column held integer not null default 0;
alter table notification add column sent_at_ms integer not null default 0;

-- Rows from before are a piece of news each.
update notification set news = 'old-' || id;

drop index notification_queued;
create index notification_queued
    on notification (person, channel, next_attempt_ms, priority, held, id)
    where state = 'queued';
create index notification_waiting on notification (next_attempt_ms) where state = 'waiting';
create index notification_news on notification (news, person)
    where state in ('queued', 'waiting');
create index notification_sent on notification (person, channel, sent_at_ms)
    where sent_at_ms > 0;
create index notification_stale on notification (id) where card = 'stale';

-- Whoever changes what a card tells of, the card is out of date from that commit on.
create trigger approval_card after update of status, outcome on approval
when new.status <> 'pending' and (new.status <> old.status or new.outcome <> old.outcome)
begin
    update notification set card = 'stale'
    where approval_id = new.id and card in ('open', 'final');
end;
