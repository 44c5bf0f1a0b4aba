import { createAuthClient, type Passkey, type StepUpAnswer } from 'latchkey/client';

type Question = () => Promise<StepUpAnswer>;

let confirmStepUp: Question = () => Promise.resolve(true);
let tellOfPasskey: (passkey: Passkey) => void = () => {};

/** Lets the page's dialog have a person confirm that it is them; see StepUpDialog. */
export function askBeforeStepUp(question: Question): void {
  confirmStepUp = question;
}

/** Lets the page tell of a passkey that the browser has made by itself; see PasskeyAdded. */
export function onPasskeyAdded(tell: (passkey: Passkey) => void): void {
  tellOfPasskey = tell;
}

/** The one client of this app. */
export const auth = createAuthClient({
  beforeStepUp: () => confirmStepUp(),
  onPasskeyAdded: (passkey) => tellOfPasskey(passkey),
});
