import { useEffect, useState } from 'preact/hooks';
import { askBeforeStepUp } from '../auth.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Question {
  answer: (goOn: boolean) => void;
}

/** Says why a passkey is wanted again before the prompt comes up. What was interrupted goes on by itself. */
export function StepUpDialog() {
  const [question, setQuestion] = useState<Question | null>(null);

  useEffect(() => {
    askBeforeStepUp(() => new Promise((resolve) => setQuestion({ answer: resolve })));
  }, []);

  if (!question) return null;
  const answer = (goOn: boolean) => {
    setQuestion(null);
    question.answer(goOn);
  };
  return (
    <Dialog
      title="Confirm it’s you"
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button variant="primary" autofocus onClick={() => answer(true)}>
            Use your passkey
          </Button>
        </>
      }
    >
      <p>
        You signed in a while ago. Changes to how you get into your account need your passkey again, so that
        nobody can make them on a device you left unlocked.
      </p>
    </Dialog>
  );
}
