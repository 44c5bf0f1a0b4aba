import type { StepUpAnswer } from 'latchkey/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';

/** The passkey prompt of an open dialog. */
export interface DialogStepUp {
  /** The browser's passkey prompt is open. */
  isWaiting: boolean;
  /** Closes the prompt. The action then fails with `ceremony_canceled`. */
  abort: () => void;
}

type Prompt = () => Promise<StepUpAnswer>;

/** The prompts of the open dialogs. The dialog in front is last. */
const prompts: Prompt[] = [];

/**
 * The passkey prompt of the dialog in front. Undefined if no dialog is open. A step-up that starts in a dialog uses this
 * prompt: the click on the dialog's button already confirmed the action, so a second dialog would only repeat it.
 */
export const promptOfDialog = (): Prompt | undefined => prompts.at(-1);

/** Lets the step-up of an action in a dialog run inside this dialog. Closing the dialog closes the prompt. */
export function useDialogStepUp(): DialogStepUp {
  const [isWaiting, setWaiting] = useState(false);
  const controller = useRef(new AbortController());

  useLayoutEffect(() => {
    const prompt: Prompt = async () => {
      controller.current = new AbortController();
      const { signal } = controller.current;
      setWaiting(true);
      try {
        await auth.stepUp({ signal });
        return 'done';
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      } finally {
        setWaiting(false);
      }
    };
    prompts.push(prompt);
    return () => {
      prompts.splice(prompts.indexOf(prompt), 1);
      controller.current.abort();
    };
  }, []);

  return { isWaiting, abort: () => controller.current.abort() };
}
