-- The agent in whose name the market itself speaks; made at the first start.
create table own_agent (
    singleton  @int@ primary key check (singleton = 1),
    agent_id   @text@ not null references agent(agent_id),
    secret_key text not null                -- Ed25519, base64url
) @strict@;

-- What the market still has to tell; a row goes when the broker has acknowledged it.
create table event (
    event_id      @id@,
    target_id     @text@ not null references agent(agent_id),
    message_id    text not null,
    trace_id      text not null,
    payload_json  text not null,
    created_at_ms @int@ not null
) @strict@;

-- What agents and the market said to each other, as recorded from the broker.
create table message (
    row_id         @id@,
    session_id     @text@ not null,         -- the two agents, sorted and joined
    sender_id      @text@ not null references agent(agent_id),
    target_id      @text@ not null references agent(agent_id),
    message_id     @text@ not null,
    trace_id       text not null,
    envelope_json  text not null,
    recorded_at_ms @int@ not null,
    unique (sender_id, message_id)
) @strict@;

create index message_of_session on message(session_id, row_id);

-- Of several market processes on one database, the one that speaks to the broker.
create table relay_lease (
    singleton   @int@ primary key check (singleton = 1),
    holder      text not null,
    until_ms    @int@ not null
) @strict@;
