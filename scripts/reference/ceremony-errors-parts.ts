import { readFileSync } from 'node:fs';
import { code, table } from '../markdown.ts';

/** The causes of each reason. `npm run docs` fails if a reason is missing here. */
const causes: readonly (readonly [reasons: readonly string[], cause: string])[] = [
  [
    ['challenge_unknown'],
    'No secret of this process decrypts the challenge. Usually, two processes have different values of `JWT_SECRET`, or the secret was replaced instead of rotated.',
  ],
  [
    ['challenge_expired'],
    'The user took longer than `PASSKEY_TIMEOUT`, or the clocks of two processes differ.',
  ],
  [['challenge_spent'], 'The request was sent twice.'],
  [['challenge_of_another_browser'], 'The binding cookie is missing or belongs to another browser.'],
  [
    ['challenge_of_another_kind', 'challenge_of_another_user', 'type_mismatch'],
    'The challenge or the response belongs to another kind of ceremony, for example to a sign-up, or to another user.',
  ],
  [['origin_mismatch'], "The page's origin is not in `WEBAUTHN_RP_ORIGIN`."],
  [['rp_id_mismatch'], 'The passkey belongs to another RP id than `WEBAUTHN_RP_ID`.'],
  [['cross_origin'], 'The page runs in an iframe, and a page around it has another origin.'],
  [
    ['user_not_present', 'user_not_verified'],
    'The authenticator did not ask the user, or did not check the fingerprint, face or PIN.',
  ],
  [
    ['credential_unknown'],
    'No account has the passkey, for example because the user removed it or the database was replaced.',
  ],
  [
    ['credential_of_another_user', 'user_handle_missing', 'user_handle_mismatch'],
    'The passkey does not belong to the user who signs in.',
  ],
  [
    [
      'credential_id_mismatch',
      'credential_id_too_long',
      'public_key_unacceptable',
      'attestation_malformed',
      'attestation_not_asked_for',
    ],
    'The authenticator created a credential that the service does not accept.',
  ],
  [
    ['attestation_untrusted'],
    'The attestation does not prove the model of the authenticator: the chain of certificates does not lead to a known root, or a certificate is expired, revoked or of another model.',
  ],
  [['signature_invalid'], 'The private key of the passkey did not sign this response.'],
  [['counter_not_increased'], 'The event is `passkey.clone_suspected`: the passkey was probably copied.'],
  [['backup_eligibility_changed'], 'A device-bound passkey claims to be synced, or the reverse.'],
  [
    ['session_not_by_password'],
    'The browser created a passkey without a prompt, but the user did not sign in with a password.',
  ],
  [['user_disabled'], 'The account is disabled.'],
  [['look_alike'], 'The new username looks like the username of another user, and `lookAlikes` is `refuse`.'],
  [['concurrent_change'], 'The account, the passkey or the session changed during the ceremony.'],
  [
    ['client_data_malformed', 'verification_failed'],
    'The client data is malformed, or another check of the response failed. Browsers do not send such responses.',
  ],
];

/** The generated parts of docs/reference/ceremony-errors.md, by name. */
export function ceremonyErrorsParts(): Record<string, string> {
  const described = new Set(causes.flatMap(([reasons]) => reasons));
  const existing = reasonsInCode();
  const missing = existing.filter((reason) => !described.has(reason));
  const unknown = [...described].filter((reason) => !existing.includes(reason));
  if (missing.length + unknown.length > 0)
    throw new Error(
      `scripts/reference/ceremony-errors-parts.ts: add ${missing.join(', ')}; remove ${unknown.join(', ')}`,
    );
  return {
    reasons: table(
      ['Reason', 'Cause'],
      causes.map(([reasons, cause]) => [reasons.map(code).join(', '), cause]),
    ),
  };
}

/** The members of the type `RefusalReason`. */
function reasonsInCode(): string[] {
  const path = 'src/passkeys/refusal.ts';
  const [, members = ''] = /export type RefusalReason =([^;]*);/.exec(readFileSync(path, 'utf8')) ?? [];
  const reasons = [...members.matchAll(/'(\w+)'/g)].map(([, reason = '']) => reason);
  if (reasons.length === 0) throw new Error(`${path} does not declare the type RefusalReason`);
  return reasons;
}
