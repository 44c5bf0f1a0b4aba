import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Person } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { exportAudit, exportPath, insertManyEvents } from './support/activity.ts';
import { signUpAs } from './support/authority.ts';

let service: TestService;
let superadmin: Person;
const responses: ServerResponse[] = [];
beforeAll(async () => {
  service = await startTestService({}, (app) => {
    app.use((ctx, next) => {
      responses.push(ctx.res);
      return next();
    });
  });
  superadmin = await signUpAs(service, 'superadmin');
  // More than the buffers between the server and a client that does not read can hold.
  await insertManyEvents(service, 12_000, { at: `timestamptz '2001-01-01Z'`, bytes: 3000 });
});
afterAll(() => service.close());

/** Starts an export whose body the client does not read. */
async function stall(): Promise<{ incoming: IncomingMessage; response: ServerResponse | undefined }> {
  const Cookie = [...superadmin.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const outgoing = request(`${service.url}${exportPath}`, { agent: false, headers: { Cookie } });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  return { incoming, response: responses.at(-1) };
}

test('a user can run two exports at the same time, and another one when one of them has ended', async () => {
  const [first, second] = [await stall(), await stall()];
  const answer = await superadmin.browser.get(exportPath);
  expectProblem(answer, 'rate_limited', { detail: 'You can run 2 exports at the same time.' });
  expect(answer.headers.get('retry-after')).toBe('5');
  expect((await superadmin.browser.request('HEAD', exportPath)).status).toBe(200);

  const other = await signUpAs(service, 'superadmin');
  const { events } = await exportAudit(other.browser, { from: '2002-01-01T00:00:00Z' });
  expect(events.at(-1)?.event).toBe('audit.export');

  first.incoming.destroy();
  await eventually(() => first.response?.closed === true);
  expect((await exportAudit(superadmin.browser, { from: '2002-01-01T00:00:00Z' })).answer.status).toBe(200);
  expect((await exportAudit(superadmin.browser, { from: '2002-01-01T00:00:00Z' })).answer.status).toBe(200);
  second.incoming.destroy();
});

test('an export that fails before the response starts does not count', async () => {
  for (let n = 0; n < 3; n += 1)
    expectProblem(await superadmin.browser.get(`${exportPath}?from=x`), 'invalid_request', {
      errors: [{ path: 'from', message: expect.any(String) }],
    });
  const demoted = await signUpAs(service, 'user');
  for (let n = 0; n < 3; n += 1) expectProblem(await demoted.browser.get(exportPath), 'forbidden');
  await service.auth.asOperator('ops').users.changeRole(demoted.username, 'superadmin');
  expect((await exportAudit(demoted.browser, { from: '2002-01-01T00:00:00Z' })).answer.status).toBe(200);
});
