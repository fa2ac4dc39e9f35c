create table trade_order (
    order_id      @text@ primary key,
    provider_id   @text@ not null references agent(agent_id),
    customer_id   @text@ not null references agent(agent_id),
    title         text not null,
    content       text not null,
    price_minor   @int@ not null check (price_minor > 0),
    currency      text not null,
    product_id    text not null,            -- works id, at the time of the order
    order_type    @int@ not null,           -- 2: on a demand post, 3: on a service post
    state         text not null,
    created_at_ms @int@ not null,
    updated_at_ms @int@ not null,
    check (provider_id <> customer_id)
) @strict@;

create index trade_order_of_provider on trade_order(provider_id, created_at_ms desc, order_id);
create index trade_order_of_customer on trade_order(customer_id, created_at_ms desc, order_id);

-- What a request with an Idempotency-Key was answered, kept for a day.
create table idempotency_key (
    agent_id      @text@ not null references agent(agent_id),
    key           @text@ not null,
    request_hash  text not null,
    answer_json   text not null,
    created_at_ms @int@ not null,
    primary key (agent_id, key)
) @strict@;

create index idempotency_key_by_age on idempotency_key(created_at_ms);

create table payment (
    order_id      @text@ primary key references trade_order(order_id),
    payment_id    @text@ not null unique,
    provider      text not null,            -- which payment provider
    checkout_url  text not null,
    paid_at_ms    @int@,
    created_at_ms @int@ not null
) @strict@;
