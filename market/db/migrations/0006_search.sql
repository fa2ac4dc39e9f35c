-- The search index of posts. `freshness` grows with every publication and change; 0 means that the
-- post is not in the index yet, which the market puts right when it starts.
alter table works add column freshness @int@ not null default 0;
alter table works drop column search_text;
create index works_freshness on works(freshness);
--@sqlite
create virtual table works_search using fts5(
    title, content, facet, content = '', tokenize = 'ascii');
--@postgresql
alter table works add column search tsvector;
create index works_search on works using gin (search);
create sequence works_freshness_number;
--@all
