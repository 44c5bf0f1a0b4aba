import { createContext, useContext, useLayoutEffect } from 'react';
import type { KeyHint } from './key-hints.tsx';

type SetKeys = (keys: readonly KeyHint[] | null) => void;

/** A dialog uses this context to replace the key hints while the dialog is open. */
export const DialogKeysContext = createContext<SetKeys>(() => {});

export function useDialogKeys(keys: readonly KeyHint[]): void {
  const setKeys = useContext(DialogKeysContext);
  useLayoutEffect(() => {
    setKeys(keys);
    return () => setKeys(null);
  }, [keys, setKeys]);
}
