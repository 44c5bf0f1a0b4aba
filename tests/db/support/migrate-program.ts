import { once } from 'node:events';
import postgres from 'postgres';
import { migrate } from '../../../src/db/migrate.ts';
import { fromPostgresClient } from '../../../src/db/postgres.ts';

/** Migrates the database in argv[2] and prints the applied versions. A test runs several of these processes. */
const client = postgres(`${process.argv[2]}`, { max: 1, onnotice: () => {} });
await client`select 1`;
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdout.write(`${JSON.stringify(await migrate(fromPostgresClient(client)))}\n`);
await client.end();
