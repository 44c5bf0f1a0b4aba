import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { type Person, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const codesPath = '/auth/recovery/codes';

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

const userIdOf = ({ signedUp }: Person): string => signedUp.body.user.id;
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

/** Builds every request before any is let go. */
const together = (requests: (() => Promise<Answer>)[]) => Promise.all(requests.map((request) => request()));

const generate = async (browser: TestAgent): Promise<string[]> =>
  (await browser.post(`${codesPath}/generate`)).body.codes;
const use = (browser: TestAgent, { username }: Person, code = '') =>
  browser.post(`${codesPath}/use`, { username, code });
const works = async (person: Person, code: string) =>
  (await use(service.browser(), person, code)).status === 200;

/** What is left of a person's codes, their recovery sessions, and what is written down of uses. */
async function ledger(person: Person) {
  const id = userIdOf(person);
  const [row] = await service.database.sql`
    select
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id}) as codes,
      (select count(*)::int from latchkey.recovery_codes where user_id = ${id} and used_at is not null) as used,
      (select count(*)::int from latchkey.sessions where user_id = ${id} and kind = 'recovery') as sessions,
      (select count(*)::int from latchkey.audit_events
        where event = 'recovery_code.use' and outcome = 'success' and target_id = ${id}) as successes,
      (select count(*)::int from latchkey.audit_events
        where event = 'recovery_code.use' and outcome = 'failure' and target_id = ${id}) as failures`;
  return row;
}

describe('one code, brought fifty times at once,', () => {
  test.each<[where: string, browsers: () => TestAgent[]]>([
    ['to one process', () => [service.browser()]],
    ['to two processes', () => [service.browser(), neighbour.browser()]],
  ])('%s opens one session, twenty times over', async (_, browsers) => {
    for (let round = 0; round < 20; round += 1) {
      const person = await signUp(service);
      const [code] = await generate(person.browser);
      const from = browsers();
      const answers = await together(
        Array.from(
          { length: 50 },
          (_, n) => () => use((from[n % from.length] as TestAgent).copy(), person, code),
        ),
      );
      expect(statuses(answers)).toEqual([200, ...times(49, 401)]);
      expect(await ledger(person)).toEqual({ codes: 10, used: 1, sessions: 1, successes: 1, failures: 49 });
      const { body } = await person.browser.get(codesPath);
      expect(body).toMatchObject({ total: 10, remaining: 9 });
    }
  });

  test('with all of the others opens one session each', async () => {
    const person = await signUp(service);
    const codes = await generate(person.browser);
    const answers = await together(
      codes.flatMap((code) => times(5, () => use(service.browser(), person, code))),
    );
    expect(statuses(answers)).toEqual([...times(10, 200), ...times(40, 401)]);
    expect(await ledger(person)).toEqual({ codes: 10, used: 10, sessions: 10, successes: 10, failures: 40 });
  });

  test('from the browser that it lets in, leaves that browser one session', async () => {
    const person = await signUp(service);
    const [code] = await generate(person.browser);
    const answers = await together(times(50, () => use(person.browser.copy(), person, code)));
    expect(statuses(answers)).toEqual([200, ...times(49, 401)]);
    expect(await ledger(person)).toMatchObject({ used: 1, sessions: 1 });
    const left = await service.database.sql`
      select from latchkey.sessions where user_id = ${userIdOf(person)}`;
    expect(left).toHaveLength(1);
  });
});

describe('an old code', () => {
  test('in parallel with new codes is dead afterwards, and one set of codes alive', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = await signUp(service);
      const old = await generate(person.browser);
      const renewing = () => person.browser.post(`${codesPath}/generate`);
      const bringing = old.map((code) => () => use(service.browser(), person, code));
      const answers = await together(
        round % 2 ? [renewing, ...bringing] : [...bringing.slice(0, 5), renewing, ...bringing.slice(5)],
      );
      const made = answers.find(({ status }) => status === 201)?.body.codes as string[];
      const opened = answers.filter(({ status }) => status === 200).length;
      expect(await ledger(person)).toMatchObject({ codes: 10, used: 0, sessions: opened, successes: opened });
      for (const code of old) expect(await works(person, code)).toBe(false);
      for (const code of made) expect(await works(person, code)).toBe(true);
    }
  });

  test('that is read before new codes are made, and used after, opens nothing', async () => {
    const person = await signUp(service);
    const [old] = await generate(person.browser);
    let renewed: string[] = [];
    const instance = await startSecondInstance(service, {}, async (statement) => {
      if (statement.includes('update latchkey.recovery_codes')) renewed = await generate(person.browser);
    });
    const answer = await use(instance.browser(), person, old);
    await instance.close();
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_failed']);
    expect(await ledger(person)).toEqual({ codes: 10, used: 0, sessions: 0, successes: 0, failures: 1 });
    expect((await service.auditRows()).at(-1)?.details).toEqual({ reason: 'overtaken' });
    expect(renewed).toHaveLength(10);
    for (const code of renewed) expect(await works(person, code)).toBe(true);
  });

  test.each(['made', 'revoked'])(
    'that is used just before new codes are %s is gone all the same',
    async (how) => {
      const person = await signUp(service);
      const [old] = await generate(person.browser);
      let used = 0;
      const instance = await startSecondInstance(service, {}, async (statement) => {
        // Once: the account has changed by it, so the statement is sent again.
        if (used !== 0 || !statement.includes('delete from latchkey.recovery_codes')) return;
        used = (await use(service.browser(), person, old)).status;
      });
      const browser = instance.browser(person.browser.cookies);
      const answer =
        how === 'made'
          ? await browser.post(`${codesPath}/generate`)
          : await browser.delete(`${codesPath}/revoke`);
      await instance.close();
      expect([used, answer.status]).toEqual([200, how === 'made' ? 201 : 204]);
      expect(await ledger(person)).toMatchObject({ codes: how === 'made' ? 10 : 0, used: 0, sessions: 1 });
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
    const [code] = await generate(person.browser);
    let changed = 0;
    const instance = await startSecondInstance(service, {}, async (statement) => {
      if (!statement.includes('update latchkey.recovery_codes')) return;
      changed += (await service.database.sql.unsafe(change, [userIdOf(person)])).count;
    });
    const browser = instance.browser();
    const answer = await use(browser, person, code);
    await instance.close();
    expect(changed).toBeGreaterThan(0);
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_failed']);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await ledger(person)).toMatchObject({ sessions: 0, successes: 0, failures: 1 });
  });
});

