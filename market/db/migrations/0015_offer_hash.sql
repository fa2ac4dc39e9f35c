-- Of a message by mail: the hash of its payload as its sender signed it. Empty: it came over HTTP.
alter table negotiation_message add column payload_hash text not null default '';
