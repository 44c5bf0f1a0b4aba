import { explain } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import type { FailedInvitation } from './invite-users.ts';
import { memberWords } from './member-words.ts';

interface InviteFailuresProps {
  error: unknown;
  failures: readonly FailedInvitation[];
}

/** Explains why users were not invited. */
export function InviteFailures({ error, failures }: InviteFailuresProps) {
  const words = memberWords();
  const [first, ...others] = failures;
  return (
    <>
      {first && others.length === 0 && <ErrorNotice error={first.error} words={words} />}
      {others.length > 0 && (
        <Notice tone="warning" title={t('organizations.notInvited', { count: failures.length })}>
          {failures.map(({ username, error: failure }) => (
            <span class="invite-failure" key={username}>
              {t('organizations.notInvitedReason', { username, reason: explain(failure, words).title })}
            </span>
          ))}
        </Notice>
      )}
      <ErrorNotice error={error} words={words} />
    </>
  );
}
