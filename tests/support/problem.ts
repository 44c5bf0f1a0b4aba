import { type ErrorCode, errorTable } from 'latchkey';
import { expect } from 'vitest';

interface AnswerOfAnyKind {
  status: number;
  headers: Headers | Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape, including wrong ones
  body: any;
}

const header = ({ headers }: AnswerOfAnyKind, name: string) =>
  headers instanceof Headers ? headers.get(name) : (headers[name.toLowerCase()] ?? null);

/** Returns the RFC 9457 problem details of the code. */
export function problemOf(code: ErrorCode) {
  const { status, title, nextStep } = errorTable[code];
  return { type: `urn:latchkey:error:${code}`, title, status, code, nextStep };
}

/**
 * Expects exactly the RFC 9457 problem details of the code and the given additional properties. The code
 * `not_authenticated` can also have the reason `session_ended`, which `tests/http/session-ended.test.ts` checks.
 */
export function expectProblem(answer: AnswerOfAnyKind, code: ErrorCode, members: object = {}): void {
  const { reason, ...others } = answer.body;
  const isEnded = code === 'not_authenticated' && reason === 'session_ended';
  expect(isEnded ? others : answer.body).toEqual({ ...problemOf(code), ...members });
  expect(answer.status).toBe(errorTable[code].status);
  expect(header(answer, 'Content-Type')).toBe('application/problem+json');
  expectUncached(answer);
}

/** Expects the headers that every response under the prefix has. */
export function expectUncached(answer: AnswerOfAnyKind): void {
  expect(header(answer, 'Cache-Control')).toBe('no-store');
  expect(header(answer, 'X-Content-Type-Options')).toBe('nosniff');
  expect(header(answer, 'X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
}
