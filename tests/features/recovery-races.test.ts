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
let neighbour: ServiceOn;
beforeAll(async () => {
  service = await startTestService();
  neighbour = await startSecondInstance(service);
});
afterAll(async () => {
  await neighbour.close();
  await service.close();
});

const works = async (person: Person, code: string) =>
  (await useCode(service.browser(), person, code)).status === 200;

/** What is left of a person's codes, their recovery sessions, and what is written down of uses. */
async function codeLedger(person: Person) {
  const { codes, used, recoveries: sessions, ...written } = await ledger(service, person);
  const { 'recovery_code.use': successes = 0, 'recovery_code.use refused': failures = 0 } = written;
  return { codes, used, sessions, successes, failures };
}

describe('one code, brought fifty times at once,', () => {
  test.each<[where: string, browsers: () => TestAgent[]]>([
    ['to one process', () => [service.browser()]],
    ['to two processes', () => [service.browser(), neighbour.browser()]],
  ])('%s opens one session, twenty times over', async (_, browsers) => {
    for (let round = 0; round < 20; round += 1) {
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

  test('with all of the others opens one session each', async () => {
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

  test('from the browser that it lets in, leaves that browser one session', async () => {
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

describe('an old code', () => {
  test('in parallel with new codes is dead afterwards, and one set of codes alive', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = await signUp(service);
      const old = await generateCodes(person.browser);
      const renewing = () => postGenerate(person.browser);
      const bringing = old.map((code) => () => useCode(service.browser(), person, code));
      const answers = await together(
        round % 2 ? [renewing, ...bringing] : [...bringing.slice(0, 5), renewing, ...bringing.slice(5)],
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

  test('that is read before new codes are made, and used after, opens nothing', async () => {
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
    expect((await service.auditRows()).at(-1)?.details).toEqual({ reason: 'overtaken' });
    expect(renewed).toHaveLength(10);
    for (const code of renewed) expect(await works(person, code)).toBe(true);
  });

  test.each(['made', 'revoked'])(
    'that is used just before new codes are %s is gone all the same',
    async (how) => {
      const person = await signUp(service);
      const [old] = await generateCodes(person.browser);
      let used = 0;
      const instance = await startSecondInstance(service, {}, async (statement) => {
        // Once: the account has changed by it, so the statement is sent again.
        if (used !== 0 || !statement.includes('delete from latchkey.recovery_codes')) return;
        used = (await useCode(service.browser(), person, old)).status;
      });
      const browser = instance.browser(person.browser.cookies);
      const answer = how === 'made' ? await postGenerate(browser) : await revokeCodes(browser);
      await instance.close();
      expect([used, answer.status]).toEqual([200, how === 'made' ? 201 : 204]);
      expect(await codeLedger(person)).toMatchObject({
        codes: how === 'made' ? 10 : 0,
        used: 0,
        sessions: 1,
      });
      expect(await works(person, `${old}`)).toBe(false);
    },
  );

  test.each([
    ['expires', `update latchkey.recovery_codes set expires_at = latchkey.clock() where user_id = $1`],
    ['is revoked', `delete from latchkey.recovery_codes where user_id = $1`],
    ['is used elsewhere', `update latchkey.recovery_codes set used_at = latchkey.clock() where user_id = $1`],
    ['loses its person to being disabled', `update latchkey.users set status = 'disabled' where id = $1`],
    ['loses its person', `delete from latchkey.users where id = $1`],
  ])('that %s between being read and being used opens nothing', async (_, change) => {
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

describe('new codes', () => {
  test('asked for fifty times at once are one whole set, and every other answer is dead', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await signUp(service);
      const browsers = [person.browser, neighbour.browser(person.browser.cookies)];
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

  test('in parallel with revoking are there whole or not at all', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = await signUp(service);
      const old = await generateCodes(person.browser);
      const renewing = () => postGenerate(person.browser);
      const revoking = () => revokeCodes(person.browser);
      const answers = await together(round % 2 ? [renewing, revoking] : [revoking, renewing]);
      expect(sortedStatuses(answers)).toEqual([201, 204]);
      const made = answers.find(({ status }) => status === 201)?.body.codes as string[];
      const left = (await codeLedger(person)).codes;
      expect([0, 10]).toContain(left);
      expect(await works(person, `${old[0]}`)).toBe(false);
      expect(await works(person, `${made[9]}`)).toBe(left === 10);
    }
  });
});
