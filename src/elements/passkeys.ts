import type { Passkey } from 'latchkey/client';
import { passkeyObstacle } from '../client/index.ts';
import './step-up.ts';
import { confirmed } from './clients.ts';
import { define } from './define.ts';
import { type Child, h, setContent } from './dom.ts';
import type { PasskeyAction, PasskeysChange } from './events.ts';
import { hasErrorCode } from './explain.ts';
import { LatchkeyElement } from './latchkey-element.ts';
import { en } from './messages/en.ts';
import { passkeys } from './messages/en-passkeys.ts';
import { panelRules } from './panel-styles.ts';
import { actionButton } from './parts.ts';
import { menuId, passkeyCard } from './passkey-card.ts';
import { passkeyRules } from './passkey-styles.ts';
import { removalDialog } from './removal-dialog.ts';
import type { Naming } from './rename-form.ts';

/**
 * The passkeys of the signed-in user. The user can add, rename and remove passkeys.
 *
 * @example
 * const list = document.querySelector('latchkey-passkeys');
 * list?.addEventListener('latchkey-passkeys-changed', ({ detail }) => console.log(detail.passkeys.length));
 */
export class LatchkeyPasskeys extends LatchkeyElement {
  static override observedAttributes = [...LatchkeyElement.observedAttributes, 'add-button'];

  #passkeys: readonly Passkey[] | null = null;
  /** The number of requests for the list, and of changes. */
  #begun = 0;
  /** The number of the request or the change that the list shows. The answers to earlier requests are outdated. */
  #shown = 0;
  #newest: string | null = null;
  /** The names that the user is typing, by the id of the passkey. */
  readonly #naming = new Map<string, Naming>();
  #isAdding = false;
  #setBusy = (_: boolean): void => {};
  readonly #content = h('div', { class: 'stack' });

  constructor() {
    super(panelRules + passkeyRules);
  }

  /** The passkeys, oldest first. Null while they are loading. */
  get passkeys(): readonly Passkey[] | null {
    return this.#passkeys;
  }

  protected override started(): void {
    // The element can have shown the passkeys of another user before.
    this.#newest = null;
    this.#naming.clear();
    this.#show(null);
    this.connection.addEventListener('abort', () => this.shadowRoot?.querySelector('dialog')?.close());
    // While the tab was hidden, another user can have signed in.
    const reloadIfVisible = () => document.visibilityState === 'visible' && void this.#load(true);
    document.addEventListener('visibilitychange', reloadIfVisible, { signal: this.connection });
    this.explainObstacle();
    void this.reload();
  }

  /** Removes errors. Why passkeys do not work in this browser stays visible. */
  protected override clearNotices(): void {
    if (!this.explainObstacle()) super.clearNotices();
  }

