import { PageHeading } from '../components/page-heading.tsx';
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
        <PageHeading title="Recover your account" />
        <Notice tone={obstacle.tone} title={obstacle.title}>
          {obstacle.body} Your {token ? 'recovery link' : 'recovery code'} still works there.
        </Notice>
        <p>
          <a href="/signin">Back to sign in</a>
        </p>
      </>
    );
  }
  return (
    <>
      {ranOut && (
        <Notice tone="warning" title="This recovery has ended">
          The recovery was canceled, or it expired. If you have just added a passkey,{' '}
          <a href="/signin">sign in with it</a>. Otherwise, start again with another recovery code or recovery
          link.
        </Notice>
      )}
      {token ? <LinkStep token={token} user={null} onForget={onForget} /> : <CodeStep />}
    </>
  );
}
