/** The formats of attestations with certificates. */
export type CertifiedKind = 'packed' | 'tpm' | 'android-key' | 'android-safetynet' | 'apple' | 'fido-u2f';

/**
 * The attestation of a new passkey (WebAuthn Level 3, 8). `packed-self`: signed with the key of the new credential.
 * `none`: without a signature. The others have certificates of an `attestationAuthority`, and need the algorithm ES256.
 */
export type AttestationKind = 'none' | 'packed-self' | CertifiedKind;
