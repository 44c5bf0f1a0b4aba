import { createAuthClient, type Passkey, type StepUpAnswer, type StepUpReason } from 'latchkey/client';

type Question = (reason: StepUpReason) => Promise<StepUpAnswer>;

let confirmStepUp: Question = () => Promise.resolve(true);
let reportPasskey: (passkey: Passkey) => void = () => {};

/** Sets the function that asks the user to confirm their identity. See StepUpDialog. */
export function askBeforeStepUp(question: Question): void {
  confirmStepUp = question;
}

/** Sets the callback for a passkey that the browser added without a prompt. See PasskeyAdded. */
export function onPasskeyAdded(report: (passkey: Passkey) => void): void {
  reportPasskey = report;
}

/** The client that all pages share. */
export const auth = createAuthClient({
  beforeStepUp: (reason) => confirmStepUp(reason),
  onPasskeyAdded: (passkey) => reportPasskey(passkey),
});
