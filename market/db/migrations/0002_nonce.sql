-- Nonces of signed requests, which several market processes share here. With SQLite they are in a
-- file of their own, which need not be synced.
--@postgresql
create table nonce (
    actor      @text@ not null,             -- an agent id, or the public key of a registration
    value      @text@ not null,
    used_at_ms @int@ not null,
    primary key (actor, value)
);

create index nonce_age on nonce(used_at_ms);
--@all
