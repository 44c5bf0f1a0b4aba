export const creationOptions = {
  rp: { id: 'example.org', name: 'Example' },
  user: { id: 'dXNlcg', name: 'ada', displayName: 'Ada' },
  challenge: 'Y2hhbGxlbmdl',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
};

export const requestOptions = { challenge: 'Y2hhbGxlbmdl', rpId: 'example.org', timeout: 300_000 };
