export const deadline = {
  opens: (left) => `הסיבוב ייפתח בעוד ${left}`,
  left: (left) => `נותרו ${left} לסיבוב הזה`,
  over: 'הזמן נגמר: הסיבוב נסגר',
};
