import type { StepUpAnswer } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { askBeforeStepUp } from '../auth.ts';
import { ConfirmItsYou } from './confirm-its-you.tsx';

interface Question {
  answer: (answer: StepUpAnswer) => void;
}

/** Has a person confirm that it is them, whenever a call asks for it. What was interrupted goes on by itself. */
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
    // The session ended meanwhile: there is nobody to confirm anything.
    if (question && !user) answer(false);
  });

  return question && user && <ConfirmItsYou user={user} answer={answer} />;
}
