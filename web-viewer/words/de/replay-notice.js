export const notice = {
  noGame: 'Keine solche Partie',
  noneHere: 'Unter dieser Adresse gibt es keine Partie. ',
  notYours: 'Was hier zu sehen wäre, ist während der Partie nicht für alle sichtbar. ',
  showMine: 'Zeigen, was ich sehen darf',
};
