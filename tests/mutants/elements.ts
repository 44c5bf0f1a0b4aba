import type { Mutant } from './mutant.ts';

const elements = 'tests/browser/elements.test.ts';
const otherUser = 'tests/browser/elements-other-user.test.ts';
const autofill = 'tests/browser/autofill.test.ts';

export default [
  {
    file: 'src/elements/sign-in.ts',
    replace: 'if (failures < mostFailures) await',
    by: 'await',
    breaks: 'The sign-in form offers passkeys endlessly to an authenticator that always fails',
    killedBy: [autofill],
  },
  {
    file: 'src/elements/sign-in.ts',
    replace: "autocomplete: 'username webauthn',",
    by: "autocomplete: 'username',",
    breaks: 'Browsers do not offer passkeys in the suggestions of the username field',
    killedBy: [elements],
  },
  {
    file: 'src/elements/step-up.ts',
    replace: 'this.#question?.answer(false);',
    by: "this.#question?.answer('done');",
    breaks: 'Escape in the step-up dialog counts as a confirmation',
    killedBy: [elements],
  },
  {
    file: 'src/elements/clients.ts',
    replace: 'if (confirmedCount > 0) return',
    by: 'if (confirmedCount < 0) return',
    breaks: 'The removal of a passkey opens a second dialog',
    killedBy: [elements],
  },
  {
    file: 'src/elements/explain.ts',
    replace: "messages.errors[reason ?? ''] ?? own[code]",
    by: 'own[code]',
    breaks: 'The sign-in form does not say that the passkey was removed',
    killedBy: [autofill],
  },
  {
    file: 'src/elements/latchkey-element.ts',
    replace: 'bubbles: true, composed: true',
    by: 'bubbles: false, composed: true',
    breaks: 'A listener on the document does not receive the events of the elements',
    killedBy: [elements],
  },
  {
    file: 'tsup.config.ts',
    replace: "() => ({ path: '../client/index.js', external: true })",
    by: '() => null',
    breaks: 'A page with the elements contains the client twice',
    killedBy: ['tests/package/tarball.test.ts', elements],
  },
  {
    file: 'src/elements/passkeys.ts',
    replace: 'this.#naming.clear();\n    this.#show(null);',
    by: 'this.#naming.clear();',
    breaks: 'The list of passkeys shows those of the previous user until those of the next user have loaded',
    killedBy: [otherUser],
  },
  {
    file: 'src/elements/passkeys.ts',
    replace: "document.visibilityState === 'visible' && void",
    by: "document.visibilityState === 'hidden' && void",
    breaks:
      'The list shows the passkeys of the previous user after another user has signed in in another tab',
    killedBy: [otherUser],
  },
  {
    file: 'src/elements/passkeys.ts',
    replace: 'if (isShown && isSignedOut) this.#passkeys = null;',
    by: '',
    breaks: 'The list shows the passkeys of a user who has signed out in another tab',
    killedBy: [otherUser],
  },
  {
    file: 'src/elements/passkeys.ts',
    replace: 'if (!connection.aborted) await this.reload();\n      return;',
    by: '',
    breaks:
      'The list reports a passkey of the previous user as removed, although the service refused the removal',
    killedBy: [otherUser],
  },
  {
    file: 'src/elements/step-up.ts',
    replace: 'signal, userId: this.#question?.user.id }',
    by: 'signal }',
    breaks: 'A confirmation of the next user runs the action of the previous user',
    killedBy: [otherUser],
  },
  {
    file: 'src/client/step-up.ts',
    replace: '(await readUser())?.id === userId',
    by: 'signal?.aborted !== true',
    breaks: 'A step-up for a user succeeds although another user has confirmed it',
    killedBy: ['tests/client/step-up.test.ts'],
  },
  {
    file: 'examples/server/web/ui/use-dialog-step-up.ts',
    replace: 'auth.stepUp({ signal, userId })',
    by: 'auth.stepUp({ signal })',
    breaks: 'The passkey prompt of a dialog lets the next user run the action of the previous user',
    killedBy: ['tests/browser/step-up-other-user.test.ts'],
  },
  {
    file: 'examples/server/web/typed.ts',
    replace: 'event.composedPath()[0] ?? null',
    by: 'event.target',
    breaks: 'If the session ends, the page discards the name of a passkey that the user is typing',
    killedBy: ['tests/browser/session-ended.test.ts'],
  },
  {
    file: 'src/elements/passkeys.ts',
    replace: 'if (connection.aborted || number < this.#shown) return;',
    by: 'if (connection.aborted) return;',
    breaks: 'A list that was requested before a change shows a removed passkey again',
    killedBy: ['tests/browser/elements-late-answers.test.ts'],
  },
  {
    file: 'src/elements/step-up.ts',
    replace: `      if (signal.aborted) return;
      this.emit(`,
    by: '      this.emit(',
    breaks: 'A step-up that the user canceled answers the next question',
    killedBy: ['tests/browser/elements-late-answers.test.ts'],
  },
  {
    file: 'src/elements/rename-form.ts',
    replace: '() => passkey.label',
    by: 'passkey.label',
    breaks: 'The label of the form shows a name with a replacement pattern wrongly',
    killedBy: ['tests/browser/elements-late-answers.test.ts'],
  },
] satisfies Mutant[];
