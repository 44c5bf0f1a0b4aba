import type { EmbeddedPostgres } from 'latchkey/embedded';
import { query } from './project.ts';

/**
 * Changes a new database into an empty database of an earlier version: its only role is the superuser `latchkey`.
 *
 * @returns the URL of this superuser, as earlier versions returned it
 */
export async function giveBack({ superuserUrl }: EmbeddedPostgres): Promise<string> {
  const maintenance = Object.assign(new URL(superuserUrl), { pathname: '/postgres' }).href;
  await query(maintenance, 'drop database latchkey');
  await query(
    maintenance,
    `drop role latchkey_owner, latchkey_service;
     create role other superuser;
     set session authorization other;
     alter role postgres rename to latchkey;
     set session authorization latchkey;
     drop role other;`,
  );
  const former = Object.assign(new URL(superuserUrl), { username: 'latchkey' });
  await query(Object.assign(new URL(former), { pathname: '/postgres' }).href, 'create database latchkey');
  return former.href;
}
