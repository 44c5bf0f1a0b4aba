import type { Attributes, Context, ObservableCallback, Span } from '@opentelemetry/api';
import type { Telemetry } from '../core/telemetry.ts';

type Api = typeof import('@opentelemetry/api');

/**
 * Loads the optional package `@opentelemetry/api`. Returns undefined if the package is not installed, so that requests
 * and statements run without any additional code.
 */
export async function loadOpenTelemetry(): Promise<Telemetry | undefined> {
  try {
    return createTelemetry(await import('@opentelemetry/api'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The bucket boundaries that OpenTelemetry recommends for database clients. In seconds. */
const statementBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
/** The bucket boundaries that OpenTelemetry recommends for HTTP servers. In seconds. */
const operationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Where instrumentations of HTTP servers and of routers exchange the route. `@opentelemetry/core` defines this key.
 * Context keys with the same description are equal.
 */
const routeKey = 'OpenTelemetry SDK Context Key RPC_METADATA';

interface RequestMetadata {
  type?: string;
  span?: Span;
  route?: string | undefined;
}

/**
 * Reports to OpenTelemetry, with its semantic conventions for HTTP servers and database clients.
 *
 * Attributes contain only names from the source code, statuses and codes. They contain no usernames, ids, tokens or
 * addresses. They contain no error messages either, because a message of PostgreSQL can contain values.
 */
function createTelemetry({
  context,
  createContextKey,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
}: Api): Telemetry {
  const tracer = trace.getTracer('latchkey');
  const meter = metrics.getMeter('latchkey');
  const operationDuration = meter.createHistogram('latchkey.operation.duration', {
    description: 'Duration of the operations of endpoints.',
    unit: 's',
    advice: { explicitBucketBoundaries: operationBuckets },
  });
  const statementDuration = meter.createHistogram('db.client.operation.duration', {
    description: 'Duration of database client operations.',
    unit: 's',
    advice: { explicitBucketBoundaries: statementBuckets },
  });
  const metadataKey = createContextKey(routeKey);
  const metadataOf = (active: Context) => active.getValue(metadataKey) as RequestMetadata | undefined;

  function hasLocalSpan(active: Context): boolean {
    const span = trace.getSpan(active);
    return span !== undefined && !span.spanContext().isRemote;
  }

  return {
    async request({ method, headers, status }, work) {
      const active = context.active();
      // The application already has a span for the request.
      if (hasLocalSpan(active)) return work();
      const known = knownMethods.has(method) ? method : '_OTHER';
      const span = tracer.startSpan(
        known === '_OTHER' ? 'HTTP' : known,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': known } },
        propagation.extract(active, headers),
      );
      const metadata: RequestMetadata = { type: 'http', span };
      const within = trace.setSpan(active, span).setValue(metadataKey, metadata);
      let code = 500;
      try {
        const result = await context.with(within, work);
        code = status();
        return result;
      } finally {
        const { route } = metadata;
        if (route) span.updateName(`${known} ${route}`).setAttribute('http.route', route);
        span.setAttribute('http.response.status_code', code);
        if (code >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', `${code}`);
        span.end();
      }
    },

    operation({ operation, route }, work, codeOf) {
      const metadata = metadataOf(context.active());
      if (metadata?.type === 'http') metadata.route = route;
      const startedAt = performance.now();
      const attributes: Attributes = { 'latchkey.operation': operation };
      return tracer.startActiveSpan(operation, { attributes }, async (span) => {
        let outcome = 'success';
        try {
          return await work();
        } catch (error) {
          const code = codeOf(error);
          outcome = code;
          span.setAttribute('error.type', code);
          if (code === 'internal_error' || code === 'unavailable')
            span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.setAttribute('latchkey.outcome', outcome).end();
          const seconds = (performance.now() - startedAt) / 1000;
          operationDuration.record(seconds, { ...attributes, 'latchkey.outcome': outcome });
        }
      });
    },

    async statement({ operation, summary }, work) {
      const attributes: Attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.summary': summary,
      };
      // Housekeeping and other work outside of a request has no span, so its statements get no spans.
      const span = hasLocalSpan(context.active())
        ? tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes })
        : undefined;
      const startedAt = performance.now();
      try {
        return await work();
      } catch (error) {
        attributes['error.type'] = errorType(error);
        if (isSqlState(attributes['error.type']))
          attributes['db.response.status_code'] = attributes['error.type'];
        span?.setAttributes(attributes).setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span?.end();
        statementDuration.record((performance.now() - startedAt) / 1000, attributes);
      }
    },

    gauge({ name, description, unit }, read) {
      const gauge = meter.createObservableGauge(name, { description, unit });
      const observe: ObservableCallback = (result) => {
        const value = read();
        if (value !== null) result.observe(value);
      };
      gauge.addCallback(observe);
      return () => gauge.removeCallback(observe);
    },
  };
}

/** The methods that OpenTelemetry allows in `http.request.method`. A client can send any other text. */
const knownMethods = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
]);

/** Codes of PostgreSQL, of sockets and of drivers: `23505`, `ECONNREFUSED`, `CONNECTION_CLOSED`. */
const errorCode = /^[0-9A-Z_]{3,40}$/;

const errorType = (error: unknown): string =>
  error instanceof Error && 'code' in error && errorCode.test(`${error.code}`) ? `${error.code}` : '_OTHER';

const isSqlState = (type: string): boolean => /^(?!E)[0-9A-Z]{5}$/.test(type);
