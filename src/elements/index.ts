export type { LatchkeyEvents, LatchkeyFailure, PasskeysChange } from './events.ts';
export { type ErrorText, type ErrorTexts, en, type Messages } from './messages/en.ts';
export { addMessages } from './messages/languages.ts';
export { LatchkeyPasskeys } from './passkeys.ts';
export { LatchkeySignIn } from './sign-in.ts';
export { LatchkeySignUp } from './sign-up.ts';
export { LatchkeyStepUp } from './step-up.ts';
