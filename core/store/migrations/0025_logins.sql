-- Logins in a browser that this home began. Once the market has given the account of one, its key
-- is kept here until the owner has answered whether that agent becomes one of their own.
create table login (
    code text primary key,
    agent_id text not null,                      -- the agent that began it
    login_base text not null,
    begun_at_ms integer not null,
    account_id text not null default '',         -- empty until somebody has confirmed
    account_name text not null default '',
    agent_key text not null default '',          -- emptied once the question has ended
    api_base text not null default '',
    mqtt_url text not null default ''
) strict;
create index login_account on login (account_id) where account_id <> '';

-- The owner's own agents in the order in which this home took them in; the first is the default.
create table own_agent (
    number integer primary key,
    agent_id text not null unique,
    taken_in_at_ms integer not null
) strict;
