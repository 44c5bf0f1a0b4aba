import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identifyRequests } from '../../examples/server/request-id.ts';
import { send } from '../support/raw-request.ts';
import { serve } from '../support/serve.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An app whose response is the request id or an error. */
async function start(trustedProxies: number) {
  const app = new Koa();
  app.silent = true;
  app.use(identifyRequests(trustedProxies));
  app.use((ctx) => {
    if (ctx.path === '/broken') throw new Error('unexpected');
    if (ctx.path === '/refused') ctx.throw(403, { headers: { 'Retry-After': '1' } });
    if (ctx.path === '/seen') ctx.body = ctx.state.requestId;
  });
  const { url, close } = await serve(app);
  const ask = (path: string, given?: string | string[]) =>
    send(url, path, { headers: given === undefined ? {} : { 'X-Request-Id': given } });
  return { ask, close };
}

describe('behind a proxy, the request id', () => {
  let app: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    app = await start(1);
  });
  afterAll(() => app.close());

  test.each([
    ['a UUID', '0199aa00-0000-7000-8000-00000000000a'],
    ['an id of nginx', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['an AWS trace id', 'Root=1-67891233-abcdef012345678912345678'],
    ['8 characters', 'abcd.1_2'],
    ['128 characters', 'x'.repeat(128)],
  ])('comes from the proxy if the proxy sends %s', async (_, given) => {
    const answer = await app.ask('/seen', given);
    expect([answer.text, answer.headers['x-request-id']]).toEqual([given, given]);
  });

  test.each([
    ['no id', undefined],
    ['an empty id', ''],
    ['a short id', 'abcdefg'],
    ['a long id', 'x'.repeat(129)],
    ['an id with spaces', 'abcd efgh'],
    ['markup', '<b>abcdefgh</b>'],
    ['JSON', '{"a":"bcdefgh"}'],
    ['an id with non-ASCII letters', 'äbcdefghij'],
    ['two ids', ['abcdefgh', 'ijklmnop']],
  ])('is a new UUID if the proxy sends %s', async (_, given) => {
    const answer = await app.ask('/seen', given);
    expect(answer.text).toMatch(uuid);
    expect(answer.headers['x-request-id']).toBe(answer.text);
  });

  test.each([
    ['/seen', 200],
    ['/nothing', 404],
    ['/refused', 403],
    ['/broken', 500],
  ])('is in the response of %s with the status %i', async (path, status) => {
    const answer = await app.ask(path, 'abcdefgh');
    expect([answer.status, answer.headers['x-request-id']]).toEqual([status, 'abcdefgh']);
    if (path === '/refused') expect(answer.headers['retry-after']).toBe('1');
  });
});

test('without a proxy, a client cannot choose the request id', async () => {
  const app = await start(0);
  const answer = await app.ask('/seen', '0199aa00-0000-7000-8000-00000000000a');
  expect(answer.text).toMatch(uuid);
  expect(answer.text).not.toBe('0199aa00-0000-7000-8000-00000000000a');
  expect(answer.headers['x-request-id']).toBe(answer.text);
  await app.close();
});