  protected draw(): Child[] {
    const add = actionButton({
      part: 'add',
      class: 'primary',
      label: this.messages.passkeys.add,
      busyLabel: this.messages.waiting,
      run: () => {
        if (this.#mayStart('add', null)) void this.addPasskey();
      },
    });
    this.#setBusy = add.setBusy;
    add.setBusy(this.#isAdding);
    this.#drawList();
    const hasButton = !passkeyObstacle() && this.getAttribute('add-button') !== 'off';
    return [
      h(
        'div',
        { class: 'stack' },
        this.notices,
        this.#content,
        hasButton ? h('div', {}, add.button, add.status) : null,
        h('slot'),
      ),
    ];
  }

  /** Loads the list again. */
  reload(): Promise<void> {
    return this.#load(false);
  }

  /** @param isQuiet the user did not ask to load the list, so only the error `not_authenticated` is reported */
  async #load(isQuiet: boolean): Promise<void> {
    const { connection } = this;
    this.#begun += 1;
    const number = this.#begun;
    try {
      const passkeys = await this.client.passkeys.list();
      if (connection.aborted || number < this.#shown) return;
      if (this.#passkeys === null) this.clearNotices();
      this.#show(passkeys, number);
      this.emit('latchkey-passkeys-loaded', { passkeys });
    } catch (error) {
      const isSignedOut = hasErrorCode(error, 'not_authenticated');
      if (connection.aborted || number < this.#shown || (isQuiet && !isSignedOut)) return;
      const { retry } = this.messages.passkeys;
      const again = actionButton({ part: 'retry', label: retry, run: () => void this.reload() });
      const isShown = this.fail(error, {}, { action: again.button });
      if (isShown && isSignedOut) this.#passkeys = null;
      if (this.#passkeys === null) setContent(this.#content);
    }
  }

  /** Adds a passkey, as the button does. Does nothing while the user is adding one. Errors appear in the element. */
  async addPasskey(): Promise<void> {
    if (this.#isAdding) return;
    const { connection, client } = this;
    this.#showAdding(true);
    this.clearNotices();
    try {
      const passkey = await client.passkeys.add({ signal: connection });
      // The shown list can belong to another user, who was signed in before.
      const passkeys = await client.passkeys.list().catch(() => [...(this.#passkeys ?? []), passkey]);
      if (connection.aborted) return;
      this.#newest = passkey.id;
      if (passkey.hasDefaultLabel) this.#naming.set(passkey.id, { typed: passkey.label });
      this.#changed('added', passkey, passkeys);
      this.#focusName(passkey);
    } catch (error) {
      if (!connection.aborted) this.fail(error, this.messages.passkeys.addErrors);
    } finally {
      this.#showAdding(false);
    }
  }

  /**
   * Renames a passkey and shows the new name. Does not ask the user. If the list has not loaded, reads it instead of
   * reporting a change.
   *
   * @param label 1 to 64 characters
   * @throws AuthClientError `not_found` | `invalid_request`; the element shows no message
   */
  async renamePasskey(id: string, label: string): Promise<void> {
    const { connection } = this;
    const renamed = await this.client.passkeys.rename(id, label);
    if (connection.aborted) return;
    const known = this.#passkeys;
    if (known === null) return this.reload();
    const previous = known.find((passkey) => passkey.id === id) ?? null;
    if (this.#newest === id) this.#newest = null;
    this.#changed(
      'renamed',
      renamed,
      known.map((passkey) => (passkey.id === id ? renamed : passkey)),
      previous,
    );
  }

  /**
   * Removes a passkey from the account and from the list. Does not ask the user. If the account does not have the
   * passkey, reads the list again.
   *
   * @throws AuthClientError `last_credential` if the account has no other passkey and no password; the element shows no
   *   message
   */
  async removePasskey(id: string): Promise<void> {
    const { connection } = this;
    try {
      await this.client.passkeys.remove(id);
    } catch (error) {
      // The user removed the passkey in another tab, or another user has signed in.
      if (!hasErrorCode(error, 'not_found')) throw error;
      if (!connection.aborted) await this.reload();
      return;
    }
    if (connection.aborted) return;
    const removed = this.#passkeys?.find((passkey) => passkey.id === id);
    const left = this.#passkeys?.filter((passkey) => passkey.id !== id) ?? [];
    if (removed) this.#changed('removed', removed, left);
  }

  /**
   * Shows the passkeys, or that they are loading.
   *
   * @param number the number of the request that returned them. Absent: a change, which is newer than all requests.
   */
  #show(passkeys: readonly Passkey[] | null, number?: number): void {
    if (number === undefined) this.#begun += 1;
    this.#shown = number ?? this.#begun;
    const isKnown = (id: string) => passkeys === null || passkeys.some((passkey) => passkey.id === id);
    // Keeps the typed names while the list is hidden, because the same user can sign in again.
    for (const id of this.#naming.keys()) if (!isKnown(id)) this.#naming.delete(id);
    const isSame = passkeys !== null && JSON.stringify(passkeys) === JSON.stringify(this.#passkeys);
    this.#passkeys = passkeys;
    // Drawing the list again would move the focus.
    if (!isSame) this.#drawList();
  }

  #drawList(): void {
    const { passkeys: words } = this.messages;
    const status = (slot: string, text: string) =>
      h('div', { part: 'empty', role: 'status' }, h('slot', { name: slot }, text));
    if (this.#passkeys === null) setContent(this.#content, status('loading', words.loading));
    else if (this.#passkeys.length === 0) setContent(this.#content, status('empty', words.none));
    else {
      const cards = this.#passkeys.map((passkey) => this.#card(passkey));
      setContent(this.#content, h('ul', { part: 'list', 'aria-label': words.list }, ...cards));
    }
  }

  #card(passkey: Passkey): HTMLElement {
    const { id } = passkey;
    const stopNaming = () => {
      this.#naming.delete(id);
      this.#drawList();
      this.shadowRoot?.getElementById(menuId(passkey))?.focus();
    };
    return passkeyCard({
      passkey,
      messages: this.messages,
      language: this.language,
      isNew: id === this.#newest,
      naming: this.#naming.get(id),
      startNaming: () => {
        if (!this.#mayStart('rename', passkey)) return;
        this.#naming.set(id, { typed: passkey.label });
        this.#drawList();
        this.#focusName(passkey);
      },
      stopNaming,
      rename: async (label, place) => {
        const { connection } = this;
        setContent(place);
        try {
          if (label !== passkey.label) await this.renamePasskey(id, label);
          stopNaming();
        } catch (error) {
          if (!connection.aborted) this.fail(error, {}, { place });
        }
      },
      remove: () => this.#mayStart('remove', passkey) && this.#askToRemove(passkey),
    });
  }

  #askToRemove(passkey: Passkey): void {
    const { connection } = this;
    const dialog = removalDialog(passkey, this.messages, async () => {
      this.clearNotices();
      try {
        await confirmed(() => this.removePasskey(passkey.id));
        this.shadowRoot?.querySelector<HTMLElement>('[part~="add"]')?.focus();
      } catch (error) {
        if (!connection.aborted) this.fail(error, this.messages.passkeys.removeErrors);
      }
    });
    this.shadowRoot?.append(dialog);
    dialog.showModal();
  }

  /** Returns false if a listener has called `preventDefault`. */
  #mayStart(action: PasskeyAction['action'], passkey: Passkey | null): boolean {
    return this.emit('latchkey-before-passkeys-change', { action, passkey, passkeys: this.#passkeys ?? [] });
  }

  #showAdding(adding: boolean): void {
    this.#isAdding = adding;
    this.#setBusy(adding);
  }

  #changed(
    change: PasskeysChange['change'],
    passkey: Passkey,
    passkeys: readonly Passkey[],
    previous: Passkey | null = null,
  ): void {
    this.#show(passkeys);
    this.emit('latchkey-passkeys-changed', { change, passkey, previous, passkeys });
  }

  #focusName({ id }: Passkey): void {
    (this.shadowRoot?.getElementById(`name-${id}`) as HTMLInputElement | null | undefined)?.select();
  }
}

en.passkeys = passkeys;
define('latchkey-passkeys', LatchkeyPasskeys);

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-passkeys': LatchkeyPasskeys;
  }
}
