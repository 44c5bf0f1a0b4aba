import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { CodeStep } from './code-step.tsx';
import { LinkStep } from './link-step.tsx';
import { recoveryObstacle } from './obstacle-words.ts';

interface FirstStepProps {
  token: string | null;
  onForget: () => void;
  /** The session of an earlier try has ended before its passkey was made. */
  ranOut: boolean;
}

/** Step 1: a link, where one led here; else a code. Neither is asked for where it would be spent in vain. */
export function FirstStep({ token, onForget, ranOut }: FirstStepProps) {
  const obstacle = recoveryObstacle();
  if (obstacle) {
    return (
      <>
        <PageHeading title="Recover your account" />
        <Notice tone={obstacle.tone} title={obstacle.title}>
          {obstacle.body} Your {token ? 'link' : 'recovery code'} hasn’t been used: it works there.
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
          It has to be finished within an hour. If you’ve just made a passkey, try{' '}
          <a href="/signin">signing in with it</a>; else start again with another code or link.
        </Notice>
      )}
      {token ? <LinkStep token={token} user={null} onForget={onForget} /> : <CodeStep />}
    </>
  );
}
