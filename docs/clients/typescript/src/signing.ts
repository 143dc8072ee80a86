// Signs what somebody does in a game with an Ed25519 key, as FORMAT.md describes. What is signed follows from what the
// person wants and from the log, never from what the service asks for: verify the log first.

import { createHash } from "node:crypto";

/** What somebody does: an action of `seat:1` has the type `acted` and the body `{ action }`. */
export interface Deed {
  game: string;
  by: string;
  type: string;
  body: Record<string, unknown>;
}

/** Where the next event stands: `prev` is the hash of the last one that is not `revealed`. */
export interface Place {
  seq: number;
  prev: string;
}

/** The place of the next event of a log of whole lines. */
export function nextPlace(log: Uint8Array): Place {
  const events = Buffer.from(log).toString().trimEnd().split("\n");
  let seq = events.length;
  while (seq > 1 && JSON.parse(events[seq - 1]!).type === "revealed") seq -= 1;
  return { seq, prev: createHash("sha256").update(`plybook/event/v1\0${events[seq - 1]}`).digest("hex") };
}

/** Somebody with a key, which a browser can keep in IndexedDB without being able to read it. */
export class Signer {
  private constructor(private readonly key: CryptoKey, readonly publicKey: string) {}

  /** A new key. A player's public key is made known with `addPlayerKey`. */
  static async create(): Promise<Signer> {
    const pair = (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair;
    return new Signer(pair.privateKey, hex(await crypto.subtle.exportKey("raw", pair.publicKey)));
  }

  /** The argument `signature` of the mutation that does it. */
  async sign(deed: Deed, place: Place): Promise<string> {
    const { body, by, game, type } = deed;
    const statement = canonical({ body, by, game, prev: place.prev, seq: place.seq, type });
    const message = new TextEncoder().encode(`plybook/signature/v1\0${statement}`);
    return `${this.publicKey}:${hex(await crypto.subtle.sign("Ed25519", this.key, message))}`;
  }
}

/** Canonical JSON: sorted keys, no spaces. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}

function hex(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString("hex");
}
