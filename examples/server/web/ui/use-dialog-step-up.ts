import type { StepUpAnswer } from 'latchkey/client';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { auth } from '../auth.ts';

/** The passkey prompt of an open dialog. */
export interface DialogStepUp {
  /** The browser's passkey prompt is open. */
  isWaiting: boolean;
  /** Closes the prompt. The action then fails with `ceremony_canceled`. */
  abort: () => void;
}

/** @param userId the user whose action is running */
type Prompt = (userId: string | undefined) => Promise<StepUpAnswer>;

/** The open dialogs with their prompts. The dialog in front is last. */
const hosts: { dialog: HTMLElement; prompt: Prompt }[] = [];

/**
 * The passkey prompt of the dialog in front, if an action of this dialog is running. The click on the dialog's button
 * already confirmed the action, so a second dialog would only repeat the question. A request in the background, such as
 * that of a list, gets no prompt here, because users must confirm only what they started.
 */
export function promptOfDialog(): Prompt | undefined {
  const front = hosts.at(-1);
  return front?.dialog.querySelector('[aria-busy="true"]') ? front.prompt : undefined;
}

/** Runs the step-up of a dialog’s action inside the dialog. Closing the dialog closes the prompt. */
export function useDialogStepUp(dialog: RefObject<HTMLDialogElement | null>): DialogStepUp {
  const [isWaiting, setWaiting] = useState(false);
  const controller = useRef(new AbortController());

  useLayoutEffect(() => {
    if (!dialog.current) return;
    const prompt: Prompt = async (userId) => {
      controller.current = new AbortController();
      const { signal } = controller.current;
      setWaiting(true);
      try {
        await auth.stepUp({ signal, userId });
        return 'done';
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      } finally {
        setWaiting(false);
      }
    };
    const host = { dialog: dialog.current, prompt };
    hosts.push(host);
    return () => {
      hosts.splice(hosts.indexOf(host), 1);
      controller.current.abort();
    };
  }, [dialog]);

  return { isWaiting, abort: () => controller.current.abort() };
}
