import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ImportedUser, ImportProgress, ImportReport } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { together } from '../support/many-requests.ts';
import { newUsername, signUp } from '../support/person.ts';
import { bundleProgram } from '../support/program-bundle.ts';
import { randomBytesOf } from '../support/random.ts';
import { rounds } from '../support/rounds.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { withoutTimeLimits } from '../support/without-time-limits.ts';
import { bcryptHash, foreignPasskey, importAll, newHandle } from './support/imports.ts';
import { logInByPassword, password } from './support/passwords.ts';

const most = 2000;
const randomBytes = randomBytesOf('import-interruptions');

let service: TestService;
let program: string;
let folder: string;
let template: NonNullable<ImportedUser['passkeys']>[number];
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  program = await bundleProgram('tests/features/support/import-program.ts', `import-${process.pid}.mjs`);
  folder = mkdtempSync(join(tmpdir(), 'latchkey-import-'));
  template = (await foreignPasskey()).record;
});
afterAll(async () => {
  rmSync(program, { force: true });
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

/** Creates users with a password and two passkeys each. The hash is the same for all, because hashing is slow. */
function manyUsers(count: number, stem = newUsername('many')): ImportedUser[] {
  const hash = bcryptHash(password);
  return Array.from({ length: count }, (_, n) => ({
    username: `${stem}-${n}`,
    sourceId: `${stem}:${n}`,
    password: { hash },
    userHandle: newHandle(),
    passkeys: [1, 2].map(() => ({ ...template, credentialId: newHandle(32) })),
  }));
}

interface Running {
  child: ChildProcess;
  messages: AsyncIterator<{ progress?: ImportProgress; report?: ImportReport }>;
}

function start(file: string): Running {
  const child = spawn(process.execPath, [program, service.database.url, file, secret], {
    env: { ...process.env, ...withoutTimeLimits },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const messages = (async function* () {
    for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
  })();
  return { child, messages };
}

/** Counts the users, passkeys, ids and events of an import. */
async function countsOf(stem: string) {
  const [row] = await service.database.sql`
    with moved as (select id from latchkey.users where username like ${`${stem}-%`})
    select
      (select count(*)::int from moved) as users,
      (select count(*)::int from latchkey.passkeys where user_id in (select id from moved)) as passkeys,
      (select count(*)::int from latchkey.imported_users where user_id in (select id from moved)) as ids,
      (select count(distinct target_id)::int from latchkey.audit_events
        where event = 'user.import' and target_name like ${`${stem}-%`}) as targets,
      (select count(*)::int from latchkey.audit_events
        where event = 'user.import' and target_name like ${`${stem}-%`}) as events`;
  return row;
}

const complete = (users: number) => ({
  users,
  passkeys: 2 * users,
  ids: users,
  targets: users,
  events: users,
});

describe('an import of 2,000 users whose process is killed again and again', () => {
  test('imports each user once, and loses none', async () => {
    const stem = newUsername('killed');
    const file = join(folder, 'users.ndjson');
    writeFileSync(
      file,
      manyUsers(most, stem)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    );
    let report: ImportReport | undefined;
    let kills = 0;
    let acknowledged = 0;
    while (report === undefined) {
      const { child, messages } = start(file);
      const closed = once(child, 'close');
      // After a batch, the process sends the next statement, or has sent it. Each run imports one more batch.
      const killAfter = kills < 6 ? kills + 1 : Number.POSITIVE_INFINITY;
      for (let batches = 0; ; ) {
        const { value, done } = await messages.next();
        if (done) break;
        report = value.report;
        if (!value.progress) continue;
        batches += 1;
        acknowledged = Math.max(acknowledged, value.progress.imported + value.progress.alreadyImported);
        if (batches < killAfter) continue;
        // The number of turns is random, so the process ends at a different point each time.
        for (let turn = randomBytes(1).readUInt8() % 40; turn > 0; turn -= 1) await new Promise(setImmediate);
        child.kill('SIGKILL');
        kills += 1;
        break;
      }
      await closed;
      if (report) break;
      const now = await countsOf(stem);
      expect(now).toEqual(complete(now?.users));
      expect(now?.users).toBeGreaterThanOrEqual(acknowledged);
    }
    expect(kills).toBe(6);
    expect(report).toMatchObject({ read: most, refused: 0 });
    expect((report?.imported ?? 0) + (report?.alreadyImported ?? 0)).toBe(most);
    expect(report?.alreadyImported).toBeGreaterThan(0);
    expect(await countsOf(stem)).toEqual(complete(most));
    const last = { username: `${stem}-${most - 1}` };
    expect((await logInByPassword(service.browser(), last)).status).toBe(200);
  });
});

describe('imports at the same time', () => {
  test('of one file on two instances import each user once', async () => {
    const stem = newUsername('twice');
    const records = manyUsers(600, stem);
    const second = await startSecondInstance(service, { bcryptCost: 4 });
    const reports = await together([service, second, service].map((on) => () => importAll(on, records)));
    await second.close();
    expect(reports.map(({ refused }) => refused)).toEqual([0, 0, 0]);
    expect(reports.reduce((sum, { imported }) => sum + imported, 0)).toBe(records.length);
    expect(await countsOf(stem)).toEqual(complete(records.length));
  });

  test('of two sources with the same usernames give each username to one user, without a deadlock', async () => {
    // If a username is taken, the import reads the accounts again. After a deadlock, it sends the same statement again.
    const sentAgain: string[] = [];
    const startInstance = () => {
      let last: string | undefined;
      return startSecondInstance(service, { bcryptCost: 4 }, (statement) => {
        if (statement.includes('insert into latchkey.users') && statement === last) sentAgain.push(statement);
        last = statement;
      });
    };
    const [left, right] = [await startInstance(), await startInstance()];
    for (let round = 0; round < rounds; round += 1) {
      const stem = newUsername('both');
      const [one, other] = [manyUsers(300, stem), manyUsers(300, stem).reverse()];
      const reports = await together([
        () => importAll(left, one, { source: 'one' }),
        () => importAll(right, other, { source: 'other' }),
      ]);
      expect(reports.reduce((sum, { imported }) => sum + imported, 0)).toBe(300);
      expect(reports.reduce((sum, { reasons }) => sum + (reasons.username_taken ?? 0), 0)).toBe(300);
      expect(await countsOf(stem)).toEqual(complete(300));
    }
    await left.close();
    await right.close();
    expect(sentAgain).toEqual([]);
  });

  test('with sign-ups of the same usernames refuse these users and import the others', async () => {
    const stem = newUsername('race');
    const records = manyUsers(250, stem);
    const chosen = records.filter((_, n) => n % 50 === 0).map(({ username }) => username);
    const importing = importAll(service, records);
    const signUps = await together(
      chosen.map((username) => () => signUp(service, { username }).catch(() => null)),
    );
    const report = await importing;
    const signedUp = signUps.filter((one) => one !== null).length;
    expect(report).toMatchObject({ imported: 250 - signedUp, refused: signedUp });
    const [row] = await service.database.sql`
      select count(*)::int as users from latchkey.users where username like ${`${stem}-%`}`;
    expect(row?.users).toBe(250);
  });
});
