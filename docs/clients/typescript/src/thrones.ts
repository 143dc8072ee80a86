// Two players of Thrones, each with a token of its own. They lay out their homelands in secret, choose favours that
// nobody sees, and fight for a fortress, which the service's dice decide.

import { randomBytes, randomUUID } from "node:crypto";

import { Act, Contribute, NewGame, IssueTokens, ReadGame, Roll } from "./operations.js";
import { Plybook } from "./plybook.js";

const HOMELAND = "mmmmmwwww/wwwfFffff/ffffppppp/ppppppppp";

/** What each seat would like to do, the most important first. */
export const PLANS: ReadonlyMap<number, readonly string[]> = new Map([
  [1, [
    `setup:${HOMELAND}:Ra4Rb4Sc4Sd4Te2De4Ef4Xg3Lg4Ch3Lh4Bi3Wi4:pafbwcmd`,
    "favor:hasten", "e7xe8", "e4xe8", "end", "a4-a5", "a5-a4",
  ]],
  [2, [
    `setup:${HOMELAND}:Ra6Rb6Sc6Sd6Te8Df6Eg6Wg7Lh6Xh7Li6Ci7Bi8:pffgwhmi`,
    "favor:conspire", "leave", "end", "a6-b7", "b7-a6",
  ]],
]);

/** A game of two, created with the token of a recorder, and the token of each seat. */
export async function create(recorder: Plybook): Promise<{ game: string; tokens: Map<number, string> }> {
  const input = { kind: "thrones", seats: [{ name: "Ada" }, { name: "Ben" }] };
  const { createGame } = await recorder.request(NewGame, { input, key: randomUUID() });
  const game = createGame!.id;
  const { issueGameTokens } = await recorder.request(IssueTokens, { game });
  const tokens = new Map<number, string>();
  for (const { seat, token } of issueGameTokens!) if (seat) tokens.set(seat, token);
  return { game, tokens };
}

/** A seat contributes to the dice, so that nobody has chosen the rolls. Returns what it contributed. */
export async function contribute(player: Plybook, game: string, seat: number): Promise<string> {
  const entropy = randomBytes(32).toString("hex");
  await player.request(Contribute, { game, seat, entropy, key: randomUUID() });
  return entropy;
}

/** One turn of the loop: the seat acts if it may. Returns whether the game is over. */
export async function step(player: Plybook, game: string, seat: number): Promise<boolean> {
  const read = (await player.request(ReadGame, { game, seat })).game!;
  const { seatsToAct, chanceToAct, legalActions } = read.position!;
  if (read.status !== "RUNNING") return true;
  if (chanceToAct) {
    await player.request(Roll, { game, ply: read.ply, key: randomUUID() });
  } else if (seatsToAct.includes(seat)) {
    const action = choose(seat, legalActions ?? null);
    await player.request(Act, { game, action, ply: read.ply, key: randomUUID() });
  }
  return false;
}

/** The first wish that is legal. Where the actions cannot be listed, the homeland is asked for. */
function choose(seat: number, legal: readonly string[] | null): string {
  const plan = PLANS.get(seat)!;
  const action = plan.find((wish) => legal === null || legal.includes(wish));
  if (!action) throw new Error(`seat ${seat} has no plan for ${legal!.join(" ")}`);
  return action;
}
