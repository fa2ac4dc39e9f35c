-- All that the message in question says: it is shown whole where it is decided.
alter table approval add column peer_text text not null default '';
-- What took the place of a question that nobody has answered, and the question that stands instead.
alter table approval add column closed_by text;
alter table approval add column next_id text not null default '';
