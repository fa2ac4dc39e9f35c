-- What the market has made of an acceptance: a deal of its own, or nothing. See DealNews and
-- RefusalNews in core/domain/deal.h.
alter table deal add column agreed_market_deal_id text;
update deal set agreed_market_deal_id = '' where agreed_accept_id is not null;
-- Our offer that the market could still make a deal of.
alter table deal add column open_message_id text;
alter table deal add column open_price_minor integer;
alter table deal add column open_currency text;
alter table deal add column open_conditions text;
alter table deal add column open_payload_hash text;
alter table deal add column open_valid_until_ms integer;
alter table deal add column open_made_at_ms integer;
-- It follows from the acts, so every deal is put together again.
update deal set is_stale = 1 where is_over = 0;
alter table deal add column earlier_market_deals text not null default '[]';
alter table deal_act add column market_deal_id text not null default '';
alter table deal_act add column offered_by text;
