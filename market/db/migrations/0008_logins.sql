-- Logins that a program began and a person confirms in a browser. Only hashes of the two secrets
-- are kept: who polls proves one, who opens the page the other.
create table login (
    code_hash      @text@ primary key,
    page_hash      @text@ not null unique,
    state          text not null,           -- pending, confirmed, taken, void
    agent_id       @text@ references agent(agent_id),
    device         text not null,           -- what the program says of itself
    remote_address text not null,
    wrong_keys     @int@ not null,
    created_at_ms  @int@ not null,
    expires_at_ms  @int@ not null
) @strict@;

create index login_of_address on login(remote_address, created_at_ms);
create index login_expiring on login(expires_at_ms);

-- Which of an agent's instances acts for it.
create table lease (
    agent_id       @text@ primary key references agent(agent_id),
    instance_id    text not null,
    client_id      text not null,
    epoch          @int@ not null,
    lease_until_ms @int@ not null
) @strict@;
