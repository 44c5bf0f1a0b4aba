import { useInput } from 'ink';
import { createContext, type ReactNode, useContext, useLayoutEffect, useReducer, useRef } from 'react';
import { type Press, pressesOf } from './presses.ts';

interface Listener {
  handle(press: Press): void;
  /** While a modal listener is active, no other listener receives keys. The last modal listener has priority. */
  modal: boolean;
  /** Accepts pasted text in one piece. */
  typing: boolean;
  enabled: boolean;
}

type Listeners = Set<{ current: Listener }>;

const KeyboardContext = createContext<Listeners>(new Set());

/** Delivers key presses one at a time. Renders after each key press, before it delivers the next one. */
export function KeyboardProvider({
  onInterrupt,
  children,
}: {
  onInterrupt: () => void;
  children: ReactNode;
}): ReactNode {
  const listeners = useRef<Listeners>(new Set()).current;
  const waiting = useRef<Press[]>([]).current;
  const [round, turn] = useReducer((count: number) => count + 1, 0);
  // Each delivery starts a new round. React renders what the key press has changed, then this effect runs again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round schedules the next
  useLayoutEffect(() => {
    if (waiting.length === 0) return;
    const delivery = setImmediate(() => {
      deliverNext(waiting, listeners);
      turn();
    });
    return () => clearImmediate(delivery);
  }, [round]);
  useInput((input, key) => {
    const presses = pressesOf(input, key);
    if (presses.some(({ name }) => name === 'ctrl+c')) return onInterrupt();
    waiting.push(...presses);
    turn();
  });
  return <KeyboardContext.Provider value={listeners}>{children}</KeyboardContext.Provider>;
}

function deliverNext(waiting: Press[], listeners: Listeners): void {
  const press = waiting.shift();
  const rest = press && deliver(press, [...listeners]);
  if (rest) waiting.unshift(rest);
}

/**
 * Delivers a key press. Delivers pasted text in one piece if a listener accepts that. Otherwise, delivers only the
 * first character and returns the rest.
 */
function deliver(press: Press, all: { current: Listener }[]): Press | null {
  const listening = all.map(({ current }) => current).filter(({ enabled }) => enabled);
  const modal = listening.findLast((listener) => listener.modal);
  const chosen = modal ? [modal] : listening;
  const [first = '', ...others] = press.text ?? '';
  const isSplit = others.length > 0 && !chosen.some(({ typing }) => typing);
  for (const listener of chosen) listener.handle(isSplit ? { name: first, text: first } : press);
  return isSplit ? { name: others.join(''), text: others.join('') } : null;
}

export function useKeys(
  handle: (press: Press) => void,
  { modal = false, typing = false, enabled = true } = {},
): void {
  const listeners = useContext(KeyboardContext);
  const listener = useRef<Listener>({ handle, modal, typing, enabled });
  useLayoutEffect(() => {
    listener.current = { handle, modal, typing, enabled };
  });
  useLayoutEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listeners]);
}
