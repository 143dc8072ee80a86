export const standalone = {
  changed: (why) => `הרשומה שבדף הזה שונתה: ${why}`,
  incomplete: 'היא אינה שלמה',
};
