import type { Mutant } from './mutant.ts';

const firstPages = 'tests/browser/first-pages.test.ts';

export default [
  {
    file: 'examples/server/web/activity/choice.ts',
    replace: '  actorId: people.actor,\n',
    by: '',
    breaks: 'The activity of one user shows the events of all users',
    killedBy: ['tests/client/example-administration.test.ts'],
  },
  {
    file: 'examples/server/web/activity/choice.ts',
    replace: 'outcome: choice.outcome || undefined,',
    by: '',
    breaks: 'The filter for refusals shows all events',
    killedBy: ['tests/client/example-administration.test.ts'],
  },
  {
    file: 'examples/server/web/activity/use-events.ts',
    replace: 'return { items: [], nextCursor: null };',
    by: '',
    breaks: 'The filter for an unknown user shows the events of all users',
    killedBy: ['tests/browser/administration.test.ts'],
  },
  {
    file: 'examples/server/web/activity/sentence.ts',
    replace: "if (isReader) return { target: [], whom: 'you' };",
    by: '',
    breaks: 'The activity of an account does not say that an event is about the user',
    killedBy: ['tests/client/example-administration.test.ts'],
  },
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
    file: 'examples/server/web/index.html',
    replace: '<html lang="en">',
    by: '<html>',
    breaks: 'Screen readers do not know the language of the pages',
    killedBy: [firstPages],
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
] satisfies Mutant[];
