-- A row a word and profile, in two trees, made an import of 10 000 profiles insert two million of
-- them. Now a row holds the profiles of one block of 1024 that have the word: for each, in their
-- order, three hexadecimal digits for the place in the block and one for where the word stands
-- (0 capabilities, 1 interests, 2 summary).
alter table profile add column words text not null default '';  -- by which it is found, with blanks
update profile set words = coalesce(
    (select group_concat(word, ' ') from profile_word where profile = profile.number), '');

create table profile_posting (
    word text not null,
    block integer not null,              -- number of the profile / 1024
    postings text not null,
    primary key (word, block)
) strict, without rowid;
insert into profile_posting
    select word, profile / 1024, group_concat(printf('%03x%x', profile % 1024, place), '')
    from (select word, profile, place from profile_word order by word, profile)
    group by word, profile / 1024;
drop table profile_word;
