import type { Sql } from 'postgres';

/** A request that is as expensive as its kind can be. */
export interface WorstRequest {
  name: string;
  method: string;
  /** The path under `/auth`, with the query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | ((challenge: string) => string);
  /** The path of the request that starts the ceremony. The challenge of its response becomes a part of the body. */
  start?: string;
  /** Whether the request has the session of the superadmin whose account `fillAccount` fills. */
  signedIn?: true;
}

const most = 64 * 1024;
const origin = 'http://localhost:3000';
const json = { 'Content-Type': 'application/json', Origin: origin };

const post = (name: string, path: string, body: WorstRequest['body'], headers = {}): WorstRequest => ({
  name,
  method: 'POST',
  path,
  headers: { ...json, ...headers },
  ...(body !== undefined && { body }),
});
const get = (name: string, path: string, headers = {}): WorstRequest => ({
  name,
  method: 'GET',
  path,
  headers,
});
const own = (request: WorstRequest): WorstRequest => ({ ...request, signedIn: true });

/** Repeats a text as often as it fits into a request body. */
const filling = (text: string, around = 200) =>
  text.repeat(Math.floor((most - around) / Buffer.byteLength(text)));
const listed = (item: string, count: number) => Array(count).fill(item).join();
const object = (members: number) => `{${Array.from({ length: members }, (_, n) => `"k${n}":1`).join()}}`;
const base64url = (value: string | Uint8Array) => Buffer.from(value).toString('base64url');
const parameters = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&');
/** Just below the 16 kB that Node.js accepts as the headers of a request. */
const longHeader = (text: string) => text.repeat(Math.floor(15_500 / text.length));

const clientData = (type: string, challenge: string, more = {}) =>
  base64url(JSON.stringify({ type, challenge, origin, ...more }));
const registration = (clientDataJSON: string, attestationObject: string, transports = '[]') =>
  `{"credential":{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"${clientDataJSON}",` +
  `"attestationObject":"${attestationObject}","transports":${transports}}}}`;
const assertion = (clientDataJSON: string, id = 'AAAA', signature = 'AAAA') =>
  `{"credential":{"id":"${id}","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"${clientDataJSON}",` +
  `"authenticatorData":"AAAA","signature":"${signature}"}}}`;

const registerVerify = '/passkey/register/verify';
const loginStart = '/passkey/login/start';
const loginVerify = '/passkey/login/verify';
const passwordLogin = '/password/login';

const bodies: WorstRequest[] = [
  post('20,000 wrong transports', registerVerify, registration('AAAA', 'AAAA', `[${listed('""', 20_000)}]`)),
  post(
    '32,000 numbers as transports',
    registerVerify,
    registration('AAAA', 'AAAA', `[${listed('1', 32_000)}]`),
  ),
  post('990 wrong transports', registerVerify, registration('AAAA', 'AAAA', `[${listed('""', 990)}]`)),
  post('a list of 32,000 numbers', loginStart, `[${listed('1', 32_000)}]`),
  post('a list of 21,000 empty objects', loginStart, `[${listed('{}', 21_000)}]`),
  post('32,000 nested lists', loginStart, `${'['.repeat(32_000)}${']'.repeat(32_000)}`),
  post('6,500 unknown properties', loginStart, object(6_500)),
  post('990 unknown properties', loginStart, object(990)),
  post('a property with a long name', loginStart, `{"${filling('n')}":1}`),
  post('a duplicate property with a long name', loginStart, `{${listed(`"${'n'.repeat(32_000)}":1`, 2)}}`),
  post('a number of 64,000 digits', loginStart, `{"username":${filling('9')}}`),
  post('32,000 escapes', loginStart, `{"username":"${filling('\\\\')}"}`),
  post('a long username', loginStart, `{"username":"${filling('x')}"}`),
  post(
    'a username of combining marks',
    passwordLogin,
    `{"username":"a${filling('\u0301\u0323')}","password":"x"}`,
  ),
  post(
    'a display name of ligatures',
    '/passkey/register/start',
    `{"username":"worst","displayName":"${filling('\ufdfa')}"}`,
  ),
  post('a long password', passwordLogin, `{"username":"worst","password":"${filling('\ufdfa')}"}`),
  post('a long recovery code', '/recovery/codes/use', `{"username":"worst","code":"${filling('2-')}"}`),
  post('a long link token', '/recovery/assisted/use', `{"token":"${filling('x')}"}`),
  post('a long credential id', loginVerify, assertion('AAAA', filling('A', 400))),
  post('the first kilobyte of 10 MB', loginStart, 'x'.repeat(1024), {
    'Content-Length': `${10 * 1024 * 1024}`,
  }),
  post('64 kB with the wrong content type', loginStart, filling('x'), { 'Content-Type': 'text/plain' }),
  post('64 kB with a content encoding', loginStart, filling('x'), { 'Content-Encoding': 'gzip' }),
];

