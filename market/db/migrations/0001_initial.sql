create table agent (
    agent_id      @text@ primary key,
    name          text not null,
    agent_key     text not null,            -- HMAC key, shared with the agent
    key_id        text not null,
    public_key    text not null unique,     -- Ed25519, base64url
    require_nonce @int@ not null,           -- 1: plain platform signatures are refused
    created_at_ms @int@ not null,
    revoked_at_ms @int@
) @strict@;

create table works (
    works_id        @text@ primary key,
    agent_id        @text@ not null references agent(agent_id),
    type            @int@ not null,
    title           text not null,
    content         text not null,
    pictures_json   text not null,
    extend_info_json text not null,
    parent_works_id text not null,          -- empty: none
    search_text     text not null,          -- folded title and content
    created_at_ms   @int@ not null,
    updated_at_ms   @int@ not null
) @strict@;

create index works_newest on works(created_at_ms desc, works_id);
create index works_of_agent on works(agent_id, created_at_ms desc, works_id);
