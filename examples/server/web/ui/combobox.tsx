import { CornerDownLeft } from 'lucide-static';
import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';
import { placeBelow } from './place-below.ts';

export interface ComboboxOption {
  /** Unique in the list. */
  id: string;
  content: ComponentChildren;
  /** Whether a line separates the option from the options before it. */
  isSeparate?: boolean;
}

interface ComboboxProps {
  label: string;
  name: string;
  /** What the user typed. */
  value: string;
  onValue: (typed: string) => void;
  /** The suggestions. The list is open while the field has the focus and there are suggestions. */
  options: readonly ComboboxOption[];
  onChoose: (id: string) => void;
  /** The number of suggestions, as a sentence. Screen readers announce it. */
  status?: string;
  /** What the user has already chosen. Shown inside the field, before the input. */
  chosen?: ComponentChildren;
  /** Called on Backspace in an empty input. */
  onBackspace?: () => void;
  placeholder?: string;
  invalid?: boolean;
  message?: ComponentChildren;
  maxLength?: number;
  inputRef?: Ref<HTMLInputElement>;
}

/**
 * A text field with suggestions. The first suggestion is active, so that Enter chooses it. The arrow keys move between the
 * suggestions, and Escape closes the list. The focus stays in the field.
 */
export function Combobox(props: ComboboxProps) {
  const { label, name, value, onValue, options, onChoose, chosen, onBackspace, message, inputRef } = props;
  const id = useId();
  const line = useRef<HTMLDivElement>(null);
  const [isWanted, setWanted] = useState(false);
  const [active, setActive] = useState(0);
  const isOpen = isWanted && options.length > 0;
  const activeOption = isOpen ? options[Math.min(active, options.length - 1)] : undefined;
  const optionId = (option: ComboboxOption) => `${id}-${option.id}`;

  const choose = (option: ComboboxOption) => {
    setActive(0);
    onChoose(option.id);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && !isOpen) setWanted(true);
    else if (by) setActive((Math.min(active, options.length - 1) + by + options.length) % options.length);
    else if (event.key === 'Enter' && activeOption) choose(activeOption);
    else if (event.key === 'Escape' && isOpen) setWanted(false);
    else {
      if (event.key === 'Backspace' && value === '') onBackspace?.();
      return;
    }
    // Enter does not submit the form, and Escape does not close the dialog around the field.
    event.preventDefault();
  };

  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
      </label>
      <div class="combobox" ref={line}>
        {chosen}
        <input
          id={id}
          ref={inputRef}
          name={name}
          class="combobox__input"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={activeOption && optionId(activeOption)}
          aria-invalid={props.invalid ?? false}
          aria-describedby={`${id}-message`}
          value={value}
          placeholder={props.placeholder}
          maxLength={props.maxLength}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          onInput={(event) => {
            setWanted(true);
            setActive(0);
            onValue(event.currentTarget.value);
          }}
          onFocus={() => setWanted(true)}
          onBlur={() => setWanted(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="visually-hidden" role="status">
        {isOpen && props.status}
      </div>
      <div id={`${id}-message`} class="field__message" role="status">
        {message}
      </div>
      {isOpen && (
        <Options id={`${id}-list`} label={label} below={line}>
          {options.map((option) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard events go to the input
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
            <div
              key={option.id}
              id={optionId(option)}
              role="option"
              aria-selected={option === activeOption}
              class={`combobox__option${option.isSeparate ? ' combobox__option--separate' : ''}`}
              onMouseMove={() => setActive(options.indexOf(option))}
              onClick={() => choose(option)}
            >
              <div class="combobox__content">{option.content}</div>
              {option === activeOption && <Icon of={CornerDownLeft} inline />}
            </div>
          ))}
        </Options>
      )}
    </div>
  );
}

interface OptionsProps {
  id: string;
  label: string;
  below: { current: HTMLElement | null };
  children: ComponentChildren;
}

/** The list of suggestions. It is a popover, so that it is above the dialog and is not cut off where the dialog ends. */
function Options({ id, label, below, children }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  const place = () => {
    if (!list.current || !below.current) return;
    list.current.style.setProperty('--width', `${below.current.offsetWidth}px`);
    placeBelow(list.current, below.current);
  };

  useLayoutEffect(() => {
    list.current?.showPopover();
  }, []);
  // Places the list again after each render, because the heights of the list and of the field can change.
  useLayoutEffect(place);
  useEffect(() => {
    addEventListener('resize', place);
    addEventListener('scroll', place, { passive: true, capture: true });
    return () => {
      removeEventListener('resize', place);
      removeEventListener('scroll', place, { capture: true });
    };
  }, []);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  return (
    <div
      id={id}
      ref={list}
      popover="manual"
      class="combobox__list"
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </div>
  );
}
