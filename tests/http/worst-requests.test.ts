import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from '../../bench/support/exchange.ts';
import { sendWorst } from '../../bench/support/send-worst.ts';
import { fillAccount, worstRequests } from '../../bench/support/worst-requests.ts';
import { type Person, signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

// `npm run bench -- worst-case` measures the same requests.
const mostBytes = 256 * 1024;
// 200 events with the largest possible texts. Ordinary events have 500 bytes each.
const mostBytesOfLarge = 384 * 1024;
const mostBytesOfError = 4 * 1024;

let service: TestService;
let person: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4, trustedProxies: 1 });
  person = await signUp(service, { username: 'worst' });
  await service.auth.asOperator('ops').users.changeRole('worst', 'superadmin');
  await fillAccount(service.database.sql);
});
afterAll(() => service.close());

test.each(worstRequests.map((request) => [request.name, request] as const))(
  'the response to %s is below the limit: 4 kB for an error, 384 kB for a page of the audit log and for the OpenAPI document, 256 kB for others',
  async (_, request) => {
    const cookie = `latchkey=${person.browser.cookies.get('latchkey')}`;
    const { status, bytesOut, body } = await sendWorst(service.url, request, cookie);
    expect(status, body.slice(0, 500)).toBeLessThan(500);
    const isLarge = /^\/(admin\/audit|openapi\.json)/.test(request.path);
    const allowed = isLarge ? mostBytesOfLarge : mostBytes;
    expect(bytesOut).toBeLessThan(status < 400 ? allowed : mostBytesOfError);
  },
);

test('the largest responses contain everything that an account and a page can have', async () => {
  const headers = { Cookie: `latchkey=${person.browser.cookies.get('latchkey')}` };
  const read = async (path: string) =>
    JSON.parse((await exchange(service.url, { method: 'GET', path: `/auth${path}`, headers })).body);
  expect((await read('/passkey/devices')).devices).toHaveLength(50);
  expect((await read('/sessions')).sessions).toHaveLength(100);
  expect((await read('/admin/users?limit=200')).users).toHaveLength(200);
  expect((await read('/admin/audit?limit=200')).events).toHaveLength(200);
});

test('no request has left an error in the log', () => {
  expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
