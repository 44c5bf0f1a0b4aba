let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a password is among the commonest: some 18,000 of eight characters and more, in whatever case, from the
 * list that zxcvbn-ts keeps. Loaded when the first password is set: most processes never need it.
 */
export async function isCommon(password: string): Promise<boolean> {
  known ??= load();
  return (await known).has(password.toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'] as string[]);
}
