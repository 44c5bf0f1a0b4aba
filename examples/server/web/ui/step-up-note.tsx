import { FingerprintPattern } from 'lucide-static';
import { useAccount } from '../account.tsx';
import { formatRelative } from '../dates.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';

/** The default of REAUTHENTICATION_WINDOW. The pages do not know the configured value, so the note says "may". */
const recentMs = 600_000;

/** Why the next action asks for the passkey. */
type StepUpNext = { reason: 'password' } | { reason: 'age'; authenticatedAt: string };

/**
 * Whether an action that needs a recent authentication will ask for the passkey. This is only a hint, because the
 * service decides.
 *
 * @param isAsked whether the action needs a recent authentication
 */
export function useStepUpNext(isAsked: boolean, now = Date.now()): StepUpNext | null {
  const { state } = useAccount();
  if (!isAsked || state.status !== 'signed-in' || state.user.passkeyCount === 0) return null;
  const { method, authenticatedAt } = state.session;
  if (method === 'password') return { reason: 'password' };
  const isFresh = now - Date.parse(authenticatedAt) < recentMs;
  return isFresh ? null : { reason: 'age', authenticatedAt };
}

/** Says before the click that the passkey prompt comes next. */
export const StepUpNote = ({ next }: { next: StepUpNext }) => (
  <p class="step-up-status">
    <Icon of={FingerprintPattern} />
    {next.reason === 'password'
      ? t('entrance.passkeyNextForPassword')
      : t('entrance.passkeyNextForAge', { time: formatRelative(next.authenticatedAt) })}
  </p>
);
