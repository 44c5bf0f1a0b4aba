/**
 * The product names of authenticators, with the AAGUIDs that the authenticators report. An AAGUID identifies a model.
 *
 * Sources, read in November 2026:
 *
 * - Passkey providers: aaguid.json of passkeydeveloper/passkey-authenticator-aaguids on GitHub.
 * - Security keys: combined_aaguid.json of the same repository, which includes the FIDO Metadata Service.
 * - Microsoft Authenticator and new security keys: Microsoft's Entra documentation.
 * - Trezor: the documentation of trezor-firmware.
 *
 * A product series has one short name, without the connector, profile or firmware. To add an authenticator, find its
 * AAGUID in these sources or in the manufacturer's documentation. Write the AAGUID in lowercase, in the row with the
 * product's name. If no row has the name, add a row in alphabetical order within its group.
 */
const names: readonly (readonly [name: string, ...aaguids: string[]])[] = [
  // Platforms and browsers
  ['Android device', 'b93fd961-f2e6-462f-b122-82002247de78'],
  ['Chrome on Mac', 'adce0002-35bc-c60a-648b-0b25f1f05503'],
  ['Chromium Browser', 'b5397666-4885-aa6b-cebf-e52262a439a2'],
  ['Edge on Mac', '771b48fd-d3d4-4f74-9232-fc157ab0507a'],
  ['Google Password Manager', 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'],
  // The GitHub list uses the newer name Apple Passwords
  ['iCloud Keychain', 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd'],
  ['iCloud Keychain (managed)', 'dd4ec289-e01d-41c9-bb89-70fa845d4bf2'],
  [
    'Microsoft Authenticator',
    'de1e552d-db1d-4423-a619-566b625cdc84', // Android
    '90a3ccdf-635c-4729-a248-9b709135078f', // iOS
  ],
  ['Microsoft Password Manager', 'd3452668-01fd-4c12-926c-83a4204853aa'],
  ['Samsung Pass', '53414d53-554e-4700-0000-000000000000'],
  [
    'Windows Hello',
    '08987058-cadc-4b81-b6e1-30de50dcbe96', // hardware
    '6028b017-b1d4-4c02-b4b3-afcdafc96bb2', // software
    '9ddd1817-af5a-4672-a2b9-3e3dd95000a9', // virtualization-based security (VBS)
  ],

  // Password managers and other passkey providers
  ['1Password', 'bada5566-a7aa-401f-bd96-45619a55120d'],
  ['AliasVault', 'a11a5faa-9f32-4b8c-8c5d-2f7d13e8c942'],
  ['Avast Password Manager', 'a4a2d88e-9796-4356-9164-e2a5a8bd019c'],
  ['AVG Password Manager', '6bb49926-160a-4306-a100-4eb39ba6ac45'],
  ['Avira Password Manager', 'e7db2bd3-f2fe-4d71-ad78-7e7aa166cfd1'],
  ['Bitwarden', 'd548826e-79b4-db40-a3d8-11116f7e8349'],
  ['Dashlane', '531126d6-e717-415c-9320-3d9aa6981239'],
  ['Devolutions', 'de503f9c-21a4-4f76-b4b7-558eb55c6f89'],
  ['Enpass', 'f3809540-7f14-49c1-a8b3-8f813b225541'],
  ['Fenko Vault', 'd2717a32-9851-48a8-9961-b264c97a411a'],
  ['Heimlane Vault', 'd49b2120-b865-4191-8cea-be84a52b0485'],
  ['Hey Be Safe', 'da583154-ce16-4cdf-9fe6-1dba788c0998'],
  ['IDmelon', '39a5647e-1853-446c-a1f6-a79bae9f5bc7', '820d89ed-d65a-409e-85cb-f73f0578f82a'],
  ['initial', '6d212b28-a2c1-4638-b375-5932070f62e9'],
  ['iPasswords', 'bfc748bb-3429-4faa-b9f9-7cfa9f3b76d0'],
  ['Kaspersky Password Manager', 'a10c6dd9-465e-4226-8198-c7c44b91c555'],
  ['KeePassDX', 'eaecdef2-1c31-5634-8639-f1cbd9c00a08'],
  ['KeePassPasskey', '9addb28c-b46f-4402-808f-019651441ff3'],
  ['KeePassXC', 'fdb141b2-5d84-443e-8a35-4698c205a502'],
  ['Keeper', '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6'],
  ['Keyholm', '69840def-9dcf-4632-bf87-6ac2e451b4f5'],
  ['LastPass', 'b78a0a55-6ef8-d246-a042-ba0f6d55050c'],
  ['LogMeOnce', '22248c4c-7a12-46e2-9a41-44291b373a4d'],
  ['NordPass', 'b84e4048-15dc-4dd0-8640-f4f60813c8af'],
  ['Norton Password Manager', 'fa37f553-f9b6-4adb-ac53-8bbb57ebdf0d'],
  ['Parcel', '5ca471bb-a56d-46ad-a496-67e70e9ed9fb'],
  ['PassCard', '87f5ec51-f721-4feb-9fe4-be18c4971894'],
  ['Passwall', '70617373-7761-6c6c-6669-646f32303236'],
  ['Password Depot', '53e7a7a5-e75f-4d3d-9483-12fc779cdf23'],
  ['Proton Pass', '50726f74-6f6e-5061-7373-50726f746f6e'],
  ['pwSafe', 'd350af52-0351-4ba2-acd3-dfeeadc3f764'],
  ['Royal Vault', '65c97700-f5ef-4d5c-8a42-f30e45ac94b7'],
  ['Sésame', '891494da-2c90-4d31-a9cd-4eab0aed1309'],
  ['Sherlocked', 'e8b7f4a2-c3d5-e6f7-890a-b1c2d3e4f567'],
  ['Sticky Password', 'd9be9d39-e6a6-4c28-a581-32b044d986e4'],
  ['Thales Bio SDK', '66a0ccb3-bd6a-191f-ee06-e375c50b9846', '8836336a-f590-0921-301d-46427531eee6'],
  ['Thales PIN SDK', '17290f1e-c212-34d0-1423-365d729f09d9', 'cd69adb5-3c7a-deb9-3177-6800ea6cb72a'],
  ['ToothPic', 'cc45f64e-52a2-451b-831a-4edd8022a202'],
  ['Uniqkey', '45e3057e-b2f9-48ed-912f-9b901e153b16'],
  ['WALLIX Vault', '477b05cd-7f78-4fe7-b629-27247f296138'],
  ['Zoho Vault', 'b35a26b2-8f6e-4697-ab1d-d44db4da28c6'],

  // Yubico
  [
    'Security Key by Yubico',
    'b92c3f9a-c014-4056-887f-140a2501163b',
    'f8a011f3-8c0a-4d15-8006-17111f9edc7d',
    // with NFC
    '0f083f18-4105-43a8-ad69-24e812e38141',
    '149a2021-8ef6-4133-96b8-81f8d5b7f1f5',
    '6d44ba9b-f6ec-2e49-b930-0c8fe920cb73',
    'a4e9fc6d-4cbe-4758-b8ba-37598bb5bbaa',
    'b7d3f68e-88a6-471e-9ecf-2df26d041ede',
    'e77e3c64-05e3-428b-8824-0cbeb04b829d',
    // with NFC, Enterprise Edition
    '0bb43545-fd2c-4185-87dd-feb0b2916ace',
    '24083bcb-3034-4867-99de-a3b52e1d426a',
    '47ab2fb4-66ac-4184-9ae1-86be814012d5',
    '72c6b72d-8512-4c66-8359-9d3d10d9222f',
    '9ff4cc65-6154-4fff-ba09-9e2af7882ad2',
    'ab7d1767-3fa0-4388-b6c4-feef7a844809',
    'ed042a3a-4b22-4455-bb69-a267b652ae7e',
  ],
  [
    'YubiKey 5 CCN Series',
    '3aa78eb1-ddd8-46a8-a821-8f8ec57a7bd5',
    '3ec9c8d3-a5a7-415b-a7b5-f1d606368d3f',
    '4fc84f16-2545-4e53-b8fc-7bf4d7282a10',
    'eb7ef748-cbe0-4b40-b8f6-07bd2d592d35',
  ],
  [
    'YubiKey 5 FIPS Series',
    '57f7de54-c807-4eab-b1c6-1c9be7984e92',
    '73bb0cd4-e502-49b8-9c6f-b59445bf720b',
    '905b4cb4-ed6f-4da9-92fc-45e0d4e9b5c7',
    // with NFC
    '79f3c8ba-9e35-484b-8f47-53a5a0f5c630',
    'c1f9a0bc-1dd2-404a-b27f-8e29047a43fd',
    'fcc0118f-cd45-435b-8da1-9782b2da0715',
    // with Lightning
    '3a662962-c6d4-4023-bebb-98ae92e78e20',
    '7b96457d-e3cd-432b-9ceb-c9fdd7ef7432',
    '85203421-48f9-4355-9bc8-8a53846e5083',
  ],
  [
    'YubiKey 5 Series',
    '0a357157-9b18-4c8a-920e-d156e972b2f8',
    '19083c3d-8383-4b18-bc03-8f1c9ab2fd1b',
    '20ac7a17-c814-4833-93fe-539f0d5e3389',
    '4599062e-6926-4fe7-9566-9e8fb1aedaa0',
    '524de2de-982f-49b4-a769-2b5e3b73ad79',
    'cb69481e-8ff7-4039-93ec-0a2729a154a8',
    'ee882879-721c-4913-9775-3dfcce97072a',
    'ff4dac45-ede8-4ec2-aced-cf66103f4335',
    // with NFC
    '1ac71f64-468d-4fe0-bef1-0e5f2f551f18',
    '2fc0579f-8113-47ea-b116-bb5a8db9202a',
    '41e39911-c669-4811-b860-c6ad0b411b96',
    '6ab56fad-881f-4a43-acb2-0be065924522',
    '7dab85a5-d16d-4eaf-a7ef-4c1385b151c5',
    '9eb7eabc-9db5-49a1-b6c3-555a802093f4',
    'a25342c0-3cdc-4414-8e46-f4807fca511c',
    'd7781e5d-e353-46aa-afe2-3ca49f13332a',
    'f4ce5fc0-57d3-46f5-a736-efb7d5bc63b5',
    'fa2b99dc-9e39-4257-8f92-4a30d23c4118',
    // with NFC, Enhanced PIN
    '0ebd9f2c-f685-441c-8c3e-a02a234a840a',
    '662ef48a-95e2-4aaa-a6c1-5b9c40375824',
    '9a3f2abd-a73d-439c-9ee7-1b53a857eaa7',
    'b2c1a50b-dad8-4dc7-ba4d-0ce9597904bc',
    // with Lightning
    '03012cb7-4fb2-42e7-9e8d-a81f10e2a5e9',
    '24673149-6c86-42e7-98d9-433fb5b73296',
    '3b24bf49-1d45-4484-a917-13175df0867b',
    'a02167b9-ae71-4ac7-9a07-06432ebb6f1c',
    'b90e7dc1-316e-4fee-a25a-56a666a670fe',
    'c3479970-e58a-4f70-836f-853bf42fb063',
    'c5ef55ff-ad9a-4b9f-b580-adebafe026d0',
  ],
  [
    'YubiKey Bio Series',
    // FIDO Edition
    '7409272d-1ff9-4e10-9fc9-ac0019c124fd',
    '83c47309-aabb-4108-8470-8be838b573cb',
    '8c39ee86-7f9a-4a95-9ba3-f6b097e5c2ee',
    '9dd8d593-2213-438a-97f8-d6b813d51c27',
    'ad08c78a-4e41-49b9-86a2-ac15b06899e2',
    'add92433-0d69-4026-8166-29b25bce64e9',
    'd8522d9f-575b-4866-88a9-ba99fa02f35b',
    'dd86a2da-86a0-4cbe-b462-4bd31f57bc6f',
    // Multi-protocol Edition
    '34744913-4f57-4e6e-a527-e9ec3c4b94e6',
    '58276709-bb4b-4bb3-baf1-60eea99282a7',
    '6ec5cff2-a0f9-4169-945b-f33b563f7b99',
    '7d1351a6-e097-4852-b8bf-c9ac5c9ce4a3',
    '90636e1f-ef82-43bf-bdcf-5255f139d12f',
    '97e6a830-c952-4740-95fc-7c78dc97ce47',
    '9806a2c8-c0da-478e-b4ca-620005d34182',
    'ba0a9266-40d8-4048-9786-d710b5474752',
    'dc5e949d-f939-43b3-9877-a85c7186b753',
  ],

  // Other security keys, and hardware wallets that are security keys too
  ['Feitian AllinOne', '12ded745-4bed-47d4-abaa-e713f51d6393'],
  [
    'Feitian BioPass FIDO2',
    '2bff89f2-323a-48fc-b7c8-9ff7fe87c07e',
    '42df17de-06ba-4177-a2bb-6701be1380d6',
    '4c0cf95d-2f40-43b5-ba42-4c83a11c04ba',
    '77010bd7-212a-4fc9-b236-d2ca5e9d4084',
    'a02140b7-0cbd-42e1-a9b5-a39da2545114',
    'b6ede29c-3772-412c-8a78-539c1f4c62d2',
  ],
  [
    'Feitian ePass FIDO',
    '12755c32-8ad1-46eb-881c-e0b38d848b09',
    '234cd403-35a2-4cc2-8015-77ea280c77f5',
    '260e3021-482d-442d-838c-7edfbe153b7e',
    '39589099-9a75-49fc-afaa-801ca211c62a',
    '78ba3993-d784-4f44-8d6e-cc0a8ad5230e',
    '833b721a-ff5f-4d00-bb2e-bdda3ec01e29',
    'ee041bce-25e5-4cdb-8f86-897fd6418464',
  ],
  ['Feitian iePass FIDO', '3e22415d-7fdf-4ea4-8a0c-dd60c4249b9d'],
  ['Google Titan Security Key', '42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3'],
  ['GoTrust Idem Key', '3b1adb99-0dfe-46fd-90b8-7f7614a4de2a', 'c611b55c-77b2-4527-8082-590e931b2f08'],
  [
    'Kensington VeriMark',
    '09619fbf-d75e-4a62-be1d-fe4d240864ae',
    '76692dc1-c56a-48d9-8e7d-31b5ced430ac',
    'd94a29d9-52dd-4247-9c2d-8b818b610389',
    'ee7fa1e0-9539-432f-bd43-9c2fc6d4f311',
  ],
  ['Ledger Flex', '1d8cac46-47a1-3386-af50-e88ae46fe802'],
  ['Ledger Nano S', '341e4da9-3c2e-8103-5a9f-aad887135200'],
  ['Ledger Nano S Plus', '58b44d0b-0a7c-f33a-fd48-f7153c871352'],
  ['Ledger Nano X', 'fcb1bcb4-f370-078c-6993-bc24d0ae3fbe'],
  ['Ledger Stax', '6e24d385-004a-16a0-7bfe-efd963845b34'],
  ['Nitrokey 3', '2cd2f727-f6ca-44da-8f48-5c2e5da000a2'],
  ['OneKey', '69e7c36f-f2f6-9e0d-07a6-bcc243262e6b', '70e7c36f-f2f6-9e0d-07a6-bcc243262e6b'],
  ['OnlyKey', '998f358b-2dd2-4cbe-a43a-e8107438dfb3'],
  ['OpenSK', '664d9f67-84a2-412a-9ff7-b4f7d8ee6d05'],
  [
    'SafeNet eToken',
    '050dd0bc-ff20-4265-8d5d-305c4b215192',
    '10c70715-2a9a-4de1-b0aa-3cff6d496d39',
    '146e77ef-11eb-4423-b847-ce77864e9411',
    '23786452-f02d-4344-87ed-aaf703726881',
    '74820b05-a6c9-40f9-8fb0-9f86aca93998',
    'b113a455-cfb6-4c17-8cba-cd952feb7d48',
    'c3f47802-de73-4dfc-ba22-671fe3304f90',
    'd716019a-9f4e-4041-9750-17c78f8ae81a',
    'efb96b10-a9ee-4b6c-a4a9-d32125ccd4a4',
  ],
  ['Solo', '8876631b-d4a0-427f-5773-0ec71c9e0279'],
  ['Solo Tap', '8976631b-d4a0-427f-5773-0ec71c9e0279'],
  ['Somu', '9876631b-d4a0-427f-5773-0ec71c9e0279'],
  ['Swissbit iShield Key', '5d629218-d3a5-11ed-afa1-0242ac120002', '931327dd-c89b-406c-a81e-ed7058ef36c6'],
  [
    'Swissbit iShield Key 2',
    '5eaff75a-dd43-451f-af9f-87c9eeae293e',
    '7787a482-13e8-4784-8a06-c7ed49a7aaf4',
    '817cdab8-0d51-4de1-a821-e25b88519cf3',
    'e400ef8c-711d-4692-af46-7f2cf7da23ad',
  ],
  ['Thetis Pro', '1f8e43df-71ff-e11d-bea3-c4ee7003b232'],
  ['Token2 FIDO2 Security Key', 'ab32f0c6-2239-afbb-c470-d2ef4e254db7'],
  ['Token2 PIN+ Security Key', 'eabb46cc-e241-80bf-ae9e-96fa6d2975cf'],
  ['Trezor', 'd6d0bdc3-62ee-c4db-de8d-7a656e4a4487'],
];

const nameByAaguid: ReadonlyMap<string, string> = new Map(
  names.flatMap(([name, ...aaguids]) => aaguids.map((aaguid) => [aaguid, name] as const)),
);

/**
 * The authenticator's product name. Null if the AAGUID is unknown, or if it is zero because the authenticator hides its
 * model (WebAuthn 6.5.1).
 *
 * Use the name only as a label. The AAGUID is not verified, because the service requests no attestation.
 */
export const authenticatorName = (aaguid: string): string | null =>
  nameByAaguid.get(aaguid.toLowerCase()) ?? null;
