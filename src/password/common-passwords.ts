let loading: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a password is on the zxcvbn-ts list of common passwords. Ignores case. About 18,000 passwords of the list
 * have eight or more characters. The list is loaded on first use, because most processes do not need it.
 */
export async function isCommon(password: string): Promise<boolean> {
  loading ??= load();
  return (await loading).has(password.toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'] as string[]);
}
