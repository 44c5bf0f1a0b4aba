import { PageHeading } from '../components/page-heading.tsx';
import { T, t } from '../messages/t.tsx';
import { Notice } from '../ui/notice.tsx';
import { CodeStep } from './code-step.tsx';
import { LinkStep } from './link-step.tsx';
import { recoveryObstacle } from './obstacle-words.ts';

interface FirstStepProps {
  token: string | null;
  onForget: () => void;
  /** The recovery session ended before the user added the new passkey. */
  ranOut: boolean;
}

/**
 * Step 1: the user uses a recovery link or a recovery code. If the browser cannot create passkeys, the page offers
 * neither, because the user could not finish the recovery in this browser.
 */
export function FirstStep({ token, onForget, ranOut }: FirstStepProps) {
  const obstacle = recoveryObstacle();
  if (obstacle) {
    return (
      <>
        <PageHeading title={t('recovery.title')} />
        <Notice tone={obstacle.tone} title={obstacle.title}>
          {obstacle.body} {t('recovery.stillWorks', { by: token ? 'link' : 'code' })}
        </Notice>
        <p>
          <a href="/signin">{t('recovery.backToSignIn')}</a>
        </p>
      </>
    );
  }
  return (
    <>
      {ranOut && (
        <Notice tone="warning" title={t('recovery.endedTitle')}>
          <T id="recovery.endedLead" values={{ link: (words) => <a href="/signin">{words}</a> }} />
        </Notice>
      )}
      {token ? <LinkStep token={token} user={null} onForget={onForget} /> : <CodeStep />}
    </>
  );
}
