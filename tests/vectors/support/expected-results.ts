import type { TestService } from '../../support/test-service.ts';
import { addQuietly, publishedRegistration, signUpWith, withoutAttestation } from './ceremonies.ts';
import { examples } from './webauthn-examples.ts';

export const registrationFailed = (reason: string) => `400 registration_failed: ${reason}`;
export const signInFailed = (reason: string) => `401 authentication_failed: ${reason}`;

const notRequested = registrationFailed('attestation_not_asked_for');
const unverified = registrationFailed('user_not_verified');
const unsupported = registrationFailed('verification_failed');
const crossOrigin = registrationFailed('cross_origin');
const signInUnverified = signInFailed('user_not_verified');
const signInCrossOrigin = signInFailed('cross_origin');

interface Expected {
  /** The result of a sign-up with the published registration. */
  signUp: string;
  /**
   * The result of a conditional create with the same credential, but without attestation and without an iframe. Absent:
   * the sign-up is accepted.
   */
  quietly?: string;
  /** The result of a sign-in with the published authentication. */
  signIn?: string;
}

/**
 * The service requires user verification, except for a conditional create. Some examples lack the UV flag. The service
 * requests no attestation, so it accepts only `none` and self attestation. It offers ES256, RS256 and EdDSA (Ed25519).
 */
const expected: Record<string, Expected> = {
  'none.ES256': { signUp: unverified, quietly: 'accepted', signIn: signInUnverified },
  'packed-self.ES256': { signUp: 'accepted', signIn: signInUnverified },
  'none.ES256.crossOrigin': { signUp: crossOrigin, quietly: 'accepted', signIn: signInCrossOrigin },
  'none.ES256.topOrigin': { signUp: crossOrigin, quietly: 'accepted', signIn: signInCrossOrigin },
  'none.ES256.long-credential-id': { signUp: unverified, quietly: 'accepted', signIn: 'accepted' },
  'packed.ES256': { signUp: notRequested, quietly: 'accepted', signIn: 'accepted' },
  'packed.ES384': { signUp: notRequested, quietly: unsupported },
  'packed.ES512': { signUp: notRequested, quietly: unsupported },
  'packed.RS256': { signUp: notRequested, quietly: 'accepted', signIn: signInUnverified },
  'packed.EdDSA': { signUp: notRequested, quietly: 'accepted', signIn: signInUnverified },
  'packed.Ed448': { signUp: notRequested, quietly: unsupported },
  'tpm.ES256': { signUp: notRequested, quietly: 'accepted', signIn: 'accepted' },
  'android-key.ES256': { signUp: notRequested, quietly: 'accepted', signIn: signInUnverified },
  'apple.ES256': { signUp: notRequested, quietly: 'accepted', signIn: signInUnverified },
  'fido-u2f.ES256': { signUp: notRequested, quietly: 'accepted', signIn: signInUnverified },
};
/** The examples with their expected results. */
export const cases = examples.map((example) => {
  const results = expected[example.name];
  if (!results) throw new Error(`no expected result for ${example.name}`);
  return { name: example.name, example, ...results };
});

/** The examples whose credential the service can store. */
export const storedCases = cases.flatMap(({ signIn, ...each }) => (signIn ? [{ ...each, signIn }] : []));

/** Stores the credential of an example. Returns the user handle. */
export async function store(service: TestService, { example, signUp }: (typeof storedCases)[number]) {
  const { answer, userHandle } =
    signUp === 'accepted'
      ? await signUpWith(service, example, publishedRegistration(example))
      : await addQuietly(service, example, withoutAttestation(example));
  if (answer.status !== 201) throw new Error(`storing ${example.name} returned ${answer.status}`);
  return userHandle;
}
