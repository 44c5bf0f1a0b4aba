import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Bad } from '../ui/verdict.tsx';
import type { FileText } from './api.ts';

interface FileFormProps {
  id: string;
  initial: FileText;
  error: unknown;
  onSave: (text: FileText) => void;
}

const mostBytes = 20_000;
const sizeOf = (text: string) => new TextEncoder().encode(text).length;

export function FileForm({ id, initial, error, onSave }: FileFormProps) {
  const contentId = useId();
  const nameInput = useRef<HTMLInputElement>(null);
  const contentInput = useRef<HTMLTextAreaElement>(null);
  const [name, setName] = useState(initial.name);
  const [content, setContent] = useState(initial.content);
  const [insisting, setInsisting] = useState(false);
  const isNameless = name.trim() === '';
  const isTooLong = sizeOf(content) > mostBytes;

  const submit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    if (isNameless) nameInput.current?.focus();
    else if (isTooLong) contentInput.current?.focus();
    else onSave({ name: name.trim(), content });
  };

  return (
    <form id={id} class="form" onSubmit={submit}>
      <Field
        label={t('files.name')}
        name="file"
        value={name}
        onValue={setName}
        inputRef={nameInput}
        autocomplete="off"
        maxLength={100}
        invalid={insisting && isNameless}
        message={insisting && isNameless && <Bad>{t('files.enterName')}</Bad>}
      />
      <div class="field">
        <label class="field__label" for={contentId}>
          {t('files.text')}
        </label>
        <textarea
          ref={contentInput}
          id={contentId}
          class="input input--text"
          rows={10}
          dir="auto"
          value={content}
          onInput={(event) => setContent(event.currentTarget.value)}
          aria-invalid={isTooLong || undefined}
          aria-describedby={`${contentId}-message`}
        />
        <div id={`${contentId}-message`} class="field__message" role="status">
          {isTooLong && <Bad>{t('files.tooLong')}</Bad>}
        </div>
      </div>
      <ErrorNotice error={error} />
    </form>
  );
}
