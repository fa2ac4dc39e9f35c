-- A yes can tell several peers something: then `peer_id` is empty, and this is a JSON array of ids.
alter table approval add column peer_ids_json text not null default '[]';
-- Of a message that came under a known id with other content; null for every other reason.
alter table refused_message add column provenance text;
-- Profiles are read once more, because what they say to this home is recorded since this version.
delete from setting where key like 'profiles.read %';
