import type { Mutant } from './mutant.ts';

const firstPages = 'tests/browser/first-pages.test.ts';

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
  {
    file: 'examples/server/web/organizations/member-picker.tsx',
    replace: 'useUserSearch(typed, !isStale)',
    by: 'useUserSearch(typed, true)',
    breaks: 'Typing the name of a user to invite opens the passkey prompt',
    killedBy: ['tests/browser/organization-invitations.test.ts'],
  },
  {
    file: 'examples/server/web/organizations/use-invite.ts',
    replace: 'left.delete(username);',
    by: 'void username;',
    breaks: 'Users who were invited stay in the field, so that a retry invites them again',
    killedBy: ['tests/browser/organization-invitations.test.ts'],
  },
  {
    file: 'examples/server/web/components/lazy-page.tsx',
    replace: 'const [Page] = useState<ComponentType<Props>>(() => loaded ?? Loading);',
    by: 'const Page = loaded ?? Loading;',
    breaks: 'A page loses the link of a new invitation when the user opens another tab of the page',
    killedBy: ['tests/browser/organization-invitations.test.ts'],
  },
  {
    file: 'examples/server/web/organizations/revoke-dialog.tsx',
    replace: 'await auth.organizations.invitations.create(organizationId, given);',
    by: 'void given;',
    breaks: 'Undoing the revocation of an invitation does nothing',
    killedBy: ['tests/browser/organization-invitations.test.ts'],
  },
] satisfies Mutant[];
