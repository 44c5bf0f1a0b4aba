import type { AuthenticatorMetadataState, AuthenticatorReport } from 'latchkey';
import { count } from '../words/count.ts';
import type { Check } from './check.ts';

/** Reports users whom the policy for authenticators excludes, and metadata that is out of date. */
export const examineAuthenticators = (
  report: AuthenticatorReport,
  metadata: AuthenticatorMetadataState | null,
): Check[] => [...examineMetadata(metadata), ...examinePolicy(report)];

function examineMetadata(metadata: AuthenticatorMetadataState | null): Check[] {
  if (metadata === null) return [];
  const { models, number, nextUpdate, isStale, fault } = metadata;
  const name = 'Authenticator metadata';
  const why = 'The service cannot prove models with it, and does not know about new security problems.';
  if (number === null)
    return [
      {
        name,
        level: 'error',
        message: `the metadata cannot be read: ${fault ?? 'no answer within five seconds'}`,
        why,
        fix: 'Correct AUTHENTICATOR_METADATA, or check that this machine can reach the URL.',
      },
    ];
  if (isStale)
    return [
      {
        name,
        level: 'warning',
        message: `the metadata should have been replaced on ${nextUpdate}`,
        why: 'The service does not know about newer security problems of models.',
        fix: 'Download the current metadata, or check that this machine can reach the URL.',
      },
    ];
  return [{ name, level: 'ok', message: `number ${number} with ${models} models, until ${nextUpdate}` }];
}

function examinePolicy({ total, shutOut, checkSignIns }: AuthenticatorReport): Check[] {
  if (total === 0) return [];
  const isLocked = checkSignIns && shutOut > 0;
  return [
    {
      name: 'Authenticators',
      level: isLocked ? 'error' : 'warning',
      message: `${count(total, 'user')} with passkeys that the option authenticators excludes; ${isLocked ? `${shutOut} of them cannot sign in` : `with checkSignIns, ${shutOut} of them could not sign in`}`,
      why: 'The option applies to new passkeys. With checkSignIns, it also applies to sign-ins.',
      fix: 'List them with: latchkey policy test',
    },
  ];
}
