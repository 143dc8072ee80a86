export const deadline = {
  opens: (left) => `Die Runde beginnt in ${left}`,
  left: (left) => `Noch ${left} für diese Runde`,
  over: 'Die Zeit ist um: Die Runde wird geschlossen',
};
