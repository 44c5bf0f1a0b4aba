import { type ErrorCode, errorTable } from 'latchkey';

/**
 * The callers. `here` and `there` are the two organizations of `authorization-world.ts`:
 * - anonymous: without a session
 * - user: role user, member of no organization
 * - recovering: a superadmin in a recovery session
 * - stale: role superadmin, member of `here`, last authentication eleven minutes ago
 * - member: role user, member of `here`
 * - orgAdmin: role user, organization admin of `here`
 * - admin: role admin, organization admin of `here`
 * - elsewhere: role admin, organization admin of `there`
 * - superadmin: role superadmin, member of no organization
 * - unprivileged: role superadmin, member of `here`, has a passkey, signed in with the password
 */
export const callers = [
  'anonymous',
  'user',
  'recovering',
  'stale',
  'member',
  'orgAdmin',
  'admin',
  'elsewhere',
  'superadmin',
  'unprivileged',
] as const;

export type CallerName = (typeof callers)[number];

/** Short forms of frequent error codes. The table contains all other codes in full. */
const shortCodes: Record<string, ErrorCode> = {
  '401': 'not_authenticated',
  rec: 'recovery_session',
  old: 'reauthentication_required',
  pass: 'passkey_required',
  '403': 'forbidden',
  '404': 'not_found',
  held: 'role_already_held',
  noin: 'invitation_not_found',
};

/**
 * The outcome of each endpoint for each caller. Paths are below the prefix `/auth`. The word after a path names the
 * target (see `authorization-requests.ts`). The target `unknown` stands for two requests: with an unknown id and with a
 * malformed id. With `+`, the request asks for the details of the target.
 */
