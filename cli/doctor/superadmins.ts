import type { Overview, SuperadminSummary } from 'latchkey';
import { isActive, type Opening, openingOf } from '../opening.ts';
import type { Check } from './check.ts';

type Finding = Required<Pick<Check, 'message' | 'why' | 'mend'>>;

const name = 'Superadmins';

/** Whether the loss of one device could lock everybody out of the service's own administration. */
export function examineSuperadmins(overview: Overview): Check[] {
  const opening = openingOf(overview);
  if (opening !== null) return [{ name, level: 'fault', ...missing[opening] }];
  const active = overview.superadmins.filter(isActive);
  const risks = [...(active.length === 1 ? active.map(alone) : []), ...active.flatMap(risksOf)];
  if (risks.length > 0) return risks.map((risk): Check => ({ name, level: 'warning', ...risk }));
  return [{ name, level: 'ok', message: active.map(({ username }) => username).join(', ') }];
}

const missing: Record<Opening, Finding> = {
  open: {
    message: 'there is none yet',
    why: 'Nobody can invite admins.',
    mend: 'latchkey bootstrap',
  },
  unfinished: {
    message: 'the first one has not made a passkey yet',
    why: 'Nobody can sign in as superadmin.',
    mend: 'Open the link, or make a new one: latchkey bootstrap --passkey',
  },
  again: {
    message: 'none is left that is active',
    why: 'Nobody can invite admins, or help them back in.',
    mend: 'latchkey bootstrap --again',
  },
};

const alone = ({ username }: SuperadminSummary): Finding => ({
  message: `${username} is the only one`,
  why: 'Who loses the last superadmin’s way in can only be helped from this terminal.',
  mend: 'Make a second one: latchkey users role <username> superadmin',
});

function risksOf({
  username,
  passkeyCount,
  hasPassword,
  recoveryCodesRemaining,
}: SuperadminSummary): Finding[] {
  const risks: Finding[] = [];
  if (passkeyCount === 1 && !hasPassword) {
    risks.push({
      message: `${username} has a single passkey`,
      why: 'With that device the way in is lost.',
      mend: 'They add another under Security',
    });
  }
  if (passkeyCount === 0) {
    risks.push({
      message: `${username} has no passkey`,
      why: 'A password can be given away, guessed and stolen.',
      mend: 'They add one under Security',
    });
  }
  if (recoveryCodesRemaining === 0) {
    risks.push({
      message: `${username} has no recovery codes`,
      why: 'Without them somebody else has to help them back in.',
      mend: 'They make some under Security',
    });
  }
  return risks;
}
