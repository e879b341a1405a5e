// A text sealed with a passphrase (PBKDF2 and AES-GCM of the browser), and opened again.
// Used to move one's history; without a passphrase the text stays as it is.

interface Sealed {
  sealed: 1;
  salt: string;
  iv: string;
  data: string;
}

const ROUNDS = 310_000;
const to64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
const from64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

async function keyOf(phrase: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  if (!crypto.subtle)
    throw new Error("Sealing needs https or this computer itself; leave the passphrase empty.");
  const raw = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(phrase),
    "PBKDF2",
    false,
    ["deriveKey"],
  );
  return crypto.subtle.deriveKey(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS },
    raw,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

export async function locked(text: string, phrase: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv },
    await keyOf(phrase, salt),
    new TextEncoder().encode(text),
  );
  const made: Sealed = {
    sealed: 1,
    salt: to64(salt),
    iv: to64(iv),
    data: to64(new Uint8Array(data)),
  };
  return JSON.stringify(made);
}

export async function unlocked(text: string, phrase: string): Promise<string> {
  let found: Partial<Sealed> | null = null;
  try {
    found = JSON.parse(text);
  } catch {
    /* not sealed: whoever reads it says what is wrong */
  }
  if (found?.sealed !== 1) return text;
  if (!phrase) throw new Error("This file is sealed; type its passphrase.");
  try {
    const key = await keyOf(phrase, from64(found.salt!));
    const data = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: from64(found.iv!) },
      key,
      from64(found.data!),
    );
    return new TextDecoder().decode(data);
  } catch {
    throw new Error("The passphrase does not open this file.");
  }
}