const table = `
                                                     anon   user recv stale memb oadm adm  else supr pwd
GET    /openapi.json                                 200    200  200  200   200  200  200  200  200  200
GET    /sign-up                                      200    200  200  200   200  200  200  200  200  200
GET    /username/availability                        200    200  200  200   200  200  200  200  200  200
POST   /username/availability                        200    200  200  200   200  200  200  200  200  200
POST   /passkey/register/start                       200    200  200  200   200  200  200  200  200  200
POST   /passkey/register/verify                      201    201  201  201   201  201  201  201  201  201
POST   /passkey/login/start                          200    200  200  200   200  200  200  200  200  200
POST   /passkey/login/verify                         200    200  200  200   200  200  200  200  200  200
POST   /passkey/stepup/start                         401    200  rec  200   200  200  200  200  200  200
POST   /passkey/stepup/verify                        401    200  rec  200   200  200  200  200  200  200
GET    /passkey/devices                              401    200  200  200   200  200  200  200  200  200
GET    /passkey/signals                              401    200  rec  200   200  200  200  200  200  200
POST   /passkey/devices/add                  start   401    200  200  old   200  200  200  200  200  pass
POST   /passkey/devices/add                  quiet   401    403  rec  old   403  403  403  403  403  pass
POST   /passkey/devices/add                  finish  401    201  201  old   201  201  201  201  201  pass
PATCH  /passkey/devices/:id                  own     401    200  rec  200   200  200  200  200  200  200
PATCH  /passkey/devices/:id                  foreign 401    404  rec  404   404  404  404  404  404  404
PATCH  /passkey/devices/:id                  unknown 401    404  rec  404   404  404  404  404  404  404
DELETE /passkey/devices/:id                  own     401    204  rec  old   204  204  204  204  204  pass
DELETE /passkey/devices/:id                  foreign 401    404  rec  old   404  404  404  404  404  pass
DELETE /passkey/devices/:id                  unknown 401    404  rec  old   404  404  404  404  404  pass
POST   /password/login                               200    200  200  200   200  200  200  200  200  200
POST   /password/stepup                      only    401    200  rec  200   200  200  200  200  200  200
POST   /password/stepup                      both    401    pass rec  pass  pass pass pass pass pass  pass
POST   /password/add                                 401    200  rec  old   200  200  200  200  200  pass
DELETE /password/remove                              401    204  rec  old   204  204  204  204  204  pass
POST   /recovery/codes/use                           200    200  200  200   200  200  200  200  200  200
GET    /recovery/codes                               401    200  rec  200   200  200  200  200  200  200
POST   /recovery/codes/generate                      401    201  rec  old   201  201  201  201  201  pass
DELETE /recovery/codes/revoke                        401    204  rec  old   204  204  204  204  204  pass
POST   /recovery/assisted/use                        200    200  200  200   200  200  200  200  200  200
DELETE /recovery/assisted                            401    204  rec  old   204  204  204  204  204  pass
GET    /session                                      401    200  200  200   200  200  200  200  200  200
DELETE /session                                      204    204  204  204   204  204  204  204  204  204
POST   /session/token                                401    201  rec  201   201  201  201  201  201  201
GET    /sessions                                     401    200  rec  200   200  200  200  200  200  200
DELETE /sessions                                     401    200  rec  200   200  200  200  200  200  200
DELETE /sessions/:id                         own     401    204  rec  204   204  204  204  204  204  204
DELETE /sessions/:id                         foreign 401    404  rec  404   404  404  404  404  404  404
DELETE /sessions/:id                         unknown 401    404  rec  404   404  404  404  404  404  404
PATCH  /account                                      401    200  rec  200   200  200  200  200  200  200
PUT    /account/username                             401    200  rec  old   200  200  200  200  200  pass
DELETE /account                                      401    204  rec  old   204  204  204  204  204  pass

GET    /admin/invitations                            401    403  rec  200   403  403  403  403  200  pass
POST   /admin/invitations                            401    403  rec  old   403  403  403  403  201  pass
POST   /admin/invitations/preview                    200    200  200  200   200  200  200  200  200  200
POST   /admin/invitations/accept                     401    200  rec  held  200  200  held held held  held
DELETE /admin/invitations/:id                pending 401    403  rec  old   403  403  403  403  204  pass
DELETE /admin/invitations/:id                unknown 401    403  rec  old   403  403  403  403  404  pass
GET    /admin/user-invitations                       401    403  rec  200   403  403  200  200  200  pass
POST   /admin/user-invitations                       401    403  rec  old   403  403  201  201  201  pass
DELETE /admin/user-invitations/:id           mixed   401    403  rec  old   403  403  204  404  404  pass
DELETE /admin/user-invitations/:id           foreign 401    403  rec  old   403  403  404  404  404  pass
DELETE /admin/user-invitations/:id           unknown 401    403  rec  old   403  403  404  404  404  pass

GET    /admin/webhooks                               401    403  rec  200   403  403  403  403  200  pass
POST   /admin/webhooks                               401    403  rec  old   403  403  403  403  201  pass
PATCH  /admin/webhooks/:id                   known   401    403  rec  old   403  403  403  403  200  pass
PATCH  /admin/webhooks/:id                   unknown 401    403  rec  old   403  403  403  403  404  pass
POST   /admin/webhooks/:id/rotate-secret     known   401    403  rec  old   403  403  403  403  200  pass
POST   /admin/webhooks/:id/rotate-secret     unknown 401    403  rec  old   403  403  403  403  404  pass
POST   /admin/webhooks/:id/pause             known   401    403  rec  old   403  403  403  403  200  pass
POST   /admin/webhooks/:id/pause             unknown 401    403  rec  old   403  403  403  403  404  pass
POST   /admin/webhooks/:id/resume            known   401    403  rec  old   403  403  403  403  200  pass
POST   /admin/webhooks/:id/resume            unknown 401    403  rec  old   403  403  403  403  404  pass
POST   /admin/webhooks/:id/test              known   401    403  rec  old   403  403  403  403  200  pass
POST   /admin/webhooks/:id/test              unknown 401    403  rec  old   403  403  403  403  404  pass
DELETE /admin/webhooks/:id                   known   401    403  rec  old   403  403  403  403  204  pass
DELETE /admin/webhooks/:id                   unknown 401    403  rec  old   403  403  403  403  404  pass

GET    /admin/users                                  401    403  rec  old   403  403  200  200  200  pass
GET    /admin/users/:id                      inside  401    403  rec  old   403  403  200  404  200  pass
GET    /admin/users/:id                      outside 401    403  rec  old   403  403  404  200  200  pass
GET    /admin/users/:id                      none    401    403  rec  old   403  403  404  404  200  pass
GET    /admin/users/:id                      self    401    403  rec  old   403  403  200  200  200  pass
GET    /admin/users/:id                      unknown 401    403  rec  old   403  403  404  404  404  pass
GET    /admin/users/:id                      inside+ 401    403  rec  old   403  403  200  404  200  pass
GET    /admin/users/:id                      outside+ 401   403  rec  old   403  403  404  200  200  pass
GET    /admin/users/:id                      none+   401    403  rec  old   403  403  404  404  200  pass
GET    /admin/users/:id                      equal+  401    403  rec  old   403  403  200  404  200  pass
GET    /admin/users/:id                      higher+ 401    403  rec  old   403  403  200  404  200  pass
GET    /admin/users/:id                      self+   401    403  rec  old   403  403  200  200  200  pass
PATCH  /admin/users/:id                      inside  401    403  rec  old   403  403  200  404  200  pass
PATCH  /admin/users/:id                      outside 401    403  rec  old   403  403  404  200  200  pass
PATCH  /admin/users/:id                      none    401    403  rec  old   403  403  404  404  200  pass
PATCH  /admin/users/:id                      equal   401    403  rec  old   403  403  403  404  200  pass
PATCH  /admin/users/:id                      higher  401    403  rec  old   403  403  403  404  200  pass
PATCH  /admin/users/:id                      self    401    403  rec  old   403  403  403  403  403  pass
PATCH  /admin/users/:id                      unknown 401    403  rec  old   403  403  404  404  404  pass
PUT    /admin/users/:id/username             inside  401    403  rec  old   403  403  200  404  200  pass
PUT    /admin/users/:id/username             outside 401    403  rec  old   403  403  404  200  200  pass
PUT    /admin/users/:id/username             none    401    403  rec  old   403  403  404  404  200  pass
PUT    /admin/users/:id/username             equal   401    403  rec  old   403  403  403  404  200  pass
PUT    /admin/users/:id/username             higher  401    403  rec  old   403  403  403  404  200  pass
PUT    /admin/users/:id/username             self    401    403  rec  old   403  403  403  403  403  pass
PUT    /admin/users/:id/username             unknown 401    403  rec  old   403  403  404  404  404  pass
PUT    /admin/users/:id/role                 inside  401    403  rec  old   403  403  403  403  200  pass
PUT    /admin/users/:id/role                 outside 401    403  rec  old   403  403  403  403  200  pass
PUT    /admin/users/:id/role                 self    401    403  rec  old   403  403  403  403  200  pass
PUT    /admin/users/:id/role                 unknown 401    403  rec  old   403  403  403  403  404  pass
POST   /admin/users/:id/disable              inside  401    403  rec  old   403  403  403  403  200  pass
POST   /admin/users/:id/disable              outside 401    403  rec  old   403  403  403  403  200  pass
POST   /admin/users/:id/disable              self    401    403  rec  old   403  403  403  403  200  pass
POST   /admin/users/:id/disable              unknown 401    403  rec  old   403  403  403  403  404  pass
POST   /admin/users/:id/enable               inside  401    403  rec  old   403  403  403  403  200  pass
POST   /admin/users/:id/enable               outside 401    403  rec  old   403  403  403  403  200  pass
POST   /admin/users/:id/enable               unknown 401    403  rec  old   403  403  403  403  404  pass
POST   /admin/users/:id/recovery             inside  401    403  rec  old   403  403  201  404  201  pass
POST   /admin/users/:id/recovery             outside 401    403  rec  old   403  403  404  201  201  pass
POST   /admin/users/:id/recovery             none    401    403  rec  old   403  403  404  404  201  pass
POST   /admin/users/:id/recovery             equal   401    403  rec  old   403  403  403  404  201  pass
POST   /admin/users/:id/recovery             higher  401    403  rec  old   403  403  403  404  201  pass
POST   /admin/users/:id/recovery             self    401    403  rec  old   403  403  403  403  403  pass
POST   /admin/users/:id/recovery             unknown 401    403  rec  old   403  403  404  404  404  pass
DELETE /admin/users/:id/sessions             inside  401    403  rec  old   403  403  200  404  200  pass
DELETE /admin/users/:id/sessions             outside 401    403  rec  old   403  403  404  200  200  pass
DELETE /admin/users/:id/sessions             none    401    403  rec  old   403  403  404  404  200  pass
DELETE /admin/users/:id/sessions             equal   401    403  rec  old   403  403  403  404  200  pass
DELETE /admin/users/:id/sessions             higher  401    403  rec  old   403  403  403  404  200  pass
DELETE /admin/users/:id/sessions             self    401    403  rec  old   403  403  403  403  403  pass
DELETE /admin/users/:id/sessions             unknown 401    403  rec  old   403  403  404  404  404  pass
DELETE /admin/users/:id/sessions/:sessionId inside  401    403  rec  old   403  403  204  404  204  pass
DELETE /admin/users/:id/sessions/:sessionId outside 401    403  rec  old   403  403  404  204  204  pass
DELETE /admin/users/:id/sessions/:sessionId none    401    403  rec  old   403  403  404  404  204  pass
DELETE /admin/users/:id/sessions/:sessionId equal   401    403  rec  old   403  403  403  404  204  pass
DELETE /admin/users/:id/sessions/:sessionId higher  401    403  rec  old   403  403  403  404  204  pass
DELETE /admin/users/:id/sessions/:sessionId self    401    403  rec  old   403  403  403  403  403  pass
DELETE /admin/users/:id/sessions/:sessionId mixed   401    403  rec  old   403  403  404  404  404  pass
DELETE /admin/users/:id/sessions/:sessionId absent  401    403  rec  old   403  403  404  404  404  pass
DELETE /admin/users/:id/sessions/:sessionId unknown 401    403  rec  old   403  403  404  404  404  pass
POST   /admin/users/:id/impersonation        inside  401    403  rec  old   403  403  403  403  201  pass
POST   /admin/users/:id/impersonation        outside 401    403  rec  old   403  403  403  403  201  pass
POST   /admin/users/:id/impersonation        none    401    403  rec  old   403  403  403  403  201  pass
POST   /admin/users/:id/impersonation        equal   401    403  rec  old   403  403  403  403  201  pass
POST   /admin/users/:id/impersonation        higher  401    403  rec  old   403  403  403  403  403  pass
POST   /admin/users/:id/impersonation        self    401    403  rec  old   403  403  403  403  403  pass
POST   /admin/users/:id/impersonation        unknown 401    403  rec  old   403  403  403  403  404  pass
DELETE /admin/users/:id                      inside  401    403  rec  old   403  403  403  403  204  pass
DELETE /admin/users/:id                      outside 401    403  rec  old   403  403  403  403  204  pass
DELETE /admin/users/:id                      self    401    403  rec  old   403  403  403  403  204  pass
DELETE /admin/users/:id                      unknown 401    403  rec  old   403  403  403  403  404  pass

GET    /organizations                                401    200  rec  200   200  200  200  200  200  200
POST   /organizations                                401    403  rec  old   403  403  201  201  201  pass
GET    /organizations/:id                    here    401    404  rec  200   200  200  200  404  200  200
GET    /organizations/:id                    there   401    404  rec  200   404  404  404  200  200  pass
GET    /organizations/:id                    unknown 401    404  rec  404   404  404  404  404  404  404
PATCH  /organizations/:id                    here    401    404  rec  old   403  200  200  404  200  pass
PATCH  /organizations/:id                    there   401    404  rec  old   404  404  404  200  200  pass
PATCH  /organizations/:id                    unknown 401    404  rec  old   404  404  404  404  404  pass
DELETE /organizations/:id                    here    401    404  rec  old   403  204  204  404  204  pass
DELETE /organizations/:id                    there   401    404  rec  old   404  404  404  204  204  pass
DELETE /organizations/:id                    unknown 401    404  rec  old   404  404  404  404  404  pass
DELETE /organizations/:id/membership         here    401    404  rec  204   204  204  204  404  404  204
DELETE /organizations/:id/membership         there   401    404  rec  404   404  404  404  last_organization_admin  404  404
DELETE /organizations/:id/membership         unknown 401    404  rec  404   404  404  404  404  404  404
GET    /organizations/:id/members            here    401    404  rec  200   200  200  200  404  200  200
GET    /organizations/:id/members            there   401    404  rec  200   404  404  404  200  200  pass
GET    /organizations/:id/members            unknown 401    404  rec  404   404  404  404  404  404  404
POST   /organizations/:id/members            here    401    404  rec  old   403  403  403  404  201  pass
POST   /organizations/:id/members            there   401    404  rec  old   404  404  404  403  201  pass
POST   /organizations/:id/members            unknown 401    404  rec  old   404  404  404  404  404  pass
PATCH  /organizations/:id/members/:userId    here    401    404  rec  old   403  200  200  404  200  pass
PATCH  /organizations/:id/members/:userId    there   401    404  rec  old   404  404  404  200  200  pass
PATCH  /organizations/:id/members/:userId    mixed   401    404  rec  old   403  404  404  404  404  pass
PATCH  /organizations/:id/members/:userId    self    401    404  rec  old   403  200  200  404  404  pass
PATCH  /organizations/:id/members/:userId    absent  401    404  rec  old   403  404  404  404  404  pass
PATCH  /organizations/:id/members/:userId    unknown 401    404  rec  old   404  404  404  404  404  pass
DELETE /organizations/:id/members/:userId    here    401    404  rec  old   403  204  204  404  204  pass
DELETE /organizations/:id/members/:userId    there   401    404  rec  old   404  404  404  204  204  pass
DELETE /organizations/:id/members/:userId    mixed   401    404  rec  old   403  404  404  404  404  pass
DELETE /organizations/:id/members/:userId    self    401    404  rec  old   403  204  204  404  404  pass
DELETE /organizations/:id/members/:userId    absent  401    404  rec  old   403  404  404  404  404  pass
DELETE /organizations/:id/members/:userId    unknown 401    404  rec  old   404  404  404  404  404  pass

GET    /organizations/:id/invitations        here    401    404  rec  200   403  200  200  404  200  pass
GET    /organizations/:id/invitations        there   401    404  rec  200   404  404  404  200  200  pass
GET    /organizations/:id/invitations        unknown 401    404  rec  404   404  404  404  404  404  404
POST   /organizations/:id/invitations        here    401    404  rec  old   403  201  201  404  201  pass
POST   /organizations/:id/invitations        there   401    404  rec  old   404  404  404  201  201  pass
POST   /organizations/:id/invitations        link    401    404  rec  old   403  201  201  404  201  pass
POST   /organizations/:id/invitations        unknown 401    404  rec  old   404  404  404  404  404  pass
DELETE /organizations/:id/invitations/:invitationId here    401 404 rec old 403 204 204 404 204  pass
DELETE /organizations/:id/invitations/:invitationId there   401 404 rec old 404 404 404 204 204  pass
DELETE /organizations/:id/invitations/:invitationId mixed   401 404 rec old 403 404 404 404 404  pass
DELETE /organizations/:id/invitations/:invitationId absent  401 404 rec old 403 404 404 404 404  pass
DELETE /organizations/:id/invitations/:invitationId unknown 401 404 rec old 404 404 404 404 404  pass

GET    /invitations                                  401    200  rec  200   200  200  200  200  200  200
POST   /invitations/:id/accept               own     401    200  rec  200   200  200  200  200  200  200
POST   /invitations/:id/accept               foreign 401    noin rec  noin  noin noin noin noin noin  noin
POST   /invitations/:id/accept               link    401    noin rec  noin  noin noin noin noin noin  noin
POST   /invitations/:id/accept               unknown 401    noin rec  noin  noin noin noin noin noin  noin
POST   /invitations/:id/decline              own     401    204  rec  204   204  204  204  204  204  204
POST   /invitations/:id/decline              foreign 401    noin rec  noin  noin noin noin noin noin  noin
POST   /invitations/:id/decline              link    401    noin rec  noin  noin noin noin noin noin  noin
POST   /invitations/:id/decline              unknown 401    noin rec  noin  noin noin noin noin noin  noin
POST   /invitations/preview                          200    200  200  200   200  200  200  200  200  200
POST   /invitations/accept                           401    200  rec  200   200  200  200  200  200  200

POST   /impersonation                                200    200  200  200   200  200  200  200  200  200

GET    /admin/audit                                  401    403  rec  200   403  403  200  200  200  pass
GET    /admin/audit/export                           401    403  rec  old   403  403  200  200  200  pass
GET    /admin/audit/feed                             401    403  rec  200   403  403  403  403  200  pass
GET    /admin/audit/:id/proof           unknown 401    403  rec  404   403  403  403  403  404  pass
GET    /audit-log/checkpoint                         401    403  rec  404   403  403  403  403  404  pass
GET    /audit-log/:log/checkpoint            unknown 401    403  rec  404   403  403  403  403  404  pass
GET    /audit-log/:log/tile/:level/*index    unknown 401    403  rec  404   403  403  403  403  404  pass
GET    /account/events                               401    200  rec  200   200  200  200  200  200  200
GET    /admin/overview                               401    403  rec  200   403  403  403  403  200  pass
`;

export interface Row {
  /** `METHOD /path`, with the prefix. */
  route: string;
  /** The name of the request's target. Empty if the endpoint has only one. */
  target: string;
  /** The status of a success, for example `200`, or the code of an error. */
  expected: Record<CallerName, string>;
}

const outcomeOf = (cell: string): string => {
  const outcome = shortCodes[cell] ?? cell;
  if (!(outcome in errorTable || /^2\d\d$/.test(outcome)))
    throw new Error(`unknown cell in the table: ${cell}`);
  return outcome;
};

function rowOf(line: string): Row {
  const [method = '', path = '', ...rest] = line.split(/\s+/);
  const cells = rest.splice(-callers.length).map(outcomeOf);
  if (cells.length !== callers.length || rest.length > 1)
    throw new Error(`malformed line in the table: ${line}`);
  const expected = callers.map((caller, index) => [caller, cells[index]] as const);
  return {
    route: `${method} /auth${path}`,
    target: rest[0] ?? '',
    expected: Object.fromEntries(expected) as Row['expected'],
  };
}

export const rows: Row[] = table
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map(rowOf);
