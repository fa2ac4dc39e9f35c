-- What was read, as the card of a text that could answer it shows it.
alter table seen_offer add column shown text not null default '';
