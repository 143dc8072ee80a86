// Why there is no game or position to show.

export const notice = {
  noGame: 'No such game',
  noneHere: 'There is no game with this address. ',
  notYours: 'You may not see what this viewer sees while the game runs. ',
  showMine: 'Show what I may see',
};
