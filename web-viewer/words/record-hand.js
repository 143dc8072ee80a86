// The phone goes from hand to hand, so that each seat enters what only it may know.

export const hand = {
  goOn: 'Go on',
  back: 'Back to the table',
  onlyThis: (name) => `Only ${name} may look now.`,
  hide: 'Hide',
  // Why what was entered is not recorded; it is not shown.
  illegal: 'What was entered is not legal here. Nothing is recorded.',
  failed: 'Nothing is recorded. Try again.',
  handOver: (name) => `Hand the phone to ${name}. Nobody else looks.`,
  show: (name) => `I am ${name}: show what I may see`,
  sent: (name) => `${name} has acted. Nothing of it is shown here any more: hand the phone back.`,
  sending: (name) => `${name} has acted. It is being sent.`,
  // A button, once somebody else is to act in secret.
  // Why what the seat knows is not shown.
  mayNotShow: 'This device may not show what this seat knows. What is typed is still recorded.',
  unreached: 'The service cannot be reached: what this seat knows cannot be shown now.',
};
