// The phone goes from hand to hand, so that each seat enters what only it may know.

export const hand = {
  goOn: 'המשך',
  back: 'חזרה לשולחן',
  onlyThis: (name) => `עכשיו המסך מיועד רק ל־${name}.`,
  hide: 'הסתרה',
  illegal: 'מה שהוזן אינו חוקי כאן. לא נרשם דבר.',
  failed: 'לא נרשם דבר. אפשר לנסות שוב.',
  handOver: (name) => `העבירו את הטלפון אל ${name}. אף אחד אחר לא מסתכל.`,
  show: (name) => `אני ${name}: הצגת מה שמותר לי לראות`,
  sent: (name) => `הפעולה של ${name} בוצעה. דבר ממנה אינו מוצג כאן עוד: החזירו את הטלפון.`,
  sending: (name) => `הפעולה של ${name} בוצעה. היא נשלחת כעת.`,
  next: (name) => `העברת הטלפון אל ${name}`,
  mayNotShow: 'המכשיר הזה אינו רשאי להציג את מה שהמושב הזה יודע. מה שמוקלד נרשם בכל זאת.',
  unreached: 'אי אפשר להגיע לשירות: כרגע אי אפשר להציג את מה שהמושב הזה יודע.',
};
