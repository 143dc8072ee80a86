// Dice as they lie on the table, and rolls in notation.

/**
 * A roll in notation.
 * @param {{seat: number, faces: (number | string)[]}[]} rolled
 */
function rollText(rolled) {
  return `roll:${rolled.map(({ seat, faces }) => `${seat}=${faces.join('+')}`).join(',')}`;
}

/**
 * The dice that a position awaits.
 * @param {any} prompt of chance
 * @returns {{seat: number, dice: number[]}[]} the faces of each die, by seat
 */
export function handsOf(prompt) {
  return Object.entries(prompt?.dice ?? {}).map(([seat, kinds]) => ({ seat: Number(seat), dice: [].concat(/** @type {any} */ (kinds)).map((kind) => Number(String(kind).replace(/\D/g, ''))) }));
}

/**
 * A roll in notation (`roll:1=7,3=4+11`); empty until every die has its face.
 * @param {{seat: number, dice: number[]}[]} hands @param {Record<string, number>} faces by `seat:index`
 */
export function enteredRoll(hands, faces) {
  const text = rollText(hands.map(({ seat, dice }) => ({ seat, faces: dice.map((_, index) => faces[`${seat}:${index}`] ?? '?') })));
  return hands.length === 0 || text.includes('?') ? '' : text;
}
