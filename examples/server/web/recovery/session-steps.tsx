import type { Account, Session } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { KeepStep } from './keep-step.tsx';
import { type KeptWays, nothingToKeep } from './kept-ways.ts';
import { PasskeyStep } from './passkey-step.tsx';

interface SessionStepsProps {
  user: Account;
  session: Session;
  /** An operator created the account, which has no passkey and no password yet. */
  isNew: boolean;
}

/** Steps 2 and 3. The choice of step 2 is only in memory, so a reload shows step 2 again. */
export function SessionSteps({ user, session, isNew }: SessionStepsProps) {
  const [answered, setAnswered] = useState<KeptWays | null>(null);
  const [isAsking, setAsking] = useState(true);
  if (isNew) return <PasskeyStep user={user} session={session} kept={nothingToKeep} onBack={null} />;
  if (answered === null || isAsking) {
    const onAnswer = (kept: KeptWays) => {
      setAnswered(kept);
      setAsking(false);
    };
    return <KeepStep user={user} session={session} answered={answered} onAnswer={onAnswer} />;
  }
  return <PasskeyStep user={user} session={session} kept={answered} onBack={() => setAsking(true)} />;
}
