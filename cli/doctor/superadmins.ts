import type { Overview, SuperadminSummary } from 'latchkey';
import { type BootstrapReason, bootstrapReasonOf, isActive } from '../bootstrap-reason.ts';
import type { Check } from './check.ts';

type Finding = Required<Pick<Check, 'message' | 'why' | 'fix'>>;

const name = 'Superadmins';

/** Checks whether the loss of one device could leave the service without a working superadmin. */
export function examineSuperadmins(overview: Overview): Check[] {
  const reason = bootstrapReasonOf(overview);
  if (reason !== null) return [{ name, level: 'error', ...missing[reason] }];
  const active = overview.superadmins.filter(isActive);
  const risks = [...(active.length === 1 ? active.map(onlyOne) : []), ...active.flatMap(risksOf)];
  if (risks.length > 0) return risks.map((risk): Check => ({ name, level: 'warning', ...risk }));
  return [{ name, level: 'ok', message: active.map(({ username }) => username).join(', ') }];
}

const missing: Record<BootstrapReason, Finding> = {
  open: {
    message: 'no superadmin exists',
    why: 'No user can invite admins.',
    fix: 'latchkey bootstrap',
  },
  unfinished: {
    message: 'the first superadmin has no passkey yet',
    why: 'The superadmin cannot sign in.',
    fix: 'Open the bootstrap link, or create a new link: latchkey bootstrap --passkey',
  },
  again: {
    message: 'no superadmin is active',
    why: 'No user can invite admins, or create recovery links for them.',
    fix: 'latchkey bootstrap --again',
  },
};

const onlyOne = ({ username }: SuperadminSummary): Finding => ({
  message: `${username} is the only active superadmin`,
  why: 'If this user loses access, only an operator can help.',
  fix: 'Make another user a superadmin: latchkey users change-role <username> superadmin',
});

function risksOf({ username, passkeyCount, recoveryCodesRemaining }: SuperadminSummary): Finding[] {
  const risks: Finding[] = [];
  if (passkeyCount === 1) {
    risks.push({
      message: `${username} has only one passkey`,
      why: 'Without that passkey, the user can act as a superadmin only after account recovery, even with a password.',
      fix: 'Add another passkey on the Security page',
    });
  }
  if (passkeyCount === 0) {
    risks.push({
      message: `${username} has no passkey`,
      why: 'A password that is phished, guessed or stolen gives all rights of a superadmin. As soon as the user has a passkey, a password no longer gives these rights.',
      fix: 'Add a passkey on the Security page, then require passkeys: PRIVILEGED_METHODS=passkey',
    });
  }
  if (recoveryCodesRemaining === 0) {
    risks.push({
      message: `${username} has no recovery codes`,
      why: 'If this user loses access, only another superadmin or an operator can help.',
      fix: 'Create recovery codes on the Security page',
    });
  }
  return risks;
}
