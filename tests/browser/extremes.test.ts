import { afterAll, beforeAll, expect, test } from 'vitest';
import { followLink } from './support/follow-link.ts';
import { choose, createPerson, type Person, signUp } from './support/person.ts';
import { expectToFitEverywhere, photograph } from './support/photograph.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

/** The longest username. It consists of the widest letter and has no position for a line break. */
const longestName = 'w'.repeat(32);
/** A name of the maximum length for a label, a display name or an organization. */
const longest = 64;
const captain = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze';
const longLabels = [
  captain,
  `${captain}nabzeichenpolitur`.slice(0, longest),
  'W'.repeat(longest),
  'המפתח של דנה, על שולחן העבודה (הישן)',
  'مفتاح المكتب الصغير في الطابق الثاني',
  '🔑👩‍👩‍👧‍👦🏴󠁧󠁢󠁷󠁬󠁳󠁿 am Schlüsselbund 🗝️🗝️🗝️',
];
const organization = '0199aa00-0000-7000-8000-00000000000a';

story('the pages display', () => {
  let stage: Stage;
  let ada: Person;
  const rows = () => ada.page.locator('tbody').getByRole('row').count();

  beforeAll(async () => {
    stage = await setStage();
    ada = await createPerson(stage, longestName);
    await signUp(ada);
    await fill(stage);
  });
  afterAll(() => stage?.close());

  test('the longest names, even in the header', async () => {
    await ada.goTo('/');
    await ada.page.getByRole('heading', { name: longLabels[1] ?? '', level: 1 }).waitFor();
    await photograph(ada.page, 'extreme-dashboard');
    expect(await ada.page.evaluate(brokenWords)).toEqual([]);
  });

  test('forty passkeys with labels of all kinds', async () => {
    await ada.follow('Security');
    const rows = ada.page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(40);
    await photograph(ada.page, 'extreme-passkeys', { onlyLayout: true });
    await choose(rows.nth(3), /^Actions for/, 'Rename');
    await choose(rows.nth(2), /^Actions for/, 'Remove');
    await ada.dialog('Remove this passkey?').waitFor();
    await photograph(ada.page, 'extreme-passkey-remove', { onlyLayout: true });
    await ada.dialog('Remove this passkey?').getByRole('button', { name: 'Cancel' }).click();
  });

  test('ten thousand users, 25 on each page, and the users whose usernames contain the search text', async () => {
    await ada.goTo('/admin/users');
    await ada.page.getByText('1–25 of 10,000', { exact: true }).waitFor();
    expect(await rows()).toBe(25);
    await photograph(ada.page, 'extreme-users', { onlyLayout: true });
    for (const range of ['26–50 of 10,000', '51–75 of 10,000']) {
      await ada.button('Next page').click();
      await ada.page.getByText(range, { exact: true }).waitFor();
    }
    await ada.page.getByLabel('Search names and usernames').fill('09876');
    await expect.poll(rows).toBe(1);
    await ada.page.getByRole('link', { name: captain }).or(ada.page.locator('tbody a')).first().click();
    await ada.heading('Sign-in methods').waitFor();
    await photograph(ada.page, 'extreme-person', { onlyLayout: true });
  });

  test('two hundred invitations', async () => {
    await ada.follow('Invitations');
    await expect.poll(rows).toBe(50);
    await photograph(ada.page, 'extreme-invitations', { onlyLayout: true });
    for (const shown of [100, 150, 200]) {
      await ada.button('Show more invitations').click();
      await expect.poll(rows).toBe(shown);
    }
    await expect.poll(() => ada.button('Show more invitations').count()).toBe(0);
  });

  test('two thousand events', async () => {
    await ada.follow('Activity');
    await expect.poll(() => ada.page.locator('.event').count()).toBe(50);
    await ada.page.locator('summary').first().click();
    await photograph(ada.page, 'extreme-activity', { onlyLayout: true });
    await ada.page.setViewportSize({ width: 360, height: 800 });
    expect(await ada.page.evaluate(overlapping)).toEqual([]);
    await ada.page.setViewportSize({ width: 1280, height: 800 });
    await ada.button('Show more events').click();
    await expect.poll(() => ada.page.locator('.event').count()).toBe(100);
  });

  test('organizations and files with the longest names', async () => {
    await ada.follow('Organizations');
    await ada.row(captain).first().waitFor();
    await photograph(ada.page, 'extreme-organizations');
    await ada.goTo(`/organizations/${organization}`);
    await expect.poll(rows).toBe(50);
    await photograph(ada.page, 'extreme-organization', { onlyLayout: true });
    await ada.page.getByRole('link', { name: 'Settings' }).click();
    await ada.button('Delete…').click();
    await photograph(ada.page, 'extreme-organization-delete', { onlyLayout: true });
    await ada.button('Cancel').click();
    await ada.follow('Files');
    await ada.row(captain).first().waitFor();
    await photograph(ada.page, 'extreme-files');
  });

  test('their content without horizontal scrolling, on screens from 320 to 1920 px', async () => {
    await ada.page.setViewportSize({ width: 1280, height: 800 });
    await ada.goTo('/');
    const [user] = await stage.database
      .sql`select id from latchkey.users where display_name = ${longLabels[2] ?? ''}`;
    for (const path of [
      '/',
      '/settings/profile',
      '/settings/security',
      '/settings/activity',
      '/files',
      '/organizations',
      `/organizations/${organization}?tab=settings`,
      `/organizations/${organization}?tab=invitations`,
      `/organizations/${organization}`,
      '/admin/overview',
      '/admin/users',
      `/admin/users/${user?.id}`,
      '/admin/activity',
      '/admin/invitations',
      '/no-such-page',
    ]) {
      await followLink(ada.page, path);
      await expectToFitEverywhere(ada.page, path);
    }
    await followLink(ada.page, `/organizations/${organization}`);
    await ada.button('Invite members').click();
    await ada.page.getByRole('combobox', { name: 'Usernames' }).fill('crowd');
    await ada.page.getByRole('option').first().waitFor();
    await expectToFitEverywhere(ada.page, 'the sheet that invites members');
    await ada.button('Cancel').click();
    await ada.page.keyboard.press('Control+k');
    await ada.page.getByRole('combobox', { name: 'Search or jump to…' }).fill('crowd');
    await ada.page.getByRole('option').first().waitFor();
    await expectToFitEverywhere(ada.page, 'the command palette');
  });

  test('everything without errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/** Returns the navigation links that are on a second line because a long name is beside the links. */
const brokenWords = `[...document.querySelectorAll('.nav-link')].filter((link) => {
  const words = document.createRange();
  return [...link.childNodes].some((node) => {
    words.selectNodeContents(node);
    return node.nodeType === Node.TEXT_NODE && words.getClientRects().length > 1;
  });
}).map(({ textContent }) => textContent)`;

/** Returns the form fields that are wider than their grid cell. */
const overlapping = `[...document.querySelectorAll('.filters__item > .input')]
  .filter((input) => input.getBoundingClientRect().right > input.parentElement.getBoundingClientRect().right + 0.5)
  .map(({ parentElement }) => parentElement.textContent)`;

/** Inserts the rows directly, because the service would take too long. */
async function fill({ database: { sql } }: Stage): Promise<void> {
  await sql`update latchkey.users set role = 'superadmin', display_name = ${longLabels[1] ?? ''}`;
  const labeled = sql`(${longLabels}::text[])[1 + n % ${longLabels.length}::int]`;
  await sql`
    insert into latchkey.passkeys (id, user_id, credential_id, public_key, counter, transports, aaguid,
      backup_eligible, backed_up, label, created_at, last_used_at)
    select gen_random_uuid(), users.id, md5(n::text), '', 0, '["usb", "nfc"]', gen_random_uuid(),
      n % 3 = 0, n % 6 = 0, ${labeled}, now(), case when n % 2 = 0 then now() end
    from latchkey.users, generate_series(0, 38) n`;
  await sql`
    insert into latchkey.users (id, username, display_name, role, status, user_handle, created_at)
    select gen_random_uuid(), 'crowd-' || to_char(n, 'FM00000'), ${labeled},
      case when n % 7 = 0 then 'admin' else 'user' end, case when n % 5 = 0 then 'disabled' else 'active' end,
      'handle-' || n, now()
    from generate_series(0, 9998) n`;
  await sql`
    insert into latchkey.invitations (id, token_hash, role, username, created_by, created_at, expires_at, revoked_at)
    select gen_random_uuid(), 'hash-' || n, 'admin', case when n % 2 = 0 then repeat('m', 32) end, users.id,
      now() - n * interval '1 hour', now() + (100 - n) * interval '1 hour', case when n % 3 = 0 then now() end
    from latchkey.users, generate_series(0, 199) n where username = ${longestName}`;
  await sql`
    insert into latchkey.organizations (id, name, slug, created_at)
    select case when n = 0 then ${organization}::uuid else gen_random_uuid() end, ${labeled},
      repeat('m', 44) || to_char(n, 'FM0000'), now()
    from generate_series(0, 5) n`;
  await sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select organizations.id, users.id, 'admin', now() from latchkey.organizations, latchkey.users
    where username = ${longestName} or organizations.id = ${organization} and username < 'crowd-00200'`;
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id,
      target_name, organization_id, user_agent, details)
    select gen_random_uuid(), now() - n * interval '1 minute',
      (array['passkey.add', 'member.add', 'organization.create', 'password.login'])[1 + n % 4],
      case when n % 3 = 0 then 'failure' else 'success' end, 'user', users.id, username,
      (array['passkey', 'user', 'organization', 'user'])[1 + n % 4], gen_random_uuid(), ${labeled}, ${organization},
      repeat('Mozilla/5.0 ', 20), '{"reason": "none that would be known"}'
    from latchkey.users, generate_series(0, 1999) n where username = ${longestName}`;
  await sql`
    insert into example_files.files (id, name, content, owner_id, owner_name, organization_id)
    select gen_random_uuid(), ${labeled}, '', users.id, username, case when n % 2 = 0 then ${organization}::uuid end
    from latchkey.users, generate_series(0, 11) n where username = ${longestName}`;
}
