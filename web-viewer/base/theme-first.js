// Applies the reader's theme before anything is painted. Not a module: those run later. `theme.js` changes it.

try {
  document.documentElement.dataset.theme = localStorage.getItem('plybook.theme') ?? '';
} catch {
  // Without storage, the theme is the system's.
}
