/** Copies text with the escape sequence OSC 52, which also works over SSH. Some terminals ignore this sequence. */
export const copyToClipboard = (stdout: { write(text: string): unknown }, text: string): void => {
  stdout.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
};

export const copiedText = 'Copied, if your terminal supports it. Otherwise, select the link.';
