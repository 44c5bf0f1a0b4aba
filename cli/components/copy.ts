/** Copies text to the clipboard through the terminal (OSC 52), also over SSH. Some terminals ignore it. */
export const copyToClipboard = (stdout: { write(text: string): unknown }, text: string): void => {
  stdout.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
};

export const copiedText = 'Copied, if your terminal allows it. Otherwise select the link.';
