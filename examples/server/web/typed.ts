type TextField = HTMLInputElement | HTMLTextAreaElement;

const typedIn = new Set<TextField>();

/** Whether the target is a field whose text the user would have to type again. Search fields do not count. */
function isKept(target: EventTarget | null): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true;
  return (
    target instanceof HTMLInputElement &&
    ['text', 'password'].includes(target.type) &&
    !target.closest('.palette')
  );
}

/** Records in which fields the user types. Returns a function that stops the recording. */
export function noteTyping(): () => void {
  const onInput = (event: Event) => {
    // The field itself, also if it is in the shadow tree of a custom element.
    const field = event.composedPath()[0] ?? null;
    if (isKept(field)) typedIn.add(field);
  };
  document.addEventListener('input', onInput, { capture: true, passive: true });
  return () => document.removeEventListener('input', onInput, { capture: true });
}

/** Whether a field of the page contains text that the user typed. */
export function hasTyped(): boolean {
  for (const field of typedIn) if (!field.isConnected) typedIn.delete(field);
  return [...typedIn].some(({ value }) => value !== '');
}
