// Actions in words.

export const spoken = {
  setUp: 'ההצבה ההתחלתית',
  secretFavour: 'חסד, בסוד',
  favour: (name) => `החסד ${name}`,
  favours: { assault: 'הסתערות', conspire: 'קשר', deceive: 'הטעיה', hasten: 'חיפזון' },
  battleWon: 'הקרב הוכרע בניצחון',
  battleLost: 'הקרב הוכרע בהפסד',
  leave: 'המפסיד נשאר במקומו',
  end: 'סוף התור',
  pass: 'ויתור על התור',
  rebuild: 'בנייה מחדש',
  establish: { farm: 'חווה', city: 'עיר' },
  without: { sword: 'בלי חרב', shield: 'בלי מגן' },
  chosen: { sword: (which) => `חרב ${which}`, shield: (which) => `מגן ${which}` },
  pyramids: { L: 'פירמידה גדולה', M: 'פירמידה בינונית', S: 'פירמידה קטנה' },
  steps: { '-': 'להישאר', L: 'שמאלה', R: 'ימינה', U: 'למעלה', D: 'למטה' },
  path: (steps, garnet) => `${steps.join(', ')}${garnet ? ', עם גרנט' : ''}`,
};
