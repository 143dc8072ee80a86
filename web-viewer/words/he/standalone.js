// What can go wrong in a game as one file.

export const standalone = {
  changed: (why) => `הרשומה שבדף הזה שונתה: ${why}`,
  incomplete: 'היא אינה שלמה',
};
