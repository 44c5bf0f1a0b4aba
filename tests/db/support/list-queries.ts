import { createHash } from 'node:crypto';

const id = '00000000-0000-7000-8000-000000000000';
const cursorOf = (key: string) => `cursor=${Buffer.from(key).toString('base64url')}`;

/** The list without a filter and with each filter. Each query runs once from the start and once from a cursor. */
const variantsOf = (path: string, cursor: string, filters: readonly string[]): string[] =>
  ['', ...filters].flatMap((filter) => [`${path}?${filter}`, `${path}?${filter}&${cursor}`]);

const auditFilters = [
  'event=passkey.login',
  'event=user.',
  'event=user.get,user.disable',
  'outcome=failure',
  `actorId=${id}`,
  `impersonatorId=${id}`,
  `targetId=${id}`,
  `organizationId=${id}`,
  'from=2026-01-01T00:00:00Z',
  'to=2026-01-01T00:00:00Z',
  'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  `actorId=${id}&event=passkey.login`,
  `targetId=${id}&outcome=failure`,
  `organizationId=${id}&event=member.`,
  `actorId=${id}&targetId=${id}&organizationId=${id}`,
  'event=user.&outcome=failure&from=2026-01-01T00:00:00Z',
];

/** The lists of one organization with every filter. */
export const organizationQueries = (organizationId: string): readonly string[] => [
  ...variantsOf(`/organizations/${organizationId}/invitations`, cursorOf(id), [
    'status=pending',
    'status=accepted',
  ]),
  ...variantsOf(`/organizations/${organizationId}/members`, cursorOf('person'), [
    'query=p',
    'query=pe',
    'query=per',
    'query=person',
  ]),
  ...variantsOf('/admin/users', cursorOf('person'), [
    `organizationId=${organizationId}`,
    `organizationId=${organizationId}&role=admin`,
  ]),
  ...['username', 'createdAt', 'lastSignIn'].map(
    (sort) =>
      `/admin/users?organizationId=${organizationId}&sort=${sort}&search=rson&include=details,total,counts`,
  ),
];

/** The lists of users with every order, with a search, and with each part. */
const directoryQueries = ['username', 'createdAt', 'lastSignIn'].flatMap((sort) =>
  ['asc', 'desc'].flatMap((order) =>
    ['', 'rson', 'zzz'].flatMap((search) => {
      const digest = createHash('sha256').update(search).digest('base64url').slice(0, 10);
      const key = sort === 'username' ? 'person' : '2026-01-01T00:00:00.000000Z';
      const isPlain = search === '' && sort === 'username' && order === 'asc';
      const cursor = cursorOf(isPlain ? key : [sort, order, digest, key, id].join(' '));
      const list = `/admin/users?sort=${sort}&order=${order}&search=${search}`;
      return [list, `${list}&${cursor}`, `${list}&include=details,total,counts`];
    }),
  ),
);
const userFilterQueries = ['hasPasskey=false', 'hasPasskey=true', 'signedInBefore=2026-01-01T00:00:00Z'].map(
  (filter) => `/admin/users?${filter}&include=total`,
);

/** All lists except those of `organizationQueries`, and the session with its organizations, with every filter. */
export const listQueries: readonly string[] = [
  ...variantsOf('/admin/audit', cursorOf(id), auditFilters),
  ...['', ...auditFilters].map((filter) => `/admin/audit/export?${filter}`),
  ...variantsOf('/admin/users', cursorOf('person'), [
    'query=p',
    'query=pe',
    'query=per',
    'query=person',
    'role=user',
    'role=admin',
    'status=disabled',
    'role=admin&status=active',
    'query=per&role=admin',
    'query=per&status=disabled',
  ]),
  ...directoryQueries,
  ...userFilterQueries,
  ...variantsOf('/admin/invitations', cursorOf(id), ['status=pending', 'status=accepted', 'role=user']),
  ...variantsOf('/admin/user-invitations', cursorOf(id), ['status=pending']),
  ...variantsOf('/organizations', cursorOf('somewhere'), ['include=memberCount']),
  ...variantsOf('/invitations', cursorOf(id), []),
  '/session?include=organizations',
  ...variantsOf('/account/events', cursorOf(id), [
    'event=passkey.',
    'outcome=failure',
    'from=2026-01-01T00:00:00Z',
  ]),
  '/admin/overview',
  '/admin/overview?period=24h',
];
