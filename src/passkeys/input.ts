import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as v from 'valibot';
import { text } from '../http/input.ts';

// The request body is the bound on their length; the empty text is left to the ceremony to refuse.
const base64url = v.pipe(v.string('expected base64url text'), v.regex(/^[\w-]*$/, 'expected base64url text'));

// Authenticators and browsers keep adding members; what is not known here is ignored, as WebAuthn asks.
const credentialFrame = {
  id: v.pipe(base64url, v.minLength(1, 'expected base64url text')),
  rawId: base64url,
  type: text,
  authenticatorAttachment: v.nullish(text),
  clientExtensionResults: v.optional(v.looseObject({}, 'expected an object'), {}),
};

const transport = v.pipe(v.string(), v.regex(/^[a-z-]{1,32}$/, 'expected the name of a transport'));

const registrationFrame = v.looseObject(
  {
    ...credentialFrame,
    response: v.looseObject(
      {
        clientDataJSON: base64url,
        attestationObject: base64url,
        transports: v.optional(v.pipe(v.array(transport), v.maxLength(16, 'expected at most 16 transports'))),
      },
      'expected an AuthenticatorAttestationResponse as JSON',
    ),
  },
  'expected a RegistrationResponseJSON',
);

const authenticationFrame = v.looseObject(
  {
    ...credentialFrame,
    response: v.looseObject(
      {
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: v.nullish(base64url),
      },
      'expected an AuthenticatorAssertionResponse as JSON',
    ),
  },
  'expected an AuthenticationResponseJSON',
);

// The frames check every member that is read; the library's types also narrow texts that it does not rely on.
export const registrationResponse = v.pipe(
  registrationFrame,
  v.transform((value) => value as unknown as RegistrationResponseJSON),
);
export const authenticationResponse = v.pipe(
  authenticationFrame,
  v.transform((value) => value as unknown as AuthenticationResponseJSON),
);
