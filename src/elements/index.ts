export type { LatchkeyEvents, LatchkeyFailure, PasskeyAction, PasskeysChange } from './events.ts';
export { en, type Messages } from './messages/en.ts';
export type { ErrorText, ErrorTexts } from './messages/error-texts.ts';
export { addMessages } from './messages/languages.ts';
export { LatchkeyPasskeys } from './passkeys.ts';
export { LatchkeySignIn } from './sign-in.ts';
export { LatchkeySignUp } from './sign-up.ts';
export { LatchkeyStepUp } from './step-up.ts';
