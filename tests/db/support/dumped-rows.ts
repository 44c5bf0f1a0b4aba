import { createSealer } from '../../../src/core/sealing.ts';
import { codeHashes, codeKeyIds } from '../../../src/recovery/code.ts';
import { hashToken } from '../../../src/sessions/token.ts';
import { skeletonOf } from '../../../src/users/look-alikes.ts';
import { secret } from '../../support/test-service.ts';
import {
  authenticatorOf,
  codes,
  type DumpedUser,
  dumpedAt,
  handleOf,
  idOf,
  type PasskeyUser,
  tokenOf,
  userIdOf,
} from './dumped-users.ts';

/** A row of a dump, with the columns of all versions. */
export interface DumpedRow {
  table: string;
  columns: Record<string, unknown>;
  /** The first and the last version that can have such a row. The default is all versions that have the table. */
  since?: number;
  until?: number;
}

const hour = 3600;
const day = 24 * hour;
/** The time of the dump plus these seconds. */
const at = (seconds: number) => new Date(Date.parse(dumpedAt) + seconds * 1000).toISOString();

/**
 * The rows that each dump contains, in an order that satisfies the foreign keys. A dump of an old version leaves out the
 * tables and columns that this version lacks. After a migration that adds a table or a column, add it here, before you
 * write the dump of this migration.
 */
export const dumpedRows = async (): Promise<DumpedRow[]> => [
  ...signIns,
  ...users,
  ...(await Promise.all((['rosa', 'ada', 'ben', 'cora'] as const).map(passkey))),
  ...sessions,
  ...otherRows,
  ...recoveryRows(),
  ...organizationRows,
  ...invitationRows,
  ...events,
];

const passwordHash = '$2b$04$alwFrdFFRNM18u/5iwAf5eH8VFCeO2jXJclzBnj9nE8SD.bwCHNte';

const user = (
  username: DumpedUser,
  columns: Record<string, unknown> = {},
  versions: Pick<DumpedRow, 'since'> = {},
): DumpedRow => ({
  table: 'users',
  columns: {
    id: userIdOf(username),
    username,
    skeleton: skeletonOf(username),
    user_handle: handleOf(username),
    created_at: at(-30 * day),
    ...columns,
  },
  ...versions,
});

/** A deleted user whose username was released. */
const deletedUser = (number: number) => ({
  id: idOf(number),
  username: null,
  user_handle: tokenOf(`the handle of user ${number}`),
  status: 'disabled',
  created_at: at(-30 * day),
  deleted_at: at(-day),
});

const users: DumpedRow[] = [
  user('rosa', { role: 'superadmin', display_name: "Rosa O'Neill" }),
  user('ada', {
    role: 'admin',
    display_name: 'Ada Ö.',
    fields: '{"plan": "pro", "tags": ["Ö"]}',
    username_since: at(-10 * day),
  }),
  user('ben', { password_hash: passwordHash, version: 3 }),
  user('cora', { status: 'disabled', password_hash: passwordHash, session_epoch: 1 }),
  user('dora', { status: 'disabled', deleted_at: at(-day), session_epoch: 1 }, { since: 3 }),
  { table: 'users', columns: deletedUser(9), since: 14 },
  {
    table: 'users',
    columns: { ...deletedUser(10), user_handle: null, created_at: null, erased_at: at(-hour) },
    since: 15,
  },
  { table: 'erased_usernames', columns: { digest: 'ab'.repeat(32), deleted_before: at(-day / 2) } },
  {
    table: 'held_usernames',
    columns: {
      username: 'augusta',
      skeleton: skeletonOf('augusta'),
      user_id: userIdOf('ada'),
      held_at: at(-10 * day),
    },
  },
  user('eli'),
  user('fay'),
  user('gus', { password_hash: passwordHash }),
];

/** Inserted before the users, because the trigger that inserts a row for each user does not change existing rows. */
const signIns: DumpedRow[] = [
  {
    table: 'user_sign_ins',
    columns: {
      user_id: userIdOf('ada'),
      last_sign_in_at: at(-hour),
      sign_in_method: 'passkey',
      sign_in_user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
    },
  },
  {
    table: 'user_sign_ins',
    columns: { user_id: userIdOf('ben'), last_sign_in_at: at(-2 * day), sign_in_method: 'assisted_recovery' },
  },
];

