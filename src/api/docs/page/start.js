// The script that starts the page. It is a separate file, because the content security policy forbids inline scripts.
// One box takes either kind of key, and the tab keeps it; while it is empty, the keys serve that hearth's page is signed in
// with.
const storageName = 'hearth-api-key';
const form = document.getElementById('key-form');
const input = document.getElementById('key');
const state = document.getElementById('key-state');
input.value = sessionStorage.getItem(storageName) ?? '';
const signedIn = JSON.parse(
  sessionStorage.getItem('hearth-keys') ?? localStorage.getItem('hearth-keys') ?? '{}',
);

function show() {
  const key = input.value.trim();
  const isSignedIn = signedIn.user !== undefined || signedIn.admin !== undefined;
  if (key.startsWith('hk-admin-')) state.value = 'Requests are sent with an admin key, for /admin/v1.';
  else if (key !== '') state.value = 'Requests are sent with an API key, for /v1.';
  else state.value = isSignedIn ? 'Requests are sent with your own keys.' : 'Paste a key to try requests.';
  SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    // With all its routes in sight it would take seconds until it can be used.
    docExpansion: 'none',
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    // Otherwise the page would send the document to a validator on the internet.
    validatorUrl: null,
    requestInterceptor(request) {
      const own = new URL(request.url, location.href).pathname.includes('/admin/')
        ? signedIn.admin
        : signedIn.user;
      const sent = key === '' ? own : key;
      if (sent !== undefined) request.headers.Authorization = 'Bearer ' + sent;
      return request;
    },
    // Hidden, because the box above takes the key.
    plugins: [
      () => ({ wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null } }),
    ],
  });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(storageName, input.value.trim());
  show();
});
show();
