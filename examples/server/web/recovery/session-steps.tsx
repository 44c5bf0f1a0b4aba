import type { Account, Session } from 'latchkey/client';
import { useState } from 'preact/hooks';
import { KeepStep } from './keep-step.tsx';
import { type KeptWays, nothingToKeep } from './kept-ways.ts';
import { PasskeyStep } from './passkey-step.tsx';

interface SessionStepsProps {
  user: Account;
  session: Session;
  /** An operator made the account, and it has never had a way in. */
  isNew: boolean;
}

/** The steps within a recovery session. The answer to the question is kept in memory: a reload asks again. */
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
