import { createAuthClient, type StepUpAnswer } from 'latchkey/client';

type Question = () => Promise<StepUpAnswer>;

let confirmStepUp: Question = () => Promise.resolve(true);

/** Lets the page's dialog have a person confirm that it is them; see StepUpDialog. */
export function askBeforeStepUp(question: Question): void {
  confirmStepUp = question;
}

/** The one client of this app. */
export const auth = createAuthClient({ beforeStepUp: () => confirmStepUp() });
