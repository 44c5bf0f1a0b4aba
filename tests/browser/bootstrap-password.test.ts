import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/commands/support/command.ts';
import { choose, createPerson, type Person } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { signOut } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const password = 'eight ships in a bottle';

// One story. Each test continues where the previous test ended.
story('a superadmin who was created with a password', () => {
  let stage: Stage;
  let root: Person;

  const signInWithPassword = async () => {
    await root.goTo('/signin/password');
    await root.page.getByLabel('Username').fill(root.username);
    await root.page.getByLabel('Password', { exact: true }).fill(password);
    await root.button('Sign in').click();
    await root.heading(`Hello, ${root.username}`).waitFor();
  };
  const runOn = (line: string, more: Record<string, string> = {}) =>
    runCommand(line, {
      env: { DATABASE_URL: stage.database.url, WEBAUTHN_RP_ORIGIN: stage.origin, ...more },
    });
  const signOutRoot = async () => {
    await signOut(root.page);
  };

  beforeAll(async () => {
    stage = await setStage();
    root = await createPerson(stage, 'root-of-all');
  });
  afterAll(() => stage?.close());

  test('is created with a username and a password in the environment', async () => {
    const { exitCode, stdout } = await runOn('bootstrap', {
      BOOTSTRAP_ADMIN_USERNAME: root.username,
      BOOTSTRAP_ADMIN_PASSWORD: password,
    });
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, `${root.username} is a superadmin.`]);
    expect(stdout).toContain(`${stage.origin}/signin/password`);
  });

  test('is advised by `latchkey doctor` to add a passkey', async () => {
    const { stdout } = await runOn('doctor');
    expect(stdout).toContain(`${root.username} has no passkey`);
    expect(stdout).toContain('Add a passkey on the Security page');
  });

  test('signs in with the password, lists users, invites an admin, and sees advice to add a passkey', async () => {
    await signInWithPassword();
    await root.page.getByText('only a password protects your account').waitFor();
    await photograph(root.page, 'superadmin-without-passkey');
    await root.follow('Users');
    await root.row(root.username).waitFor();
    await root.follow('Invitations');
    await root.button('Invite user').click();
    await root.button('Create invitation').click();
    await root.dialog('New invitation link').waitFor();
    await root.button('Done').click();
  });

  test('adds a passkey with the button in the advice, and can still list users in this session', async () => {
    await root.button('Add passkey').click();
    await expect.poll(() => root.page.getByText('only a password protects your account').count()).toBe(0);
    expect(await root.device.credentials()).toHaveLength(1);
    await root.follow('Users');
    await root.row(root.username).waitFor();
    await root.goTo('/');
    await root.page.getByText(/, with a passkey$/).waitFor();
  });

  test('cannot list users after the next password sign-in until a step-up with the passkey', async () => {
    await signOutRoot();
    await signInWithPassword();
    await root.page.getByText('You signed in with your password').waitFor();
    await photograph(root.page, 'superadmin-signed-in-with-password');
    // The test does not wait for the content of the page, because the page first asks for the passkey.
    await root.page.getByRole('banner').getByRole('link', { name: 'Users' }).click();
    const question = root.dialog('Confirm it’s you');
    await question.getByText('This action needs your passkey').waitFor();
    expect(await root.row(root.username).count()).toBe(0);
    await question.getByRole('button', { name: 'Use your passkey' }).click();
    await root.row(root.username).waitFor();
    await expect.poll(() => root.page.getByText('You signed in with your password').count()).toBe(0);
  });

  test('removes the password, creates recovery codes, and signs in with the passkey', async () => {
    await root.follow('Security');
    await choose(root.page, 'Actions for the password', 'Remove');
    await root.button('Remove password').click();
    await root.heading('No password').waitFor();
    await root.button('Create recovery codes').click();
    await root.dialog('Save your recovery codes').waitFor();
    await root.page.getByLabel('I have saved my codes').check();
    await root.button('Done').click();
    await signOutRoot();
    await root.button('Sign in with a passkey').click();
    await root.heading(`Hello, ${root.username}`).waitFor();
    await root.follow('Users');
    await root.row(root.username).waitFor();
  });

  test('causes no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
