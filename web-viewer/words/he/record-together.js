// Putting an action together on the board: trays of pieces, or a path. The titles of trays and the names of pieces come
// from the service. \u2066 … \u2069 is written from left to right.

export const together = {
  trays: 'מה שמונח על הלוח',
  trayNames: 'מגשים',
  foreign: 'אי אפשר להציג על הלוח את מה שהוקלד. אפשר לנקות אותו או להמשיך להקליד.',
  left: 'נותרו',
  enterLaid: 'רישום ההצבה הזאת',
  undo: 'ביטול',
  takeOff: (place) => `הסרה מ־\u2066${place}\u2069`,
  clearTray: (title) => `החזרת ${title} למגש`,
  clear: 'ניקוי',
  howTo: 'יש להקיש על כלי ואז על מקום בלוח. הקשה על כלי שעל הלוח מאפשרת להזיז אותו או להחליף אותו באחר.',
  missing: (trays) => `חסרים: ${trays.join('; ')}.`,
  lacks: (title, pieces) => `${title}: ${pieces.join(', ')}`,
  pieces: (count, name) => (count > 1 ? `${count} ${name}` : name),
  more: (count) => `עוד ${count}`,
  nothingMissing: 'לא חסר דבר. הכללים נבדקים בעת הרישום.',
  notForTray: (title, place) => `${title}: אי אפשר להניח על ${place}.`,
  notForPiece: (name, place) => `${name}: אי אפשר להניח על ${place}.`,
  chooseFirst: (place) => `קודם יש לבחור מה יונח על ${place}.`,
  drawn: 'המסלול על הלוח',
  path: (places) => `מ־${places.join(' אל ')}.`,
  pathEnds: (places) => `מ־${places.join(' אל ')}. אי אפשר להמשיך.`,
  pathStarts: (place) => `מ־${place}: יש להקיש על המקום הבא בלוח, או להישאר.`,
  noPath: 'מה שהוקלד אינו מסלול מכאן.',
  enter: (action) => `רישום \u2066${action}\u2069`,
};
