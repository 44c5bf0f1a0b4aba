import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/axe.ts';
import { createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('a user who checks the activity of the account', () => {
  let stage: Stage;
  let ada: Person;
  const sentences = () => ada.page.locator('.event__sentence').allInnerTexts();

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, 'ada');
    await signUp(ada);
    const { sql } = stage.database;
    const [event] = await sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, target_type, target_id, target_name, ip, details,
        count)
      select gen_random_uuid(), created_at - interval '1 day', 'password.login', 'failure', 'anonymous', 'user', id, 'ada',
        '198.51.100.7', '{"reason": "no_password"}', 3
      from latchkey.users
      returning at + interval '1 day' as "signedUpAt"`;
    // The story can begin shortly before midnight.
    await ada.page.clock.setFixedTime(event?.signedUpAt);
  });
  afterAll(() => stage?.close());

  test('reads sentences about themselves, in groups by day', async () => {
    await ada.goTo('/settings/activity');
    expect(await sentences()).toEqual([
      'You signed up',
      'Someone tried to sign in to your account with a password Refused 3 times',
    ]);
    await ada.heading(/^Today, /).waitFor();
    await ada.heading(/^Yesterday, /).waitFor();
    await ada.page.getByText('198.51.100.7').first().waitFor();
    await photograph(ada.page, 'own-activity');
    await expectAccessible(ada.page, 'the personal activity');
  });

  test('filters the events, and the URL contains the filter', async () => {
    await ada.button('Refused').click();
    await expect.poll(async () => (await sentences()).length).toBe(1);
    await ada.reload();
    expect(await sentences()).toHaveLength(1);
    expect(await ada.button('Refused').getAttribute('aria-pressed')).toBe('true');
    await ada.page.goBack();
    await settled(ada.page);
  });

  test('finds a link to the security page', async () => {
    await ada.goTo('/settings/activity');
    await ada.page.getByRole('link', { name: 'Check your security' }).click();
    await ada.heading('Security').waitFor();
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

story('a user whose account others have changed or tried to use', () => {
  let stage: Stage;
  let ada: Person;
  let grace: Person;
  const sentences = () => ada.page.locator('.event__sentence').allInnerTexts();

  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  /** A request from another device, without a session. */
  const fromElsewhere = (path: string, body: object) =>
    fetch(`${stage.origin}/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: stage.origin, 'user-agent': firefox },
      body: JSON.stringify(body),
    });
  /** A request with the session of the user. */
  const send = ({ page }: Person, method: string, path: string, body?: object) =>
    page.evaluate(
      async ([method, path, body]) => {
        const init = { method, headers: { 'content-type': 'application/json' }, ...(body && { body }) };
        const response = await fetch(`/auth${path}`, init);
        return { status: response.status, body: await response.json().catch(() => null) };
      },
      [method, path, body && JSON.stringify(body)] as const,
    );

  beforeAll(async () => {
    stage = await setStage({ env: { IMPERSONATION: 'on' } });
    ada = await createPerson(stage, 'ada');
    grace = await createPerson(stage, 'grace');
    await signUp(ada);
    await signUp(grace);
    await stage.database.sql`update latchkey.users set role = 'superadmin' where username = 'grace'`;
    const [row] = await stage.database.sql`select id from latchkey.users where username = 'ada'`;
    const user = `/admin/users/${row?.id}`;
    expect((await fromElsewhere('/password/login', { username: 'ada', password: 'a guess' })).status).toBe(
      401,
    );
    const { codes } = (await send(ada, 'POST', '/recovery/codes/generate')).body as { codes: string[] };
    const code = { username: 'ada', code: '22222-22222-22222-22222' };
    expect((await fromElsewhere('/recovery/codes/use', code)).status).toBe(401);
    expect((await fromElsewhere('/recovery/codes/use', { ...code, code: codes[0] })).status).toBe(200);
    expect((await send(grace, 'POST', `${user}/recovery`)).status).toBe(201);
    expect((await send(grace, 'PATCH', user, { displayName: 'Ada L.' })).status).toBe(200);
    expect((await send(grace, 'PUT', `${user}/role`, { role: 'admin' })).status).toBe(200);
    expect((await send(grace, 'POST', `${user}/impersonation`, { reason: 'Ticket 4711' })).status).toBe(201);
  });
  afterAll(() => stage?.close());

  const byGrace = [
    'Another user started using your account',
    'Another user changed your role to admin',
    'Another user changed your profile',
    'Another user created a recovery link for your account',
  ] as const;
  const others = [
    'You used a recovery code',
    'Someone tried to use a recovery code for your account Refused',
    'You created new recovery codes',
    'Someone tried to sign in to your account with a password Refused',
    'You signed up',
  ];

  test('reads who did what, from which device and address', async () => {
    await ada.goTo('/settings/activity');
    expect(await sentences()).toEqual([...byGrace, ...others]);
    const used = ada.row('You used a recovery code');
    expect(await used.locator('.event__meta').innerText()).toMatch(/Firefox.*127\.0\.0\.1/s);
    await used.locator('summary').click();
    await used.getByText('Address').waitFor();
    // The addresses and the devices of administrators are their own data.
    expect(await ada.row(byGrace[1]).locator('.event__meta').innerText()).toBe('');
    await photograph(ada.page, 'own-activity-of-others');
    expect(await ada.page.getByText('grace').count()).toBe(0);
    expect(await ada.page.getByRole('button', { name: 'Download proof' }).count()).toBe(0);
  });

  test('sees only the events of the filter "Role and help"', async () => {
    await ada.button('Role and help').click();
    await expect.poll(sentences).toEqual(byGrace);
  });

  test('causes no errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
