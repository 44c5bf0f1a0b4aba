import { AuthError, type ErrorCode, errorTable } from 'latchkey';
import type { ServiceErrorCode } from 'latchkey/client';
import { describe, expect, expectTypeOf, test } from 'vitest';

const codes = Object.keys(errorTable) as ErrorCode[];

describe('an AuthError', () => {
  test('has the status, the title and the next step of its code', () => {
    for (const code of codes) {
      const { status, title, nextStep } = errorTable[code];
      expect(new AuthError(code)).toMatchObject({
        name: 'AuthError',
        code,
        status,
        message: title,
        nextStep,
      });
    }
  });

  test('can have another message', () => {
    expect(new AuthError('not_found', { message: 'No such file.' }).message).toBe('No such file.');
  });

  // Koa sends the message to the client only if `expose` is true.
  test('exposes its message, unless a bug in the service caused it', () => {
    expect(codes.filter((code) => !new AuthError(code).expose)).toEqual(['internal_error']);
  });

  test('says when to retry only if the service is unavailable', () => {
    const withHeaders = codes.filter((code) => Object.keys(new AuthError(code).headers).length > 0);
    expect(withHeaders).toEqual(['unavailable']);
    expect(new AuthError('unavailable').headers).toEqual({ 'Retry-After': '1' });
  });
});

test('every error code has an error status', () => {
  expect(codes.filter((code) => errorTable[code].status < 400 || errorTable[code].status > 599)).toEqual([]);
});

test('the browser client knows exactly the codes that its calls can return', () => {
  expectTypeOf<Exclude<ServiceErrorCode, ErrorCode>>().toBeNever();
  expectTypeOf<Exclude<ErrorCode, ServiceErrorCode>>().toEqualTypeOf<
    | 'already_bootstrapped'
    | 'body_too_large'
    | 'feature_disabled'
    | 'method_not_allowed'
    | 'request_timeout'
    | 'unsupported_media_type'
  >();
});
