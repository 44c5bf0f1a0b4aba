import { afterEach, expect, test } from 'vitest';
import { readGuide } from './support/guide.ts';
import { openPage, usePages } from './support/page.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/usernames.md');
usePages();
let service: PastedService;
afterEach(() => service.close());

test.each([
  { option: "usernames: 'email'", accepted: 'Ada@Example.com', becomes: 'ada@example.com', refused: 'ada' },
  { option: 'pattern: ', accepted: ' E1843 ', becomes: 'e1843', refused: 'ada@example.com' },
])('with `$option`, the username is $becomes', async ({ option, accepted, becomes, refused }) => {
  service = await startPasted({ 'auth.ts': guide.block(option) });
  const auth = openPage(service).createAuthClient();
  await expect(auth.signUp({ username: refused })).rejects.toMatchObject({ code: 'username_unacceptable' });
  expect((await auth.signUp({ username: accepted })).user.username).toBe(becomes);
});

test('with `lookAlikes`, names that look like another username are unavailable, even to a user who changes their username', async () => {
  service = await startPasted({ 'auth.ts': guide.block('lookAlikes') });
  const [anna, ben] = [openPage(service).createAuthClient(), openPage(service).createAuthClient()];
  await anna.signUp({ username: 'anna' });
  await ben.signUp({ username: 'ben' });
  const hints: unknown[] = [];
  const showHint = (reason: unknown) => hints.push(reason);
  await runStatements(guide.block('usernameAvailability'), { auth: ben, showHint });
  expect(hints).toEqual(['look_alike']);
  await expect(ben.renameAccount('4nna')).rejects.toMatchObject({ reason: 'look_alike' });
  expect((await ben.renameAccount('benjamin')).username).toBe('benjamin');
  await expect(anna.renameAccount('ben')).rejects.toMatchObject({ code: 'username_taken' });
});
