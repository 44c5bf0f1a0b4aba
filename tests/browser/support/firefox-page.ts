import { eventually } from '../../support/eventually.ts';
import { type Marionette, MarionetteError } from './marionette.ts';

/** Elements that can have the role. */
const selectors = {
  button: 'button, summary',
  checkbox: 'input[type=checkbox]',
  combobox: 'select, [role=combobox]',
  dialog: 'dialog',
  heading: 'h1, h2, h3',
  link: 'a',
  listitem: 'li',
  menuitem: '[role=menuitem]',
  option: '[role=option]',
  region: 'section',
  searchbox: 'input[type=search]',
  textbox: 'input:not([type=checkbox], [type=radio])',
};

/** Visible elements with a role and an accessible name. A string is the whole name. */
export interface Target {
  role: keyof typeof selectors;
  name?: string | RegExp | undefined;
  /** The element that contains the elements. Default: the page. */
  within?: Target | undefined;
}

/** A page in Firefox. Each method waits for its element. The only time limit is the timeout of the test. */
export interface FirefoxPage {
  /** Opens a page and waits until the page has loaded everything. */
  goTo(path: string): Promise<void>;
  /** Clicks the first of the elements. */
  click(target: Target): Promise<void>;
  /** Replaces the text of an input. */
  fill(target: Target, text: string): Promise<void>;
  /** Chooses the option with this value in a list, and waits until the page has handled it. */
  choose(target: Target, value: string): Promise<void>;
  see(target: Target): Promise<void>;
  seeText(text: string, within?: Target): Promise<void>;
  /** Waits until the number of elements is `count`. */
  seeCount(target: Target, count: number): Promise<void>;
  /** Returns the visible text of each element that matches the CSS selector. */
  textsOf(selector: string): Promise<string[]>;
  /** Returns the errors in the console, such as violations of the content security policy. */
  errors(): Promise<string[]>;
}

export function createFirefoxPage({ send }: Marionette, origin: string): FirefoxPage {
  /** Runs the body of a function in the page. The function has the privileges of the browser. */
  const run = async <T>(script: string, ...args: unknown[]) =>
    (await send<{ value: T }>('WebDriver:ExecuteScript', { script, args, sandbox: 'system' })).value;
  const find = (target: Target) =>
    run<Record<string, string>[]>(findElements, withParents(target).map(asJson));
  /**
   * Polls, like `eventually`. Tries again if the page changed meanwhile. If the test times out, its error contains the
   * text of the page.
   */
  const until = (expectation: string, attempt: () => Promise<boolean>): Promise<void> => {
    let shown = '';
    const condition = async () => {
      const isMet = await attempt().catch((error) => {
        if (isOutdated(error)) return false;
        throw error;
      });
      if (!isMet) shown = await run<string>(visibleText, null);
      return isMet;
    };
    condition.toString = () => `${expectation}. The page shows:\n${shown}`;
    return eventually(condition);
  };
  const settled = () => until('The page has loaded everything', () => run(isComplete));
  /** Acts on the first element as soon as the page has loaded everything. */
  const act = (target: Target, action: (id: string) => Promise<unknown>) =>
    until(describeTarget(target), async () => {
      await settled();
      const [id] = Object.values((await find(target))[0] ?? {});
      if (id !== undefined) await action(id);
      return id !== undefined;
    });
  const earlierErrors: string[] = [];

  return {
    goTo: async (path) => {
      earlierErrors.push(...(await run<string[]>(consoleErrors)));
      await send('WebDriver:Navigate', { url: `${origin}${path}` });
      await settled();
    },
    click: (target) => act(target, (id) => send('WebDriver:ElementClick', { id })),
    fill: (target, text) =>
      act(target, (id) => send('WebDriver:ElementSendKeys', { id, text: `${selectAll}${text}` })),
    choose: (target, value) =>
      act(target, async () => {
        const [element] = await find(target);
        await run(chooseOption, element, value);
      }),
    see: (target) => until(describeTarget(target), async () => (await find(target)).length > 0),
    seeText: (text, within) =>
      until(`The text ${JSON.stringify(text)}`, async () => {
        const [element = null] = within ? await find(within) : [];
        if (within && element === null) return false;
        return (await run<string>(visibleText, element)).includes(text);
      }),
    seeCount: (target, count) =>
      until(`${count} × ${describeTarget(target)}`, async () => (await find(target)).length === count),
    textsOf: (selector) =>
      run(`return [...document.querySelectorAll(arguments[0])].map(({ innerText }) => innerText)`, selector),
    errors: async () => [...earlierErrors, ...(await run<string[]>(consoleErrors))],
  };
}

