import type { Account, StepUpAnswer, StepUpReason } from 'latchkey/client';
import { AuthClientError, passkeyObstacle } from '../client/index.ts';
import { define } from './define.ts';
import { type Child, h } from './dom.ts';
import { form } from './form.ts';
import { LatchkeyElement } from './latchkey-element.ts';
import { en } from './messages/en.ts';
import { stepUp } from './messages/en-step-up.ts';
import { panelRules } from './panel-styles.ts';
import { type ActionButton, actionButton, type Field, field } from './parts.ts';

interface Question {
  reason: StepUpReason;
  user: Account;
  answer(answer: StepUpAnswer): void;
}

/**
 * Asks the user to confirm their identity, with a passkey, or with the password if the account has no passkey. The
 * element is a dialog, which stays hidden until `ask` is called. With the attribute `inline`, it is a part of the page
 * and asks immediately.
 *
 * @example
 * const stepUp = document.querySelector('latchkey-step-up');
 * if (stepUp) auth = createAuthClient({ beforeStepUp: (reason) => stepUp.ask(reason) });
 */
export class LatchkeyStepUp extends LatchkeyElement {
  #question: Question | null = null;
  #asked: Promise<StepUpAnswer> | null = null;
  #controller = new AbortController();
  #password = '';
  #isBusy = false;
  #setBusy = (_: boolean): void => {};

  constructor() {
    super(panelRules);
  }

