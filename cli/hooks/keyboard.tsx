import { useInput } from 'ink';
import { createContext, type ReactNode, useContext, useLayoutEffect, useReducer, useRef } from 'react';
import { type Press, pressesOf } from './presses.ts';

interface Listener {
  handle(press: Press): void;
  /** Gets all keys to itself; of several the one that came last. */
  modal: boolean;
  /** Takes written text as a whole. */
  typing: boolean;
  enabled: boolean;
}

type Listeners = Set<{ current: Listener }>;

const KeyboardContext = createContext<Listeners>(new Set());

/** Hands keys to whoever listens, one after the other: what a key has changed is drawn before the next one comes. */
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
  // What a key has changed is drawn together with the new round: only then is it the next one's turn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks for the next
  useLayoutEffect(() => {
    if (waiting.length === 0) return;
    const soon = setImmediate(() => {
      deliverNext(waiting, listeners);
      turn();
    });
    return () => clearImmediate(soon);
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

/** Returns what is left of written text where nobody takes it as a whole. */
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
