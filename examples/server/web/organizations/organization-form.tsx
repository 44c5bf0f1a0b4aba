import { AuthClientError, type Organization } from 'latchkey/client';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { codeOf } from '../explain.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useAction } from '../use-action.ts';

interface OrganizationFormProps {
  title: string;
  submit: string;
  /** The organization to rename. Absent: the form creates an organization. */
  initial?: Organization;
  save: (given: { name: string; slug?: string | undefined }) => Promise<Organization>;
  onClose: () => void;
  onSaved: (saved: Organization) => void;
}

const slugForm = /^[a-z0-9-]{2,48}$/;

/** Whether the short name is taken, or the service could not derive a valid short name from the name. */
const isAboutSlug = (error: unknown): boolean =>
  error instanceof AuthClientError && (error.code === 'slug_taken' || error.errors?.[0]?.path === 'slug');

/**
 * Asks for the name of an organization. When renaming, also asks for the short name. The service derives the short name of
 * a new organization, so the form asks for the short name only if the derived one is unusable.
 */
export function OrganizationForm(props: OrganizationFormProps) {
  const { title, submit, initial, save, onClose, onSaved } = props;
  const form = useId();
  const nameInput = useRef<HTMLInputElement>(null);
  const slugInput = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(initial?.name ?? '');
  const [slug, setSlug] = useState(initial?.slug ?? '');
  const [asksForSlug, setAsksForSlug] = useState(initial !== undefined);
  const [insisting, setInsisting] = useState(false);
  const isNameless = name.trim() === '';
  const isSlugWrong = asksForSlug && !slugForm.test(slug);

  const saving = useAction(async () => {
    try {
      onSaved(await save({ name: name.trim(), slug: asksForSlug ? slug : undefined }));
    } catch (error) {
      if (isAboutSlug(error)) setAsksForSlug(true);
      throw error;
    }
  });
  const isTaken = codeOf(saving.error) === 'slug_taken';
  const wantsSlug = isAboutSlug(saving.error);

  useEffect(() => {
    if (wantsSlug) slugInput.current?.select();
  }, [wantsSlug]);

  const onSubmit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    if (isNameless) nameInput.current?.focus();
    else if (isSlugWrong) slugInput.current?.focus();
    else void saving.run();
  };

  const slugMessage = () => {
    const rule = '2 to 48 letters a–z, digits and dashes.';
    if (isTaken && slug === '')
      return <Bad>The short name derived from the name is taken. Choose another one.</Bad>;
    if (isTaken) return <Bad>This short name is taken. Choose another one.</Bad>;
    return wantsSlug || (insisting && isSlugWrong) ? <Bad>{rule}</Bad> : rule;
  };

  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={saving.busy}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={form} class="form" onSubmit={onSubmit}>
        <Field
          label="Name"
          name="organization"
          value={name}
          onValue={setName}
          inputRef={nameInput}
          autocomplete="organization"
          maxLength={64}
          invalid={insisting && isNameless}
          message={insisting && isNameless && <Bad>Enter a name.</Bad>}
        />
        {asksForSlug && (
          <Field
            label="Short name"
            name="slug"
            value={slug}
            onValue={(typed) => {
              setSlug(typed.toLowerCase());
              saving.forget();
            }}
            inputRef={slugInput}
            autocomplete="off"
            verbatim
            maxLength={48}
            invalid={wantsSlug || (insisting && isSlugWrong)}
            message={slugMessage()}
          />
        )}
      </form>
      {!wantsSlug && <ErrorNotice error={saving.error} />}
    </Dialog>
  );
}
