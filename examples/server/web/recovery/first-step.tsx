import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { CodeStep } from './code-step.tsx';
import { LinkStep } from './link-step.tsx';
import { recoveryObstacle } from './obstacle-words.ts';

interface FirstStepProps {
  token: string | null;
  onForget: () => void;
  /** The recovery session ended before the new passkey was made. */
  ranOut: boolean;
}

/** Step 1: use the link that led here, or a code. A browser that cannot make passkeys uses neither. */
export function FirstStep({ token, onForget, ranOut }: FirstStepProps) {
  const obstacle = recoveryObstacle();
  if (obstacle) {
    return (
      <>
        <PageHeading title="Recover your account" />
        <Notice tone={obstacle.tone} title={obstacle.title}>
          {obstacle.body} Your {token ? 'link' : 'recovery code'} is still unused and works there.
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
          It was canceled or it expired. If you’ve just made a passkey, <a href="/signin">sign in with it</a>.
          Otherwise, start again with another code or link.
        </Notice>
      )}
      {token ? <LinkStep token={token} user={null} onForget={onForget} /> : <CodeStep />}
    </>
  );
}
