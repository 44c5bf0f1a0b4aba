import { LatchkeyPasskeys } from './passkeys.ts';
import { LatchkeySignIn } from './sign-in.ts';
import { LatchkeySignUp } from './sign-up.ts';
import { LatchkeyStepUp } from './step-up.ts';

export type { LatchkeyEvents, LatchkeyFailure, PasskeysChange } from './events.ts';
export { type ErrorText, type ErrorTexts, en, type Messages } from './messages/en.ts';
export { addMessages } from './messages/languages.ts';
export { LatchkeyPasskeys, LatchkeySignIn, LatchkeySignUp, LatchkeyStepUp };

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-passkeys': LatchkeyPasskeys;
    'latchkey-sign-in': LatchkeySignIn;
    'latchkey-sign-up': LatchkeySignUp;
    'latchkey-step-up': LatchkeyStepUp;
  }
}

const elements = {
  'latchkey-passkeys': LatchkeyPasskeys,
  'latchkey-sign-in': LatchkeySignIn,
  'latchkey-sign-up': LatchkeySignUp,
  'latchkey-step-up': LatchkeyStepUp,
};

// A server has no registry. A page can contain the script twice.
for (const [name, element] of Object.entries(elements))
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, element);
