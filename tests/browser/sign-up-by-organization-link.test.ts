import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/commands/support/command.ts';
import { createPerson, type Person } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('sign-up with the link of an organization', () => {
  let stage: Stage;
  let grace: Person;
  let visitor: Person;
  let link: string;

  const terminal = async (command: string): Promise<string> => {
    const env = { DATABASE_URL: stage.database.url, WEBAUTHN_RP_ORIGIN: stage.origin };
    const { exitCode, stdout } = await runCommand(command, { env });
    expect(exitCode).toBe(0);
    return /^Link +(\S+)$/m.exec(stdout)?.[1] ?? '';
  };

  beforeAll(async () => {
    stage = await setStage({ env: { SIGN_UP: 'invitation', SIGN_UP_ORGANIZATION_INVITATIONS: 'on' } });
    grace = await createPerson(stage, 'grace');
    visitor = await createPerson(stage, 'visitor');
    await terminal('organizations create Engines --slug engines');
    link = await terminal('organizations invite engines');
  });
  afterAll(() => stage?.close());

  test('a new user signs up, and is a member of the organization', async () => {
    await grace.goTo(link);
    await grace.heading('Join Engines').waitFor();
    await grace.page.getByLabel('Username').fill('grace');
    await grace.page.getByText('Available').waitFor();
    await photograph(grace.page, 'join-visitor-by-invitation');
    await grace.button('Create account and accept').click();
    await grace.heading('You’re a member of Engines').waitFor();
    await grace.page.getByRole('link', { name: 'Open the organization' }).click();
    await grace.heading('Engines').waitFor();
  });

  test('the used link offers no sign-up', async () => {
    await visitor.goTo(link);
    await visitor.heading('This invitation no longer works').waitFor();
    expect(await visitor.page.getByLabel('Username').count()).toBe(0);
  });

  test('the sign-up page still asks for an invitation', async () => {
    await visitor.goTo('/signup');
    await visitor.heading('You need an invitation').waitFor();
  });
});
