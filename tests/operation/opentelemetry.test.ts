import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { RPCType, setRPCMetadata, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { flipLastBit } from 'latchkey/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { logIn, newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const spans = new InMemorySpanExporter();
const exportedMetrics = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({
  exporter: exportedMetrics,
  exportIntervalMillis: 2 ** 30,
});
const verify = '/auth/passkey/login/verify';

/** Set by tests in which the application has a span for the request, as instrumentations of HTTP servers have. */
let withOwnSpan = false;
let service: TestService;
let person: Person;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  service = await startTestService({}, (app) => {
    app.use(async (_, next) => {
      if (!withOwnSpan) return next();
      const span = trace.getTracer('http').startSpan('POST', { kind: SpanKind.SERVER });
      const metadata = { type: RPCType.HTTP, span, route: undefined as string | undefined };
      const active = setRPCMetadata(trace.setSpan(context.active(), span), metadata as never);
      await context.with(active, next);
      span.setAttribute('http.route', metadata.route ?? 'none').end();
    });
  });
  person = await signUp(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  withOwnSpan = false;
  await reader.forceFlush();
  exportedMetrics.reset();
  spans.reset();
});

/** The finished spans, oldest first. */
const finished = () =>
  spans
    .getFinishedSpans()
    .toSorted((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1]);
const childrenOf = (parent: ReadableSpan | undefined) =>
  finished().filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent?.spanContext().spanId);
const named = (name: string) => finished().find((span) => span.name === name);

async function histogram(name: string) {
  await reader.forceFlush();
  return exportedMetrics
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap((scope) => scope.metrics)
    .filter(({ descriptor }) => descriptor.name === name)
    .flatMap(({ dataPoints }): DataPoint<unknown>[] => dataPoints)
    .map(({ attributes, value }) => ({ attributes, count: (value as Histogram).count }));
}

describe('a sign-in', () => {
  test('is a server span with an operation, which has a span for each of its two statements', async () => {
    await logIn(service.browser(), person.authenticator);
    const server = named(`POST ${verify}`);
    expect(server).toMatchObject({ kind: SpanKind.SERVER, parentSpanContext: undefined });
    expect(server?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': verify,
      'http.response.status_code': 200,
    });
    const [operation, ...others] = childrenOf(server);
    expect(others).toEqual([]);
    expect(operation).toMatchObject({ name: 'finishLogin', kind: SpanKind.INTERNAL });
    expect(operation?.attributes).toEqual({
      'latchkey.operation': 'finishLogin',
      'latchkey.outcome': 'success',
    });
    const statements = childrenOf(operation);
    expect(statements.map(({ name, kind, attributes }) => ({ name, kind, attributes }))).toEqual(
      [
        ['insert', 'insert spent_challenges select passkeys users'],
        [
          'update',
          expect.stringMatching(
            /^update passkeys .*insert sessions update user_sign_ins insert audit_events select /,
          ),
        ],
      ].map(([operation, summary]) => ({
        name: summary,
        kind: SpanKind.CLIENT,
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': operation,
          'db.query.summary': summary,
        },
      })),
    );
    expect(new Set(finished().map(({ status }) => status.code))).toEqual(new Set([SpanStatusCode.UNSET]));
  });

  test('belongs to the span of the application, and adds the route to this span', async () => {
    withOwnSpan = true;
    await logIn(service.browser(), person.authenticator);
    const servers = finished().filter(({ kind }) => kind === SpanKind.SERVER);
    expect(servers.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['POST', { 'http.route': '/auth/passkey/login/start' }],
      ['POST', { 'http.route': verify }],
    ]);
    expect(childrenOf(servers[1]).map(({ name }) => name)).toEqual(['finishLogin']);
  });

  test('continues the trace of the caller', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await service.browser().post('/auth/passkey/login/start', {}, { traceparent });
    expect(new Set(finished().map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
    expect(named('POST /auth/passkey/login/start')?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
  });

  test('with an invalid signature has the code of the error as its outcome', async () => {
    const tamper = { afterSigning: { signature: flipLastBit } };
    await logIn(service.browser(), person.authenticator, { tamper });
    expect(named('finishLogin')).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'latchkey.operation': 'finishLogin',
        'latchkey.outcome': 'authentication_failed',
        'error.type': 'authentication_failed',
      },
    });
    expect(named(`POST ${verify}`)).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'http.response.status_code': 401 },
    });
    const durations = await histogram('latchkey.operation.duration');
    expect(durations).toContainEqual({
      attributes: {
        'latchkey.operation': 'finishLogin',
        'latchkey.outcome': 'authentication_failed',
      },
      count: 1,
    });
  });

  test('counts its duration and the duration of each statement', async () => {
    await logIn(service.browser(), person.authenticator);
    expect(await histogram('latchkey.operation.duration')).toEqual(
      ['startLogin', 'finishLogin'].map((operation) => ({
        attributes: { 'latchkey.operation': operation, 'latchkey.outcome': 'success' },
        count: 1,
      })),
    );
    expect(await histogram('db.client.operation.duration')).toContainEqual({
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'insert',
        'db.query.summary': 'insert spent_challenges select passkeys users',
      },
      count: 1,
    });
  });
});

