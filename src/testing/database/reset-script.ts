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

create function latchkey_test.reset() returns void language plpgsql as $reset$
declare
  names text;
  seed latchkey_test.seeds;
  found record;
  paused text[] := '{}';
  statement text;
begin
  if current_setting('lock_timeout') = '0' then
    perform set_config('lock_timeout', '10s', true);
  end if;
  -- The triggers of this table notify running services, which then evict the sessions from their caches.
  execute format('delete from %I.%I', 'latchkey', 'sessions');

  -- Triggers that refuse "truncate", and triggers of tables with seeds.
  for found in
    select tables.name, triggers.tgname
    from pg_catalog.pg_trigger as triggers
    join latchkey_test.tables on tables.oid = triggers.tgrelid
    where not triggers.tgisinternal and triggers.tgenabled = 'O'
      and (triggers.tgtype & 32 <> 0 or tables.name in (select target from latchkey_test.seeds))
  loop
    execute format('alter table %s disable trigger %I', found.name, found.tgname);
    paused := paused || format('alter table %s enable trigger %I', found.name, found.tgname);
  end loop;

  select string_agg(name, ', ') into names from latchkey_test.tables where not relispartition;
  execute 'truncate ' || names || ' restart identity';
  for seed in select * from latchkey_test.seeds order by place loop
    execute format('insert into %s (%s) overriding system value select %s from latchkey_test.%I',
      seed.target, seed.columns, seed.columns, seed.copy);
  end loop;
  perform setval(target::regclass, last_value, is_called) from latchkey_test.sequences;

  foreach statement in array paused loop
    execute statement;
  end loop;
end
$reset$;
`;

/** The tables with rows are found one by one, because `exists` needs the name of its table. */
export const findSeeds = `
do $$
declare
  each record;
  has_rows boolean;
begin
  create temporary table seeded (oid oid, name text);
  for each in select * from latchkey_test.tables where not relispartition loop
    execute format('select exists (select from %s)', each.name) into has_rows;
    if has_rows then
      insert into seeded values (each.oid, each.name);
    end if;
  end loop;
end
$$`;

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
from seeded
order by seeded.name`;

export const recordSequences = `
insert into latchkey_test.sequences (target, last_value, is_called)
select format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value is not null
from pg_catalog.pg_sequences`;
