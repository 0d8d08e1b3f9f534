// The script that starts the page. It is a separate file, because the content security policy forbids inline scripts.
// One box takes either kind of key. The tab keeps the key, and every request from the page has it.
const storageName = 'hearth-api-key';
const form = document.getElementById('key-form');
const input = document.getElementById('key');
const state = document.getElementById('key-state');
input.value = sessionStorage.getItem(storageName) ?? '';

function show() {
  const key = input.value.trim();
  const kind = key.startsWith('hk-admin-') ? 'an admin key, for /admin/v1' : 'an API key, for /v1';
  state.value = key === '' ? 'Paste a key to try requests.' : 'Requests are sent with ' + kind + '.';
  SwaggerUIBundle({
    url: 'openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    // Otherwise the page would send the document to a validator on the internet.
    validatorUrl: null,
    requestInterceptor(request) {
      if (key !== '') request.headers.Authorization = 'Bearer ' + key;
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
