import { passkeyObstacle, type StepUpAnswer, type StepUpReason } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { useAccount } from '../account.tsx';
import { askBeforeStepUp } from '../auth.ts';
import { loadScript } from '../load-script.ts';
import { promptOfDialog } from '../ui/use-dialog-step-up.ts';
import type { ConfirmItsYou } from './confirm-its-you.tsx';

interface Question {
  /** The user whose request waits for the answer. */
  userId: string | undefined;
  reason: StepUpReason;
  answer: (answer: StepUpAnswer) => void;
  Dialog: typeof ConfirmItsYou;
}

/**
 * Asks the user to confirm their identity when a request requires it. The client then repeats the request. If a dialog
 * started the request, the passkey prompt opens at once, because the user has just confirmed the action there.
 */
export function StepUpDialog() {
  const { state, refresh } = useAccount();
  const [question, setQuestion] = useState<Question | null>(null);
  const user = state.status === 'signed-in' ? state.user : null;
  const userId = user?.id;
  const hasPasskey = user !== null && user.passkeyCount > 0;

  useEffect(() => {
    askBeforeStepUp(async (reason) => {
      // The user may have added the first passkey in another browser.
      if (reason === 'passkey_required') void refresh();
      const prompt = hasPasskey && !passkeyObstacle() ? promptOfDialog() : undefined;
      if (prompt) return prompt(userId);
      const { ConfirmItsYou } = await loadScript(() => import('./confirm-its-you.tsx'), false);
      return new Promise((resolve) =>
        setQuestion({ userId, reason, answer: resolve, Dialog: ConfirmItsYou }),
      );
    });
  }, [refresh, hasPasskey, userId]);

  const answer = (given: StepUpAnswer) => {
    // A step-up that the user canceled can still succeed, after a later request has asked another question.
    setQuestion((open) => (open === question ? null : open));
    question?.answer(given);
    // The session now has another method of authentication.
    if (given === 'done' && question?.reason === 'passkey_required') void refresh();
  };

  useEffect(() => {
    // The session ended, or another user signed in. The request must not run as that user.
    if (question && question.userId !== userId) answer(false);
  });

  return (
    question &&
    user &&
    question.userId === userId && <question.Dialog user={user} reason={question.reason} answer={answer} />
  );
}
