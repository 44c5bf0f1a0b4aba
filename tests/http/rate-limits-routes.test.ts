import { createAuthRouter } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/raw-request.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

/** The size of each budget is different, so the size in a response identifies the budget. */
const sizes = { read: 1001, write: 1002, ceremony: 1003, password: 1004, recovery: 1005 };
type BudgetName = keyof typeof sizes;

/** The budget of each route. A new route needs a line here. */
const budgetOf: Record<string, BudgetName> = {
  'GET /auth/openapi.json': 'read',
  'GET /auth/username/availability': 'read',
  'POST /auth/passkey/register/start': 'ceremony',
  'POST /auth/passkey/register/verify': 'ceremony',
  'POST /auth/passkey/login/start': 'ceremony',
  'POST /auth/passkey/login/verify': 'ceremony',
  'POST /auth/passkey/stepup/start': 'ceremony',
  'POST /auth/passkey/stepup/verify': 'ceremony',
  'GET /auth/passkey/devices': 'read',
  'GET /auth/passkey/signals': 'read',
  'POST /auth/passkey/devices/add': 'ceremony',
  'PATCH /auth/passkey/devices/:id': 'write',
  'DELETE /auth/passkey/devices/:id': 'write',
  'POST /auth/password/login': 'password',
  'POST /auth/password/stepup': 'password',
  'POST /auth/password/add': 'password',
  'DELETE /auth/password/remove': 'write',
  'POST /auth/recovery/codes/use': 'recovery',
  'GET /auth/recovery/codes': 'read',
  'POST /auth/recovery/codes/generate': 'recovery',
  'DELETE /auth/recovery/codes/revoke': 'recovery',
  'POST /auth/recovery/assisted/use': 'recovery',
  'DELETE /auth/recovery/assisted': 'recovery',
  'GET /auth/admin/users': 'read',
  'GET /auth/admin/users/:id': 'read',
  'PATCH /auth/admin/users/:id': 'write',
  'PUT /auth/admin/users/:id/username': 'write',
  'PUT /auth/admin/users/:id/role': 'write',
  'POST /auth/admin/users/:id/disable': 'write',
  'POST /auth/admin/users/:id/enable': 'write',
  'POST /auth/admin/users/:id/recovery': 'recovery',
  'DELETE /auth/admin/users/:id/sessions': 'write',
  'DELETE /auth/admin/users/:id/sessions/:sessionId': 'write',
  'DELETE /auth/admin/users/:id': 'write',
  'GET /auth/admin/webhooks': 'read',
  'POST /auth/admin/webhooks': 'write',
  'PATCH /auth/admin/webhooks/:id': 'write',
  'POST /auth/admin/webhooks/:id/rotate-secret': 'write',
  'POST /auth/admin/webhooks/:id/pause': 'write',
  'POST /auth/admin/webhooks/:id/resume': 'write',
  'POST /auth/admin/webhooks/:id/test': 'write',
  'DELETE /auth/admin/webhooks/:id': 'write',
  'PATCH /auth/account': 'write',
  'PUT /auth/account/username': 'write',
  'DELETE /auth/account': 'write',
  'GET /auth/admin/invitations': 'read',
  'POST /auth/admin/invitations': 'write',
  'POST /auth/admin/invitations/preview': 'read',
  'POST /auth/admin/invitations/accept': 'write',
  'DELETE /auth/admin/invitations/:id': 'write',
  'GET /auth/admin/user-invitations': 'read',
  'POST /auth/admin/user-invitations': 'write',
  'DELETE /auth/admin/user-invitations/:id': 'write',
  'GET /auth/sign-up': 'read',
  'POST /auth/username/availability': 'read',
  'GET /auth/organizations': 'read',
  'POST /auth/organizations': 'write',
  'GET /auth/organizations/:id': 'read',
  'PATCH /auth/organizations/:id': 'write',
  'DELETE /auth/organizations/:id': 'write',
  'DELETE /auth/organizations/:id/membership': 'write',
  'GET /auth/organizations/:id/members': 'read',
  'POST /auth/organizations/:id/members': 'write',
  'PATCH /auth/organizations/:id/members/:userId': 'write',
  'DELETE /auth/organizations/:id/members/:userId': 'write',
  'GET /auth/organizations/:id/invitations': 'read',
  'POST /auth/organizations/:id/invitations': 'write',
  'DELETE /auth/organizations/:id/invitations/:invitationId': 'write',
  'GET /auth/invitations': 'read',
  'POST /auth/invitations/:id/accept': 'write',
  'POST /auth/invitations/:id/decline': 'write',
  'POST /auth/invitations/preview': 'read',
  'POST /auth/invitations/accept': 'write',
  'GET /auth/admin/audit': 'read',
  'GET /auth/admin/audit/export': 'read',
  'GET /auth/admin/audit/feed': 'read',
  'GET /auth/admin/audit/:id/proof': 'read',
  'GET /auth/audit-log/checkpoint': 'read',
  'GET /auth/audit-log/:log/checkpoint': 'read',
  'GET /auth/audit-log/:log/tile/:level/*index': 'read',
  'POST /auth/audit-witness/add-checkpoint': 'write',
  'GET /auth/audit-witness/:originHash/checkpoint': 'read',
  'GET /auth/admin/overview': 'read',
  'GET /auth/account/events': 'read',
  'GET /auth/session': 'read',
  'DELETE /auth/session': 'write',
  'POST /auth/session/token': 'write',
  'GET /auth/sessions': 'read',
  'DELETE /auth/sessions': 'write',
  'DELETE /auth/sessions/:id': 'write',
};

/** The public key of a log. With it, the service has the endpoints of a witness. */
const auditWitnessFor = 'logs.example/a+56ba76f0+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs';

let service: TestService;
beforeAll(async () => {
  const budgets = Object.entries(sizes).map(([name, max]) => [name, { address: { max, seconds: 60 } }]);
  service = await startTestService({
    rateLimit: true,
    rateLimits: Object.fromEntries(budgets),
    auditWitnessFor,
  });
});
afterAll(() => service.close());

/** All routes of the router. */
const routes = () =>
  createAuthRouter(service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('{'))
    .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`))
    .filter((route) => !route.startsWith('HEAD '));

test('every route counts a request against its budget before it checks session, body and id', async () => {
  const counted = await Promise.all(
    routes().map(async (route) => {
      const [method = '', path = ''] = route.split(' ');
      // The request has no session, no body and no existing id.
      const { headers } = await send(service.url, path.replaceAll(/:\w+/g, '1'), { method });
      const limit = Number(headers['ratelimit-limit']);
      return [route, Object.entries(sizes).find(([, size]) => size === limit)?.[0] ?? 'none'];
    }),
  );
  expect(Object.fromEntries(counted)).toEqual(budgetOf);
});

test.each(Object.keys(sizes))('the budget %s is used by at least one route', (name) => {
  expect(Object.values(budgetOf)).toContain(name);
});

test('requests that match no route are not counted', async () => {
  for (const [method, path] of [
    ['GET', '/auth/nothing'],
    ['PUT', '/auth/session'],
    ['OPTIONS', '/auth/session'],
  ] as const) {
    const { headers } = await send(service.url, path, { method });
    expect(headers['ratelimit-limit']).toBeUndefined();
  }
});
