import type { Overview, SuperadminSummary } from 'latchkey';
import type { Check } from './check.ts';

const name = 'Superadmins';

/** Whether the loss of one device could lock everybody out of the service's own administration. */
export function examineSuperadmins({ bootstrap, superadmins }: Overview): Check[] {
  if (bootstrap === 'open') {
    return [
      {
        name,
        level: 'fault',
        message: 'there is none yet',
        why: 'Nobody can invite admins.',
        mend: 'latchkey bootstrap',
      },
    ];
  }
  if (bootstrap === 'unfinished') {
    return [
      {
        name,
        level: 'fault',
        message: 'the first one has not made a passkey yet',
        why: 'Nobody can sign in as superadmin.',
        mend: 'Open the link, or make a new one: latchkey bootstrap --passkey',
      },
    ];
  }
  const active = superadmins.filter(({ status }) => status === 'active');
  if (active.length === 0) {
    return [
      {
        name,
        level: 'fault',
        message: 'none is left that is active',
        why: 'Nobody can invite admins, or help them back in.',
        mend: 'latchkey bootstrap --again',
      },
    ];
  }
  const risky = active.flatMap(riskOf);
  const alone: Check[] =
    active.length > 1
      ? []
      : [
          {
            name,
            level: 'warning',
            message: `${active[0]?.username} is the only one`,
            why: 'Who loses the last superadmin’s way in can only be helped from this terminal.',
            mend: 'Make a second one: latchkey users role <username> superadmin',
          },
        ];
  if (alone.length + risky.length > 0) return [...alone, ...risky];
  return [{ name, level: 'ok', message: active.map(({ username }) => username).join(', ') }];
}

function riskOf({ username, passkeyCount, hasPassword, recoveryCodesRemaining }: SuperadminSummary): Check[] {
  const checks: Check[] = [];
  if (passkeyCount === 1 && !hasPassword) {
    checks.push({
      name,
      level: 'warning',
      message: `${username} has a single passkey`,
      why: 'With that device the way in is lost.',
      mend: 'They add another under Security',
    });
  }
  if (passkeyCount === 0) {
    checks.push({
      name,
      level: 'warning',
      message: `${username} has no passkey`,
      why: 'A password can be given away, guessed and stolen.',
      mend: 'They add one under Security',
    });
  }
  if (recoveryCodesRemaining === 0) {
    checks.push({
      name,
      level: 'warning',
      message: `${username} has no recovery codes`,
      why: 'Without them somebody else has to help them back in.',
      mend: 'They make some under Security',
    });
  }
  return checks;
}
