-- Up to where a card shows what its peer has said to other agents of this home and in the market's
-- news, and what was read of it at the market.
alter table approval add column seen_other_id integer not null default 0;
alter table approval add column seen_read_ms integer not null default 0;
update approval set seen_other_id = coalesce((select max(id) from inbox), 0),
    seen_read_ms = coalesce((select max(seen_at_ms) from seen_offer), 0)
where status = 'pending';
