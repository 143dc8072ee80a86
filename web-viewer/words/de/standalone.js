export const standalone = {
  changed: (why) => `das Protokoll in dieser Seite wurde verändert: ${why}`,
  incomplete: 'es ist nicht vollständig',
};