test('a statement that PostgreSQL rejects has its SQLSTATE, and the spans of the request are errors', async () => {
  await service.database.sql`alter table latchkey.spent_challenges rename to moved`;
  const answer = await logIn(service.browser(), person.authenticator);
  await service.database.sql`alter table latchkey.moved rename to spent_challenges`;
  expect(answer.status).toBe(500);
  const error = { code: SpanStatusCode.ERROR };
  const server = named(`POST ${verify}`);
  expect(server).toMatchObject({ status: error, attributes: { 'error.type': '500' } });
  const [operation] = childrenOf(server);
  expect(operation).toMatchObject({ status: error, attributes: { 'latchkey.outcome': 'internal_error' } });
  const [statement] = childrenOf(operation);
  expect(statement).toMatchObject({
    status: error,
    attributes: { 'error.type': '42P01', 'db.response.status_code': '42P01' },
  });
  expect(finished().flatMap(({ events }) => events)).toEqual([]);
});

test('spans and metrics contain no usernames, ids, tokens, addresses or values', async () => {
  const username = newUsername('private');
  const ada = await signUp(service, { username });
  const taken = ada.browser.copy();
  await taken.post('/auth/passkey/register/start', { username });
  await logIn(ada.browser, ada.authenticator, { username });
  await ada.browser.get(`/auth/username/${username}`);
  await ada.browser.get(`/auth/admin/users/${userIdOf(ada)}?search=${username}`);
  await ada.browser.post('/auth/password', { password: 'a long secret password' });
  await ada.browser.delete(`/auth/session/devices/${userIdOf(ada)}`);
  const bare = finished().map(({ name, attributes, events, links, status }) => ({
    name,
    attributes,
    events,
    links,
    status,
  }));
  await reader.forceFlush();
  const points = exportedMetrics
    .getMetrics()
    .flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) =>
        metrics.flatMap(({ dataPoints }) => dataPoints.map((point) => point.attributes)),
      ),
    );
  expect(bare.length).toBeGreaterThan(20);
  expect(points.length).toBeGreaterThan(5);
  const reported = JSON.stringify([bare, points]);
  const secrets = [
    username,
    userIdOf(ada),
    `${ada.browser.cookies.get('latchkey')}`,
    `${ada.authenticator.credentials[0]?.id}`,
    'long secret',
    '127.0.0.1',
    '$1',
  ];
  expect(secrets.filter((secret) => reported.includes(secret))).toEqual([]);
});

test('names and attributes of spans contain no unknown paths or methods', async () => {
  await service.browser().get('/auth/unknown/ada');
  await fetch(`${service.url}/auth/unknown/ada`, { method: 'REPORT' });
  expect(finished().map(({ name, attributes }) => [name, attributes])).toEqual([
    ['GET', { 'http.request.method': 'GET', 'http.response.status_code': 404 }],
    ['HTTP', { 'http.request.method': '_OTHER', 'http.response.status_code': 404 }],
  ]);
});

test('statements outside of a request have metrics and no spans', async () => {
  await service.auth.asOperator('ops').users.list();
  expect(finished()).toEqual([]);
  const durations = await histogram('db.client.operation.duration');
  const summaries = durations.map(({ attributes }) => attributes['db.query.summary']);
  expect(summaries).toContainEqual(expect.stringMatching(/^select users/));
});

test('the summaries of all statements have few variants and contain only names of tables', async () => {
  const ada = await signUp(service);
  for (const index of [1, 2, 3]) await logIn(service.browser(), ada.authenticator, index > 1 ? {} : ada);
  const durations = await histogram('db.client.operation.duration');
  const summaries = durations.map(({ attributes }) => `${attributes['db.query.summary']}`);
  expect(new Set(summaries).size).toBe(summaries.length);
  expect(summaries.length).toBeLessThan(12);
  for (const summary of summaries) expect(summary).toMatch(/^[a-z_ ]{1,255}$/);
});
