import type { Mutant } from './mutant.ts';

const firstPages = 'tests/browser/first-pages.test.ts';
const languages = 'tests/browser/languages.test.ts';

export default [
  {
    file: 'examples/server/web/styles/tokens.css',
    replace: '--ink-3: light-dark(#58645e, #9dada5);',
    by: '--ink-3: light-dark(#58645e, #4a524e);',
    breaks: 'Faint text has too little contrast in dark colors',
    killedBy: [firstPages],
  },
  {
    file: 'examples/server/web/styles/tokens.css',
    replace: '--ink-3: light-dark(#58645e, #9dada5);',
    by: '--ink-3: light-dark(#b2b8b3, #9dada5);',
    breaks: 'Faint text has too little contrast in light colors',
    killedBy: [firstPages],
  },
  {
    file: 'examples/server/web/messages/preference.ts',
    replace: 'document.documentElement.lang = language;',
    by: '',
    breaks: 'Screen readers read German pages as English',
    killedBy: [languages],
  },
  {
    file: 'examples/server/web/messages/language.ts',
    replace: "await show('en');",
    by: '',
    breaks:
      'The page stays empty if the messages of a language cannot be loaded, or declares the wrong language',
    killedBy: [languages],
  },
  {
    file: 'examples/server/web/before-paint.ts',
    replace: 'document.head.append(link);',
    by: '',
    breaks: 'The messages of other languages are loaded only after the script of the pages',
    killedBy: [languages],
  },
  {
    file: 'examples/server/web/messages/text.ts',
    replace: "typeof content === 'string' && content in Object.prototype ? 'other' : content",
    by: 'content',
    breaks: 'A page fails if a value such as the name of a role is the name of a property of all objects',
    killedBy: ['tests/client/example-messages.test.ts'],
  },
  {
    file: 'examples/server/web/messages/link-en.ts',
    replace: '  recovery,\n',
    by: '',
    breaks: 'The pages of account recovery show keys instead of messages',
    killedBy: ['tests/client/example-recovery.test.ts', 'tests/client/example-texts.test.ts'],
  },
  {
    file: 'examples/server/web/styles/base.css',
    replace: 'overflow-wrap: anywhere;',
    by: '',
    breaks: 'A long name makes a page wider than a phone',
    killedBy: ['tests/browser/extremes.test.ts'],
  },
  {
    file: 'examples/server/web/ui/use-dialog-step-up.ts',
    replace: 'await auth.stepUp({ signal });',
    by: 'await auth.stepUp();',
    breaks: 'Cancel does not close the passkey prompt of a dialog',
    killedBy: ['tests/browser/step-up-dialog.test.ts'],
  },
  {
    file: 'examples/server/web/ui/use-dialog-step-up.ts',
    replace: 'if (signal.aborted) return false;',
    by: "if (signal.aborted) return 'done';",
    breaks: 'A canceled passkey prompt does not cancel the action',
    killedBy: ['tests/browser/step-up-dialog.test.ts'],
  },
  {
    file: 'examples/server/web/components/step-up-dialog.tsx',
    replace: 'const prompt = hasPasskey && !passkeyObstacle() ? promptOfDialog() : undefined;',
    by: 'const prompt = promptOfDialog();',
    breaks: 'A user without a passkey gets a passkey prompt instead of the password field',
    killedBy: ['tests/browser/step-up-dialog.test.ts'],
  },
  {
    file: 'examples/server/web/ui/dialog.css',
    replace: 'body:has(.dialog--front[open]) .dialog:not(.dialog--front),\n',
    by: '',
    breaks: 'The dialog behind another dialog is visible',
    killedBy: ['tests/browser/step-up-dialog.test.ts'],
  },
  {
    file: 'examples/server/web/ui/use-dialog-step-up.ts',
    replace: 'return front?.dialog.querySelector(\'[aria-busy="true"]\') ? front.prompt : undefined;',
    by: 'return front?.prompt;',
    breaks: 'A request in the background opens a passkey prompt in a dialog',
    killedBy: ['tests/browser/step-up-dialog.test.ts'],
  },
  {
    file: 'examples/server/web/users/csv-file.ts',
    replace: "const text = startsFormula.test(value) ? `'${inner}` : inner;",
    by: 'const text = inner;',
    breaks: 'A spreadsheet runs a display name as a formula',
    killedBy: ['tests/client/example-users.test.ts'],
  },
  {
    file: 'examples/server/web/users/csv-file.ts',
    replace: 'value.replace(innerFormula, "\'$&")',
    by: 'value',
    breaks: 'A spreadsheet runs a formula after a semicolon in a display name',
    killedBy: ['tests/client/example-users.test.ts'],
  },
  {
    file: 'examples/server/web/person/sign-in-state.ts',
    replace: "if (user.status === 'disabled') return { kind: 'disabled' };",
    by: '',
    breaks: 'The page of a disabled user does not say that the user is disabled',
    killedBy: ['tests/client/example-users.test.ts'],
  },
  {
    file: 'examples/server/web/users/users-query.ts',
    replace: 'page: isLater ? page : 1,',
    by: 'page,',
    breaks: 'The list of users shows the first page under the number of another page',
    killedBy: ['tests/client/example-users.test.ts'],
  },
] satisfies Mutant[];
