import { type ErrorCode, errorTable } from 'latchkey';
import { expect } from 'vitest';

interface AnswerOfAnyKind {
  status: number;
  headers: Headers | Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, wrong ones included
  body: any;
}

const header = ({ headers }: AnswerOfAnyKind, name: string) =>
  headers instanceof Headers ? headers.get(name) : (headers[name.toLowerCase()] ?? null);

/** Expects RFC 9457 problem details, whole and with nothing besides: what one code says, and the given members. */
export function expectProblem(answer: AnswerOfAnyKind, code: ErrorCode, members: object = {}): void {
  const { status, title } = errorTable[code];
  expect(answer.body).toEqual({ type: `urn:latchkey:error:${code}`, title, status, code, ...members });
  expect(answer.status).toBe(status);
  expect(header(answer, 'Content-Type')).toBe('application/problem+json');
  expectUncached(answer);
}

/** Expects what every answer under the prefix carries. */
export function expectUncached(answer: AnswerOfAnyKind): void {
  expect(header(answer, 'Cache-Control')).toBe('no-store');
  expect(header(answer, 'X-Content-Type-Options')).toBe('nosniff');
  expect(header(answer, 'X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
}
