import { type Passkey, passkeyObstacle } from '../client/index.ts';
import './step-up.ts';
import { confirmed } from './clients.ts';
import { define } from './define.ts';
import { type Child, h, setContent } from './dom.ts';
import type { PasskeysChange } from './events.ts';
import { hasErrorCode } from './explain.ts';
import { LatchkeyElement } from './latchkey-element.ts';
import { en } from './messages/en.ts';
import { passkeys } from './messages/en-passkeys.ts';
import { panelRules } from './panel-styles.ts';
import { actionButton } from './parts.ts';
import { passkeyCard, removalConsequences } from './passkey-card.ts';

/**
 * The passkeys of the signed-in user. The user can add, rename and remove passkeys.
 *
 * @example
 * const list = document.querySelector('latchkey-passkeys');
 * list.addEventListener('latchkey-passkeys-changed', ({ detail }) => console.log(detail.passkeys.length));
 */
export class LatchkeyPasskeys extends LatchkeyElement {
  #passkeys: readonly Passkey[] | null = null;
  #newest: string | null = null;
  #naming: string | null = null;
  #isAdding = false;
  #setBusy = (_: boolean): void => {};
  readonly #list = h('ul', { part: 'list' });

  constructor() {
    super(panelRules);
  }

  /** The passkeys, oldest first. Null while they are loading. */
  get passkeys(): readonly Passkey[] | null {
    return this.#passkeys;
  }

  protected override started(): void {
    // The element can have shown the passkeys of another user before.
    this.#passkeys = null;
    this.#newest = null;
    this.#naming = null;
    this.#drawList();
    this.connection.addEventListener('abort', () => this.shadowRoot?.querySelector('dialog')?.close());
    this.explainObstacle();
    void this.reload();
  }

  protected draw(): Child[] {
    const { passkeys: words } = this.messages;
    const add = actionButton({
      part: 'add',
      class: 'primary',
      label: words.add,
      busyLabel: this.messages.waiting,
      run: () => void this.add(),
    });
    this.#setBusy = add.setBusy;
    add.setBusy(this.#isAdding);
    this.#list.setAttribute('aria-label', words.list);
    this.#drawList();
    return [
      h(
        'div',
        { class: 'stack' },
        this.notices,
        this.#list,
        passkeyObstacle() ? null : h('div', {}, add.button, add.status),
        h('slot'),
      ),
    ];
  }

  /** Loads the list again. */
  async reload(): Promise<void> {
    const { connection } = this;
    try {
      const passkeys = await this.client.passkeys.list();
      if (connection.aborted) return;
      this.#passkeys = passkeys;
      this.#drawList();
    } catch (error) {
      if (!connection.aborted) this.fail(error, {});
    }
  }

  /** Adds a passkey, like the button. */
  async add(): Promise<void> {
    if (this.#isAdding) return;
    const { connection } = this;
    this.#showAdding(true);
    this.clearNotices();
    try {
      const passkey = await this.client.passkeys.add({ signal: connection });
      this.#newest = passkey.id;
      this.#naming = passkey.hasDefaultLabel ? passkey.id : null;
      this.#changed('added', passkey, [...(this.#passkeys ?? []), passkey]);
      this.#focusName();
    } catch (error) {
      if (!connection.aborted) this.fail(error, this.messages.passkeys.addErrors);
    } finally {
      this.#showAdding(false);
    }
  }

  #showAdding(adding: boolean): void {
    this.#isAdding = adding;
    this.#setBusy(adding);
  }

  #drawList(): void {
    const { passkeys: words } = this.messages;
    const cards = this.#passkeys?.map((passkey) => this.#card(passkey)) ?? [];
    const empty = this.#passkeys === null ? words.loading : words.none;
    setContent(
      this.#list,
      ...(cards.length > 0 ? cards : [h('li', { part: 'empty', role: 'status' }, empty)]),
    );
  }

  #card(passkey: Passkey): HTMLElement {
    const { messages, language } = this;
    const name = (id: string | null) => {
      this.#naming = id;
      this.#drawList();
      if (id === null) this.shadowRoot?.getElementById(`rename-${passkey.id}`)?.focus();
      else this.#focusName();
    };
    return passkeyCard({
      passkey,
      messages,
      language,
      isNew: passkey.id === this.#newest,
      isNaming: passkey.id === this.#naming,
      startNaming: () => name(passkey.id),
      stopNaming: () => name(null),
      rename: (label) => void this.#rename(passkey, label, () => name(null)),
      remove: () => this.#askToRemove(passkey),
    });
  }

  async #rename(passkey: Passkey, label: string, done: () => void): Promise<void> {
    if (label === '') return this.#focusName();
    try {
      this.clearNotices();
      if (label !== passkey.label) {
        const renamed = await this.client.passkeys.rename(passkey.id, label);
        const passkeys = this.#passkeys?.map((known) => (known.id === renamed.id ? renamed : known)) ?? [];
        this.#changed('renamed', renamed, passkeys);
      }
      done();
    } catch (error) {
      this.fail(error, {});
    }
  }

  /** Asks for confirmation. The dialog stays open during the removal, because closing it would not stop the removal. */
  #askToRemove(passkey: Passkey): void {
    const { passkeys: words } = this.messages;
    let isRunning = false;
    const cancel = actionButton({
      part: 'cancel',
      label: words.cancel,
      run: () => isRunning || dialog.close(),
    });
    const confirm = actionButton({
      part: 'confirm',
      class: 'danger-button',
      label: words.removeConfirm,
      run: () => {
        isRunning = true;
        confirm.setBusy(true);
        void this.#remove(passkey, () => dialog.close());
      },
    });
    const dialog = h(
      'dialog',
      {
        part: 'dialog',
        'aria-labelledby': 'title',
        oncancel: (event: Event) => isRunning && event.preventDefault(),
        onclose: () => dialog.remove(),
      },
      h(
        'div',
        { part: 'panel', class: 'stack panel' },
        h('h2', { part: 'title', id: 'title' }, words.removeTitle),
        removalConsequences(passkey, this.messages),
        h('div', { part: 'actions', class: 'actions' }, cancel.button, confirm.button),
      ),
    );
    this.shadowRoot?.append(dialog);
    dialog.showModal();
  }

  async #remove(passkey: Passkey, close: () => void): Promise<void> {
    this.clearNotices();
    try {
      await confirmed(() => this.client.passkeys.remove(passkey.id)).catch((error) => {
        // The passkey was already removed in another tab.
        if (!hasErrorCode(error, 'not_found')) throw error;
      });
      close();
      const left = this.#passkeys?.filter(({ id }) => id !== passkey.id) ?? [];
      this.#changed('removed', passkey, left);
      this.shadowRoot?.querySelector<HTMLElement>('[part~="add"]')?.focus();
    } catch (error) {
      close();
      this.fail(error, this.messages.passkeys.removeErrors);
    }
  }

  #changed(change: PasskeysChange['change'], passkey: Passkey, passkeys: readonly Passkey[]): void {
    this.#passkeys = passkeys;
    if (change === 'renamed') this.#newest = null;
    this.#drawList();
    this.emit('latchkey-passkeys-changed', { change, passkey, passkeys });
  }

  #focusName(): void {
    this.shadowRoot?.querySelector<HTMLInputElement>('[part="rename-form"] input')?.select();
  }
}

en.passkeys = passkeys;
define('latchkey-passkeys', LatchkeyPasskeys);

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-passkeys': LatchkeyPasskeys;
  }
}
