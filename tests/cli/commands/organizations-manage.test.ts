import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUsername, type Person, signUp } from '../../support/person.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { commandsOn, expectNoStack, jsonOn } from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

let service: TestService;
let ada: Person;
const latchkey = commandsOn(() => service.database);
const json = jsonOn(() => service.database);
beforeAll(async () => {
  service = await startTestService();
  ada = await signUp(service);
});
afterAll(() => service.close());

test('`latchkey organizations list` says how to create the first organization', async () => {
  expect((await latchkey('organizations list')).stdout).toBe(
    'No organizations. Create one with `latchkey organizations create`.\n',
  );
});

test('`latchkey organizations create` creates an organization and records the operator', async () => {
  const slug = newUsername('org');
  const { exitCode, stdout, stderr } = await latchkey(
    `organizations create Engines --slug ${slug} --admin ${ada.username}`,
  );
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`^Name +Engines\\nSlug +${slug}\\nID +\\S{36}\\nCreated +.+ UTC\\n$`));
  expect((await json(`organizations members ${slug}`)).members).toMatchObject([
    { user: { username: ada.username }, role: 'admin' },
  ]);
  expect((await eventsOf(service.database, 'organization.create')).at(-1)).toMatchObject({
    actor_type: 'operator',
    actor_name: operator,
    target_name: 'Engines',
  });
});

test('`latchkey organizations create` without --admin says that only superadmins and operators can manage it', async () => {
  const { exitCode, stdout, stderr } = await latchkey(`organizations create ${newUsername('Lonely')}`);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^Slug +lonely-/m)]);
  expect(stderr).toMatch(
    /no members, so only superadmins and operators can manage it\.\nAdd an organization/,
  );
  const { organization } = await json(`organizations create ${newUsername('Lonely')}`);
  expect(organization).toMatchObject({ myRole: null });
});

test('`latchkey organizations get`, `update` and `delete` take the slug', async () => {
  const { organization } = await json(`organizations create Gears --slug ${newUsername('org')}`);
  const { slug } = organization;
  expect(await json(`organizations get ${slug}`)).toEqual({ organization });
  const renamed = await latchkey(`organizations update ${slug} --name Cogs --slug ${slug}-x`);
  expect([renamed.exitCode, renamed.stdout]).toEqual([
    0,
    expect.stringMatching(/^Name +Cogs\nSlug +\S+-x$/m),
  ]);
  expect((await latchkey(`organizations get ${slug}`)).exitCode).toBe(3);
  expect(await latchkey(`organizations delete ${slug}-x --yes`)).toMatchObject({
    exitCode: 0,
    stdout: `${slug}-x is deleted.\n`,
  });
  expect((await latchkey(`organizations get ${slug}-x`)).exitCode).toBe(3);
});

test('`latchkey organizations members` lists and searches members', async () => {
  const { organization } = await json(`organizations create Many --slug ${newUsername('org')}`);
  const { slug } = organization;
  expect((await latchkey(`organizations members ${slug}`)).stdout).toMatch(/^No members\. Add one with `/);
  const [one, other] = [await signUp(service), await signUp(service)];
  await one.browser.patch('/auth/account', { displayName: 'Charles Babbage' });
  for (const { username } of [one, other])
    await latchkey(`organizations add-member ${slug} ${username} --yes`);
  const { stdout, stderr } = await latchkey(`organizations members ${slug} --limit 1`);
  expect(stdout).toMatch(/^USERNAME +ROLE +JOINED \(UTC\) +DISPLAY NAME\n\S+ +user +\d{4}-.+/);
  expect(stderr).toContain('--cursor ');
  expect((await latchkey(`organizations members ${slug} --query charles`)).stdout).toMatch(
    new RegExp(`^${one.username} +user +.+ +Charles Babbage$`, 'm'),
  );
  expect((await latchkey(`organizations members ${slug} --query zzz`)).stdout).toBe('No members match.\n');
});

test('`latchkey organizations change-role` and `remove-member` change a membership', async () => {
  const slug = newUsername('org');
  await json(`organizations create Crew --slug ${slug} --admin ${ada.username}`);
  const mate = await signUp(service);
  await latchkey(`organizations add-member ${slug} ${mate.username} --yes`);
  expect((await latchkey(`organizations change-role ${slug} ${mate.username} admin --yes`)).stdout).toBe(
    `${mate.username} has the role admin in ${slug}.\n`,
  );
  expect((await latchkey(`organizations remove-member ${slug} ${ada.username} --yes`)).stdout).toBe(
    `${ada.username} is no longer a member of ${slug}.\n`,
  );
  for (const line of [
    `remove-member ${slug} ${mate.username}`,
    `change-role ${slug} ${mate.username} user`,
  ]) {
    const refused = await latchkey(`organizations ${line} --yes`);
    expect([refused.exitCode, refused.stderr]).toEqual([3, expect.stringMatching(/last organization admin/)]);
  }
  expect(
    (await eventsOf(service.database, 'member.change_role')).map(({ actor_name }) => actor_name),
  ).toEqual([operator, operator]);
});

test.each([
  ['organizations create', 2, /Missing argument <name>/],
  ['organizations create Ω', 2, /provide a slug/],
  ['organizations create Engines --slug X', 2, /slug: expected 2 to 48 lowercase letters/],
  ['organizations create Engines --admin no-such-user', 3, /^error: /],
  ['organizations update nothing-here', 2, /Expected --name or --slug\./],
  ['organizations update nothing-here --name x', 3, /^error: /],
  ['organizations delete nothing-here', 2, /Add --yes/],
  ['organizations delete nothing-here --yes', 3, /^error: /],
  ['organizations members nothing-here', 3, /^error: /],
  ['organizations change-role nothing-here ada owner --yes', 2, /Unknown role "owner"\. Expected one of/],
  ['organizations remove-member nothing-here ada --yes', 3, /^error: /],
])('`latchkey %s` exits with %i and prints an error', async (words, exitCode, message) => {
  const ended = await latchkey(words);
  expect(ended).toMatchObject({ exitCode, stdout: '' });
  expect(ended.stderr).toMatch(message);
  expectNoStack(ended);
});
