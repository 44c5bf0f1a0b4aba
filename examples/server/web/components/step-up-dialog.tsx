import type { StepUpAnswer } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { askBeforeStepUp } from '../auth.ts';
import { ConfirmItsYou } from './confirm-its-you.tsx';

interface Question {
  answer: (answer: StepUpAnswer) => void;
}

/** Asks the user to confirm their identity when a request requires it. The client then repeats the request. */
export function StepUpDialog() {
  const { state } = useAccount();
  const [question, setQuestion] = useState<Question | null>(null);
  const user = state.status === 'signed-in' ? state.user : null;

  useEffect(() => {
    askBeforeStepUp(() => new Promise((resolve) => setQuestion({ answer: resolve })));
  }, []);

  const answer = (given: StepUpAnswer) => {
    setQuestion(null);
    question?.answer(given);
  };

  useEffect(() => {
    // The session ended while the dialog was open.
    if (question && !user) answer(false);
  });

  return question && user && <ConfirmItsYou user={user} answer={answer} />;
}
