import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identifyRequests } from '../../examples/server/request-id.ts';
import { send } from '../support/raw-request.ts';
import { serve } from '../support/serve.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An app that answers with the id that it sees, or fails. */
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

describe('behind a proxy the id of a request', () => {
  let app: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    app = await start(1);
  });
  afterAll(() => app.close());

  test.each([
    ['a UUID', '0199aa00-0000-7000-8000-00000000000a'],
    ['nginx’s', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['a trace of AWS', 'Root=1-67891233-abcdef012345678912345678'],
    ['8 characters', 'abcd.1_2'],
    ['128 characters', 'x'.repeat(128)],
  ])('is the proxy’s: %s', async (_, given) => {
    const answer = await app.ask('/seen', given);
    expect([answer.text, answer.headers['x-request-id']]).toEqual([given, given]);
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['a short one', 'abcdefg'],
    ['a long one', 'x'.repeat(129)],
    ['one with spaces', 'abcd efgh'],
    ['one that would be markup', '<b>abcdefgh</b>'],
    ['one that would be JSON', '{"a":"bcdefgh"}'],
    ['one of other letters', 'äbcdefghij'],
    ['two', ['abcdefgh', 'ijklmnop']],
  ])('is made here where the proxy gives %s', async (_, given) => {
    const answer = await app.ask('/seen', given);
    expect(answer.text).toMatch(uuid);
    expect(answer.headers['x-request-id']).toBe(answer.text);
  });

  test.each([
    ['/seen', 200],
    ['/nothing', 404],
    ['/refused', 403],
    ['/broken', 500],
  ])('is in the answer of %s, which is %i', async (path, status) => {
    const answer = await app.ask(path, 'abcdefgh');
    expect([answer.status, answer.headers['x-request-id']]).toEqual([status, 'abcdefgh']);
    if (path === '/refused') expect(answer.headers['retry-after']).toBe('1');
  });
});

test('without a proxy no client chooses the id of a request', async () => {
  const app = await start(0);
  const answer = await app.ask('/seen', '0199aa00-0000-7000-8000-00000000000a');
  expect(answer.text).toMatch(uuid);
  expect(answer.text).not.toBe('0199aa00-0000-7000-8000-00000000000a');
  expect(answer.headers['x-request-id']).toBe(answer.text);
  await app.close();
});
