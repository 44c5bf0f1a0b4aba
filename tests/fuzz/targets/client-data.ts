import { assertHolds, type FuzzTarget } from '../fuzz-target.ts';
import { attested, fromBase64url, origin, plain, register, signIn } from '../support/ceremony-inputs.ts';

/** `clientDataJSON` of both ceremonies. The signature of the assertion is valid, whatever the client data is. */
export const clientData: FuzzTarget = {
  name: 'client-data',
  maxBytes: 2048,
  dictionary: [
    '"type":"webauthn.get"',
    '"type":"webauthn.create"',
    `"origin":"${origin}"`,
    '"origin":["https://app.example"]',
    '"crossOrigin":true',
    '"crossOrigin":null',
    '"topOrigin":"https://evil.example"',
    '"tokenBinding":{"status":"supported"}',
    '"__proto__":{}',
    '\ufeff',
    '\\u0000',
    '{',
    '}',
    '[',
    ',',
    ':',
    'null',
  ],
  seeds: () => [
    fromBase64url(plain.registration.response.clientDataJSON),
    fromBase64url(plain.assertion.response.clientDataJSON),
    fromBase64url(attested.registration.response.clientDataJSON),
    Buffer.from(
      '{"challenge":"YQ","origin":"https://app.example","type":"webauthn.get","future":[1,{"a":null}]}',
    ),
  ],
  run: async (input) => {
    const registration = await register({ clientDataJSON: input });
    const assertion = await signIn({ clientDataJSON: input });
    if (registration) assertAllowed(input, 'webauthn.create');
    if (assertion) assertAllowed(input, 'webauthn.get');
  },
};

/** Checks accepted client data without the code of the package. */
function assertAllowed(input: Uint8Array, type: string): void {
  const sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input));
  assertHolds(sent.type === type, `accepted the type ${sent.type} as ${type}`);
  assertHolds(sent.origin === origin, `accepted the origin ${sent.origin}`);
  assertHolds(sent.crossOrigin === undefined || sent.crossOrigin === false, 'accepted another origin');
  assertHolds(sent.topOrigin === undefined, 'accepted a top origin');
}
