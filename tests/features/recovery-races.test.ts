import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortedStatuses, times, together } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { rounds } from '../support/rounds.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsAbout } from './support/audit-log.ts';
import { alternatingRounds, type Pair, startPair } from './support/paired-changes.ts';
import { codesPath, generateCodes, ledger, postGenerate, revokeCodes, useCode } from './support/recovery.ts';

let service: TestService;
let pair: Pair;
beforeAll(async () => {
  service = await startTestService();
  pair = await startPair(service);
});
afterAll(async () => {
  await pair.close();
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
  test.each([
    ['in one process', 1],
    ['in two processes', 2],
  ] as const)('opens one session when one code is used twenty times %s', async (_, processes) => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await signUp(service);
      const [code] = await generateCodes(person.browser);
      const using = (instance: ServiceOn) => useCode(instance.browser(), person, code);
      const answers = await pair.meet(processes, ...times(20, using));
      expect(sortedStatuses(answers)).toEqual([200, ...times(19, 401)]);
      expect(await codeLedger(person)).toEqual({
        codes: 10,
        used: 1,
        sessions: 1,
        successes: 1,
        failures: 19,
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
    await alternatingRounds(async (processes) => {
      const person = await signUp(service);
      const old = await generateCodes(person.browser);
      const generating = (instance: ServiceOn) => postGenerate(instance.browser(person.browser.cookies));
      const using = old.map((code) => (instance: ServiceOn) => useCode(instance.browser(), person, code));
      const answers = await pair.meet(processes, ...using.slice(0, 5), generating, ...using.slice(5));
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
    });
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
  test('from twenty concurrent requests: only the codes in one of the responses work', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await signUp(service);
      const generating = (instance: ServiceOn) => postGenerate(instance.browser(person.browser.cookies));
      const answers = await pair.meet(2, ...times(20, generating));
      expect(sortedStatuses(answers)).toEqual(times(20, 201));
      expect(await codeLedger(person)).toMatchObject({ codes: 10, used: 0 });
      const firsts = answers.map(({ body }) => body.codes as string[]);
      const alive: string[][] = [];
      for (const codes of firsts) if (await works(person, `${codes[0]}`)) alive.push(codes);
      expect(alive).toHaveLength(1);
      for (const code of (alive[0] ?? []).slice(1)) expect(await works(person, code)).toBe(true);
      expect(await auditRowsAbout(service, person, 'recovery_code.generate')).toHaveLength(20);
    }
  });

  test('exist completely or not at all if codes are revoked during their creation', async () => {
    await alternatingRounds(async (processes) => {
      const person = await signUp(service);
      const old = await generateCodes(person.browser);
      const answers = await pair.meet(
        processes,
        (instance) => postGenerate(instance.browser(person.browser.cookies)),
        (instance) => revokeCodes(instance.browser(person.browser.cookies)),
      );
      expect(sortedStatuses(answers)).toEqual([201, 204]);
      const made = answers.find(({ status }) => status === 201)?.body.codes as string[];
      const left = (await codeLedger(person)).codes;
      expect([0, 10]).toContain(left);
      expect(await works(person, `${old[0]}`)).toBe(false);
      expect(await works(person, `${made[9]}`)).toBe(left === 10);
    });
  });
});
