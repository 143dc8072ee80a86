// Actions in words.

export const spoken = {
  setUp: 'der Aufbau',
  secretFavour: 'eine Gunst, geheim',
  favour: (name) => `die Gunst ${name}`,
  favours: { assault: 'Ansturm', conspire: 'Verschwörung', deceive: 'Täuschung', hasten: 'Eile' },
  battleWon: 'der Kampf ist gewonnen',
  battleLost: 'der Kampf ist verloren',
  leave: 'der Verlierer bleibt stehen',
  end: 'Ende des Zugs',
  pass: 'passen',
  rebuild: 'Wiederaufbau',
  establish: { farm: 'ein Hof', city: 'eine Stadt' },
  without: { sword: 'kein Schwert', shield: 'kein Schild' },
  chosen: { sword: (which) => `Schwert ${which}`, shield: (which) => `Schild ${which}` },
  pyramids: { L: 'eine große Pyramide', M: 'eine mittlere Pyramide', S: 'eine kleine Pyramide' },
  steps: { '-': 'bleiben', L: 'links', R: 'rechts', U: 'hoch', D: 'runter' },
  path: (steps, garnet) => `${steps.join(', ')}${garnet ? ', mit einem Granat' : ''}`,
};
