// מה השתבש. טקסט באנגלית עומד בין \u2068 ל־\u2069, כדי שכיוונו לא ישפיע על המשפט.

export const errors = {
  offline: 'אין קשר עם השירות.',
  signInAgain: 'אסימון הגישה כבר אינו תקף. יש להיכנס שוב.',
  notYet: 'עדיין אי אפשר לראות את זה.',
  tooMany: 'יותר מדי בקשות; יש להמתין רגע.',
  answered: (status) => `השירות ענה ${status}`,
  noLog: (status) => `לא ניתן היה לטעון את היומן (${status})`,
  noPart: 'חלק מהדף לא נטען: יש לטעון את הדף מחדש',
  refused: {
    BAD_INPUT: (why) => `כך אי אפשר: \u2068${why}\u2069`,
    BAD_SETUP: (why) => `ההצבה ההתחלתית אינה אפשרית: \u2068${why}\u2069`,
    NOT_FOUND: (why) => `לא נמצא: \u2068${why}\u2069`,
    ILLEGAL_ACTION: (why) => `הכללים אינם מתירים זאת: \u2068${why}\u2069`,
    BAD_SIGNATURE: (why) => `החתימה אינה נכונה: \u2068${why}\u2069`,
    NOT_YOUR_TURN: (why) => `התור הוא של מישהו אחר: \u2068${why}\u2069`,
    OUT_OF_TIME: (why) => `מחוץ לזמן: \u2068${why}\u2069`,
    NOT_REACHED: (why) => `לא בוצע: \u2068${why}\u2069`,
    GAME_OVER: (why) => `המשחק הסתיים: \u2068${why}\u2069`,
    LOG_CONFLICT: (why) => `המשחק התקדם בינתיים: \u2068${why}\u2069`,
    TOO_COMPLEX: (why) => `הבקשה גדולה מדי: \u2068${why}\u2069`,
    READ_ONLY: (why) => `השירות אינו יכול לרשום כרגע: \u2068${why}\u2069`,
    OUTCOME_UNKNOWN: (why) => `לא ידוע אם זה נרשם: \u2068${why}\u2069`,
    SECRET_LOST: (why) => `סוד אבד: \u2068${why}\u2069`,
    INTERNAL: (why) => `אירעה תקלה: \u2068${why}\u2069`,
  },
};
