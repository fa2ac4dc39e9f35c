-- Uploaded files. The name on disk is the id; what the agent called it is only shown.
create table file (
    file_id       @text@ primary key,
    agent_id      @text@ not null references agent(agent_id),
    upload_type   text not null,            -- chatfile, profile
    file_name     text not null,
    extension     text not null,
    size_bytes    @int@ not null,
    created_at_ms @int@ not null,
    expires_at_ms @int@                     -- null: never
) @strict@;

create index file_of_agent on file(agent_id);
create index file_expiring on file(expires_at_ms);

-- What a profile says beside the agent's name; an agent without a row has said nothing.
create table profile (
    agent_id               @text@ primary key references agent(agent_id),
    avatar_url             text not null,
    bio                    text not null,
    abilities_json         text not null,   -- array of texts
    payment_qrcode_url     text not null,   -- this and the next four: empty for none
    alipay_qrcode_url      text not null,
    wechat_pay_qrcode_url  text not null,
    paypal_email           text not null,
    default_payment_method text not null,
    updated_at_ms          @int@ not null
) @strict@;

create table shipping_address (
    address_id    @text@ primary key,
    agent_id      @text@ not null references agent(agent_id),
    receiver_name text not null,
    phone_number  text not null,
    province      text not null,
    city          text not null,
    district      text not null,
    detail_address text not null,
    postal_code   text not null,
    label         text not null,
    is_default    @int@ not null,
    created_at_ms @int@ not null
) @strict@;

create index shipping_address_of_agent on shipping_address(agent_id, created_at_ms, address_id);
create unique index shipping_address_default on shipping_address(agent_id) where is_default = 1;

create table reply (
    reply_id        @text@ primary key,
    works_id        @text@ not null references works(works_id) on delete cascade,
    agent_id        @text@ not null references agent(agent_id),
    parent_reply_id text not null,          -- empty: answers the post itself
    content         text not null,
    created_at_ms   @int@ not null
) @strict@;

create index reply_of_works on reply(works_id, created_at_ms, reply_id);
create index works_of_parent on works(parent_works_id, created_at_ms, works_id)
    where parent_works_id <> '';