  /**
   * Asks the user. Suitable as `beforeStepUp` of `createAuthClient`. Resolves with `'done'` if the user confirmed, and
   * with false if the user declined. Resolves with true if no user is signed in. The action then continues, and fails
   * with `not_authenticated`.
   */
  ask(reason: StepUpReason = 'reauthentication_required'): Promise<StepUpAnswer> {
    this.#asked ??= this.#ask(reason).finally(() => {
      this.#asked = null;
    });
    return this.#asked;
  }

  /** Closes the dialog and the passkey prompt, and resolves `ask` with false. */
  cancel(): void {
    this.#question?.answer(false);
  }

  protected override started(): void {
    const declined = () => this.cancel();
    this.connection.addEventListener('abort', declined, { once: true });
    if (this.hasAttribute('inline')) void this.ask();
  }

  protected draw(): Child[] {
    if (this.#question === null) return [];
    const content = this.#panel(this.#question);
    return [
      this.hasAttribute('inline')
        ? h('section', { part: 'panel', class: 'stack', 'aria-labelledby': 'title' }, ...content)
        : this.#dialog(content),
    ];
  }

  async #ask(reason: StepUpReason): Promise<StepUpAnswer> {
    const current = await this.client.session();
    if (current === null) return true;
    if (!this.isConnected) return false;
    const given = await new Promise<StepUpAnswer>((answer) => {
      this.#question = { reason, user: current.user, answer };
      this.#password = '';
      this.clearNotices();
      this.redraw();
      this.#open();
    });
    this.#question = null;
    this.#password = '';
    this.#controller.abort();
    this.#showBusy(false);
    this.toggleAttribute('open', false);
    this.shadowRoot?.querySelector('dialog')?.close();
    this.redraw();
    if (given === false) this.emit('latchkey-canceled', null);
    return given;
  }

  #open(): void {
    this.toggleAttribute('open', true);
    this.shadowRoot?.querySelector('dialog')?.showModal();
    if (!this.hasAttribute('inline')) this.shadowRoot?.querySelector<HTMLElement>('[autofocus]')?.focus();
  }

  #dialog(content: Child[]): HTMLElement {
    const dialog: HTMLElement = h(
      'dialog',
      {
        part: 'dialog',
        'aria-labelledby': 'title',
        oncancel: (event: Event) => {
          event.preventDefault();
          this.cancel();
        },
        onclose: () => this.cancel(),
        onclick: (event: Event) => event.target === dialog && this.cancel(),
      },
      h('div', { part: 'panel', class: 'stack panel' }, ...content),
    );
    return dialog;
  }

  #panel({ reason, user }: Question): Child[] {
    const { stepUp } = this.messages;
    const needsFirst = user.passkeyCount === 0 && reason === 'passkey_required';
    const usesPassword = user.passkeyCount === 0 && user.hasPassword && !needsFirst;
    const lead = needsFirst
      ? stepUp.addPasskeyLead
      : reason === 'passkey_required'
        ? stepUp.needsPasskey
        : stepUp.lead;
    const cancel = actionButton({ part: 'cancel', label: stepUp.cancel, run: () => this.cancel() });
    const head = [
      h('h2', { part: 'title', id: 'title' }, needsFirst ? stepUp.addPasskeyFirst : stepUp.title),
      h('p', {}, lead),
      this.notices,
    ];
    if (needsFirst || (!usesPassword && passkeyObstacle())) {
      if (!needsFirst) this.explainObstacle();
      return [...head, h('slot'), this.#actions(cancel)];
    }
    return usesPassword
      ? [...head, this.#passwordForm(user, cancel), h('slot')]
      : [...head, h('slot'), this.#passkeyButton(cancel)];
  }

  #passkeyButton(cancel: ActionButton): HTMLElement {
    const { stepUp, waiting } = this.messages;
    const confirm = actionButton({
      part: 'confirm',
      class: 'primary',
      label: stepUp.usePasskey,
      busyLabel: waiting,
      run: () => void this.#confirm({}),
    });
    confirm.button.toggleAttribute('autofocus', true);
    return this.#actions(cancel, confirm);
  }

  #passwordForm(user: Account, cancel: ActionButton): HTMLElement {
    const { stepUp } = this.messages;
    const password: Field = field({
      name: 'password',
      type: 'password',
      label: stepUp.password,
      value: this.#password,
      onValue: (value) => {
        this.#password = value;
      },
      autocomplete: 'current-password',
    });
    password.input.toggleAttribute('autofocus', true);
    const confirm = actionButton({
      part: 'confirm',
      class: 'primary',
      type: 'submit',
      label: stepUp.confirm,
    });
    const submit = () => {
      if (this.#password === '') password.input.focus();
      else void this.#confirm({ password: this.#password }, password.input);
    };
    // Password managers need the username to find the password.
    const username = h('input', { name: 'username', autocomplete: 'username', readonly: true, hidden: true });
    username.value = user.username;
    return form(submit, username, password.row, this.#actions(cancel, confirm));
  }

  #actions(cancel: ActionButton, confirm?: ActionButton): HTMLElement {
    this.#setBusy = confirm?.setBusy ?? (() => {});
    this.#setBusy(this.#isBusy);
    const buttons = [cancel.button, confirm?.button ?? null, confirm?.status ?? null];
    return h('div', { part: 'actions', class: 'actions' }, ...buttons);
  }

  async #confirm(given: { password?: string }, input?: HTMLInputElement): Promise<void> {
    if (this.#isBusy) return;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#showBusy(true);
    this.clearNotices();
    try {
      const session = await this.client.stepUp({ ...given, signal, userId: this.#question?.user.id });
      // The user canceled while the request was running. Another question can be open now.
      if (signal.aborted) return;
      this.emit('latchkey-confirmed', { session });
      this.#question?.answer('done');
    } catch (error) {
      if (signal.aborted) return;
      // Another user has signed in in another tab. The action must not run as that user.
      if (error instanceof AuthClientError && error.reason === 'another_user') return this.cancel();
      this.#showBusy(false);
      input?.select();
      const { passkeyErrors, passwordErrors } = this.messages.stepUp;
      this.fail(error, input ? passwordErrors : passkeyErrors);
    }
  }

  #showBusy(busy: boolean): void {
    this.#isBusy = busy;
    this.#setBusy(busy);
  }
}

en.stepUp = stepUp;
define('latchkey-step-up', LatchkeyStepUp);

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-step-up': LatchkeyStepUp;
  }
}