const ceremonies: WorstRequest[] = [
  {
    ...post('client data with 40 kB of lists', loginVerify, (challenge) =>
      assertion(clientData('webauthn.get', challenge, { a: JSON.parse(`[${listed('[]', 13_000)}]`) })),
    ),
    start: loginStart,
  },
  {
    ...post('a signature of 45 kB', loginVerify, (challenge) =>
      assertion(clientData('webauthn.get', challenge), 'AAAA', filling('A', 1000)),
    ),
    start: loginStart,
  },
  {
    ...post('an attestation of 45,000 nested lists', registerVerify, (challenge) =>
      registration(clientData('webauthn.create', challenge), base64url(new Uint8Array(45_000).fill(0x81))),
    ),
    start: '/passkey/register/start',
  },
  {
    ...post('an attestation of 45,000 numbers', registerVerify, (challenge) =>
      registration(
        clientData('webauthn.create', challenge),
        base64url(Uint8Array.of(0x99, 0xaf, 0xc8, ...new Uint8Array(45_000))),
      ),
    ),
    start: '/passkey/register/start',
  },
];

const heads: WorstRequest[] = [
  get('a query with 2,000 parameters', `/username/availability?${parameters(2_000)}`),
  get('a query with 7,750 parameters of the same name', `/username/availability?${longHeader('a&')}`),
  get('a query with a long value', `/username/availability?username=${longHeader('x')}`),
  get('a query of escapes', `/username/availability?username=${longHeader('%CC%81')}`),
  own(get('a long cursor', `/organizations?cursor=${longHeader('A')}`)),
  get('a long path', `/${longHeader('x')}`),
  get('a path of 7,000 slashes', `/passkey${longHeader('/x')}`),
  get('a path with a wrong escape', `/sessions/${longHeader('%E0')}`),
  get('5,000 cookies', '/session', { Cookie: longHeader('a=;') }),
  get('a long session cookie', '/session', { Cookie: `latchkey=${longHeader('x')}` }),
  post('a long Origin', loginStart, '{}', { Origin: `https://${longHeader('x')}` }),
  post('a long User-Agent', loginVerify, assertion('AAAA'), { 'User-Agent': longHeader('\u00e9') }),
  post('a long X-Forwarded-For', loginStart, '{}', { 'X-Forwarded-For': longHeader('1.2.3.4,') }),
  post('a long content type', loginStart, '{}', { 'Content-Type': `application/json;${longHeader('a=b;')}` }),
  get('headers of 20 kB', '/session', { 'X-Long': 'x'.repeat(20_000) }),
  { name: 'an unknown method', method: 'TRACE', path: '/passkey/devices/x', headers: {} },
];

const answers: WorstRequest[] = [
  post('an ordinary start of a sign-in', loginStart, '{}'),
  post('the start of a sign-in with 50 long credential ids', loginStart, '{"username":"worst"}'),
  own(get('50 passkeys', '/passkey/devices')),
  own(post('the start of a step-up with 50 long credential ids', '/passkey/stepup/start', '{}')),
  own(get('100 sessions', '/sessions')),
  own(get('200 users', '/admin/users?limit=200')),
  own(get('200 audit events', '/admin/audit?limit=200&event=user.list')),
  get('the OpenAPI document', '/openapi.json'),
];

/** The worst requests of each kind. The username of the filled account is `worst`. */
export const worstRequests: readonly WorstRequest[] = [...answers, ...bodies, ...ceremonies, ...heads];

/** Fills the account of the superadmin `worst` up to the limits, and the lists that this superadmin can read. */
export async function fillAccount(sql: Sql): Promise<void> {
  await sql`
    insert into latchkey.passkeys
      (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label, created_at)
    select gen_random_uuid(), users.id, lpad(n::text, 1364, 'A'), 'none', 0,
      (select jsonb_agg(lpad(chr(96 + k), 32, 'x')) from generate_series(1, 16) as k), gen_random_uuid(), true, true,
      repeat('😀', 64), latchkey.clock()
    from latchkey.users, generate_series(2, 50) as n where users.username = 'worst'`;
  await sql`
    insert into latchkey.sessions
      (id, user_id, epoch, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at,
       ip, user_agent)
    select gen_random_uuid(), users.id, users.session_epoch, n::text, 'full', 'passkey', latchkey.clock(),
      latchkey.clock(), latchkey.clock(), latchkey.clock() + interval '1 day', latchkey.clock() + interval '1 day',
      '2001:db8:1111:2222:3333:4444:5555:6666', repeat('é', 400)
    from latchkey.users, generate_series(2, 100) as n where users.username = 'worst'`;
  await sql`
    insert into latchkey.users (id, username, display_name, user_handle, created_at)
    select gen_random_uuid(), rpad('user-' || n, 32, 'x'), repeat('😀', 64), n::text, latchkey.clock()
    from generate_series(1, 300) as n`;
  await sql`
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name, ip, user_agent,
       request_id, details)
    select gen_random_uuid(), latchkey.clock(), 'user.list', 'failure', 'user', users.id, repeat('x', 32), 'passkey',
      users.id, repeat('😀', 64), '2001:db8:1111:2222:3333:4444:5555:6666', repeat('é', 400), repeat('r', 128),
      '{"reason":"role_too_low"}'
    from latchkey.users, generate_series(1, 300) as n where users.username = 'worst'`;
}
