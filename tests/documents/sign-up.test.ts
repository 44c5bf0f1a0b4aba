import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServiceOn } from '../support/service-on.ts';
import { readGuide } from './support/guide.ts';
import { openPage, usePages } from './support/page.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/sign-up.md');
usePages();
let service: PastedService;
beforeAll(async () => {
  service = await startPasted({ 'auth.ts': guide.block('// auth.ts') });
});
afterAll(() => service.close());

const profiles = async () =>
  (await service.database.sql<{ user_id: string }[]>`select * from public.profiles`).map((row) => row.user_id);

test('a sign-up stores a row with the account, or neither', async () => {
  const auth = openPage(service).createAuthClient();
  // The table does not exist yet.
  await expect(auth.signUp({ username: 'ada' })).rejects.toMatchObject({ code: 'internal_error' });
  await service.database.sql.unsafe(guide.block('create table profiles'));
  const { user } = await auth.signUp({ username: 'ada' });
  expect(await profiles()).toEqual([user.id]);
  await auth.deleteAccount();
  expect(await profiles()).toEqual([]);
});

test('`before` refuses a username with the reason that the user sees', async () => {
  const refused = openPage(service).createAuthClient().signUp({ username: 'mallory' });
  await expect(refused).rejects.toMatchObject({
    code: 'sign_up_refused',
    detail: 'Choose another username.',
  });
});

test.each([
  { mode: 'open', shown: [{ needsInvitation: false }] },
  { mode: 'invitation', shown: [{ needsInvitation: true }] },
  { mode: 'closed', shown: [] },
] as const)('in the mode $mode, the page shows the form of the guide', async ({ mode, shown }) => {
  const other = await startServiceOn(service.database.url, { signUp: { mode } });
  const forms: unknown[] = [];
  await runStatements(guide.block('auth.signUpMode()'), {
    auth: openPage(other).createAuthClient(),
    showForm: (form: unknown) => forms.push(form),
  });
  expect(forms).toEqual(shown);
  await other.close();
});
