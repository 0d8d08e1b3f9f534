// Light or dark as hearth's page was set to, or else as the system is.
const chosen = localStorage.getItem('hearth-theme');
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