async function passkey(username: PasskeyUser): Promise<DumpedRow> {
  const [credential] = (await authenticatorOf(username)).credentials;
  if (!credential) throw new Error('The authenticator has no credential.');
  return {
    table: 'passkeys',
    columns: {
      id: userIdOf(username),
      user_id: userIdOf(username),
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports),
      aaguid: credential.aaguid,
      backup_eligible: true,
      backed_up: true,
      label: `${username}’s phone`,
      created_at: at(-30 * day),
      last_used_at: username === 'cora' ? null : at(-hour),
      user_handle: username === 'ada' ? handleOf(username) : null,
      learns_user_handle: false,
      attested: true,
      attestation_format: 'packed',
      attestation_root: 'ab'.repeat(32),
      certification: 'L1',
      attestation_certificates: null,
    },
  };
}

const recoverySession = 104;

const session = (
  number: number,
  name: string,
  username: DumpedUser,
  columns: Record<string, unknown> = {},
): DumpedRow => ({
  table: 'sessions',
  columns: {
    id: idOf(number),
    user_id: userIdOf(username),
    token_hash: hashToken(tokenOf(name)),
    kind: 'full',
    method: 'passkey',
    created_at: at(-hour),
    last_seen_at: at(-60),
    authenticated_at: at(-hour),
    ends_at: at(30 * day),
    expires_at: at(7 * day),
    ip: '192.0.2.7',
    user_agent: 'Browser',
    ...columns,
  },
});

const sessions = [
  session(101, 'the live session', 'ben'),
  session(102, 'the expired session', 'ben', { method: 'password', expires_at: at(-60) }),
  session(103, 'the session of a disabled user', 'cora'),
  session(recoverySession, 'the session of a recovery', 'fay', {
    kind: 'recovery',
    method: 'assisted_recovery',
    ends_at: at(hour),
    expires_at: at(hour),
  }),
];

const otherRows: DumpedRow[] = [
  { table: 'spent_challenges', columns: { nonce: tokenOf('an old challenge'), forget_at: at(-hour) } },
  { table: 'spent_challenges', columns: { nonce: tokenOf('a challenge'), forget_at: at(hour) } },
  { table: 'bootstrap', columns: { one: true, user_id: userIdOf('rosa'), at: at(-30 * day) } },
  {
    table: 'imported_users',
    columns: { source: 'old system', source_id: '42', user_id: userIdOf('ada'), import_id: idOf(800) },
  },
  {
    table: 'impersonation_links',
    columns: {
      token_hash: hashToken(tokenOf('an impersonation link')),
      user_id: userIdOf('gus'),
      operator_name: 'ops',
      reason: 'Ticket 4711',
      created_at: at(-600),
      expires_at: at(-300),
    },
  },
  {
    table: 'audit_witnessed',
    columns: {
      origin: 'logs.example/a',
      size: 0,
      root: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      note: 'logs.example/a\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n',
      at: at(-hour),
    },
  },
  {
    table: 'webhooks',
    columns: {
      id: idOf(800),
      name: 'siem',
      slot: 1,
      url: 'https://siem.example.com/',
      events: 'passkey.,session.revoke',
      secret: createSealer([secret]).seal('webhook', { webhookId: idOf(800), secret: 'whsec_c2VjcmV0' }),
      previous_secret: null,
      previous_until: null,
      state: 'paused',
      reason: 'failing',
      version: 1,
      after_position: -1,
      after_id: null,
      attempts: 11,
      failing_since: at(-3 * day),
      next_at: at(0),
      last_at: at(0),
      last_status: 500,
      last_fault: 'refused',
      holder: null,
      held_until: null,
      created_at: at(-4 * day),
    },
  },
];

function recoveryRows(): DumpedRow[] {
  const sealer = createSealer([secret]);
  const code = (name: keyof typeof codes, columns: Record<string, unknown> = {}) => ({
    table: 'recovery_codes',
    columns: {
      code_hash: codeHashes(sealer, codes[name])[0],
      key_id: codeKeyIds(sealer)[0],
      user_id: userIdOf('ben'),
      created_at: at(-day),
      ...columns,
    },
  });
  const link = (username: DumpedUser, columns: Record<string, unknown> = {}) => ({
    table: 'recovery_links',
    columns: {
      user_id: userIdOf(username),
      token_hash: hashToken(tokenOf(`the recovery link of ${username}`)),
      maker_id: userIdOf('rosa'),
      created_at: at(-60),
      usable_at: at(-60),
      expires_at: at(hour),
      ...columns,
    },
  });
  return [
    code('unused'),
    code('used', { used_at: at(-hour) }),
    { ...code('unfinished', { recovery_session_id: idOf(200) }), until: 6 },
    link('eli'),
    link('fay', { session_id: idOf(recoverySession), used_at: at(-30) }),
  ];
}

