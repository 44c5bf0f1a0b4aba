import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import bcrypt from 'bcrypt';
import { openSchema } from 'latchkey';
import postgres from 'postgres';
import { startDatabase } from './support/database.ts';

// Measures `latchkey users import`: users with a bcrypt hash and a passkey each. Kills the command with SIGKILL when half
// of the users are stored, and runs it again. Then counts users, passkeys, ids and audit events. `--users=1000000`
// imports another number of users.
const users = Number(process.argv.find((word) => word.startsWith('--users='))?.slice(8) ?? 100_000);
const mostSeconds = 300 * Math.max(1, users / 100_000);
const mostMegabytes = 256;

// Relative to bench/dist.
const program = fileURLToPath(new URL('../../dist/cli/index.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'latchkey-import-'));
const file = join(folder, 'users.ndjson');
const database = await startDatabase();
const sql = postgres(database.url, { max: 1, onnotice: () => {} });
const secret = randomBytes(32).toString('hex');
const faults: string[] = [];
try {
  await pipeline(records, createWriteStream(file));
  const schema = openSchema(database.url);
  await schema.migrate();
  await schema.close();

  const killed = start();
  while ((await stored()) < users / 2 && killed.child.exitCode === null) await pause(20);
  killed.child.kill('SIGKILL');
  const first = await killed.end;
  const afterKill = await stored();
  const resumed = await start().end;
  const repeated = await start().end;
  const [counts] = await sql`
    select (select count(*)::int from latchkey.users) as users,
      (select count(*)::int from latchkey.passkeys) as passkeys,
      (select count(*)::int from latchkey.imported_users) as ids,
      (select count(*)::int from latchkey.audit_events where event = 'user.import') as events,
      (select count(distinct target_id)::int from latchkey.audit_events where event = 'user.import') as targets`;
  for (const [name, count] of Object.entries(counts ?? {}))
    if (count !== users) faults.push(`${name}: ${count}, expected ${users}`);
  const seconds = first.seconds + resumed.seconds;
  const megabytes = Math.max(first.megabytes, resumed.megabytes, repeated.megabytes);
  if (!(seconds <= mostSeconds))
    faults.push(`${seconds.toFixed(0)} seconds, expected at most ${mostSeconds}`);
  if (!(megabytes <= mostMegabytes)) faults.push(`${megabytes} MB, expected at most ${mostMegabytes}`);
  console.log(`
### \`latchkey users import\` of ${users.toLocaleString('en')} users, each with a bcrypt hash and a passkey

| run | seconds | users stored | peak resident memory in MB |
|---|---|---|---|
| until SIGKILL | ${first.seconds.toFixed(1)} | ${afterKill} | ${first.megabytes} |
| the same command again | ${resumed.seconds.toFixed(1)} | ${await stored()} | ${resumed.megabytes} |
| the same command, with nothing left to do | ${repeated.seconds.toFixed(1)} | ${await stored()} | ${repeated.megabytes} |

${Object.entries(counts ?? {})
  .map(([name, count]) => `${name}: ${count}`)
  .join(', ')}. Faults: ${faults.join('; ') || 'none'}.`);
} finally {
  await sql.end();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = faults.length === 0 ? 0 : 1;

async function* records(): AsyncGenerator<string> {
  const hash = await bcrypt.hash('a wet towel in Oslo', 10);
  const text = (bytes: number) => randomBytes(bytes).toString('base64url');
  for (let n = 0; n < users; n += 1) {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const passkey = { credentialId: text(32), publicKey: key.toString('base64url'), backupEligible: true };
    const user = { username: `user-${n}`, sourceId: `${n}`, userHandle: text(16) };
    yield `${JSON.stringify({ ...user, password: { hash }, passkeys: [passkey] })}\n`;
  }
}

async function stored(): Promise<number> {
  const [row] = await sql`select count(*)::int as users from latchkey.imported_users`;
  return row?.users;
}

interface Run {
  child: ChildProcess;
  end: Promise<{ seconds: number; megabytes: number }>;
}

function start(): Run {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, 'users', 'import', file, '--json'], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, JWT_SECRET: secret },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let megabytes = 0;
  const sampling = setInterval(() => {
    megabytes = Math.max(megabytes, mostResidentMemory(child.pid));
  }, 100);
  const end = once(child, 'exit').then(() => {
    clearInterval(sampling);
    return { seconds: (performance.now() - startedAt) / 1000, megabytes };
  });
  return { child, end };
}

/** Reads the peak of the resident memory so far. Zero after the end of the process, and on other systems than Linux. */
function mostResidentMemory(pid: number | undefined): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
