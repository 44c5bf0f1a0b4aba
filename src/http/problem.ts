import type { ServerResponse } from 'node:http';
import { bounds } from '../core/bounds.ts';
import { AuthError, errorTable } from '../core/errors.ts';

/** The body of an error response: problem details (RFC 9457). */
export interface ProblemDetails {
  /** `urn:latchkey:error:`, then the code. */
  type: string;
  /** What happened. */
  title: string;
  status: number;
  /** The stable name of the error, for comparisons in code. */
  code: AuthError['code'];
  /** What to do next. Safe to show to users. */
  nextStep: string;
  /** A message about this occurrence of the error, safe to show to users. */
  detail?: string;
  /** A stable name that is more specific than the code. */
  reason?: string;
  /** The invalid values of the request, but not more than the first 20. */
  errors?: AuthError['errors'];
}

/** An error response: what the router sends for an `AuthError`. */
export interface Problem {
  status: number;
  headers: Record<string, string>;
  /** Send it as JSON. `headers` contains the Content-Type. */
  body: ProblemDetails;
}

/**
 * Returns the error response for an `AuthError`, the same that the router sends. Returns null for every other error,
 * because only the application knows what its errors mean.
 *
 * @example
 * fastify.setErrorHandler((error, request, reply) => {
 *   const problem = problemOf(error);
 *   if (!problem) return reply.send(error);
 *   return reply.code(problem.status).headers(problem.headers).send(JSON.stringify(problem.body));
 * });
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function problemOf(error: unknown): Problem | null {
  if (!(error instanceof AuthError)) return null;
  const { title } = errorTable[error.code];
  const body: ProblemDetails = {
    type: `urn:latchkey:error:${error.code}`,
    title,
    status: error.status,
    code: error.code,
    nextStep: error.nextStep,
    ...(error.message !== title && { detail: error.message }),
    ...(error.reason && { reason: error.reason }),
    ...(error.errors && { errors: error.errors.slice(0, bounds.faults) }),
  };
  const headers = { ...error.headers, ...outOfCaches, 'Content-Type': 'application/problem+json' };
  return { status: error.status, headers, body };
}

/** The headers that keep a response out of caches, and its body out of HTML pages. */
export const outOfCaches = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * Returns the error response for an `AuthError` as a Fetch API `Response`. Returns null for every other error.
 *
 * @example
 * app.onError((error) => problemResponse(error) ?? new Response('Internal Server Error', { status: 500 })); // Hono
 */
export function problemResponse(error: unknown): Response | null {
  const problem = problemOf(error);
  if (!problem) return null;
  const { status, headers, body } = problem;
  return new Response(JSON.stringify(body), { status, headers: withoutConnection(new Headers(headers)) });
}

/** Removes the header `Connection`, because HTTP/2 does not allow it, and the server manages its own connections. */
export function withoutConnection(headers: Headers): Headers {
  headers.delete('Connection');
  return headers;
}

/**
 * Sends the error response for an `AuthError` with Express or `node:http`.
 *
 * @returns false if it has sent nothing: the error is not an `AuthError`, or the response has already started
 * @example
 * app.use((error, request, response, next) => {
 *   if (!sendProblem(error, response)) next(error);
 * });
 */
export function sendProblem(error: unknown, response: ServerResponse): boolean {
  const problem = problemOf(error);
  if (!problem || response.headersSent) return false;
  const { status, headers, body } = problem;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(JSON.stringify(body));
  return true;
}
