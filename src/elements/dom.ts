/** What an element can contain. Null adds nothing. */
export type Child = Node | string | null;

type Listener = (event: never) => void;

/** Attributes, and listeners whose names begin with `on`. `true` sets an empty attribute, `false` sets none. */
export type Props = Readonly<Record<string, string | boolean | undefined | Listener>>;

/** Creates an HTML element. Never parses HTML, so pages can require Trusted Types. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else setAttribute(element, key, value);
  }
  element.append(...present(children));
  return element;
}

/** Sets or removes an attribute. */
export function setAttribute(element: Element, name: string, value: string | boolean | undefined): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : value);
}

/** Replaces the content of an element. */
export const setContent = (element: ParentNode, ...children: Child[]): void =>
  element.replaceChildren(...present(children));

const present = (children: Child[]): (Node | string)[] => children.filter((child) => child !== null);

/**
 * Replaces each `{name}` in a text with a value in a `<bdi>`, so that a value in another writing direction does not
 * reorder the text.
 */
export const fill = (text: string, values: Readonly<Record<string, string>>): Child[] =>
  text.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? h('bdi', {}, values[part] ?? '') : part));

/** Draws a 24-px icon from the paths of its lines. Screen readers ignore it. */
export function icon(...paths: string[]): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  for (const [name, value] of Object.entries({ part: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }))
    svg.setAttribute(name, value);
  for (const d of paths) {
    const path = document.createElementNS(namespace, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}