describe('new codes', () => {
  test('asked for fifty times at once are one whole set, and every other answer is dead', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await signUp(service);
      const browsers = [person.browser, neighbour.browser(person.browser.cookies)];
      const answers = await together(
        Array.from(
          { length: 50 },
          (_, n) => () => (browsers[n % 2] as TestAgent).post(`${codesPath}/generate`),
        ),
      );
      expect(statuses(answers)).toEqual(times(50, 201));
      expect(await ledger(person)).toMatchObject({ codes: 10, used: 0 });
      const firsts = answers.map(({ body }) => body.codes as string[]);
      const alive: string[][] = [];
      for (const codes of firsts) if (await works(person, `${codes[0]}`)) alive.push(codes);
      expect(alive).toHaveLength(1);
      for (const code of (alive[0] ?? []).slice(1)) expect(await works(person, code)).toBe(true);
      const written = (await service.auditRows()).filter(
        ({ event, target_id }) => event === 'recovery_code.generate' && target_id === userIdOf(person),
      );
      expect(written).toHaveLength(50);
    }
  });

  test('in parallel with revoking are there whole or not at all', async () => {
    for (let round = 0; round < 20; round += 1) {
      const person = await signUp(service);
      const old = await generate(person.browser);
      const renewing = () => person.browser.post(`${codesPath}/generate`);
      const revoking = () => person.browser.delete(`${codesPath}/revoke`);
      const answers = await together(round % 2 ? [renewing, revoking] : [revoking, renewing]);
      expect(statuses(answers)).toEqual([201, 204]);
      const made = answers.find(({ status }) => status === 201)?.body.codes as string[];
      const left = (await ledger(person))?.codes;
      expect([0, 10]).toContain(left);
      expect(await works(person, `${old[0]}`)).toBe(false);
      expect(await works(person, `${made[9]}`)).toBe(left === 10);
    }
  });
});
