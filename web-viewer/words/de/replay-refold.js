// What the present rules say of a recorded game.

export const refold = {
  judge: 'Nach den heutigen Regeln beurteilen',
  judging: 'Wird beurteilt…',
  gone: 'Der Dienst hat die Regeln dieser Partie nicht mehr, also kann sie nicht nachgespielt werden. ',
  recorded: (version) => `Aufgezeichnet nach ${version}. `,
  rules: 'den heutigen Regeln',
  rulesOf: (version) => `den heutigen Regeln (${version})`,
  same: (rules) => `Nach ${rules} dasselbe.`,
  sealed: (rules, ply) => `Nach ${rules} dasselbe, soweit es aufgedeckt ist: bis Halbzug ${ply}.`,
  orphan: 'Nicht beurteilt: Das Log, das diese Variante fortsetzt, ist hier nicht aufgezeichnet.',
  differs: (rules, seq) => `Nach ${rules} anders ab Ereignis ${seq}`,
  here: (place, why) => [' (', place, `): ${why}`],
  inParent: (place, why) => [' des Logs, das diese Variante fortsetzt (', place, `): ${why}`],
  ply: (ply) => `Halbzug ${ply}`,
};
