import { createAuthClient, type Passkey, type StepUpAnswer } from 'latchkey/client';

type Question = () => Promise<StepUpAnswer>;

let confirmStepUp: Question = () => Promise.resolve(true);
let reportPasskey: (passkey: Passkey) => void = () => {};

/** Sets the dialog that asks the user to confirm their identity; see StepUpDialog. */
export function askBeforeStepUp(question: Question): void {
  confirmStepUp = question;
}

/** Sets the callback for a passkey that the browser made automatically; see PasskeyAdded. */
export function onPasskeyAdded(report: (passkey: Passkey) => void): void {
  reportPasskey = report;
}

/** The only client of this app. */
export const auth = createAuthClient({
  beforeStepUp: () => confirmStepUp(),
  onPasskeyAdded: (passkey) => reportPasskey(passkey),
});
