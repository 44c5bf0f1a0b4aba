type TextField = HTMLInputElement | HTMLTextAreaElement;

const typedIn = new Set<TextField>();

/** Whether a field contains text that users would type again. Searches are not among these fields. */
function isKept(target: EventTarget | null): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true;
  return (
    target instanceof HTMLInputElement &&
    ['text', 'password'].includes(target.type) &&
    !target.closest('.palette')
  );
}

/** Notes in which fields the user types. Returns a function that stops this. */
export function noteTyping(): () => void {
  const onInput = ({ target }: Event) => isKept(target) && typedIn.add(target);
  document.addEventListener('input', onInput, { capture: true, passive: true });
  return () => document.removeEventListener('input', onInput, { capture: true });
}

/** Whether a field of the page contains text that the user typed. */
export function hasTyped(): boolean {
  for (const field of typedIn) if (!field.isConnected) typedIn.delete(field);
  return [...typedIn].some(({ value }) => value !== '');
}
