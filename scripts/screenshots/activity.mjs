import { harbor } from './names.mjs';

const browsers = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
];

/** Inserts the events of the last 70 days, and counts them for the charts. */
export async function fillActivity(sql) {
  await insertSignIns(sql);
  await insertRefusals(sql);
  await insertChanges(sql);
  await sql`
    update latchkey.user_sign_ins set last_sign_in_at = found.at, sign_in_method = 'passkey',
      sign_in_user_agent = found.user_agent
    from (
      select distinct on (actor_id) actor_id, at, user_agent from latchkey.audit_events
      where event = 'passkey.login' and outcome = 'success' order by actor_id, at desc
    ) as found
    where found.actor_id = user_sign_ins.user_id and last_sign_in_at < found.at`;
  await sql`select latchkey.count_sign_ins(5000)`;
}

/** About 120 sign-ins on each weekday and 40 on each day of a weekend. */
async function insertSignIns(sql) {
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id,
      target_name, ip, user_agent, details)
    select gen_random_uuid(), at, case when n % 11 = 0 then 'password.login' else 'passkey.login' end, 'success',
      'user', users.id, users.username, case when n % 11 = 0 then 'user' else 'passkey' end, users.id,
      case when n % 11 = 0 then users.username else 'iPhone' end, '203.0.113.' || n % 200,
      (${browsers}::text[])[1 + n % 3], '{}'
    from generate_series(0, 69) day, generate_series(1, 118) n,
      lateral (
        select now() - day * interval '1 day' - (n * 7 + abs(hashtext(day || 'd' || n)) % 240) * interval '1 minute'
      ) as moment (at),
      lateral (
        select id, username from latchkey.users
        order by username offset (abs(hashtext(day || '-' || n)) % (90 + day % 7 * 20)) limit 1
      ) as users
    where n <= case when extract(isodow from at) > 5 then 38 else 78 + abs(hashtext('day' || day)) % 40 end`;
}

async function insertRefusals(sql) {
  await sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, target_type, target_name, ip, user_agent,
      details, count)
    select gen_random_uuid(), now() - day * interval '1 day' - n * interval '97 minutes', 'password.login', 'failure',
      'anonymous', 'user', (array['ben.smith', 'iris.smith', 'anna.muller'])[1 + n % 3],
      '198.51.100.7', ${browsers[1]},
      case when day = 8 then '{"reason": "username_unknown"}' else '{"reason": "password_wrong"}' end::jsonb,
      case when day = 8 then 17 else 1 + abs(hashtext('r' || day || n)) % 3 end
    from generate_series(0, 69) day, generate_series(1, 2) n`;
}

async function insertChanges(sql) {
  const insert = (
    minutes,
    event,
    target,
    targetName,
    details = '{}',
    outcome = 'success',
    organization = null,
  ) => sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id,
      target_name, organization_id, ip, user_agent, request_id, details)
    select gen_random_uuid(), now() - ${minutes} * interval '1 minute', ${event}, ${outcome}, 'user', actor.id,
      actor.username, ${target},
      coalesce((select id from latchkey.users where username = ${targetName}), gen_random_uuid()),
      ${targetName}, ${organization}, '203.0.113.24', ${browsers[0]}, 'c0a8-0117', ${sql.json(JSON.parse(details))}
    from latchkey.users actor where actor.username = 'nora.lindqvist'`;
  await insert(66, 'user.delete', 'user', 'kim.larsen', '{}', 'failure');
  await insert(90, 'member.remove', 'user', 'w'.repeat(32), '{}', 'success', harbor);
  await insert(140, 'passkey.add', 'passkey', 'מפתח אבטחה של נורה');
  // The newest events, so the list shows them above the sign-ups of this run.
  await insert(0, 'organization.update', 'organization', 'Harbor Analytics', '{}', 'success', harbor);
  await insert(0, 'user.change_role', 'user', 'anna.muller', '{"from": "user", "to": "admin"}');
  await insert(0, 'recovery_link.create', 'user', 'lea.novak');
  await insert(0, 'user.disable', 'user', 'aziz', '{"reason": "Left the team"}');
  await insert(0, 'invitation.create', 'invitation', 'guest-2', '{"role": "user"}');
  await insert(0, 'member.change_role', 'user', 'iris.smith', '{"to": "admin"}', 'success', harbor);
}
