import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsAbout } from './support/audit-log.ts';
import { codesPath, generateCodes, ledger, postGenerate, revokeCodes, useCode } from './support/recovery.ts';

let service: TestService;
/** Another process on the same database. */
let otherInstance: ServiceOn;
beforeAll(async () => {
  service = await startTestService();
  otherInstance = await startSecondInstance(service);
});
afterAll(async () => {
  await otherInstance.close();
  await service.close();
});

const works = async (person: Person, code: string) =>
  (await useCode(service.browser(), person, code)).status === 200;

/** The numbers of the user's codes and recovery sessions, and of the audit rows about used codes. */
async function codeLedger(person: Person) {
  const { codes, used, recoveries: sessions, ...written } = await ledger(service, person);
  const { 'recovery_code.use': successes = 0, 'recovery_code.use refused': failures = 0 } = written;
  return { codes, used, sessions, successes, failures };
}

describe('using recovery codes concurrently', () => {
  test.each<[where: string, browsers: () => TestAgent[]]>([
    ['in one process', () => [service.browser()]],
    ['in two processes', () => [service.browser(), otherInstance.browser()]],
  ])('opens one session when one code is used fifty times %s (8 runs)', async (_, browsers) => {
    for (let round = 0; round < 8; round += 1) {
      const person = await signUp(service);
      const [code] = await generateCodes(person.browser);
      const from = browsers();
      const answers = await together(
        Array.from(
          { length: 50 },
          (_, n) => () => useCode((from[n % from.length] as TestAgent).copy(), person, code),
        ),
      );
      expect(sortedStatuses(answers)).toEqual([200, ...times(49, 401)]);
      expect(await codeLedger(person)).toEqual({
        codes: 10,
        used: 1,
        sessions: 1,
        successes: 1,
        failures: 49,
      });
      const { body } = await person.browser.get(codesPath);
      expect(body).toMatchObject({ total: 10, remaining: 9 });
    }
  });

  test('opens ten sessions when each of ten codes is used five times', async () => {
    const person = await signUp(service);
    const codes = await generateCodes(person.browser);
    const answers = await together(
      codes.flatMap((code) => times(5, () => useCode(service.browser(), person, code))),
    );
    expect(sortedStatuses(answers)).toEqual([...times(10, 200), ...times(40, 401)]);
    expect(await codeLedger(person)).toEqual({
      codes: 10,
      used: 10,
      sessions: 10,
      successes: 10,
      failures: 40,
    });
  });

  test('leaves one session when a signed-in browser uses one code fifty times', async () => {
    const person = await signUp(service);
    const [code] = await generateCodes(person.browser);
    const answers = await together(times(50, () => useCode(person.browser.copy(), person, code)));
    expect(sortedStatuses(answers)).toEqual([200, ...times(49, 401)]);
    expect(await codeLedger(person)).toMatchObject({ used: 1, sessions: 1 });
    const left = await service.database.sql`
      select from latchkey.sessions where user_id = ${userIdOf(person)}`;
    expect(left).toHaveLength(1);
  });
});

