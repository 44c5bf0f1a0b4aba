import type { AuthClient } from '../client/index.ts';
import { AvailabilityCheck, isFault, isRefused, verdict } from './availability.ts';
import { define } from './define.ts';
import { type Child, h } from './dom.ts';
import { form, submitButton } from './form.ts';
import { LatchkeyElement } from './latchkey-element.ts';
import { type Field, field } from './parts.ts';

/**
 * A form to create an account with a passkey. Checks while the user types whether the username is available.
 *
 * @example
 * document.querySelector('latchkey-sign-up')?.addEventListener('latchkey-signed-up', () => location.assign('/'));
 */
export class LatchkeySignUp extends LatchkeyElement {
  static override observedAttributes = [
    ...LatchkeyElement.observedAttributes,
    'username',
    'fixed-username',
    'display-name',
  ];

  #typed: string | null = null;
  #invitation: string | null = null;
  #fields: Readonly<Record<string, unknown>> | null = null;
  #displayName = '';
  #isBusy = false;
  #wasSubmitted = false;
  #username: Field | null = null;
  #setBusy = (_: boolean): void => {};
  readonly #availability = new AvailabilityCheck(() => this.#showVerdict());

  /** The content of the username field. Default: the attribute `username`. */
  get username(): string {
    return this.#typed ?? this.getAttribute('username') ?? '';
  }
  set username(username: string) {
    this.#typed = null;
    this.setAttribute('username', username);
    this.#check();
  }

  /** The token of an invitation to sign up, from the fragment of its link. */
  get invitation(): string | null {
    return this.#invitation;
  }
  set invitation(invitation: string | null) {
    // If a property is null, Preact sets it to an empty string.
    this.#invitation = invitation || null;
    this.#check();
  }

  /** The own fields of the account (`userFields` of the service). */
  get fields(): Readonly<Record<string, unknown>> | null {
    return this.#fields;
  }
  set fields(fields: Readonly<Record<string, unknown>> | null) {
    this.#fields = fields || null;
  }

  protected draw(): Child[] {
    const { messages } = this;
    if (this.explainObstacle()) return [h('div', { class: 'stack' }, this.notices, h('slot'))];
    const username = field({
      name: 'username',
      label: messages.signUp.username,
      value: this.username,
      onValue: (value) => {
        this.#typed = value;
        this.#check();
      },
      autocomplete: 'username',
      readOnly: this.hasAttribute('fixed-username'),
    });
    this.#username = username;
    this.#showVerdict();
    const submit = submitButton(messages.signUp.submit, messages);
    this.#setBusy = submit.setBusy;
    submit.setBusy(this.#isBusy);
    const displayName = this.hasAttribute('display-name') ? this.#displayNameRow() : null;
    const fields = [this.notices, username.row, displayName];
    const content = form(() => void this.#submit(), ...fields, submit.button, submit.status);
    return [h('div', { class: 'stack' }, content, h('slot'))];
  }

  protected override started(): void {
    this.#showBusy(false);
    this.connection.addEventListener('abort', () => this.#availability.stop());
    addEventListener('pageshow', ({ persisted }) => persisted && this.#showBusy(false), {
      signal: this.connection,
    });
    this.#check();
  }

  #displayNameRow(): HTMLElement {
    const { optional, signUp } = this.messages;
    return field({
      name: 'name',
      label: signUp.displayName,
      optional,
      value: this.#displayName,
      onValue: (value) => {
        this.#displayName = value;
      },
      autocomplete: 'name',
      maxLength: 64,
      isName: true,
    }).row;
  }

  #check(): void {
    if (!this.isConnected) return;
    this.#availability.start(this.client, this.username, this.#invitation ?? undefined);
  }

  #showVerdict(): void {
    const { current } = this.#availability;
    const content = verdict(current, this.username, this.#wasSubmitted, this.messages);
    this.#username?.say(content, isFault(current) || (this.#wasSubmitted && isRefused(current)));
  }

  async #submit(): Promise<void> {
    if (this.#isBusy) return;
    this.#wasSubmitted = true;
    this.#showVerdict();
    if (isRefused(this.#availability.current)) this.#username?.input.focus();
    else await this.#signUp();
  }

  /** Stays busy after success, because the page then navigates or removes the form. */
  async #signUp(): Promise<void> {
    const { connection } = this;
    this.#showBusy(true);
    this.clearNotices();
    try {
      const signedUp = await this.client.signUp({
        username: this.username.trim(),
        displayName: this.#displayName.trim() || undefined,
        invitation: this.#invitation ?? undefined,
        // Only the application knows the types of the fields.
        ...(this.#fields && { fields: this.#fields as never }),
        signal: connection,
      } satisfies Parameters<AuthClient['signUp']>[0]);
      // From now on, the service would answer that the username is taken.
      this.#availability.stop();
      this.emit('latchkey-signed-up', signedUp);
    } catch (error) {
      if (connection.aborted) return;
      this.#showBusy(false);
      this.fail(error, this.messages.signUp.errors);
    }
  }

  #showBusy(busy: boolean): void {
    this.#isBusy = busy;
    this.#setBusy(busy);
  }
}

define('latchkey-sign-up', LatchkeySignUp);

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-sign-up': LatchkeySignUp;
  }
}
