import { fillActivity } from './activity.mjs';
import { crowd, harbor, organizations, team } from './names.mjs';

const macSafari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15';
const windowsFirefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';

/** Providers of passkeys: the name of the passkey, the AAGUID, and whether the passkey is synced. */
const providers = [
  ['iPhone', 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd', true],
  ['1Password', 'bada5566-a7aa-401f-bd96-45619a55120d', true],
  ['YubiKey 5 Series', '0a357157-9b18-4c8a-920e-d156e972b2f8', false],
  ['Google Password Manager', 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', true],
  ['Bitwarden', 'd548826e-79b4-db40-a3d8-11116f7e8349', true],
  ['Windows Hello', '08987058-cadc-4b81-b6e1-30de50dcbe96', false],
];

/**
 * Inserts the rows directly, because the service would take too long. The data is the same in every run, with times
 * relative to now.
 */
export async function fill(sql) {
  await insertUsers(sql);
  await insertPasskeys(sql);
  await insertSessions(sql);
  await insertOrganizations(sql);
  await insertInvitations(sql);
  await fillActivity(sql);
  await sql`delete from latchkey.user_figures`;
}

async function insertUsers(sql) {
  const [[nora, noraName], [ben, benName]] = team;
  for (const [username, name] of [
    [nora, noraName],
    [ben, benName],
  ])
    await sql`
      update latchkey.users set display_name = ${name}, created_at = now() - interval '260 days'
      where username = ${username}`;
  await sql`update latchkey.users set role = 'superadmin' where username = ${nora}`;
  const others = [...team.slice(2), ...crowd];
  await sql`
    insert into latchkey.users (id, username, skeleton, display_name, role, status, user_handle, created_at)
    select gen_random_uuid(), username, username, name,
      case when username in ('anna.muller', 'iris.smith') then 'admin' else 'user' end,
      case when n in (3, 40, 77, 150) then 'disabled' else 'active' end,
      'handle-' || n, now() - ((n * 37) % 400 + 2) * interval '20 hours'
    from unnest(${others.map(([username]) => username)}::text[], ${others.map(([, name]) => name)}::text[])
      with ordinality as others (username, name, n)`;
  await sql`update latchkey.users set password_hash = 'none' where username in ('marco.rossi', 'hugo.costa')`;
}

async function insertPasskeys(sql) {
  // At this time, the table contains only the passkeys of the users who signed up in the browser.
  await sql`
    update latchkey.passkeys set label = 'MacBook Pro', aaguid = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
      created_at = now() - interval '250 days', last_used_at = now() - interval '9 hours',
      last_used_ip = '203.0.113.24', last_used_user_agent = ${macSafari}`;
  const [names, aaguids, synced] = [0, 1, 2].map((part) => providers.map((provider) => provider[part]));
  const insert = (some, userAgent) => sql`
    insert into latchkey.passkeys (id, user_id, credential_id, public_key, counter, transports, aaguid,
      backup_eligible, backed_up, label, created_at, last_used_at, last_used_ip, last_used_user_agent)
    select gen_random_uuid(), users.id, md5(users.username || n), '', 0,
      case when synced then '["internal", "hybrid"]' else '["usb", "nfc"]' end::jsonb, aaguid::uuid, synced, synced,
      label, now() - (240 - n * 11) * interval '1 day',
      now() - (abs(hashtext(users.username || n)) % 700 + 2) * interval '1 hour', '203.0.113.24', ${userAgent}
    from latchkey.users, unnest(${names}::text[], ${aaguids}::text[], ${synced.map(String)}::text[]::boolean[])
      with ordinality as provider (label, aaguid, synced, n)
    where ${some} and users.username not in ('sofia.jones', 'lea.novak', 'marco.rossi', 'hugo.costa')`;
  await insert(sql`users.username in ('nora.lindqvist', 'ben.smith') and n in (2, 3)`, windowsFirefox);
  await insert(
    sql`users.username not in ('nora.lindqvist', 'ben.smith') and (abs(hashtext(users.username)) + n * 5) % 7 in (0, 3)`,
    macSafari,
  );
  await sql`
    update latchkey.recovery_codes set created_at = now() - interval '40 days',
      used_at = case when n > 7 then now() - interval '9 days' end
    from (
      select code_hash as code, row_number() over (partition by user_id order by code_hash) as n
      from latchkey.recovery_codes
    ) as numbered
    where code = code_hash`;
  await sql`
    insert into latchkey.recovery_codes (code_hash, key_id, user_id, created_at)
    select md5(username || n), (select min(key_id) from latchkey.recovery_codes), id, now() - interval '40 days'
    from latchkey.users, generate_series(1, 8) n
    where abs(hashtext(username)) % 5 < 3 and username not in ('nora.lindqvist', 'ben.smith', 'sofia.jones')`;
}

async function insertSessions(sql) {
  const insert = (userAgent, ip, hours, method) => sql`
    insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at,
      ends_at, expires_at, ip, user_agent, epoch, passkey_id)
    select gen_random_uuid(), users.id, md5(username || ${ip}), 'full', ${method}, seen - interval '1 day', seen,
      seen - interval '1 day', now() + interval '10 days', now() + interval '10 days', ${ip}, ${userAgent},
      users.session_epoch,
      (select id from latchkey.passkeys where user_id = users.id and ${method} = 'passkey' order by label limit 1)
    from latchkey.users, (values (now() - ${hours} * interval '1 hour')) as last (seen)
    where username in ('nora.lindqvist', 'ben.smith', 'iris.smith', 'emma.tanaka')`;
  await insert(iphone, '203.0.113.57', 2, 'passkey');
  await insert(windowsFirefox, '198.51.100.7', 15 * 24, 'recovery_code');
}

async function insertOrganizations(sql) {
  const [ids, names, slugs] = [0, 1, 2].map((part) =>
    organizations.map((organization) => organization[part]),
  );
  await sql`
    insert into latchkey.organizations (id, name, slug, created_at)
    select id, name, slug, now() - n * interval '30 days'
    from unnest(${ids}::uuid[], ${names}::text[], ${slugs}::text[]) with ordinality as given (id, name, slug, n)`;
  await sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select organizations.id, users.id,
      case when users.username in ('nora.lindqvist', 'iris.smith') then 'admin' else 'user' end,
      users.created_at + interval '1 day'
    from latchkey.organizations, latchkey.users
    where (organizations.id = ${harbor} and users.username not in ('noah.okafor', 'nadia.costa', 'nadia.kim'))
      or (users.username = 'nora.lindqvist' and organizations.slug <> 'tidewater-logistics')
      or (users.username = 'ben.smith' and organizations.slug in ('lighthouse-research', 'mediterranean-lab'))
      or (users.username <> 'ben.smith' and abs(hashtext(users.username || organizations.slug)) % 9 = 0)`;
  const files = [
    'Onboarding',
    'Holiday calendar',
    'Incident 2026-10-14: summary for customers',
    'רשימת קניות',
  ];
  await sql`
    insert into example_files.files (id, name, content, owner_id, owner_name, organization_id, updated_at)
    select gen_random_uuid(), name, 'Text', users.id, users.username,
      case when n > 1 then ${harbor}::uuid end, now() - n * interval '3 days'
    from latchkey.users, unnest(${files}::text[]) with ordinality as file (name, n)
    where username in ('nora.lindqvist', 'ben.smith')`;
}

async function insertInvitations(sql) {
  await sql`
    insert into latchkey.invitations (id, token_hash, role, username, created_by, created_at, expires_at, revoked_at,
      accepted_by, accepted_at)
    select ('0199aa00-0000-7000-8000-' || to_char(900 - n, 'FM000000000000'))::uuid, 'hash-' || n, case when n % 3 = 0 then 'admin' else 'user' end,
      case when n % 4 = 1 then null when n = 6 then repeat('m', 32) else 'guest-' || n end, users.id,
      now() - n * interval '7 hours', now() - n * interval '7 hours' + interval '3 days',
      case when n % 5 = 3 then now() end,
      case when n % 6 = 2 then users.id end, case when n % 6 = 2 then now() - n * interval '6 hours' end
    from latchkey.users, generate_series(1, 60) n where username = 'nora.lindqvist'`;
  await sql`
    insert into latchkey.organization_invitations (id, organization_id, user_id, token_hash, role, created_by,
      created_at, expires_at, revoked_at)
    select ('0199aa00-0000-7000-9000-' || to_char(900 - n, 'FM000000000000'))::uuid, ${harbor}, null, 'join-' || n, case when n % 3 = 0 then 'admin' else 'user' end,
      users.id, now() - n * interval '9 hours', now() - n * interval '9 hours' + interval '3 days',
      case when n % 4 = 3 then now() end
    from latchkey.users, generate_series(1, 14) n where username = 'nora.lindqvist'`;
  await sql`
    insert into latchkey.organization_invitations (id, organization_id, user_id, token_hash, role, created_by,
      created_at, expires_at)
    select gen_random_uuid(), organizations.id, guest.id, null, 'user', nora.id, now() - interval '5 hours',
      now() + interval '3 days'
    from latchkey.organizations, latchkey.users guest, latchkey.users nora
    where organizations.slug = 'tidewater-logistics' and guest.username = 'ben.smith'
      and nora.username = 'nora.lindqvist'`;
}
