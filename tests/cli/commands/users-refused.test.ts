import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, expectNoStack, fourAtOnce, jsonOn } from './support/command.ts';

let database: TestDatabase;
let service: ServiceOn;
const latchkey = commandsOn(() => database);
const json = jsonOn(() => database);
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

test('what cannot be undone is not done where nobody can be asked and --yes is missing, and it is named', async () => {
  const person = await signUp(service, { username: 'asked' });
  const before = await json('users get asked');
  const lines = [
    'change-role asked admin',
    'disable asked',
    'delete asked',
    'sessions asked --end',
    'delete asked --json',
  ];
  const ended = await fourAtOnce(lines, (line) => latchkey(`users ${line}`));
  expect(ended.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(lines.map(() => [2, '']));
  for (const { stderr } of ended) expect(stderr).toMatch(/asked.* Say --yes to go on\./);
  expect(JSON.parse(`${ended.at(-1)?.stderr}`).error.code).toBe('usage');
  expect(await json('users get asked')).toEqual(before);
  expect((await person.browser.get('/auth/session')).status).toBe(200);
});

test('for somebody who is not there every command is refused with exit code 3', async () => {
  const lines = [
    'get no-such-person',
    'change-role no-such-person admin --yes',
    'disable no-such-person --yes',
    'enable no-such-person',
    'create-recovery-link no-such-person',
    'sessions no-such-person',
    'sessions no-such-person --end --yes',
    'delete no-such-person --yes',
    'get no-such-person --json',
  ];
  const ended = await fourAtOnce(lines, (line) => latchkey(`users ${line}`));
  expect(ended.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(lines.map(() => [3, '']));
  for (const one of ended) {
    expect(one.stderr).toContain('Nobody and nothing has that name or id.');
    expectNoStack(one);
  }
  expect(JSON.parse(`${ended.at(-1)?.stderr}`).error).toMatchObject({ code: 'not_found' });
});
