import { define } from './define.ts';
import { type Child, h } from './dom.ts';
import { hasErrorCode } from './explain.ts';
import { form, submitButton } from './form.ts';
import { LatchkeyElement } from './latchkey-element.ts';
import { field } from './parts.ts';

/** After this many failures, stops offering passkeys. Some authenticators fail repeatedly without a user action. */
const mostFailures = 5;

/**
 * A form to sign in with a passkey. The browser also offers passkeys in the suggestions of the username field.
 *
 * @example
 * document.querySelector('latchkey-sign-in')?.addEventListener('latchkey-signed-in', () => location.assign('/'));
 */
export class LatchkeySignIn extends LatchkeyElement {
  static override observedAttributes = [...LatchkeyElement.observedAttributes, 'username'];

  #typed: string | null = null;
  #isBusy = false;
  #setBusy = (_: boolean): void => {};

  /** The content of the username field. Default: the attribute `username`. */
  get username(): string {
    return this.#typed ?? this.getAttribute('username') ?? '';
  }
  set username(username: string) {
    this.#typed = null;
    this.setAttribute('username', username);
  }

  protected draw(): Child[] {
    const { messages } = this;
    if (this.explainObstacle()) return [h('div', { class: 'stack' }, this.notices, h('slot'))];
    const username = field({
      name: 'username',
      label: messages.signIn.username,
      optional: messages.optional,
      value: this.username,
      onValue: (value) => {
        this.#typed = value;
      },
      autocomplete: 'username webauthn',
      hint: messages.signIn.usernameHint,
    });
    const submit = submitButton(messages.signIn.submit, messages);
    this.#setBusy = submit.setBusy;
    submit.setBusy(this.#isBusy);
    return [
      h(
        'div',
        { class: 'stack' },
        form(() => void this.#signIn(), this.notices, username.row, submit.button, submit.status),
        h('slot'),
      ),
    ];
  }

  protected override started(): void {
    this.#showBusy(false);
    // After the back button, the browser can restore the page with the form still busy.
    addEventListener('pageshow', ({ persisted }) => persisted && this.#showBusy(false), {
      signal: this.connection,
    });
    if (this.getAttribute('autofill') !== 'off') void this.#offerPasskeys(0);
  }

  /** Stays busy after success, because the page then navigates or removes the form. */
  async #signIn(): Promise<void> {
    if (this.#isBusy) return;
    const { connection } = this;
    const username = this.username.trim();
    this.#showBusy(true);
    this.clearNotices();
    try {
      const signedIn = await this.client.signIn({ username: username || undefined, signal: connection });
      this.emit('latchkey-signed-in', signedIn);
    } catch (error) {
      if (connection.aborted) return;
      this.#showBusy(false);
      // Other clients can exhaust the rate limit of a username. The limit does not affect a sign-in without a username.
      this.#fail(error, username && this.messages.signIn.orWithoutUsername);
      if (this.getAttribute('autofill') !== 'off') void this.#offerPasskeys(0);
    }
  }

  /** Offers passkeys in the suggestions of the field, and again after a failed authentication. */
  async #offerPasskeys(failures: number): Promise<void> {
    const { connection } = this;
    try {
      const signedIn = await this.client.signInWithAutofill({ signal: connection });
      this.#showBusy(true);
      this.emit('latchkey-signed-in', signedIn);
    } catch (error) {
      // Other errors are not shown, because the user has not chosen a passkey, and the button still works.
      if (connection.aborted || !hasErrorCode(error, 'authentication_failed', 'account_disabled')) return;
      this.#fail(error);
      if (failures < mostFailures) await this.#offerPasskeys(failures + 1);
    }
  }

  #fail(error: unknown, orElse?: string): void {
    this.fail(error, this.messages.signIn.errors, { orElse });
  }

  #showBusy(busy: boolean): void {
    this.#isBusy = busy;
    this.#setBusy(busy);
  }
}

define('latchkey-sign-in', LatchkeySignIn);

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-sign-in': LatchkeySignIn;
  }
}
