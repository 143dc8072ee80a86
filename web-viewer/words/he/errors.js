// מה השתבש.

export const errors = {
  offline: 'אין קשר עם השירות.',
  signInAgain: 'אסימון הגישה כבר אינו תקף. יש להיכנס שוב.',
  notYet: 'עדיין אי אפשר לראות את זה.',
  tooMany: 'יותר מדי בקשות; יש להמתין רגע.',
  answered: (status) => `השירות ענה ${status}`,
  noLog: (status) => `לא ניתן היה לטעון את היומן (${status})`,
  noPart: 'חלק מהדף לא נטען: יש לטעון את הדף מחדש',
  refused: {
    BAD_INPUT: (why) => `כך אי אפשר: ${why}`,
    BAD_SETUP: (why) => `ההצבה ההתחלתית אינה אפשרית: ${why}`,
    NOT_FOUND: (why) => `לא נמצא: ${why}`,
    ILLEGAL_ACTION: (why) => `הכללים אינם מתירים זאת: ${why}`,
    BAD_SIGNATURE: (why) => `החתימה אינה נכונה: ${why}`,
    NOT_YOUR_TURN: (why) => `התור הוא של מישהו אחר: ${why}`,
    OUT_OF_TIME: (why) => `מחוץ לזמן: ${why}`,
    NOT_REACHED: (why) => `לא בוצע: ${why}`,
    GAME_OVER: (why) => `המשחק הסתיים: ${why}`,
    LOG_CONFLICT: (why) => `המשחק התקדם בינתיים: ${why}`,
    TOO_COMPLEX: (why) => `הבקשה גדולה מדי: ${why}`,
    READ_ONLY: (why) => `השירות אינו יכול לרשום כרגע: ${why}`,
    OUTCOME_UNKNOWN: (why) => `לא ידוע אם זה נרשם: ${why}`,
    BEHIND: (why) => `השירות עדיין אינו מעודכן: ${why}`,
    SECRET_LOST: (why) => `סוד אבד: ${why}`,
    INTERNAL: (why) => `אירעה תקלה: ${why}`,
  },
};
