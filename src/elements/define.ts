/** Defines an element. Does nothing on a server, which has no registry, or if the page loads the script twice. */
export function define(name: string, element: CustomElementConstructor): void {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, element);
}
