// Light or dark as the page was set to, or else as the system is.
const darkness = matchMedia('(prefers-color-scheme: dark)');
function follow() {
  const chosen = localStorage.getItem('hearth-theme');
  const isChosen = chosen === 'light' || chosen === 'dark';
  const { classList, dataset } = document.documentElement;
  if (isChosen) dataset.theme = chosen;
  // The class is for the reference, whose own styles ask for it.
  classList.toggle('dark-mode', isChosen ? chosen === 'dark' : darkness.matches);
}
darkness.addEventListener('change', follow);
follow();
