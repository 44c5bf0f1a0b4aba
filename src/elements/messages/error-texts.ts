/** What went wrong and what to do next. */
export interface ErrorText {
  title: string;
  body: string;
}

/** Texts by the code or the reason of an error. */
export type ErrorTexts = Readonly<Record<string, ErrorText>>;
