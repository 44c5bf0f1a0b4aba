import type { Mutant } from './mutant.ts';

const elements = 'tests/browser/elements.test.ts';
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
] satisfies Mutant[];