const organizationId = idOf(300);

const organizationRows: DumpedRow[] = [
  {
    table: 'organizations',
    columns: {
      id: organizationId,
      name: 'Chess Club',
      slug: 'chess',
      version: 2,
      created_by: userIdOf('ada'),
      created_at: at(-20 * day),
    },
  },
  ...(
    [
      ['ada', 'admin'],
      ['ben', 'user'],
    ] as const
  ).map(([username, role]) => ({
    table: 'memberships',
    columns: {
      organization_id: organizationId,
      user_id: userIdOf(username),
      role,
      joined_at: at(-20 * day),
    },
  })),
];

/** The four states of both kinds of invitations. */
const states = {
  pending: { created_by: userIdOf('rosa'), expires_at: at(day) },
  expired: { created_by: userIdOf('rosa'), expires_at: at(-day) },
  revoked: { created_by: userIdOf('rosa'), expires_at: at(day), revoked_at: at(-60) },
  // An operator created this invitation.
  accepted: { expires_at: at(day), accepted_by: userIdOf('ada'), accepted_at: at(-60) },
};

const invitationRows: DumpedRow[] = Object.entries(states).flatMap(([state, columns], index) => [
  {
    table: 'invitations',
    columns: {
      id: idOf(400 + index),
      token_hash: hashToken(tokenOf(`the ${state} invitation`)),
      role: 'admin',
      created_at: at(-2 * day),
      ...columns,
    },
  },
  {
    table: 'organization_invitations',
    columns: {
      id: idOf(500 + index),
      organization_id: organizationId,
      token_hash: hashToken(tokenOf(`the ${state} organization invitation`)),
      role: 'user',
      created_at: at(-2 * day),
      ...columns,
    },
  },
  {
    table: 'organization_invitations',
    columns: {
      id: idOf(600 + index),
      organization_id: organizationId,
      user_id: userIdOf('gus'),
      role: 'user',
      created_at: at(-2 * day),
      ...columns,
      ...(state === 'revoked' && { revoked_at: null, declined_at: at(-60) }),
    },
  },
]);

const event = (
  number: number,
  name: string,
  columns: Record<string, unknown>,
  versions: Pick<DumpedRow, 'since'> = {},
): DumpedRow => ({
  table: 'audit_events',
  columns: {
    id: idOf(700 + number),
    at: at(-day + number),
    event: name,
    outcome: 'success',
    details: '{}',
    ...columns,
  },
  ...versions,
});

const by = (username: DumpedUser) => ({
  actor_type: 'user',
  actor_id: userIdOf(username),
  actor_name: username,
  ip: '192.0.2.7',
  user_agent: 'Browser',
  request_id: 'request-1',
});
const about = (username: DumpedUser) => ({
  target_type: 'user',
  target_id: userIdOf(username),
  target_name: username,
});

const events = [
  event(1, 'account.signup', { ...by('ben'), ...about('ben') }),
  event(2, 'passkey.login', {
    actor_type: 'anonymous',
    outcome: 'failure',
    details: '{"reason": "unknown_credential"}',
  }),
  event(3, 'password.add', { ...by('ben'), ...about('ben') }, { since: 2 }),
  event(4, 'user.disable', { ...by('rosa'), ...about('cora') }, { since: 3 }),
  event(
    5,
    'member.add',
    { ...by('ada'), ...about('ben'), organization_id: organizationId, details: '{"role": "user"}' },
    { since: 3 },
  ),
  event(
    6,
    'superadmin.bootstrap',
    { actor_type: 'operator', actor_name: 'ops', ...about('rosa') },
    { since: 3 },
  ),
  event(7, 'audit.prune', { actor_type: 'system', details: '{"removed": 3}' }, { since: 5 }),
  event(
    8,
    'passkey.login',
    {
      actor_type: 'anonymous',
      outcome: 'failure',
      ip: '192.0.2.7',
      details: `{"reason": "challenge_unknown_or_expired", "firstAt": "${at(-day)}", "lastAt": "${at(-day + 8)}"}`,
      count: 989,
    },
    { since: 9 },
  ),
];
