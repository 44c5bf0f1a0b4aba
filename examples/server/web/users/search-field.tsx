import { Search, X } from 'lucide-static';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';

interface SearchFieldProps {
  label: string;
  /** The label of the button that removes the text. */
  clear: string;
  /** The text that is searched for. */
  value: string;
  /** Called when the user pauses for 300 ms. */
  onValue: (value: string) => void;
}

const pauseMs = 300;

/** Searches while the user types. Follows `value` when it changes elsewhere, such as with the back button. */
export function SearchField({ label, clear, value, onValue }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const sought = useRef(value);
  const report = useRef(onValue);
  report.current = onValue;

  useEffect(() => {
    if (value === sought.current) return;
    sought.current = value;
    setTyped(value);
  }, [value]);

  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sought.current) return;
    const timer = setTimeout(() => {
      sought.current = wanted;
      report.current(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const empty = () => {
    setTyped('');
    input.current?.focus();
  };

  return (
    <search class="search list-search">
      <label class="visually-hidden" for={id}>
        {label}
      </label>
      <Icon of={Search} />
      <input
        id={id}
        ref={input}
        type="search"
        class="input"
        value={typed}
        placeholder={label}
        maxLength={64}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        dir="auto"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {typed !== '' && (
        <button type="button" class="list-search__clear" title={clear} onClick={empty}>
          <Icon of={X} />
          <span class="visually-hidden">{clear}</span>
        </button>
      )}
    </search>
  );
}
