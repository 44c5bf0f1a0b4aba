import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as v from 'valibot';
import { bounds } from '../core/bounds.ts';
import { text } from '../http/input.ts';
import { id, time } from '../http/resource.ts';
import type { NewlyAddedPasskey, Passkey } from '../passkeys/passkey.ts';

// There is no maximum length, because the request body is limited. The ceremony rejects empty values.
const base64url = v.pipe(v.string('expected base64url text'), v.regex(/^[\w-]*$/, 'expected base64url text'));

// Unknown properties are ignored, because new versions of authenticators and browsers add properties.
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
        transports: v.optional(
          v.pipe(
            v.array(transport),
            v.maxLength(bounds.transports, `expected at most ${bounds.transports} transports`),
          ),
        ),
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

// The schemas check every property that the code reads. The types of SimpleWebAuthn are stricter about the other
// properties, so a cast is necessary.
export const registrationResponse = v.pipe(
  registrationFrame,
  v.transform((value) => value as unknown as RegistrationResponseJSON),
);
export const authenticationResponse = v.pipe(
  authenticationFrame,
  v.transform((value) => value as unknown as AuthenticationResponseJSON),
);

export const passkeyResource = v.object({
  id,
  label: v.string(),
  provider: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The name of the passkey provider with this AAGUID. Null: unknown. Only a claim if `attested` is false.',
    ),
  ),
  aaguid: v.pipe(v.string(), v.description('Identifies the model of the authenticator.')),
  attested: v.pipe(
    v.boolean(),
    v.description(
      'Whether an attestation proves the model. If false, the browser only claims `aaguid` and `provider`.',
    ),
  ),
  transports: v.pipe(
    v.array(v.string()),
    v.description('How browsers reach the authenticator, for example `internal`, `hybrid` or `usb`.'),
  ),
  backupEligible: v.pipe(
    v.boolean(),
    v.description('Whether the passkey can be synced to other devices (WebAuthn flag BE).'),
  ),
  backedUp: v.pipe(
    v.boolean(),
    v.description(
      'Whether the passkey was synced (WebAuthn flag BS). Each use of the passkey updates this value.',
    ),
  ),
  createdAt: time,
  lastUsedAt: v.nullable(time),
  lastUsedIp: v.pipe(v.nullable(v.string()), v.description('The IP address of the last use.')),
  lastUsedUserAgent: v.pipe(v.nullable(v.string()), v.description('The browser of the last use.')),
  current: v.pipe(
    v.boolean(),
    v.description('Whether the user last authenticated with this passkey in the session of the request.'),
  ),
}) satisfies v.GenericSchema<Passkey>;

export const newPasskeyResource = v.object({
  ...passkeyResource.entries,
  hasDefaultLabel: v.pipe(
    v.boolean(),
    v.description(
      'Whether the service chose the label, because the request had none. The label is the name of the provider, of the device or of the kind of authenticator. A page can then offer to name the passkey.',
    ),
  ),
}) satisfies v.GenericSchema<NewlyAddedPasskey>;

const base64urlText = v.string();
const type = v.literal('public-key');
const milliseconds = v.pipe(v.number(), v.integer());
const extensions = v.optional(v.record(v.string(), v.unknown()));
const descriptor = v.object({ id: base64urlText, type, transports: v.optional(v.array(v.string())) });

/** The properties of PublicKeyCredentialCreationOptionsJSON (WebAuthn Level 3, 5.1.8) that the service sends. */
export const creationOptionsResource = v.object({
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: base64urlText, name: v.string(), displayName: v.string() }),
  challenge: base64urlText,
  pubKeyCredParams: v.array(v.object({ type, alg: v.pipe(v.number(), v.integer()) })),
  timeout: milliseconds,
  excludeCredentials: v.array(descriptor),
  authenticatorSelection: v.object({
    residentKey: v.string(),
    requireResidentKey: v.boolean(),
    userVerification: v.string(),
  }),
  attestation: v.string(),
  hints: v.array(v.string()),
  extensions,
});

/** The properties of PublicKeyCredentialRequestOptionsJSON (WebAuthn Level 3, 5.1.9) that the service sends. */
export const requestOptionsResource = v.object({
  challenge: base64urlText,
  rpId: v.string(),
  timeout: milliseconds,
  allowCredentials: v.array(descriptor),
  userVerification: v.string(),
  extensions,
});

export const creationOptions = v.object({ options: creationOptionsResource });
export const requestOptions = v.object({ options: requestOptionsResource });
