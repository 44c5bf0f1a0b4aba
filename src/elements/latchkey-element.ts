import type { AuthClient } from 'latchkey/client';
import { AuthClientError, passkeyObstacle } from '../client/index.ts';
import { sharedClient } from './clients.ts';
import { type Child, h, setContent } from './dom.ts';
import type { LatchkeyEvents } from './events.ts';
import { explain } from './explain.ts';
import type { Messages } from './messages/en.ts';
import type { ErrorTexts } from './messages/error-texts.ts';
import { languageOf, messagesFor, onMessagesChange } from './messages/languages.ts';
import { notice } from './parts.ts';
import { sharedSheet, sheetOf } from './styles.ts';

// Servers have no `HTMLElement`. They can import the module, but render nothing.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

interface FailureSettings {
  /** What the user can do instead of waiting after too many attempts. */
  orElse?: string | undefined;
  /** A button below the message. */
  action?: Child;
  /** The container of the message. Default: the container above the content. */
  place?: HTMLElement;
}

/** What all elements have in common. */
export abstract class LatchkeyElement extends Base {
  static observedAttributes = ['base-url', 'lang'];

  #client: AuthClient | null = null;
  #messages: Messages | null = null;
  #connection = new AbortController();
  readonly #root: ShadowRoot;
  readonly #notices = h('div', { class: 'stack' });

  /** @param rules the styles of this kind of element */
  constructor(rules = '') {
    super();
    this.#root = this.attachShadow({ mode: 'open' });
    this.#root.adoptedStyleSheets = [sharedSheet(), sheetOf(rules)];
  }

  /** The attribute `base-url`: the path or URL of the router. Default: `/auth`. */
  get baseUrl(): string {
    return this.getAttribute('base-url') ?? '/auth';
  }
  set baseUrl(baseUrl: string) {
    this.setAttribute('base-url', baseUrl);
  }

  /** The client that sends the requests. Default: a client that all elements with this `base-url` share. */
  get client(): AuthClient {
    return this.#client ?? sharedClient(this.baseUrl);
  }
  set client(client: AuthClient | null) {
    // If a property is null, Preact sets it to an empty string.
    this.#client = client || null;
    if (this.isConnected) this.#start();
  }

  /** The texts. Default: the texts of the element’s language, see `addMessages`. */
  get messages(): Messages {
    return this.#messages ?? messagesFor(this.language);
  }
  set messages(messages: Messages | null) {
    this.#messages = messages || null;
    this.redraw();
  }

  /** The language of the closest attribute `lang`, on this element or around it. Default: English. */
  protected get language(): string {
    const tags: (string | null)[] = [];
    for (let element: Element | null = this; element; ) {
      tags.push(element.getAttribute('lang'));
      const root = element.getRootNode();
      element = element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    }
    return languageOf(...tags);
  }

  /** Aborts when the element leaves the page, or when its client changes. */
  protected get connection(): AbortSignal {
    return this.#connection.signal;
  }

  connectedCallback(): void {
    this.#takeEarlyProperties();
    this.#start();
  }

  disconnectedCallback(): void {
    this.#connection.abort();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after || !this.isConnected) return;
    if (name === 'base-url') this.#start();
    else this.redraw();
  }

  /** Returns the content. Called when the element enters the page, and when the texts or an attribute change. */
  protected abstract draw(): Child[];

  /** Called after `draw` when the element enters the page, and again when the client changes. */
  protected started(): void {}

  /** Shows the current state. */
  protected redraw(): void {
    if (this.isConnected) setContent(this.#root, ...this.draw());
  }

  /** The container of the messages. */
  protected get notices(): HTMLElement {
    return this.#notices;
  }

  /** If passkeys do not work in this browser, shows why. Otherwise, returns false. */
  protected explainObstacle(): boolean {
    const obstacle = passkeyObstacle();
    if (!obstacle) return false;
    const { passkeyHelp } = this.messages;
    const help = h('a', { href: 'https://passkeys.dev/device-support/' }, passkeyHelp);
    const explanation = this.#explain(new AuthClientError(obstacle, ''), {});
    setContent(this.#notices, notice(explanation, obstacle === 'webauthn_unsupported' ? help : null));
    return true;
  }

  /**
   * Dispatches `latchkey-failed` and explains the error. If a listener has called `preventDefault`, explains nothing and
   * returns false.
   */
  protected fail(error: unknown, own: ErrorTexts, { orElse, action, place }: FailureSettings = {}): boolean {
    if (!this.emit('latchkey-failed', { error: error as Error })) return false;
    setContent(place ?? this.#notices, notice(this.#explain(error, own, orElse), action));
    return true;
  }

  protected clearNotices(): void {
    setContent(this.#notices);
  }

  /** Returns false if a listener has called `preventDefault`. */
  protected emit<Name extends keyof LatchkeyEvents>(
    name: Name,
    detail: LatchkeyEvents[Name]['detail'],
  ): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }),
    );
  }

  #explain(error: unknown, own: ErrorTexts, orElse?: string) {
    return explain(error, { messages: this.messages, own, language: this.language, orElse });
  }

  #start(): void {
    this.#connection.abort();
    this.#connection = new AbortController();
    onMessagesChange(() => this.redraw(), this.#connection.signal);
    this.clearNotices();
    this.redraw();
    this.started();
  }

  /** Applies properties that a page set before the element was defined. They would hide the accessors of the class. */
  #takeEarlyProperties(): void {
    for (const [name, value] of Object.entries(this)) {
      if (!(name in Object.getPrototypeOf(this))) continue;
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }
}