/** WebDriver's key codes for Control+A and for releasing Control. */
const selectAll = '\uE009a\uE009';

/** WebDriver opens a select list slowly in headless Firefox, so this sets the value and dispatches a `change` event. */
const chooseOption = `
  arguments[0].value = arguments[1];
  arguments[0].dispatchEvent(new Event('change', { bubbles: true }));
`;

/** Includes the text in the shadow trees of custom elements. */
const visibleText = `
  const textsIn = (element) => [element.innerText, ...[...element.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? [...shadowRoot.children].flatMap(textsIn) : [])];
  return textsIn(arguments[0] ?? document.body).join('\\n');
`;

/** Finds the outermost parent in the page, then its child in each parent, and so on. */
const findElements = `
  const service = Cc['@mozilla.org/accessibilityService;1'].getService(Ci.nsIAccessibilityService);
  const matches = (element, { role, name, pattern }) => {
    const accessible = element.checkVisibility({ visibilityProperty: true }) && service.getAccessibleFor(element);
    if (!accessible) return false;
    // Firefox computes no role for elements to which ARIA gives no role, such as summary and password fields.
    if (![role, ''].includes(accessible.computedARIARole)) return false;
    return pattern === undefined ? [undefined, accessible.name].includes(name) : new RegExp(pattern).test(accessible.name);
  };
  // Also the elements in the shadow trees of custom elements.
  const treesIn = (root) => [root, ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot ? treesIn(shadowRoot) : [])];
  const find = (parent, { selector }) => treesIn(parent).flatMap((tree) => [...tree.querySelectorAll(selector)]);
  return arguments[0].reduce(
    (parents, step) =>
      parents.flatMap((parent) => find(parent, step).filter((element) => matches(element, step))),
    [document],
  );
`;

/**
 * Whether the page has no running request, no placeholder and no outdated list, now and after two more frames and a
 * timer. Content that arrives between the press and the release of a click can move the button, so the click would be
 * lost.
 */
const isComplete = `
  const { loadGroup } = window.docShell.QueryInterface(Ci.nsIDocumentLoader);
  return new Promise((resolve) => {
    const look = () =>
      !loadGroup.requests.hasMoreElements() && !document.querySelector('.skeleton, .list[aria-busy=true]');
    if (!look()) resolve(false);
    else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(look()))));
  });
`;

/** Returns what the document wrote with `console.error`, uncaught errors and violations of the security policy. */
const consoleErrors = `
  const { innerWindowId } = window.windowGlobalChild;
  const written = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage)
    .getEvents(innerWindowId)
    .filter(({ level }) => level === 'error')
    .map((event) => [...event.arguments].join(' '));
  const reported = Services.console.getMessageArray()
    .filter((message) => message instanceof Ci.nsIScriptError)
    .filter((message) => message.innerWindowID === innerWindowId && !(message.flags & message.warningFlag))
    .map(({ errorMessage }) => errorMessage);
  return [...written, ...reported];
`;

const withParents = (target: Target): Target[] => [
  ...(target.within ? withParents(target.within) : []),
  target,
];

const asJson = ({ role, name }: Target): object => ({
  selector: selectors[role],
  role,
  ...(name instanceof RegExp ? { pattern: name.source } : { name }),
});

/** The page changed after the element was found, so the command had no effect. */
const outdated = [
  'stale element reference',
  'no such element',
  'element not interactable',
  'element click intercepted',
];

const isOutdated = (error: unknown): boolean =>
  error instanceof MarionetteError && outdated.includes(error.code);

const describeTarget = (target: Target): string =>
  withParents(target)
    .map(({ role, name = '' }) => `${role} ${name}`)
    .join(', ');
