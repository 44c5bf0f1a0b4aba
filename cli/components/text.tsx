import { Text as InkText, type TextProps } from 'ink';
import { Children, type ReactNode } from 'react';
import { printable } from '../words/printable.ts';

/** Ink's text. Escapes control characters, because names and labels come from users. */
export const Text = ({ children, ...props }: TextProps): ReactNode => (
  <InkText {...props}>{Children.map(children, printed)}</InkText>
);

const printed = (child: ReactNode): ReactNode => (typeof child === 'string' ? printable(child) : child);
