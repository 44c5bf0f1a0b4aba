import type { SecretUse, SecretUses } from 'latchkey';
import { count } from '../words/count.ts';
import type { Check } from './check.ts';

const name = 'Secrets';

/** Service tokens are valid for five minutes. */
const tokenSeconds = 300;

/**
 * Reports what still needs each secret of JWT_SECRET besides the first one, so that the operator knows when a rotation can
 * end. Also reports what a removed secret has made unusable.
 *
 * @param passkeyTimeoutMs how long a passkey ceremony can take
 */
export function examineSecretUses(
  { secrets, removed, auditLogSigned }: SecretUses,
  passkeyTimeoutMs: number,
): Check[] {
  const others = secrets.slice(1).map((use, index): Check => {
    const which = `secret ${index + 2} of ${secrets.length}`;
    const needs = needsOf(use);
    if (needs.length > 0)
      return { name, level: 'ok', message: `keep ${which}, which is needed for ${needs.join('; ')}` };
    const seconds = Math.max(tokenSeconds, Math.ceil(passkeyTimeoutMs / 1000));
    return {
      name,
      level: 'ok',
      message: `nothing in the database needs ${which}. If it is an earlier secret, remove it after all processes have used the first secret for ${seconds} seconds`,
    };
  });
  const checks = secrets.length > 1 && !auditLogSigned ? [...others, unsignedLog] : others;
  const lost = lostWith(removed);
  if (lost.length === 0) return checks;
  return [
    ...checks,
    {
      name,
      level: 'warning',
      message: `a secret that is not in JWT_SECRET is needed for ${lost.join(' and ')}`,
      why: 'They do not work.',
      fix: 'Add the earlier secret at the end of JWT_SECRET. If it leaked or is lost, create recovery links for users without a passkey: latchkey users create-recovery-link <username>',
    },
  ];
}

const unsignedLog: Check = {
  name,
  level: 'warning',
  message: 'the first secret has not signed the audit log yet',
  why: 'Without the other secrets, the service would refuse to continue the audit log.',
  fix: 'Keep all secrets until the next audit event, then run latchkey doctor again',
};

function needsOf({ passwords, recoveryCodes, recoveryCodesExpireAt, webhooks }: SecretUse): string[] {
  const ends =
    recoveryCodesExpireAt === null
      ? 'until the users create new ones'
      : `until ${recoveryCodesExpireAt.slice(0, 10)}, or until the users create new ones`;
  return [
    ...(passwords > 0
      ? [`${count(passwords, 'password')}, each until its user signs in with the password`]
      : []),
    ...(recoveryCodes > 0 ? [`${count(recoveryCodes, 'recovery code')}, ${ends}`] : []),
    ...webhooks.map(
      (webhook) => `the webhook ${webhook}, until \`latchkey webhooks rotate-secret ${webhook}\``,
    ),
  ];
}

/** `examineWebhooks` reports unreadable secrets of webhooks. */
const lostWith = ({ passwords, recoveryCodes }: SecretUse): string[] => [
  ...(passwords > 0 ? [count(passwords, 'password')] : []),
  ...(recoveryCodes > 0 ? [count(recoveryCodes, 'recovery code')] : []),
];
