/** Hands a text to the clipboard of whoever sits at the terminal, over SSH too (OSC 52). Many terminals allow it, not all. */
export const copyToClipboard = (stdout: { write(text: string): unknown }, text: string): void => {
  stdout.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
};

export const copiedWords = 'Copied, where the terminal allows it; else select the link.';
