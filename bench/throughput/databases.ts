import postgres from 'postgres';
import type { Contender } from './contenders.ts';
import { limits } from './contenders.ts';
import { usernameOf } from './identity.ts';
import { prepare } from './processes.ts';

/** The URL of each contender's database, by its name. */
export type DatabaseUrls = Record<string, string>;

/** Creates a database with tables for each contender. */
export async function createDatabases(
  serverUrl: string,
  contenders: readonly Contender[],
): Promise<DatabaseUrls> {
  const urls: DatabaseUrls = {};
  const sql = connect(serverUrl);
  for (const contender of contenders) {
    const { database } = contender;
    if (urls[database]) continue;
    // The prefix avoids the name of the server's default database.
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

/** Inserts the accounts for "Koa + one SELECT". These accounts are as long as Latchkey's. */
export async function fillKoaPeople(url: string, count: number): Promise<void> {
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

/** Gives every user the role admin, and updates the statistics of all tables. */
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
