// A game in which everything has to be signed, and is, by the players' own keys.
//   PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=<a recorder's> npm test
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import { ActSigned, IssueTokens, NewGame, ReadGame, ReadSignatures } from "../src/operations.js";
import { Plybook, Refused } from "../src/plybook.js";
import { nextPlace, Signer } from "../src/signing.js";

const { PLYBOOK_URL: url = "", PLYBOOK_TOKEN: token = "" } = process.env;

test("what is signed is recorded with its signature, and anything else is refused", async () => {
  const recorder = new Plybook(url, token);
  const input = { kind: "triangulate", seats: [{ name: "Ada" }, { name: "Ben" }], signatures: "REQUIRED" as const, tags: { test: true } };
  const game = (await recorder.request(NewGame, { input, key: randomUUID() })).createGame!.id;
  const tokens = (await recorder.request(IssueTokens, { game })).issueGameTokens!.filter(({ seat }) => seat);
  const players = await Promise.all(tokens.map(async ({ seat, token }) => (
    { seat: seat!, plybook: new Plybook(url, token), signer: await Signer.create() }
  )));

  for (const { seat, plybook, signer } of players) {
    const { position, head } = (await plybook.request(ReadGame, { game, seat })).game!;
    const [action, another] = position!.legalActions as string[];
    const place = nextPlace(await plybook.log(game));
    assert.deepEqual(place, { seq: head.seq + 1, prev: head.hash });
    const signed = (of: string) => signer.sign({ game, by: `seat:${seat}`, type: "acted", body: { action: of } }, place);
    const act = (signature?: string) => plybook.request(ActSigned, { game, seat, action: action!, signature, key: randomUUID() });
    for (const wrong of [undefined, await signed(another!)]) {
      await assert.rejects(act(wrong), (why: Refused) => why.code === "BAD_SIGNATURE");
    }
    await act(await signed(action!));
  }

  const { valid, unsigned, signers } = (await new Plybook(url).request(ReadSignatures, { game })).game!.verification;
  assert.deepEqual([valid, unsigned], [true, 0]);
  assert.deepEqual(signers!.map(({ key }) => key), players.map(({ signer }) => signer.publicKey));
});
