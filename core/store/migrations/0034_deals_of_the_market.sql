-- What the market has made of an acceptance: a deal of its own, or nothing. See DealNews and
-- RefusalNews in core/domain/deal.h.
alter table deal add column agreed_market_deal_id text;
update deal set agreed_market_deal_id = '' where agreed_accept_id is not null;
alter table deal_act add column market_deal_id text not null default '';
alter table deal_act add column offered_by text;
