import { describe, expect, test } from 'vitest';
import { examples, sha256 } from './support/webauthn-examples.ts';
import digests from './webauthn-digests.json' with { type: 'json' };

const published: Record<string, object> = digests.sha256;
const hash = (bytes: Uint8Array) => sha256(bytes).toString('hex');

describe('the derived examples of WebAuthn Level 3, section 16', () => {
  test('are all examples that the section publishes', () => {
    expect(examples.map(({ name }) => name)).toStrictEqual(Object.keys(published));
  });

  test.each(examples)('have the published bytes ($name)', ({ name, registration, authentication }) => {
    expect({
      registration: {
        clientDataJSON: hash(registration.clientDataJSON),
        attestationObject: hash(registration.attestationObject),
      },
      authentication: {
        clientDataJSON: hash(authentication.clientDataJSON),
        authenticatorData: hash(authentication.authenticatorData),
        signature: hash(authentication.signature),
      },
    }).toStrictEqual(published[name]);
  });
});
