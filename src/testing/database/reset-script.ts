/**
 * Creates the schema `latchkey_test`, with the function that resets a test database. The function is in the database, so
 * a reset is one round trip. It also empties tables that the test created later.
 */
export const resetScript = `
create schema latchkey_test;

-- Rows that exist before the first test. "place": the order in which their foreign keys allow inserting them.
create table latchkey_test.seeds (place integer primary key, target text, copy text, columns text);
create table latchkey_test.sequences (target text primary key, last_value bigint, is_called boolean);

create view latchkey_test.tables as
select tables.oid, format('%I.%I', spaces.nspname, tables.relname) as name, tables.relispartition
from pg_catalog.pg_class as tables
join pg_catalog.pg_namespace as spaces on spaces.oid = tables.relnamespace
where tables.relkind in ('r', 'p')
  and tables.relpersistence <> 't'
  and spaces.nspname not in ('information_schema', 'latchkey_test')
  and spaces.nspname !~ '^pg_'
  -- Running services have read these two tables.
  and not (spaces.nspname = 'latchkey' and tables.relname in ('migrations', 'secrets'))
  -- Tables of extensions, such as the reference systems of PostGIS.
  and not exists (
    select from pg_catalog.pg_depend
    where classid = 'pg_catalog.pg_class'::regclass and objid = tables.oid and deptype = 'e'
  );

-- The tables with rows. Deleting rows is faster than "truncate", which creates new files.
create function latchkey_test.filled() returns oid[] language plpgsql as $filled$
declare
  each record;
  has_rows boolean;
  result oid[] := '{}';
begin
  for each in select oid, name from latchkey_test.tables where not relispartition order by name loop
    execute format('select exists (select from %s)', each.name) into has_rows;
    if has_rows then
      result := result || each.oid;
    end if;
  end loop;
  return result;
end
$filled$;

-- Deletes the rows in an order that foreign keys allow. Large tables, and tables that reference each other in a cycle,
-- are truncated.
create function latchkey_test.empty(waiting oid[]) returns void language plpgsql as $empty$
declare
  ready oid[];
  names text;
  each oid;
begin
  select string_agg(oid::regclass::text, ', ') into names from unnest(waiting) as oid;
  begin
    while cardinality(waiting) > 0 loop
      select array_agg(oid) into ready from unnest(waiting) as oid
      where pg_relation_size(oid) < 1048576 and not exists (
        select from pg_catalog.pg_constraint
        where contype = 'f' and confrelid = oid and conrelid <> oid and conrelid = any(waiting)
      );
      if ready is null then
        raise foreign_key_violation;
      end if;
      foreach each in array ready loop
        execute format('delete from %s', each::regclass);
      end loop;
      waiting := array(select unnest(waiting) except select unnest(ready));
    end loop;
  exception when foreign_key_violation then
    execute format('truncate %s cascade', names);
  end;
end
$empty$;

create function latchkey_test.reset() returns void language plpgsql as $reset$
declare
  filled oid[];
  names text;
  seed latchkey_test.seeds;
  found record;
  paused text[] := '{}';
  statement text;
begin
  if current_setting('lock_timeout') = '0' then
    perform set_config('lock_timeout', '10s', true);
  end if;
  -- "alter table" fails while a deferred constraint waits for its check.
  set constraints all immediate;
  -- The triggers of this table notify running services, which then evict the sessions from their caches.
  execute format('delete from %I.%I', 'latchkey', 'sessions');

  filled := latchkey_test.filled();
  select string_agg(oid::regclass::text, ', ') into names from unnest(filled) as oid;
  if names is not null then
    execute format('lock table %s in share row exclusive mode', names);
  end if;
  for found in
    select tables.name, triggers.tgname
    from pg_catalog.pg_trigger as triggers
    join latchkey_test.tables on tables.oid = triggers.tgrelid
    where not triggers.tgisinternal and triggers.tgenabled = 'O'
      and (tables.oid = any(filled) or tables.name in (select target from latchkey_test.seeds))
  loop
    execute format('alter table %s disable trigger %I', found.name, found.tgname);
    paused := paused || format('alter table %s enable trigger %I', found.name, found.tgname);
  end loop;

  perform latchkey_test.empty(filled);
  for seed in select * from latchkey_test.seeds order by place loop
    execute format('insert into %s (%s) overriding system value select %s from latchkey_test.%I',
      seed.target, seed.columns, seed.columns, seed.copy);
  end loop;
  perform setval(target::regclass, last_value, is_called) from latchkey_test.sequences;
  -- Sequences that the test created.
  perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
  from pg_catalog.pg_sequences
  where last_value is not null
    and format('%I.%I', schemaname, sequencename) not in (select target from latchkey_test.sequences);

  foreach statement in array paused loop
    execute statement;
  end loop;
end
$reset$;
`;

export const readSeeds = `
select seeded.oid::int8::text as oid, seeded.name,
  (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
    where attrelid = seeded.oid and attnum > 0 and not attisdropped and attgenerated = ''
  ) as columns,
  array(
    select confrelid::int8::text from pg_catalog.pg_constraint
    where conrelid = seeded.oid and contype = 'f' and confrelid <> seeded.oid
  ) as needs
from latchkey_test.tables as seeded
where seeded.oid = any(latchkey_test.filled())
order by seeded.name`;

export const recordSequences = `
insert into latchkey_test.sequences (target, last_value, is_called)
select format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value is not null
from pg_catalog.pg_sequences`;
