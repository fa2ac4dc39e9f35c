-- What waits for an agent's owner at the market and was read there before its news came.
create table seen_offer (
  id integer primary key,
  agent_id text not null,
  peer_id text not null, -- empty where the market does not tell
  thing text not null,   -- what it is, and its id
  seen_at_ms integer not null,
  unique (agent_id, thing)
) strict;
create index seen_offer_peer on seen_offer (agent_id, peer_id, seen_at_ms);
