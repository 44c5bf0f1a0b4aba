import postgres from 'postgres';
import type { Contender } from './contenders.ts';
import { limits } from './contenders.ts';
import { usernameOf } from './identity.ts';
import { prepare } from './processes.ts';

/** Where each contender's database is, by its name. */
export type DatabaseUrls = Record<string, string>;

/** A database for each contender, with its tables. */
export async function createDatabases(
  serverUrl: string,
  contenders: readonly Contender[],
): Promise<DatabaseUrls> {
  const urls: DatabaseUrls = {};
  const sql = connect(serverUrl);
  for (const contender of contenders) {
    const { database } = contender;
    if (urls[database]) continue;
    // Beside the database that the server came with, which may have that name.
    const name = `bench_${database}`;
    await sql.unsafe(`create database ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    urls[database] = url.href;
    if (!limits.includes(contender)) await prepare(contender, url.href);
  }
  await sql.end();
  return urls;
}

/** The accounts that Koa alone reads, as long as ours. */
export async function fillKoasPeople(url: string, count: number): Promise<void> {
  const sql = connect(url);
  await sql`
    create table people (
      id uuid primary key,
      username text not null,
      display_name text,
      role text not null,
      status text not null,
      created_at timestamptz not null
    )`;
  const people = Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${`${index}`.padStart(12, '0')}`,
    username: usernameOf(index),
    role: 'admin',
    status: 'active',
    created_at: new Date(),
  }));
  await sql`insert into people ${sql(people)}`;
  await sql.end();
}

const promotions: Record<string, string> = {
  latchkey: `update latchkey.users set role = 'admin'`,
  better_auth: `update "user" set role = 'admin'`,
  express: `update users set role = 'admin'`,
};

/** Everybody may do what needs a role; and no contender is measured on a table whose statistics are missing. */
export async function promoteAndAnalyze(urls: DatabaseUrls): Promise<void> {
  for (const [database, url] of Object.entries(urls)) {
    const sql = connect(url);
    if (promotions[database]) await sql.unsafe(promotions[database]);
    await sql.unsafe('vacuum analyze');
    await sql.end();
  }
}

export async function versionOf(url: string): Promise<string> {
  const sql = connect(url);
  const [row] = await sql<{ version: string }[]>`select version()`;
  await sql.end();
  return row?.version.split(' on ')[0] ?? '';
}

const connect = (url: string) => postgres(url, { max: 1, onnotice: () => {} });
