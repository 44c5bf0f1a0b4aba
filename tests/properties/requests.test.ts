import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { found, signUpAs } from '../features/support/authority.ts';
import { signUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { anyText, forAllAsync } from './support/for-all.ts';

interface Operation {
  method: string;
  path: string;
  /** The names of query parameters, and of members of the body. */
  names: string[];
}

let service: TestService;
let operations: Operation[];
let others: { other: string; organization: string };
beforeAll(async () => {
  service = await startTestService({ impersonation: true, webhooks: {}, bcryptCost: 4 });
  const { id: organization } = await found((await signUpAs(service, 'superadmin')).browser);
  others = { other: userIdOf(await signUp(service)), organization };
  const { body: document } = await service.browser().get('/auth/openapi.json');
  operations = Object.entries<Record<string, object>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      names: [
        ...JSON.stringify(operation).matchAll(/"(?:name|properties)":(?:"(\w+)"|\{([^}]*)\})/g),
      ].flatMap(([, name, members = '']) => [
        ...(name ? [name] : []),
        ...[...members.matchAll(/"(\w+)":/g)].map(([, one = '']) => one),
      ]),
    })),
  );
});
afterAll(() => service.close());

test('no request gets a response with the status 500 or above, whatever it contains', async () => {
  expect(operations.length).toBeGreaterThan(80);
  const value = fc.oneof(
    anyText(12),
    fc.constantFrom(
      '{own}',
      '{other}',
      '{organization}',
      'admin',
      'user',
      '2024-02-30T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
      '275760-09-13T00:00:00Z',
      '-1',
      '0',
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const request = fc.record({
    operation: fc.nat(),
    path: fc.array(fc.oneof(fc.constantFrom('{own}', '{other}', '{organization}'), fc.uuid(), anyText(6)), {
      minLength: 2,
      maxLength: 2,
    }),
    values: fc.array(value, { minLength: 3, maxLength: 6 }),
    isQuery: fc.boolean(),
    extra: fc.option(fc.tuple(anyText(6), value)),
  });
  await forAllAsync(
    [fc.array(request, { minLength: 8, maxLength: 8 }), fc.constantFrom('superadmin', 'user')],
    async (requests, role) => {
      const person = await signUpAs(service, role as 'superadmin');
      const ids = { ...others, own: userIdOf(person) };
      const fill = (text: string) =>
        text.replace(/\{(own|other|organization)\}/g, (_, name: keyof typeof ids) => ids[name]);
      for (const { operation, path, values, isQuery, extra } of requests) {
        const { method, path: template, names } = operations[operation % operations.length] as Operation;
        const at = [...path];
        const url = template.replace(/\{\w+\}/g, () =>
          encodeURIComponent(fill(at.pop() ?? '').toWellFormed()),
        );
        const entries = names.map((name, index) => [name, values[index % values.length]] as const);
        const members = JSON.parse(
          fill(JSON.stringify(Object.fromEntries([...entries, ...(extra ? [extra] : [])]))),
        );
        const texts = entries.map(([name, given]): [string, string] => [
          name,
          fill(typeof given === 'string' ? given : JSON.stringify(given)),
        ]);
        const query = isQuery ? `?${new URLSearchParams(texts)}` : '';
        const json = { 'Content-Type': 'application/json' };
        const sent = method === 'GET' || isQuery ? undefined : JSON.stringify(members);
        const answer = await person.browser.request(method, `${url}${query}`, sent ?? null, sent ? json : {});
        expect([method, `${url}${query}`, sent, answer.status < 500]).toEqual([
          method,
          `${url}${query}`,
          sent,
          true,
        ]);
      }
    },
    25,
  );
});
