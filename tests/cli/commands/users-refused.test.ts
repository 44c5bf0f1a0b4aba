import { errorTable } from 'latchkey';
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

test('without a terminal, commands that need a confirmation fail if --yes is not given', async () => {
  const person = await signUp(service, { username: 'asked' });
  const before = await json('users get asked');
  const lines = [
    'change-role asked admin',
    'disable asked',
    'delete asked',
    'end-sessions asked',
    'end-all-sessions',
    'delete asked --json',
  ];
  const ended = await fourAtOnce(lines, (line) => latchkey(`users ${line}`));
  expect(ended.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(lines.map(() => [2, '']));
  for (const { stderr } of ended) expect(stderr).toMatch(/(asked|all users).* Add --yes to confirm\./);
  expect(JSON.parse(`${ended.at(-1)?.stderr}`).error.code).toBe('usage');
  expect(await json('users get asked')).toEqual(before);
  expect((await person.browser.get('/auth/session')).status).toBe(200);
});

test('each `latchkey users` command for one user exits with 3 if the user is unknown', async () => {
  const lines = [
    'get no-such-user',
    'change-role no-such-user admin --yes',
    'disable no-such-user --yes',
    'enable no-such-user',
    'create-recovery-link no-such-user',
    'cancel-recovery-link no-such-user',
    'end-sessions no-such-user --yes',
    'delete no-such-user --yes',
    'get no-such-user --json',
  ];
  const ended = await fourAtOnce(lines, (line) => latchkey(`users ${line}`));
  expect(ended.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual(lines.map(() => [3, '']));
  for (const one of ended) {
    expect(one.stderr).toContain('Check the name or ID.');
    expectNoStack(one);
  }
  const { title: message, nextStep: next } = errorTable.not_found;
  expect(JSON.parse(`${ended.at(-1)?.stderr}`).error).toEqual({ code: 'not_found', message, next });
});