describe('an old recovery code', () => {
  test('does not work after new codes are created, even if it is used during their creation', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await signUp(service);
      const old = await generateCodes(person.browser);
      const generating = () => postGenerate(person.browser);
      const using = old.map((code) => () => useCode(service.browser(), person, code));
      const answers = await together(
        round % 2 ? [generating, ...using] : [...using.slice(0, 5), generating, ...using.slice(5)],
      );
      const made = answers.find(({ status }) => status === 201)?.body.codes as string[];
      const opened = answers.filter(({ status }) => status === 200).length;
      expect(await codeLedger(person)).toMatchObject({
        codes: 10,
        used: 0,
        sessions: opened,
        successes: opened,
      });
      for (const code of old) expect(await works(person, code)).toBe(false);
      for (const code of made) expect(await works(person, code)).toBe(true);
    }
  });

  test('opens no session if new codes are created after the service has read the old code', async () => {
    const person = await signUp(service);
    const [old] = await generateCodes(person.browser);
    let renewed: string[] = [];
    const instance = await startSecondInstance(service, {}, async (statement) => {
      if (statement.includes('update latchkey.recovery_codes')) renewed = await generateCodes(person.browser);
    });
    const answer = await useCode(instance.browser(), person, old);
    await instance.close();
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_failed']);
    expect(await codeLedger(person)).toEqual({ codes: 10, used: 0, sessions: 0, successes: 0, failures: 1 });
    expect((await service.auditRows()).at(-1)?.details).toEqual({ reason: 'concurrent_change' });
    expect(renewed).toHaveLength(10);
    for (const code of renewed) expect(await works(person, code)).toBe(true);
  });

  test.each(['created', 'revoked'])(
    'is deleted when codes are %s, even if it has just been used',
    async (how) => {
      const person = await signUp(service);
      const [old] = await generateCodes(person.browser);
      let used = 0;
      const instance = await startSecondInstance(service, {}, async (statement) => {
        // The code is used only once. This changes the account, so the service sends the statement again.
        if (used !== 0 || !statement.includes('delete from latchkey.recovery_codes')) return;
        used = (await useCode(service.browser(), person, old)).status;
      });
      const browser = instance.browser(person.browser.cookies);
      const answer = how === 'created' ? await postGenerate(browser) : await revokeCodes(browser);
      await instance.close();
      expect([used, answer.status]).toEqual([200, how === 'created' ? 201 : 204]);
      expect(await codeLedger(person)).toMatchObject({
        codes: how === 'created' ? 10 : 0,
        used: 0,
        sessions: 1,
      });
      expect(await works(person, `${old}`)).toBe(false);
    },
  );

  test.each([
    [
      'the code expires',
      `update latchkey.recovery_codes set expires_at = latchkey.clock() where user_id = $1`,
    ],
    ['the code is revoked', `delete from latchkey.recovery_codes where user_id = $1`],
    [
      'the code is used elsewhere',
      `update latchkey.recovery_codes set used_at = latchkey.clock() where user_id = $1`,
    ],
    ['the user is disabled', `update latchkey.users set status = 'disabled' where id = $1`],
    ['the user is deleted', `delete from latchkey.users where id = $1`],
  ])('opens no session if, after the service has read the code, %s', async (_, change) => {
    const person = await signUp(service);
    const [code] = await generateCodes(person.browser);
    const { answer, changed } = await meet(service, {
      before: /update latchkey\.recovery_codes/,
      change: () => service.database.sql.unsafe(change, [userIdOf(person)]),
      act: (instance) => useCode(instance.browser(), person, code),
    });
    expect(changed).toBeGreaterThan(0);
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_failed']);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await codeLedger(person)).toMatchObject({ sessions: 0, successes: 0, failures: 1 });
  });
});

describe('new recovery codes', () => {
  test('from fifty concurrent requests: only the codes in one of the responses work', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await signUp(service);
      const browsers = [person.browser, otherInstance.browser(person.browser.cookies)];
      const answers = await together(
        Array.from({ length: 50 }, (_, n) => () => postGenerate(browsers[n % 2] as TestAgent)),
      );
      expect(sortedStatuses(answers)).toEqual(times(50, 201));
      expect(await codeLedger(person)).toMatchObject({ codes: 10, used: 0 });
      const firsts = answers.map(({ body }) => body.codes as string[]);
      const alive: string[][] = [];
      for (const codes of firsts) if (await works(person, `${codes[0]}`)) alive.push(codes);
      expect(alive).toHaveLength(1);
      for (const code of (alive[0] ?? []).slice(1)) expect(await works(person, code)).toBe(true);
      expect(await auditRowsAbout(service, person, 'recovery_code.generate')).toHaveLength(50);
    }
  });

  test('exist completely or not at all if codes are revoked during their creation', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await signUp(service);
      const old = await generateCodes(person.browser);
      const generating = () => postGenerate(person.browser);
      const revoking = () => revokeCodes(person.browser);
      const answers = await together(round % 2 ? [generating, revoking] : [revoking, generating]);
      expect(sortedStatuses(answers)).toEqual([201, 204]);
      const made = answers.find(({ status }) => status === 201)?.body.codes as string[];
      const left = (await codeLedger(person)).codes;
      expect([0, 10]).toContain(left);
      expect(await works(person, `${old[0]}`)).toBe(false);
      expect(await works(person, `${made[9]}`)).toBe(left === 10);
    }
  });
});
