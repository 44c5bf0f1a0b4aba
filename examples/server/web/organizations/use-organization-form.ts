import { AuthClientError, type Organization } from 'latchkey/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { codeOf } from '../explain.ts';
import { useAction } from '../use-action.ts';

interface OrganizationFormSettings {
  /** The organization to rename. Absent: the form creates an organization. */
  initial?: Organization;
  save: (given: { name: string; slug?: string | undefined }) => Promise<Organization>;
  onSaved: (saved: Organization) => void;
}

const slugForm = /^[a-z0-9-]{2,48}$/;

/** Whether the short name is taken, or the service could not derive a valid short name from the name. */
const isAboutSlug = (error: unknown): boolean =>
  error instanceof AuthClientError && (error.code === 'slug_taken' || error.errors?.[0]?.path === 'slug');

export type OrganizationForm = ReturnType<typeof useOrganizationForm>;

/**
 * The state of a form for the name of an organization. The service derives the short name of a new organization, so the
 * form asks for the short name only if the derived one is unusable, or if the organization already has one.
 */
export function useOrganizationForm({ initial, save, onSaved }: OrganizationFormSettings) {
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
  const wantsSlug = isAboutSlug(saving.error);

  useEffect(() => {
    if (wantsSlug) slugInput.current?.select();
  }, [wantsSlug]);

  const submit = (event: Event) => {
    event.preventDefault();
    setInsisting(true);
    if (isNameless) nameInput.current?.focus();
    else if (isSlugWrong) slugInput.current?.focus();
    else void saving.run();
  };

  return {
    nameInput,
    slugInput,
    name,
    setName,
    slug,
    setSlug: (typed: string) => {
      setSlug(typed.toLowerCase());
      saving.forget();
    },
    asksForSlug,
    isNameInvalid: insisting && isNameless,
    isSlugInvalid: wantsSlug || (insisting && isSlugWrong),
    isSlugTaken: codeOf(saving.error) === 'slug_taken',
    submit,
    busy: saving.busy,
    /** Errors that are not about a field. */
    error: wantsSlug ? null : saving.error,
  };
}
