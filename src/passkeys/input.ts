import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as v from 'valibot';
import { exactly, shortText } from '../http/input.ts';

// The request body is the bound on their length; the empty text is left to the ceremony to refuse.
const base64url = v.pipe(v.string('expected base64url text'), v.regex(/^[\w-]*$/, 'expected base64url text'));

// Authenticators and browsers keep adding members; what is not known here is ignored, as WebAuthn asks.
const credentialFrame = {
  id: v.pipe(base64url, v.minLength(1, 'expected base64url text')),
  rawId: base64url,
  type: v.string('expected a text'),
  authenticatorAttachment: v.nullish(v.string('expected a text')),
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
const registrationResponse = v.pipe(
  registrationFrame,
  v.transform((value) => value as unknown as RegistrationResponseJSON),
);
const authenticationResponse = v.pipe(
  authenticationFrame,
  v.transform((value) => value as unknown as AuthenticationResponseJSON),
);

export const signUpStart = exactly({
  username: v.string('expected a text'),
  displayName: v.optional(shortText),
});

export const registrationFinish = exactly({
  credential: registrationResponse,
  label: v.optional(shortText),
});

export const loginStart = exactly({ username: v.optional(v.string('expected a text')) });

export const assertionFinish = exactly({ credential: authenticationResponse });

/** One route for both halves of adding: without a credential it starts, with one it finishes. */
export const addPasskey = exactly({
  credential: v.optional(registrationResponse),
  label: v.optional(shortText),
});

export const renaming = exactly({ label: shortText });
