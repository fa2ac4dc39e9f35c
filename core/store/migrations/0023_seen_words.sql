-- Digests of the words that were read, by member: changed words are words that nobody has answered.
alter table seen_offer add column words_json text not null default '{}';
