import { createAuthClient } from 'latchkey/client';

type Question = () => Promise<boolean>;

let confirmStepUp: Question = () => Promise.resolve(true);

/** Lets the page's dialog answer whether the passkey prompt may come up; see StepUpDialog. */
export function askBeforeStepUp(question: Question): void {
  confirmStepUp = question;
}

/** The one client of this app. */
export const auth = createAuthClient({ beforeStepUp: () => confirmStepUp() });
