/** The page at `/docs`. Its links are relative, because a proxy may serve it below another path. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>hearth API</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <form id="key-form">
      <label for="key">API key</label>
      <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="hk-… or hk-admin-…">
      <button type="submit">Use this key</button>
      <output id="key-state" for="key"></output>
    </form>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The same is in <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

export const pageStyle = `#key-form {
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
  align-items: center;
  padding: 0.75rem 1.25rem;
  position: sticky;
  top: 0;
  z-index: 10;
  background: #fff;
  border-bottom: 1px solid #d8dde7;
  font: 14px sans-serif;
}
#key { flex: 0 1 28rem; padding: 0.5rem; font-family: monospace; }
#key-form button { padding: 0.5rem 1rem; cursor: pointer; }
`;

/**
 * The script that starts the page. It is a separate file, because the content security policy forbids inline scripts.
 * One box takes either kind of key. The tab keeps the key, and every request from the page has it.
 */
export const startScript = `const storageName = 'hearth-api-key';
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
`;

/** The page loads nothing from other servers, sends nothing to them, and cannot be framed by other pages. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
